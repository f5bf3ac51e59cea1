// Sets of numbers of mines: what is possible at all, in booleans.
//
// What is certain is decided here and never by weights, which may underflow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/cells.hpp"

namespace mineproof {

// Bit i stands for low + i, of `count` bits. The first word needs no memory of its own.
class Numbers {
 public:
  Numbers() = default;
  Numbers(std::int32_t least, std::int32_t size)
      : low(least), count(size), more_(at(size > 64 ? (size - 1) / 64 : 0)) {}
  // All of low, ..., low + count - 1.
  static Numbers all(std::int32_t low, std::int32_t count);

  std::int32_t low = 0;
  std::int32_t count = 0;

  [[nodiscard]] std::size_t words() const { return more_.size() + 1; }
  [[nodiscard]] std::uint64_t word(std::size_t i) const { return i == 0 ? first_ : more_[i - 1]; }
  std::uint64_t& word(std::size_t i) { return i == 0 ? first_ : more_[i - 1]; }
  [[nodiscard]] bool has(std::int32_t n) const {
    const std::int32_t i = n - low;
    return i >= 0 && i < count && (word(at(i) >> 6) >> (i & 63) & 1);
  }
  void add(std::int32_t n) { word(at(n - low) >> 6) |= std::uint64_t{1} << ((n - low) & 63); }
  void drop(std::int32_t n) { word(at(n - low) >> 6) &= ~(std::uint64_t{1} << ((n - low) & 63)); }
  // Whether one of from, ..., to is in it.
  [[nodiscard]] bool any(std::int32_t from, std::int32_t to) const;
  // Adds n + by for every n of another set.
  void add_shifted(const Numbers& other, std::int32_t by);

 private:
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;
};

// Which numbers are possible for each of several sets, if their sum must lie in an
// interval. Up a tree of pairs and down again, like the weights of combine.hpp.
class Sums {
 public:
  // False if cancelled.
  bool combine(std::span<const Numbers> leaves, std::int32_t least, std::int32_t most,
               Cancel cancel);
  // Sums that are possible and allowed.
  [[nodiscard]] const Numbers& totals() const { return above_.back(); }
  // The numbers of a leaf that the others allow.
  [[nodiscard]] const Numbers& allowed(std::size_t leaf) const { return above_[leaf]; }

 private:
  struct Node {
    Numbers numbers;
    std::int32_t left, right;  // children, or -1
  };
  std::vector<Node> nodes_;
  std::vector<Numbers> above_;
};

}  // namespace mineproof
