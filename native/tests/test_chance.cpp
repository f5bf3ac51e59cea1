// Random numbers never change: published outputs of Philox 4x32-10, and the first words of our own
// streams, pinned here and in tests/world/test_chance.py.
#include "check.hpp"
#include "mineproof/chance.hpp"

using namespace mineproof;

int main() {
  CHECK((philox({0, 0, 0, 0}, 0) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  CHECK((philox({~0U, ~0U, ~0U, ~0U}, ~0ULL) ==
         Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  CHECK((philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822ULL) ==
         Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));

  // Our own streams: seed 1, boards (the same five as in Python).
  Stream pinned(1, Purpose::board);
  for (const std::uint32_t word : {0x127BEE41U, 0x1E047488U, 0x48842B20U, 0x0A393496U, 0x10CC6764U})
    CHECK(pinned.next() == word);

  // below(n) reaches every value about equally often.
  Stream stream(1, Purpose::board);
  int seen[7] = {};
  for (int i = 0; i < 70000; ++i) ++seen[stream.below(7)];
  for (const int times : seen) CHECK(times > 9600 && times < 10400);

  // Powers of two and the largest range never loop or exceed the range.
  for (const std::uint32_t n : {1U, 2U, 0x80000000U, 0xFFFFFFFFU})
    for (int i = 0; i < 100; ++i) CHECK(stream.below(n) < n);

  for (int i = 0; i < 1000; ++i) {
    const double x = stream.uniform();
    CHECK(x >= 0.0 && x < 1.0);
  }
  return exit_code();
}
