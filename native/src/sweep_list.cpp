// Lists all ways to fill a component if there are few.
#include "mineproof/sweep.hpp"

namespace mineproof {

// Depth first along the transitions of the forward pass.
bool Sweep::list(std::size_t most, std::vector<std::uint8_t>& ways, Cancel cancel) const {
  ways.clear();
  const std::size_t groups = order_.size();
  std::vector<std::size_t> next(groups + 1);  // by depth: the transition to try next
  std::vector<std::size_t> here(groups + 1);  // by depth: the state
  std::vector<std::uint8_t> mines(groups);
  std::size_t depth = 0;
  std::size_t found = 0;
  std::size_t tried = 0;
  next[0] = states_[0].first;
  for (;;) {
    if (depth == groups) {
      if (++found > most) return false;
      ways.insert(ways.end(), mines.begin(), mines.end());
      if (depth-- == 0) return true;
      continue;
    }
    const State& state = states_[here[depth]];
    if (next[depth] == end_of(here[depth])) {
      if (depth-- == 0) return true;
      continue;
    }
    if (++tried > 64 * (most + groups)) return false;
    if (stops(tried, cancel)) return false;
    const std::size_t way = next[depth]++;
    if (weighs_ && factor_[way] <= 0) continue;
    mines[depth] =
        static_cast<std::uint8_t>(state.least + static_cast<std::int32_t>(way - state.first));
    here[++depth] = target_[way];
    if (depth < groups) next[depth] = states_[here[depth]].first;
  }
}

}  // namespace mineproof
