// Which numbers of mines are possible in a component: in booleans, never by weights.
#include "mineproof/sweep.hpp"

namespace mineproof {

namespace {

// Sets in `to` what is set in `from`, `shift` places higher.
void merge_up(std::uint64_t* to, const std::uint64_t* from, std::size_t words, int shift) {
  const auto skip = at(shift >> 6);
  const int bits = shift & 63;
  for (std::size_t i = skip; i < words; ++i) {
    to[i] |= from[i - skip] << bits;
    if (bits && i > skip) to[i] |= from[i - skip - 1] >> (64 - bits);
  }
}

// Sets in `to` what is set in `from`, `shift` places lower, and in `within`.
// Whether there was any.
bool merge_down(std::uint64_t* to, const std::uint64_t* from, const std::uint64_t* within,
                std::size_t words, int shift) {
  const auto skip = at(shift >> 6);
  const int bits = shift & 63;
  std::uint64_t any = 0;
  for (std::size_t i = 0; i + skip < words; ++i) {
    std::uint64_t moved = from[i + skip] >> bits;
    if (bits && i + skip + 1 < words) moved |= from[i + skip + 1] << (64 - bits);
    moved &= within[i];
    any |= moved;
    to[i] |= moved;
  }
  return any != 0;
}

}  // namespace

// Which numbers of mines each state can have so far. False if cancelled.
bool Sweep::reach(Cancel cancel) {
  if (reach_words_ != 0) return true;
  const std::size_t words = at(longest_ + 63) / 64;
  reached_.assign(states() * words, 0);
  reached_[0] = 1;
  for (std::size_t s = 0; s + 1 < states(); ++s) {
    if (stops(s, cancel)) return false;
    const State& state = states_[s];
    std::int32_t k = state.least;
    for (std::size_t way = state.first; way < end_of(s); ++way, ++k) {
      if (weighs_ && factor_[way] <= 0) continue;
      const std::size_t t = target_[way];
      merge_up(&reached_[t * words], &reached_[s * words], words, state.low + k - states_[t].low);
    }
  }
  reach_words_ = words;
  return true;
}

bool Sweep::feasible() const { return layer_.back() != layer_[layer_.size() - 2]; }

std::optional<Numbers> Sweep::support(Cancel cancel) {
  if (!feasible()) return Numbers{};
  if (!reach(cancel)) return std::nullopt;
  Numbers found(last().low, last().length);
  const std::uint64_t* bits = &reached_[(states() - 1) * reach_words_];
  for (std::size_t i = 0; i < found.words(); ++i) found.word(i) = bits[i];
  return found;
}

bool Sweep::possibilities(const Numbers& outside, Scratch& scratch, Cancel cancel) {
  if (!reach(cancel)) return false;
  const std::size_t words = reach_words_;
  std::vector<std::uint64_t>& allowed = scratch.allowed;
  allowed.assign(states() * words, 0);
  const std::int32_t low = last().low;
  for (std::int32_t j = 0; j < last().length; ++j)
    if (outside.has(low + j))
      allowed[(states() - 1) * words + at(j >> 6)] |= std::uint64_t{1} << (j & 63);
  possible_.assign(order_.size(), 0);
  for (std::size_t i = order_.size(); i-- > 0;)
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s) {
      if (stops(s, cancel)) return false;
      const State& state = states_[s];
      std::int32_t k = state.least;
      for (std::size_t way = state.first; way < end_of(s); ++way, ++k) {
        if (weighs_ && factor_[way] <= 0) continue;
        const std::size_t t = target_[way];
        if (merge_down(&allowed[s * words], &allowed[t * words], &reached_[s * words], words,
                       state.low + k - states_[t].low))
          possible_[i] = static_cast<std::uint16_t>(possible_[i] | 1U << k);
      }
    }
  return true;
}

}  // namespace mineproof
