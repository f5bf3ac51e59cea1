// Counter-based random numbers.
//
// Philox 4x32-10 (Salmon et al., SC 2011): a block of four 32-bit words is a function of a counter
// and a key. A stream is identified by (seed, purpose, index): the seed is the key, and purpose and
// index are part of the counter, so streams never overlap and any of them can be recreated without
// stored state. The Python twin is chance.py: the same stream yields the same words in both, on any
// machine, in any order and on any number of threads.
#pragma once

#include <array>
#include <cstdint>

#include "mineproof/named_enum.hpp"

namespace mineproof {

using Block = std::array<std::uint32_t, 4>;

// What a stream is for. The numbers are part of what every seed means: add new ones, never change
// an existing one.
NAMED_ENUM(enum class, Purpose, std::uint32_t, game, board, order, noise, ties, playout, player,
           attempt, repair, fair)

[[nodiscard]] Block philox(Block counter, std::uint64_t key) noexcept;

class Stream {
 public:
  Stream(std::uint64_t seed, Purpose purpose, std::uint64_t index = 0) noexcept;

  // The next 32 bits. A stream holds 2^34 words.
  std::uint32_t next() noexcept {
    if (used_ == block_.size()) refill();
    return block_[used_++];
  }

  // The next two words, the low one first.
  std::uint64_t next64() noexcept {
    const std::uint64_t low = next();
    return low | std::uint64_t{next()} << 32;
  }

  // Uniform on 0..n-1 without bias (Lemire's rejection). Needs n >= 1.
  std::uint32_t below(std::uint32_t n) noexcept {
    std::uint64_t product = std::uint64_t{next()} * n;
    auto low = static_cast<std::uint32_t>(product);
    if (low < n) {
      const std::uint32_t threshold = (0U - n) % n;
      while (low < threshold) {
        product = std::uint64_t{next()} * n;
        low = static_cast<std::uint32_t>(product);
      }
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // As many bits as a double holds.
  std::uint64_t next53() noexcept { return next64() >> 11; }

  // Uniform on [0, 1): a multiple of 2^-53.
  double uniform() noexcept { return static_cast<double>(next53()) * 0x1p-53; }

 private:
  void refill() noexcept;

  std::uint64_t key_;
  Block counter_;
  Block block_{};
  std::size_t used_ = 4;
};

// The seed of game `number` of a series; equals chance.game_seed in Python.
[[nodiscard]] inline std::uint64_t game_seed(std::uint64_t seed, std::uint64_t number) noexcept {
  return Stream(seed, Purpose::game, number).next53();
}

// The two seeds of a game: one for the deal, one for its players. Normally both derive from a
// single seed; a sealed series supplies pairs in which neither seed reveals the other.
struct Seeds {
  std::uint64_t game, player;

  Seeds(std::uint64_t seed) noexcept  // NOLINT(google-explicit-constructor)
      : game(seed), player(Stream(seed, Purpose::player).next53()) {}
  Seeds(std::uint64_t of_game, std::uint64_t of_player) noexcept
      : game(of_game), player(of_player) {}
};

}  // namespace mineproof
