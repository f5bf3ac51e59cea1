// Derives a cell from chosen clues, by the easiest inferences that suffice.
//
// Rules are tried from the easiest on, starting over after each success; later inferences may use
// what earlier ones proved. In the end only the inferences that the cell depends on are kept.
// Python twins: reasoning/proofs/derivation.py and cases.py.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/proof_statements.hpp"

namespace mineproof {

// Calls f(places, signs) for every choice of `fewest` to `most` of n places, with every choice of
// signs whose first is 1, until f returns true. Fewer places come first, then lower places, then
// sign patterns with the plus signs in front.
template <class F>
void each_sum(std::size_t n, std::size_t fewest, std::size_t most, F&& f) {
  std::vector<std::int8_t> signs;
  for (std::size_t size = fewest; size <= most && size <= n; ++size) {
    std::vector<std::size_t> places(size);
    for (std::size_t i = 0; i < size; ++i) places[i] = i;
    while (true) {
      for (std::uint32_t minus = 0; minus < 1U << (size - 1); ++minus) {
        signs.assign(size, 1);
        for (std::size_t i = 1; i < size; ++i)
          if ((minus >> (size - 1 - i) & 1) != 0) signs[i] = -1;
        if (f(std::span<const std::size_t>(places), std::span<const std::int8_t>(signs))) return;
      }
      std::size_t i = size;
      while (i > 0 && places[i - 1] == n - size + i - 1) --i;
      if (i == 0) break;
      ++places[i - 1];
      for (; i < size; ++i) places[i] = places[i - 1] + 1;
    }
  }
}

// The remaining budget, counted in cells looked at (a few nanoseconds each).
struct Allowance {
  std::int64_t left;
  Cancel cancel;

  void spend(std::size_t cells) { left -= static_cast<std::int64_t>(cells); }
  [[nodiscard]] bool stops() const { return left < 0 || cancel.stop_requested(); }
};

// Derives the cell from statements that together imply it; the last inference proves the cell. If
// the mine count takes part, it is the last statement. Statements and inferences refer to cells of
// a board of this shape. Cost: tries all sums of up to ten statements, looks at every pair in every
// step, and an argument by cases may need two cases per undecided cell. Empty if that exceeds the
// allowance, or if cancelled.
[[nodiscard]] std::vector<Inference> derive(Shape shape,
                                            std::span<const ProofConstraint> statements,
                                            std::int32_t cell, bool mine, Allowance& allowance);

// Finds a 1-2-1 or 1-2-2-1 along a wall. cells[n] is the board cell that the values and the
// statements call n.
[[nodiscard]] std::optional<Inference> find_pattern(Shape shape,
                                                    std::span<const RemainingConstraint> left,
                                                    std::span<const std::int32_t> cells);

// Explains why a cell cannot be a mine (or cannot be safe), given what is proved: the lines of the
// argument. Empty if that exceeds the allowance.
[[nodiscard]] std::vector<CaseLine> refute(std::span<const ProofConstraint> statements,
                                           const Values& deduced, std::int32_t cell, bool mine,
                                           Allowance& allowance);

// The number of cells in all statements, with multiplicity.
[[nodiscard]] std::size_t cells_in(std::span<const ProofConstraint> statements);

// The previously proved cells that the lines of an argument depend on.
[[nodiscard]] std::set<std::int32_t> case_premises(std::span<const ProofConstraint> statements,
                                                   const Values& deduced,
                                                   std::span<const CaseLine> lines);

}  // namespace mineproof
