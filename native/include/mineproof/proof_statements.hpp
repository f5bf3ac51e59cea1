// The parts of a proof: constraints on unknown cells, and inferences from them.
//
// A Statement is the constraint that a clue places on the number of mines among the unknown cells
// around it, or that the mine count places on all unknown cells. Python twin:
// reasoning/proofs/statements.py.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "mineproof/constraint_graph.hpp"
#include "mineproof/named_enum.hpp"

namespace mineproof {

// Used as the cell of a clue: the mine count.
constexpr std::int32_t the_count = -1;

struct Bounds {
  std::int32_t low, high;
};

// Indexed by cell, or by whatever numbering the cells of some statements use.
enum class Value : std::uint8_t { safe, mine, open };
[[nodiscard]] constexpr Value value_of(bool mine) { return mine ? Value::mine : Value::safe; }
using Values = std::vector<Value>;

struct ProofConstraint {
  std::int32_t clue;                // the cell of the clue, or the_count
  std::vector<std::int32_t> cells;  // ascending
  std::uint32_t allowed;            // bit n: base + n of the cells may be mines
  std::int32_t base = 0;

  // How many of `unsettled` cells must be, and can be, mines in addition to `mines` others;
  // std::nullopt if the statement is violated.
  [[nodiscard]] std::optional<Bounds> bounds(std::int32_t mines, std::int32_t undecided) const;
  // The same, with cells decided according to `values`; writes the undecided ones to `unsettled`.
  [[nodiscard]] std::optional<Bounds> left(const Values& values,
                                           std::vector<std::int32_t>& undecided) const;
  [[nodiscard]] bool is_exact() const { return (allowed & (allowed - 1)) == 0; }
  [[nodiscard]] std::int32_t largest() const;
  // Whether it implies by itself that all of its cells are mines, or that all are safe.
  [[nodiscard]] bool deduces_all() const;
  // Calls f(cell) for the proved cells from which it follows that there are no more mines (or no
  // fewer). If only one number is allowed, these are the mines (or the safe cells), otherwise all
  // proved cells.
  template <class F>
  void premises(const Values& values, bool mine, F&& f) const {
    for (const std::int32_t cell : cells) {
      const Value value = values[static_cast<std::size_t>(cell)];
      if (value != Value::open && (!is_exact() || value == value_of(mine))) f(cell);
    }
  }
};

// What remains of a statement after removing the decided cells.
struct RemainingConstraint {
  const ProofConstraint* statement;
  std::vector<std::int32_t> cells;
  Bounds bounds;
};
// The remainders of the statements that have undecided cells.
[[nodiscard]] std::vector<RemainingConstraint> what_is_left(
    std::span<const ProofConstraint> statements, const Values& values);

// Kinds of inferences, the easiest first: one clue; 1-2-1 or 1-2-2-1 along a wall; two clues, the
// cells of one among those of the other; two overlapping clues; a sum of several clues with signs;
// the same with the mine count; the opposite leads to a clue that cannot be satisfied.
NAMED_ENUM(enum class, InferenceKind, std::uint8_t, clue, pattern, subset, pair, sum, count, cases)

// A line of an argument by cases: assume that the cell is a mine (or safe); the clue then forces
// the cells to be mines (or safe); the clue, or the signed sum of the clues, cannot be satisfied.
// Two assumptions about the same cell at the same depth are the two cases.
NAMED_ENUM(enum class, CaseLineKind, std::uint8_t, assume, force, clash)
struct CaseLine {
  CaseLineKind what;
  std::int32_t depth;
  std::vector<std::int32_t> clues;
  std::vector<std::int8_t> signs;
  std::vector<std::int32_t> cells;
  bool mine;
};

struct Deduced {
  std::int32_t cell;
  bool mine;
};

// One step of a proof: cells proved from statements and earlier steps.
struct Inference {
  InferenceKind kind;
  std::vector<std::int32_t> clues;  // the_count, if used, is last
  std::vector<std::int8_t> signs;   // by clue: 1 added, -1 subtracted
  std::vector<Deduced> deduced;     // the proved cells that are used later, ascending
  std::vector<CaseLine> lines;      // for an argument by cases
};

// The proved cells that a conclusion from a signed sum of statements depends on, if the sum has all
// the mines it can have (`full`) or none. With exact clues only the cells whose value differs from
// the one that the sum would give them: the others could just as well be undecided.
[[nodiscard]] std::set<std::int32_t> sum_premises(std::span<const ProofConstraint* const> used,
                                                  std::span<const std::int8_t> signs,
                                                  const Values& values, bool full);

// The statements of a view's clues, by cell, except those that exclude nothing.
[[nodiscard]] std::vector<ProofConstraint> gather_statements(const View& view);

}  // namespace mineproof
