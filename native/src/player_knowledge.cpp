#include "mineproof/player_knowledge.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace mineproof {

void PlayerKnowledge::begin(SharedNeighbourhood neighbourhood, InferenceOptions options,
                            Expected expected, const ClueModel& clues) {
  neighbourhood_ = std::move(neighbourhood);
  options_ = options;
  expected_ = expected;
  clues_ = options.naive ? &exact_clues : &clues;
  states_.assign(at(size()), hidden);
  rules_.assign(at(size()), Rule::none);
  cells_.resize(at(size()));
  for (std::int32_t cell = 0; cell < size(); ++cell)
    cells_[cell] = Known(neighbourhood_->directions(cell));
  covered_ = size();
  mines_known_ = deduced_ = 0;
  version_ = 0;
  to_flag_.reset(size());
  to_open_.reset(size());
  waiting_.clear();
  changed_.clear();
  noted_.clear();
  overrides_.clear();
  places_.assign(options.naive && !clues.exact ? at(size()) : 0, 0);
  next_place_ = 0;
}

void PlayerKnowledge::see(std::int32_t cell, std::uint8_t state, std::int8_t bound) {
  const bool was_covered = is_covered(states_[cell]);
  states_[cell] = state;
  if (state == known_safe) deduce(cell, false, Rule::opening);
  if (is_covered(state)) return;
  ++version_;
  if (was_covered) {
    --covered_;
    const Truth thought = truth(cell);
    if (thought == Truth::open) {
      learn(cell, state == exploded);
    } else {
      --deduced_;
      if ((thought == Truth::mine) != (state == exploded)) correct(cell, state == exploded);
    }
    cells_[cell].set_truth(Truth::seen);
  }
  if (mineproof::is_clue(state)) read_clue(cell, bound);
}

// A cell shows a clue.
void PlayerKnowledge::read_clue(std::int32_t cell, std::int8_t bound) {
  const std::uint8_t clue = states_[cell];
  Known& known = cells_[cell];
  if (clues_->exact) {
    known.set_clue(clue, clue);
  } else {
    const std::int32_t degree = ways_in(neighbourhood_->directions(cell));
    const ClueModel::Likelihood chances = clues_->likelihood(clue, degree, bound);
    std::uint32_t least = 0;
    auto most = static_cast<std::uint32_t>(degree);
    const bool any =
        std::any_of(chances.begin(), chances.end(), [](double one) { return one > 0; });
    for (; any && chances[least] <= 0;) ++least;
    for (; any && chances[most] <= 0;) --most;
    known.set_clue(least, most);
    if (bound != ClueModel::unbounded) {
      const auto place = std::lower_bound(
          overrides_.begin(), overrides_.end(), cell,
          [](const Override& one, std::int32_t before) { return one.cell < before; });
      overrides_.insert(place, {cell, chances});
    }
  }
  if (may_contradict()) places_[cell] = ++next_place_;
  if (known.can_wake()) wake(cell);
}

void PlayerKnowledge::read(std::span<const std::uint8_t> states,
                           std::span<const std::int8_t> bounds) {
  for (std::int32_t cell = 0; cell < size(); ++cell)
    if (states[at(cell)] != hidden)
      see(cell, states[at(cell)], bounds.empty() ? ClueModel::unbounded : bounds[at(cell)]);
}

// The truth of a cell became known.
void PlayerKnowledge::learn(std::int32_t cell, bool mine) {
  ++version_;
  mines_known_ += mine;
  const std::size_t first = waiting_.size();
  Known* const cells = cells_.data();
  neighbourhood_->each_with_way_back(cell, [&](std::int32_t near, Directions back) {
    Known& known = cells[near];
    known.learn(back, mine);
    if (known.can_wake()) wake(near);
  });
  if (may_contradict())
    std::sort(waiting_.begin() + static_cast<std::ptrdiff_t>(first), waiting_.end(),
              [this](std::int32_t a, std::int32_t b) { return is_older(a, b); });
}

// A deduction from contradictory clues was wrong: the cell is now known to be a mine, or safe.
void PlayerKnowledge::correct(std::int32_t cell, bool mine) {
  ++version_;
  mines_known_ += mine ? 1 : -1;
  neighbourhood_->each(cell, [&](std::int32_t near) {
    cells_[near].correct(mine);
    if (cells_[near].can_wake()) wake(near);
  });
}

void PlayerKnowledge::deduce(std::int32_t cell, bool mine, Rule rule) {
  if (!is_open(cell)) return;
  learn(cell, mine);
  cells_[cell].set_truth(mine ? Truth::mine : Truth::safe);
  rules_[cell] = rule;
  ++deduced_;
  if (mine && options_.flags)
    states_[cell] = flagged;
  else
    (mine ? to_flag_ : to_open_).push(cell);
}

// A clue is new, or has fewer undecided neighbours.
void PlayerKnowledge::wake(std::int32_t clue) {
  cells_[clue].set(Known::waits);
  waiting_.push_back(clue);
}

std::int32_t PlayerKnowledge::covered_around(std::int32_t cell) const {
  // Undecided cells are covered; usually those are all the covered ones.
  const Directions open = ways_open(cell);
  std::int32_t covered = ways_in(open);
  neighbourhood_->each(cell, static_cast<Directions>(neighbourhood_->directions(cell) & ~open),
                       [&](std::int32_t near) { covered += is_covered(states_[near]); });
  return covered;
}

std::optional<std::int32_t> PlayerKnowledge::mines_left() const {
  if (!expected_.mines) return std::nullopt;
  return *expected_.mines - mines_known_;
}

View PlayerKnowledge::view() const {
  return {shape(), states_, clues_, overrides_, options_.flags};
}

Prior PlayerKnowledge::prior() const {
  if (expected_.mines) return Prior::count(*expected_.mines);
  return expected_.density ? Prior::density(*expected_.density) : Prior::uniform();
}

void PlayerKnowledge::reason() {
  do {
    reason_locally();
  } while (compare_pairs());
}

void PlayerKnowledge::reason_locally() {
  for (std::size_t i = 0; i < waiting_.size(); ++i) {  // it grows meanwhile
    const std::int32_t clue = waiting_[i];
    Known& known = cells_[clue];
    known.clear(Known::waits);
    const Directions open = known.open();
    if (open == 0) continue;
    const bool safe = known.most() == 0;
    if (options_.local && (safe || known.least() == ways_in(open))) {
      neighbourhood_->each(clue, open,
                           [&](std::int32_t near) { deduce(near, !safe, Rule::local); });
      continue;  // no undecided neighbours any more
    }
    if (options_.pairs && !known.has(Known::changed)) {
      known.set(Known::changed);
      changed_.push_back(clue);
    }
    if (options_.notes && !known.has(Known::noted)) {
      known.set(Known::noted);
      noted_.push_back(clue);
    }
  }
  waiting_.clear();
}

bool PlayerKnowledge::compare_pairs() {
  compared_.clear();
  for (const std::int32_t clue : changed_) compare(clue);
  for (const std::int32_t clue : changed_) cells_[clue].clear(Known::changed);
  changed_.clear();
  if (may_contradict())
    std::sort(compared_.begin(), compared_.end(), [](const FromPair& a, const FromPair& b) {
      return std::tie(a.cell, a.clue, a.other) < std::tie(b.cell, b.clue, b.other);
    });
  for (const FromPair& one : compared_) deduce(one.cell, one.mine, Rule::pairs);
  return !compared_.empty();
}

// Compares a clue that changed with all clues that share undecided cells with it.
void PlayerKnowledge::compare(std::int32_t clue) {
  const Known* const cells = cells_.data();
  const Known here = cells[clue];
  const Directions open_here = here.open();
  neighbourhood_->each_sharing(clue, open_here, [&](std::int32_t other, std::size_t offset) {
    const Known there = cells[other];
    if (!there.has(Known::is_clue) || (there.has(Known::changed) && other < clue)) return;
    const auto alone = static_cast<Directions>(open_here & ~Neighbourhood::common(offset));
    const auto others = static_cast<Directions>(
        there.open() & ~Neighbourhood::common(Neighbourhood::turned(offset)));
    if (!(alone | others)) return;
    // If the difference between the two clues requires all cells that only one of them has to be
    // mines, they are, and the cells that only the other has are safe.
    if (here.least() - there.most() == ways_in(alone)) pick_out(clue, alone, other, others);
    if (there.least() - here.most() == ways_in(others)) pick_out(other, others, clue, alone);
  });
}

// Records the deductions from a pair: the first clue's own cells are mines, the other's are safe.
void PlayerKnowledge::pick_out(std::int32_t clue, Directions own, std::int32_t other,
                               Directions others) {
  const auto add = [&](std::int32_t middle, Directions ways, bool mine) {
    neighbourhood_->each(
        middle, ways, [&](std::int32_t cell) { compared_.push_back({cell, mine, clue, other}); });
  };
  add(clue, own, true);
  add(other, others, false);
}

std::int32_t PlayerKnowledge::next_to_flag() {
  for (; !to_flag_.empty(); to_flag_.pop()) {
    const std::int32_t cell = to_flag_.top();
    if (states_[cell] == hidden) return cell;
  }
  return -1;
}

std::int32_t PlayerKnowledge::next_to_open() {
  for (; !to_open_.empty(); to_open_.pop()) {
    const std::int32_t cell = to_open_.top();
    if (is_covered(states_[cell])) return cell;
  }
  return -1;
}

void PlayerKnowledge::forget_changes() {
  for (const std::int32_t clue : noted_) cells_[clue].clear(Known::noted);
  noted_.clear();
}

}  // namespace mineproof
