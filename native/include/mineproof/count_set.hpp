// Sets of possible numbers of mines.
//
// Certainty is decided with these sets and never with weights, which may underflow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/cells.hpp"

namespace mineproof {

// A set of integers from an interval of `count` numbers: bit i stands for low + i. The first word
// is stored inline.
class CountSet {
 public:
  CountSet() = default;
  CountSet(std::int32_t least, std::int32_t size)
      : low(least), count(size), more_(at(size > 64 ? (size - 1) / 64 : 0)) {}
  // The full set {low, ..., low + count - 1}.
  static CountSet all(std::int32_t low, std::int32_t count);

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
  // Whether the set contains any of from, ..., to.
  [[nodiscard]] bool any(std::int32_t from, std::int32_t to) const;
  // Adds n + by for every n in `other`.
  void add_shifted(const CountSet& other, std::int32_t by);

 private:
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;
};

// For several sets whose sum must lie in an interval: the members of each that occur in a valid
// sum. Combines the sets up a tree of pairs and back down, like the weights in
// component_product.hpp.
class Sums {
 public:
  // False if cancelled.
  bool combine(std::span<const CountSet> leaves, std::int32_t least, std::int32_t most,
               Cancel cancel);
  // The sums that are possible and allowed.
  [[nodiscard]] const CountSet& totals() const { return above_.back(); }
  // The members of a leaf that the other leaves and the interval allow.
  [[nodiscard]] const CountSet& allowed(std::size_t leaf) const { return above_[leaf]; }

 private:
  struct Node {
    CountSet numbers;
    std::int32_t left, right;  // children, or -1
  };
  std::vector<Node> nodes_;
  std::vector<CountSet> above_;
};

}  // namespace mineproof
