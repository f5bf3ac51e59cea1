// A queue of cells that gives the first on the board first: a set of bits, with sets of
// bits above it that tell which words are not empty.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace mineproof {

class CellQueue {
 public:
  // Empties it, for cells 0, ..., size - 1.
  void reset(std::int32_t size) {
    auto words = static_cast<std::size_t>(size + 63) / 64;
    if (levels_.empty() || levels_[0].size() != words) {
      levels_.clear();
      for (;; words = (words + 63) / 64) {
        levels_.emplace_back(words, 0);
        if (words <= 1) break;
      }
    } else {
      while (!empty()) pop();
    }
  }
  [[nodiscard]] bool empty() const { return levels_.empty() || levels_.back()[0] == 0; }
  void push(std::int32_t cell) {
    auto at = static_cast<std::size_t>(cell);
    for (auto& level : levels_) {
      level[at / 64] |= std::uint64_t{1} << (at % 64);
      at /= 64;
    }
  }
  // The first of all. There must be one.
  [[nodiscard]] std::int32_t top() const {
    std::size_t at = 0;
    for (std::size_t i = levels_.size(); i-- > 0;)
      at = at * 64 + static_cast<std::size_t>(std::countr_zero(levels_[i][at]));
    return static_cast<std::int32_t>(at);
  }
  void pop() {
    auto at = static_cast<std::size_t>(top());
    for (auto& level : levels_) {
      level[at / 64] &= ~(std::uint64_t{1} << (at % 64));
      if (level[at / 64] != 0) break;
      at /= 64;
    }
  }

 private:
  std::vector<std::vector<std::uint64_t>> levels_;
};

}  // namespace mineproof
