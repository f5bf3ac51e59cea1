// What a proof is made of: statements about unknown cells, and inferences from them.
//
// A statement says how many of some cells may be mines: a clue says so of the unknown cells
// around it, the mine count of all of them. The twin of reasoning/proofs/statements.py.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "mineproof/named_enum.hpp"
#include "mineproof/network.hpp"

namespace mineproof {

// Stands for the mine count where the cell of a clue is asked for.
constexpr std::int32_t the_count = -1;

struct Bounds {
  std::int32_t low, high;
};

// By cell, or by whatever numbers the cells of some statements have.
enum class Value : std::uint8_t { safe, mine, open };
[[nodiscard]] constexpr Value value_of(bool mine) { return mine ? Value::mine : Value::safe; }
using Values = std::vector<Value>;

struct Statement {
  std::int32_t clue;                // the cell that says so, or the_count
  std::vector<std::int32_t> cells;  // rising
  std::uint32_t allowed;            // bit n: base + n of the cells may be mines
  std::int32_t base = 0;

  // The least and the most of `unsettled` cells that are mines in addition to `mines` others;
  // nothing where it cannot hold.
  [[nodiscard]] std::optional<Bounds> bounds(std::int32_t mines, std::int32_t unsettled) const;
  // The same with cells proved as the values say; the others are written to `unsettled`.
  [[nodiscard]] std::optional<Bounds> left(const Values& values,
                                           std::vector<std::int32_t>& unsettled) const;
  [[nodiscard]] bool is_exact() const { return (allowed & (allowed - 1)) == 0; }
  [[nodiscard]] std::int32_t largest() const;
  // Whether it says of itself that all its cells are mines, or that none is.
  [[nodiscard]] bool settles_all() const;
  // Calls f(cell) for the proved cells on which it rests that there are no more mines (or not
  // fewer): with one possible number the mines (or the safe cells), otherwise all of them.
  template <class F>
  void premises(const Values& values, bool mine, F&& f) const {
    for (const std::int32_t cell : cells) {
      const Value value = values[static_cast<std::size_t>(cell)];
      if (value != Value::open && (!is_exact() || value == value_of(mine))) f(cell);
    }
  }
};

// What a statement leaves open.
struct Left {
  const Statement* statement;
  std::vector<std::int32_t> cells;
  Bounds bounds;
};
// Of the statements that leave anything open, what that is.
[[nodiscard]] std::vector<Left> what_is_left(std::span<const Statement> statements,
                                             const Values& values);

// How an inference is made, the easiest first: one clue; 1-2-1 or 1-2-2-1 along a wall; two
// clues, one's cells among the other's; two that overlap; more, added and taken away; the same
// with the mine count; the opposite leads to a clue that cannot hold.
NAMED_ENUM(enum class, Kind, std::uint8_t, clue, pattern, subset, pair, sum, count, cases)

// A line of an argument by cases: assume that the cell is a mine (or not); the clue then makes
// the cells mines (or not); the clue, or the clues added and taken away, cannot hold. Two
// assumptions of the same cell and depth are the two cases.
NAMED_ENUM(enum class, What, std::uint8_t, assume, force, clash)
struct Line {
  What what;
  std::int32_t depth;
  std::vector<std::int32_t> clues;
  std::vector<std::int8_t> signs;
  std::vector<std::int32_t> cells;
  bool mine;
};

struct Settled {
  std::int32_t cell;
  bool mine;
};

// One step of a proof: cells proved by statements and by earlier steps.
struct Inference {
  Kind kind;
  std::vector<std::int32_t> clues;  // the_count, if it is used, is the last
  std::vector<std::int8_t> signs;   // of each: 1 added, -1 taken away
  std::vector<Settled> settled;     // the proved cells that are used later; ascending
  std::vector<Line> lines;          // of an argument by cases
};

// The proved cells that a sum of statements rests on which has all the mines it can (`full`),
// or none. With exact clues only those whose value is not the one that the sum would give them:
// the others may as well be open.
[[nodiscard]] std::set<std::int32_t> sum_premises(std::span<const Statement* const> used,
                                                  std::span<const std::int8_t> signs,
                                                  const Values& values, bool full);

// What the clues of a view say, by cell; those that exclude nothing are left out.
[[nodiscard]] std::vector<Statement> gather_statements(const View& view);

}  // namespace mineproof
