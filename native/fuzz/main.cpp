// Runs a fuzz target without libFuzzer: on random inputs, and on mutations of inputs that were
// informative.
//
// fuzz_kernel [SECONDS [SEED]]    30 seconds and 0 by default; fuzz_border the same
//
// A failure aborts inside the target and prints the failing input; otherwise the exit code is 0.
// The same seed gives the same inputs in the same order. It is printed first, so that a failure can
// be reproduced.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mineproof/chance.hpp"
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

using mineproof::Purpose;
using mineproof::Stream;
using Input = std::vector<std::uint8_t>;

namespace {

Input random_input(Stream& stream) {
  Input input(stream.below(stream.below(8) ? 600 : 4000));
  for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(stream.next());
  return input;
}

// Changes a few bytes, copies a range to another place, or cuts off the end.
void mutate(Input& input, Stream& stream) {
  if (input.empty()) return;
  const auto size = static_cast<std::uint32_t>(input.size());
  switch (stream.below(4)) {
    case 0:
      input.resize(stream.below(size) + 1);
      break;
    case 1: {
      const std::uint32_t from = stream.below(size);
      const std::uint32_t to = stream.below(size);
      for (std::uint32_t i = 0; i < 32 && from + i < size && to + i < size; ++i)
        input[to + i] = input[from + i];
      break;
    }
    default:
      for (std::uint32_t i = stream.below(8); i < 8; ++i)
        input[stream.below(stream.below(2) ? size : std::min(size, 16U))] =
            static_cast<std::uint8_t>(stream.next());
  }
}

}  // namespace

int main(int count, char** words) {
  const double seconds = count > 1 ? std::atof(words[1]) : 30;
  const std::uint64_t seed = count > 2 ? std::strtoull(words[2], nullptr, 10) : 0;
  std::printf("%s %g %llu\n", words[0], seconds, static_cast<unsigned long long>(seed));
  std::fflush(stdout);  // before anything can abort
  std::array<Input, 64> kept;
  std::uint64_t inputs = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (; spent() < seconds; ++inputs) {
    Stream stream(seed, Purpose::game, inputs);
    Input& place = kept[stream.below(kept.size())];
    Input input = place.empty() || stream.below(3) == 0 ? random_input(stream) : place;
    for (std::uint32_t i = stream.below(4); i > 0; --i) mutate(input, stream);
    LLVMFuzzerTestOneInput(input.data(), input.size());
    if (!fuzz_is_dull() || stream.below(20) == 0) place = input;
  }
  std::printf("%llu inputs in %.0f s: ", static_cast<unsigned long long>(inputs), spent());
  fuzz_report();
  return 0;
}
