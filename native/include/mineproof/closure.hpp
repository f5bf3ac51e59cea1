// What follows from some equations beyond one clue at a time: subsets, or linear algebra.
//
// The twin of closure.py, subset.py and gauss.py, for exact clues. What is deduced, and by
// which rule, does not depend on the order in which things are found: so both agree.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/network.hpp"

namespace mineproof {

// What proved a cell.
NAMED_ENUM(enum class, Rule, std::uint8_t, none, opening, local, count, subset, gauss, exact, pairs)
constexpr std::size_t rule_count = count_of<Rule>;

// Which reasoner is asked where the local rules find no more.
NAMED_ENUM(enum class, Beyond, std::uint8_t, none, subset, subset_until_found, gauss, gauss_count,
           exact)

// Equations of one component, or of a whole board with its count. Memory is kept.
class Part {
 public:
  struct Settled {
    std::int32_t cell;
    bool mine;
    Rule rule;
  };

  void clear();
  // `mines` of these cells are mines; cells by ascending index.
  void add(std::span<const std::int32_t> cells, std::int32_t mines);
  // `mines` of all cells added and of `outside` are mines; cells by ascending index. After add().
  void add_count(std::span<const std::int32_t> outside, std::int32_t mines);
  // Reasons to the fixpoint. False if a coefficient left the range of 64 bits, or if cancelled:
  // then deduced cells do not count.
  [[nodiscard]] bool close(bool subsets, Cancel cancel = {});
  [[nodiscard]] bool is_cancelled() const { return cancelled_; }
  [[nodiscard]] std::span<const Settled> settled() const { return settled_; }

 private:
  struct Equation {
    std::vector<std::int32_t> cells;  // whose truth is open, by rising number
    std::int32_t mines;
  };
  struct Term {
    std::int32_t cell;
    std::int64_t factor;
  };
  struct Row {
    std::vector<Term> terms;  // by rising cell
    std::int64_t value;
  };
  struct Fact {
    std::array<std::int32_t, 8> cells;
    std::int32_t size;
    std::int32_t mines;
  };

  void number();
  void settle(std::int32_t cell, bool mine, Rule rule);
  bool local();
  bool count();
  bool subset();
  bool gauss();
  void add_fact(const Fact& fact);
  void take_away(const Fact& larger, const Fact& smaller);
  [[nodiscard]] bool reduce();
  [[nodiscard]] bool reduce_back();
  [[nodiscard]] bool reduce_count();
  [[nodiscard]] static bool eliminate(Row& row, const Row& pivot, std::size_t i);
  static void make_primitive(Row& row);
  [[nodiscard]] std::int64_t alike(std::int32_t cell) const;

  std::vector<std::int32_t> cells_;  // by number: the cell; numbers rise with cells
  std::vector<Equation> equations_;
  std::vector<std::vector<std::int32_t>> holding_;  // by number: equations
  std::vector<std::uint8_t> known_;                 // by number
  std::vector<Settled> settled_;
  bool counted_ = false;
  std::int32_t count_mines_ = 0;
  std::vector<std::int32_t> outside_;  // cells
  std::int32_t stand_in_ = -1;         // the number that stands for all outside cells

  std::vector<Fact> facts_;
  std::vector<std::vector<std::int32_t>> facts_with_;  // by number
  std::vector<Row> rows_, done_;
  bool overflowed_ = false;
  Cancel cancel_;
  bool cancelled_ = false;
  bool stops() { return cancelled_ = cancelled_ || cancel_.asked(); }
};

}  // namespace mineproof
