// Clue models: how what an opened cell shows relates to the true number of mines around it.
// Python twin: world/clues.py.
//
// A model draws what a cell shows, and gives the likelihood of that for every true count, which is
// all that inference needs. The same stream draws the same clue in both languages.
#pragma once

#include <array>
#include <cstdint>

#include "mineproof/cells.hpp"
#include "mineproof/chance.hpp"
#include "mineproof/named_enum.hpp"

namespace mineproof {

// How a clue is drawn: it is the true count; it follows the likelihoods; or it is uniform, never
// above the count, or never below it.
NAMED_ENUM(enum class, ClueDraw, std::uint8_t, count, likelihood, at_most, at_least)

struct ClueModel {
  using Likelihood = std::array<double, 9>;  // by true count
  // No bound: see bound().
  static constexpr std::int8_t unbounded = -1;
  // The row of `table` for a cell that shows no clue.
  static constexpr std::size_t nothing = 9;
  [[nodiscard]] static constexpr std::size_t row_of(std::uint8_t shown) {
    return is_clue(shown) ? shown : nothing;
  }

  bool exact = true;  // each clue is the true count; `table` is ignored
  ClueDraw drawn = ClueDraw::count;
  bool redraw = false;  // cells without a clue are asked again before each guess
  bool known = false;   // clues also depend on what was known around their cell (see bound())
  // The likelihood of what a cell shows: [0-8, or `nothing`][number of neighbours][count].
  std::array<std::array<Likelihood, 9>, 10> table{};

  // The clue is the count, but is shown only with probability `p`.
  [[nodiscard]] static ClueModel sometimes(double p, bool redraw);
  // The clue is uniform from 0 to the count; if `known`, from the mines known around the cell.
  [[nodiscard]] static ClueModel optimistic(bool known);
  // The clue is uniform from the count to the number of neighbours; if `known`, to the mines known
  // around the cell plus its covered neighbours.
  [[nodiscard]] static ClueModel cautious(bool known);
  // Any model: the probability of each clue and, last, of none, by count. Clues above the number of
  // neighbours are left out, and the others rescaled.
  [[nodiscard]] static ClueModel by_rows(const std::array<std::array<double, 10>, 9>& rows);

  // The limit of a clue's range if `mines` mines are known (hit or flagged) around its cell, and
  // `covered` more cells there are covered.
  [[nodiscard]] std::int8_t bound(std::int32_t mines, std::int32_t covered) const;
  // What a cell shows: a clue, or no_clue.
  [[nodiscard]] std::uint8_t draw(std::int32_t count, std::int32_t degree, std::int8_t bound,
                                  Stream& stream) const;
  // The probability of showing this, by true count; 0 above `degree`.
  [[nodiscard]] Likelihood likelihood(std::uint8_t shown, std::int32_t degree,
                                      std::int8_t bound) const;
  // Whether the clue proves that no neighbour is a mine, so that a flood goes on.
  [[nodiscard]] bool opens_around(std::uint8_t shown, std::int32_t degree, std::int8_t bound) const;
  // Whether a cell may open without a clue.
  [[nodiscard]] bool can_be_missing() const;
};

extern const ClueModel exact_clues;

}  // namespace mineproof
