// What is certain, and whether there is any configuration: decided in booleans, never by weights.
#include "mineproof/engine.hpp"

namespace mineproof {

// Whether there is any configuration, in booleans; estimated components can have any number of
// mines.
bool Engine::fits() {
  if (!combine()) return false;
  const CountSet& totals = sums_.totals();
  return !prior_.excludes(graph_.deduced_mines, graph_.deduced_safe) &&
         totals.any(totals.low, totals.low + totals.count - 1);
}

// Which numbers of mines each component can have, given the others and the mine count.
bool Engine::combine() {
  supports_.resize(graph_.components());
  for (std::size_t c = 0; c < graph_.components(); ++c) {
    if (is_over_budget(c)) {
      supports_[c] = CountSet::all(0, cells_of(c) + 1);  // estimates prove nothing
      continue;
    }
    auto support = sweeps_[c]->support(cancel_);
    if (!support) return stop();
    supports_[c] = std::move(*support);
  }
  const auto [least, most] = prior_.possible(uncounted_);
  if (!sums_.combine(supports_, least, most, cancel_)) return stop();
  return true;
}

// Deduces what is certain from the possible numbers of mines. False if cancelled.
bool Engine::prove() {
  if (!combine()) return false;
  for (std::size_t c = 0; c < graph_.components(); ++c) {
    if (all_open_[c] || is_over_budget(c)) continue;  // estimates prove nothing
    Sweep& counted = *sweeps_[c];
    if (!counted.possibilities(sums_.allowed(c), scratch_, cancel_)) return stop();
    for (std::size_t i = 0; i < counted.order().size(); ++i) {
      const CellGroup& one = group(c, counted.order()[i]);
      bool can_be_mined = false;
      bool can_be_safe = false;
      for (int k = 0; k <= one.size; ++k)
        if (counted.possible(i, at(k))) {
          can_be_mined |= k > 0;
          can_be_safe |= k < one.size;
        }
      if (can_be_mined && can_be_safe) continue;
      for (int j = 0; j < one.size; ++j) deduce(one.cells[at(j)], can_be_mined);
    }
  }
  const auto [can_be_mined, can_be_safe] = prior_.rest_can_be(uncounted_, sums_.totals());
  if (can_be_mined && can_be_safe) return true;
  rest_verdict_ = can_be_mined ? Verdict::mine : Verdict::safe;
  for (const std::int32_t cell : graph_.rest_cells()) deduce(cell, can_be_mined);
  return true;
}

void Engine::deduce(std::int32_t cell, bool mine) {
  graph_.verdicts[at(cell)] = mine ? Verdict::mine : Verdict::safe;
  any_safe_ |= !mine;
}

}  // namespace mineproof
