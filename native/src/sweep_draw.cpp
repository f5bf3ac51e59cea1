// Draws a configuration of a component by weight: a random walk back through the stored states.
#include "mineproof/sweep.hpp"

namespace mineproof {

bool Sweep::prepare_draws(Cancel cancel) {
  if (!source_.empty()) return true;
  source_.resize(transitions_);
  incoming_.assign(states() + 1, 0);
  for (std::size_t s = 0; s + 1 < states(); ++s) {
    if (stops(s, cancel)) {
      source_.clear();
      return false;
    }
    for (std::size_t way = states_[s].first; way < end_of(s); ++way) {
      source_[way] = static_cast<std::uint32_t>(s);
      ++incoming_[target_[way] + 1];
    }
  }
  for (std::size_t t = 0; t < states(); ++t) incoming_[t + 1] += incoming_[t];
  arrival_.resize(transitions_);
  std::vector<std::uint32_t> next(incoming_.begin(), incoming_.end() - 1);
  for (std::size_t way = 0; way < transitions_; ++way)
    arrival_[next[target_[way]]++] = static_cast<std::uint32_t>(way);
  return true;
}

// Goes back from the end; each transition is drawn with probability proportional to the weight that
// arrives through it.
void Sweep::draw(std::int32_t mines, Stream& stream, std::span<std::int32_t> mines_of_group) const {
  std::size_t state = states() - 1;
  for (std::size_t i = order_.size(); i-- > 0;) {
    const auto mines_at = [&](std::uint32_t way) {
      const State& from = states_[source_[way]];
      return from.least + static_cast<std::int32_t>(way - from.first);
    };
    const auto ways = [&](std::uint32_t way) {
      const State& from = states_[source_[way]];
      const std::int32_t k = mines_at(way);
      const std::int32_t j = mines - k - from.low;
      if (j < 0 || j >= from.length) return 0.0;
      const double factor = weighs_ ? chances(i)[k] * factor_[way] : chances(i)[k];
      return factor * forward_[from.place + at(j)];
    };
    double all = 0;
    for (std::size_t a = incoming_[state]; a < incoming_[state + 1]; ++a) all += ways(arrival_[a]);
    double point = stream.uniform() * all;
    std::uint32_t chosen = arrival_[incoming_[state]];
    for (std::size_t a = incoming_[state]; a < incoming_[state + 1]; ++a) {
      const double weight_here = ways(arrival_[a]);
      if (weight_here <= 0) continue;
      chosen = arrival_[a];
      point -= weight_here;
      if (point < 0) break;
    }
    mines_of_group[i] = mines_at(chosen);
    mines -= mines_of_group[i];
    state = source_[chosen];
  }
}

}  // namespace mineproof
