// What is certain, and whether anything fits: in booleans, never by weights.
#include "mineproof/posterior.hpp"
#include "mineproof/sweep.hpp"

namespace mineproof {

namespace {

// Sets in `to` what is set in `from`, `shift` places higher.
void merge_up(std::uint64_t* to, const std::uint64_t* from, std::size_t words, int shift) {
  const auto skip = static_cast<std::size_t>(shift >> 6);
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
  const auto skip = static_cast<std::size_t>(shift >> 6);
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

// Which numbers of mines each state can have so far.
void Sweep::reach() {
  if (reach_words_ != 0) return;
  const std::size_t words = reach_words_ = static_cast<std::size_t>(longest_ + 63) / 64;
  reached_.assign(states() * words, 0);
  reached_[0] = 1;
  for (std::size_t s = 0; s + 1 < states(); ++s) {
    const State& state = states_[s];
    std::int32_t k = state.least;
    for (std::size_t at = state.first; at < end_of(s); ++at, ++k) {
      if (weighs_ && factor_[at] <= 0) continue;
      const std::size_t t = target_[at];
      merge_up(&reached_[t * words], &reached_[s * words], words, state.low + k - states_[t].low);
    }
  }
}

bool Sweep::feasible() const { return layer_.back() != layer_[layer_.size() - 2]; }

Numbers Sweep::support() {
  if (!feasible()) return {};
  reach();
  Numbers found(last().low, last().length);
  const std::uint64_t* bits = &reached_[(states() - 1) * reach_words_];
  for (std::size_t i = 0; i < found.words(); ++i) found.word(i) = bits[i];
  return found;
}

void Sweep::possibilities(const Numbers& outside) {
  reach();
  const std::size_t words = reach_words_;
  std::vector<std::uint64_t>& allowed = scratch_->allowed;
  allowed.assign(states() * words, 0);
  const std::int32_t low = last().low;
  for (std::int32_t j = 0; j < last().length; ++j)
    if (outside.has(low + j))
      allowed[(states() - 1) * words + static_cast<std::size_t>(j >> 6)] |= std::uint64_t{1}
                                                                            << (j & 63);
  possible_.assign(order_.size(), 0);
  for (std::size_t i = order_.size(); i-- > 0;)
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s) {
      const State& state = states_[s];
      std::int32_t k = state.least;
      for (std::size_t at = state.first; at < end_of(s); ++at, ++k) {
        if (weighs_ && factor_[at] <= 0) continue;
        const std::size_t t = target_[at];
        if (merge_down(&allowed[s * words], &allowed[t * words], &reached_[s * words], words,
                       state.low + k - states_[t].low))
          possible_[i] = static_cast<std::uint16_t>(possible_[i] | 1U << k);
      }
    }
}

// Whether anything fits, in booleans; what was estimated may be anything.
bool Engine::fits() {
  combine();
  const Numbers& totals = sums_.totals();
  const bool never =
      prior_.kind == Prior::Kind::density &&
      ((p_ <= 0 && network_.settled_mines > 0) || (p_ >= 1 && network_.settled_safe > 0));
  return !never && totals.any(totals.low, totals.low + totals.count - 1);
}

// Which numbers of mines each component can have, given the others and the count.
void Engine::combine() {
  supports_.resize(network_.components());
  for (std::size_t c = 0; c < network_.components(); ++c) {
    if (!is_estimated(c)) {
      supports_[c] = sweeps_[c]->support();
      continue;
    }
    supports_[c] = Numbers::all(0, cells_of(c) + 1);  // nothing is proved by an estimate
  }
  if (prior_.kind == Prior::Kind::count) {
    const std::int32_t left = prior_.mines - network_.known_mines - network_.settled_mines;
    sums_.combine(supports_, left - network_.rest, left);
  } else {
    sums_.combine(supports_, 0, view_.shape.size());
  }
}

// What is certain, in booleans: which numbers of mines are possible at all.
void Engine::prove() {
  combine();
  for (std::size_t c = 0; c < leaves_.size(); ++c) {
    if (all_open_[c] || is_estimated(c)) continue;  // nothing is proved by an estimate
    Sweep& counted = *sweeps_[c];
    counted.possibilities(sums_.allowed(c));
    for (std::size_t i = 0; i < counted.order().size(); ++i) {
      const Box& one = box(c, counted.order()[i]);
      bool can_be_mined = false;
      bool can_be_safe = false;
      for (int k = 0; k <= one.size; ++k)
        if (counted.possible(i, static_cast<std::size_t>(k))) {
          can_be_mined |= k > 0;
          can_be_safe |= k < one.size;
        }
      if (can_be_mined && can_be_safe) continue;
      for (int j = 0; j < one.size; ++j)
        settle(one.cells[static_cast<std::size_t>(j)], can_be_mined);
    }
  }
  if (prior_.kind == Prior::Kind::uniform ||
      (prior_.kind == Prior::Kind::density && p_ > 0 && p_ < 1))
    return;
  bool can_be_mined = p_ > 0;
  bool can_be_safe = p_ < 1;
  if (prior_.kind == Prior::Kind::count) {
    const std::int32_t left = prior_.mines - network_.known_mines - network_.settled_mines;
    const auto rest = network_.rest;
    can_be_mined = sums_.totals().any(left - rest, left - 1);
    can_be_safe = sums_.totals().any(left - rest + 1, left);
  }
  if (can_be_mined && can_be_safe) return;
  rest_verdict_ = can_be_mined ? Verdict::mine : Verdict::safe;
  for (const std::int32_t cell : network_.rest_cells()) settle(cell, can_be_mined);
}

void Engine::settle(std::int32_t cell, bool mine) {
  network_.verdicts[static_cast<std::size_t>(cell)] = mine ? Verdict::mine : Verdict::safe;
  any_safe_ |= !mine;
}

}  // namespace mineproof
