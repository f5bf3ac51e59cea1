#include "mineproof/chance.hpp"

namespace mineproof {

Block philox(Block counter, std::uint64_t key) noexcept {
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ k1,
               static_cast<std::uint32_t>(a)};
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return counter;
}

Stream::Stream(std::uint64_t seed, Purpose purpose, std::uint64_t index) noexcept
    : key_(seed),
      counter_{0, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
               static_cast<std::uint32_t>(purpose)} {}

void Stream::refill() noexcept {
  block_ = philox(counter_, key_);
  ++counter_[0];
  used_ = 0;
}

}  // namespace mineproof
