// The possible numbers of mines in a component: decided in booleans, never by weights.
#include "mineproof/sweep.hpp"

namespace mineproof {

namespace {

using Words = std::span<std::uint64_t>;
using ConstWords = std::span<const std::uint64_t>;

// Sets in `to` the bits set in `from`, shifted up by `shift`.
void merge_up(Words to, ConstWords from, int shift) {
  const auto skip = at(shift >> 6);
  const int bits = shift & 63;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i + skip < to.size()) to[i + skip] |= from[i] << bits;
    if (bits && i + skip + 1 < to.size()) to[i + skip + 1] |= from[i] >> (64 - bits);
  }
}

// Sets in `to` the bits set in `from`, shifted down by `shift`, that are also set in `within`.
// Returns whether there were any.
bool merge_down(Words to, ConstWords from, ConstWords within, int shift) {
  const auto skip = at(shift >> 6);
  const int bits = shift & 63;
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < to.size() && i + skip < from.size(); ++i) {
    std::uint64_t moved = from[i + skip] >> bits;
    if (bits && i + skip + 1 < from.size()) moved |= from[i + skip + 1] << (64 - bits);
    moved &= within[i];
    any |= moved;
    to[i] |= moved;
  }
  return any != 0;
}

}  // namespace

// Determines the possible numbers of mines of each state so far. False if cancelled.
bool Sweep::reach(Cancel cancel) {
  if (!reach_place_.empty()) return true;
  reach_place_.assign(1, 0);
  for (std::size_t s = 0; s < states(); ++s)
    reach_place_.push_back(reach_place_.back() +
                           static_cast<std::uint32_t>(states_[s].length + 63) / 64);
  reached_.assign(reach_place_.back(), 0);
  reached_[0] = 1;
  for (std::size_t s = 0; s + 1 < states(); ++s) {
    if (stops(s, cancel)) {
      reach_place_.clear();
      return false;
    }
    const State& state = states_[s];
    std::int32_t k = state.least;
    for (std::size_t way = state.first; way < end_of(s); ++way, ++k) {
      if (weighs_ && factor_[way] <= 0) continue;
      const std::size_t t = target_[way];
      merge_up(words_of(reached_, t), words_of(reached_, s), state.low + k - states_[t].low);
    }
  }
  return true;
}

bool Sweep::feasible() const { return layer_.back() != layer_[layer_.size() - 2]; }

std::optional<CountSet> Sweep::support(Cancel cancel) {
  if (!feasible()) return CountSet{};
  if (!reach(cancel)) return std::nullopt;
  CountSet found(last().low, last().length);
  const auto bits = words_of(reached_, states() - 1);
  for (std::size_t i = 0; i < found.words(); ++i) found.word(i) = bits[i];
  return found;
}

bool Sweep::possibilities(const CountSet& outside, Scratch& scratch, Cancel cancel) {
  if (!reach(cancel)) return false;
  std::vector<std::uint64_t>& allowed = scratch.allowed;
  allowed.assign(reached_.size(), 0);
  const std::int32_t low = last().low;
  for (std::int32_t j = 0; j < last().length; ++j)
    if (outside.has(low + j))
      words_of(allowed, states() - 1)[at(j >> 6)] |= std::uint64_t{1} << (j & 63);
  possible_.assign(order_.size(), 0);
  for (std::size_t i = order_.size(); i-- > 0;)
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s) {
      if (stops(s, cancel)) return false;
      const State& state = states_[s];
      std::int32_t k = state.least;
      for (std::size_t way = state.first; way < end_of(s); ++way, ++k) {
        if (weighs_ && factor_[way] <= 0) continue;
        const std::size_t t = target_[way];
        if (merge_down(words_of(allowed, s), words_of(allowed, t), words_of(reached_, s),
                       state.low + k - states_[t].low))
          possible_[i] = static_cast<std::uint16_t>(possible_[i] | 1U << k);
      }
    }
  return true;
}

}  // namespace mineproof
