// The least risk, and which cell it is where several have it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "mineproof/cells.hpp"

namespace mineproof {

// Risks that are no further apart count as equal: the same in Python.
constexpr double tie = 1e-10;

struct Safest {
  std::int32_t cell = -1;  // -1 where there is none
  double risk = 2;         // of this cell,
  double least = 2;        // and of all: the same up to a tie
};

// `offer(f)` calls f(cells, risk) for all that can be chosen, twice in the same order. Of the
// cells that tie with the least risk, the one with the least `rank(cell)`; of these the one
// that is `before(cell, other)` all others, or the first offered where none is.
template <class Offer, class Rank, class Before>
[[nodiscard]] Safest find_safest(Offer&& offer, Rank&& rank, Before&& before) {
  Safest best;
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
