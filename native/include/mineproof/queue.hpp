// A priority queue of cells that returns the lowest index first: a bitset, with levels of bitsets
// above it that mark the non-empty words, all in one allocation.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mineproof {

class CellQueue {
 public:
  // Empties the queue and sets it up for cells 0, ..., size - 1.
  void reset(std::int32_t size) {
    levels_ = 0;
    std::size_t all = 0;
    for (auto words = static_cast<std::size_t>(size + 63) / 64;; words = (words + 63) / 64) {
      begin_[levels_++] = all;
      all += words;
      if (words <= 1) break;
    }
    words_.assign(all, 0);
  }
  [[nodiscard]] bool empty() const { return words_.empty() || words_.back() == 0; }
  void push(std::int32_t cell) {
    auto at = static_cast<std::size_t>(cell);
    for (std::size_t level = 0; level < levels_; ++level) {
      words_[begin_[level] + at / 64] |= std::uint64_t{1} << (at % 64);
      at /= 64;
    }
  }
  // The lowest cell. The queue must not be empty.
  [[nodiscard]] std::int32_t top() const {
    std::size_t at = 0;
    for (std::size_t level = levels_; level-- > 0;)
      at = at * 64 + static_cast<std::size_t>(std::countr_zero(words_[begin_[level] + at]));
    return static_cast<std::int32_t>(at);
  }
  void pop() {
    auto at = static_cast<std::size_t>(top());
    for (std::size_t level = 0; level < levels_; ++level) {
      std::uint64_t& word = words_[begin_[level] + at / 64];
      word &= ~(std::uint64_t{1} << (at % 64));
      if (word != 0) break;
      at /= 64;
    }
  }
  // Empties the queue, calling f(cell) for each cell in ascending order. f must not push.
  template <class F>
  void take_all(F&& f) {
    if (empty()) return;
    const std::size_t words = levels_ > 1 ? begin_[1] : words_.size();
    for (std::size_t i = 0; i < words; ++i)
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
        f(static_cast<std::int32_t>(64 * i + static_cast<std::size_t>(std::countr_zero(left))));
    std::fill(words_.begin(), words_.end(), std::uint64_t{0});
  }

 private:
  std::vector<std::uint64_t> words_;    // level by level: the cells first, the single top word last
  std::array<std::size_t, 6> begin_{};  // of the levels: 64^6 cells are more than any board has
  std::size_t levels_ = 0;
};

}  // namespace mineproof
