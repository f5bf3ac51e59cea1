// The lowest risk, and the choice among cells that tie for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "mineproof/cells.hpp"

namespace mineproof {

// Risks that differ by no more than this count as equal. The same value in Python.
constexpr double tie = 1e-10;

struct LowestRisk {
  std::int32_t cell = -1;  // -1 where there is none
  double risk = 2;         // of this cell
  double least = 2;        // the lowest of all, within a tie of `risk`
};

// `offer(f)` must call f(cells, risk) for all cells to choose from, and repeat the same calls in
// the same order when called again. Returns, of the cells that tie for the lowest risk, the one
// with the lowest `rank(cell)`; among these the one for which `before(cell, other)` holds against
// all others, or the first one offered if there is no such cell.
template <class Offer, class Rank, class Before>
[[nodiscard]] LowestRisk find_safest(Offer&& offer, Rank&& rank, Before&& before) {
  LowestRisk best;
  offer(
      [&](std::span<const std::int32_t>, double risk) { best.least = std::min(best.least, risk); });
  std::int32_t lowest = 0;
  offer([&](std::span<const std::int32_t> cells, double risk) {
    if (risk > best.least + tie) return;
    for (const std::int32_t cell : cells) {
      const std::int32_t here = rank(cell);
      if (best.cell >= 0 && (here > lowest || (here == lowest && !before(cell, best.cell))))
        continue;
      lowest = here;
      best.cell = cell;
      best.risk = risk;
    }
  });
  return best;
}

}  // namespace mineproof
