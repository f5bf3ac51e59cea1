// Deductions from a system of equations that go beyond single clues: subset reasoning or linear
// algebra.
//
// Python twins: closure.py, subset.py and gauss.py. Which cells are deduced, and by which rule,
// does not depend on the order in which deductions are found, unless clues contradict each other;
// for such clues the order is that of the twins.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/constraint_graph.hpp"
#include "mineproof/named_enum.hpp"

namespace mineproof {

// The rule that proved a cell.
NAMED_ENUM(enum class, Rule, std::uint8_t, none, opening, local, count, subset, gauss, exact, pairs,
           arrangements)
constexpr std::size_t rule_count = count_of<Rule>;

// The reasoner to use when the local rules find nothing more.
NAMED_ENUM(enum class, AdvancedRule, std::uint8_t, none, subset, subset_until_found, gauss,
           gauss_count, exact)

// The equations of one component, or of a whole board with its mine count. Reuses its memory.
class Part {
 public:
  struct Deduced {
    std::int32_t cell;
    bool mine;
    Rule rule;
  };

  void clear();
  // Adds the equation of the clue at `clue`: between `least` and `most` of these cells are mines.
  // Cells are ascending.
  void add(std::int32_t clue, std::span<const std::int32_t> cells, std::int32_t least,
           std::int32_t most);
  // Adds the equation that `mines` of all cells added so far and of `outside` are mines. Cells are
  // ascending. Call after add().
  void add_count(std::span<const std::int32_t> outside, std::int32_t mines);
  // Reasons to the fixpoint; `contradicts`: whether the equations may contradict each other. False
  // if a coefficient overflowed 64 bits, or if cancelled; discard the deductions then.
  [[nodiscard]] bool close(bool subsets, bool contradicts, Cancel cancel);
  [[nodiscard]] bool is_cancelled() const { return cancelled_; }
  [[nodiscard]] std::span<const Deduced> deduced() const { return deduced_; }

 private:
  struct Equation {
    std::int32_t clue;
    std::vector<std::int32_t> cells;  // undecided cells, ascending by number
    std::int32_t least, most;
    bool waits;  // for local()
    [[nodiscard]] bool is_exact() const { return least == most; }
  };
  struct Term {
    std::int32_t cell;
    std::int64_t factor;
  };
  struct Row {
    std::vector<Term> terms;  // ascending by cell
    std::int64_t value;
  };
  struct Fact {
    std::array<std::int32_t, 8> cells;
    std::int32_t size, least, most;
    [[nodiscard]] std::span<const std::int32_t> here() const { return {cells.data(), at(size)}; }
  };

  void number();
  void deduce(std::int32_t cell, bool mine, Rule rule);
  bool local();
  bool count();
  bool subset();
  bool gauss();
  [[nodiscard]] bool is_one_sided() const;
  void add_fact(Fact fact);
  void compare(std::int32_t own);
  void take_away(const Fact& larger, const Fact& smaller);
  void find_loose();
  [[nodiscard]] bool reduce();
  [[nodiscard]] bool reduce_back();
  [[nodiscard]] bool reduce_count();
  [[nodiscard]] static bool eliminate(Row& row, const Row& pivot, std::size_t i);
  static void make_primitive(Row& row);
  [[nodiscard]] std::int64_t cells_of(std::int32_t number) const;
  [[nodiscard]] std::int64_t alike(std::int32_t column) const;

  std::vector<std::int32_t> cells_;  // by number: the cell; numbers ascend with cells
  std::vector<Equation> equations_;
  std::vector<std::vector<std::int32_t>> holding_;  // by number: the equations that contain it
  std::vector<std::uint8_t> known_;                 // by number
  std::vector<Deduced> deduced_;
  bool counted_ = false;
  std::int32_t count_mines_ = 0;
  std::vector<std::int32_t> outside_;  // cells
  std::int32_t stand_in_ = -1;         // the number that represents all outside cells
  std::vector<std::int32_t> waiting_;  // equations, for local()

  std::vector<Fact> facts_;
  std::vector<std::vector<std::int32_t>> facts_with_;  // by number
  std::vector<std::int32_t> new_facts_, near_facts_;
  std::vector<Row> rows_, done_;
  // Undecided numbers in no exact equation, ascending. For linear algebra they are all alike, and
  // the first represents them all.
  std::vector<std::int32_t> loose_;
  bool contradicts_ = false;
  bool overflowed_ = false;
  Cancel cancel_;
  bool cancelled_ = false;
  bool stops() { return cancelled_ = cancelled_ || cancel_.stop_requested(); }
};

}  // namespace mineproof
