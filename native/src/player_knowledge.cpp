#include "mineproof/player_knowledge.hpp"

#include <utility>

namespace mineproof {

void PlayerKnowledge::begin(SharedNeighbourhood neighbourhood, InferenceOptions options,
                            Expected expected) {
  neighbourhood_ = std::move(neighbourhood);
  options_ = options;
  expected_ = expected;
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
}

void PlayerKnowledge::see(std::int32_t cell, std::uint8_t state) {
  states_[cell] = state;
  if (state == known_safe) deduce(cell, false, Rule::opening);
  if (is_covered(state)) return;
  --covered_;
  ++version_;
  if (is_open(cell))
    learn(cell, state == exploded);
  else
    --deduced_;
  Known& known = cells_[cell];
  known.set_truth(Truth::seen);
  if (!mineproof::is_clue(state)) return;
  known.set_clue(state);
  if (known.can_wake()) wake(cell);
}

void PlayerKnowledge::read(std::span<const std::uint8_t> states) {
  for (std::int32_t cell = 0; cell < size(); ++cell)
    if (states[at(cell)] != hidden) see(cell, states[at(cell)]);
}

// The truth of a cell became known.
void PlayerKnowledge::learn(std::int32_t cell, bool mine) {
  ++version_;
  mines_known_ += mine;
  Known* const cells = cells_.data();
  neighbourhood_->each_with_way_back(cell, [&](std::int32_t near, Directions back) {
    Known& known = cells[near];
    known.learn(back, mine);
    if (known.can_wake()) wake(near);
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
  static const Model exact_clues;
  return {shape(), states_, &exact_clues, {}, options_.flags};
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
  while (!waiting_.empty()) {
    const std::int32_t clue = waiting_.back();
    waiting_.pop_back();
    Known& known = cells_[clue];
    known.clear(Known::waits);
    const Directions open = known.open();
    if (open == 0) continue;
    const std::int32_t mines = known.missing();
    if (options_.local && (mines == 0 || mines == ways_in(open))) {
      neighbourhood_->each(clue, open,
                           [&](std::int32_t near) { deduce(near, mines != 0, Rule::local); });
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
}

bool PlayerKnowledge::compare_pairs() {
  compared_.clear();
  for (const std::int32_t clue : changed_) compare(clue);
  for (const std::int32_t clue : changed_) cells_[clue].clear(Known::changed);
  changed_.clear();
  for (const auto& [cell, mine] : compared_) deduce(cell, mine, Rule::pairs);
  return !compared_.empty();
}

// Compares a clue that changed with all clues that share undecided cells with it.
void PlayerKnowledge::compare(std::int32_t clue) {
  const Known* const cells = cells_.data();
  const Directions open_here = cells[clue].open();
  const std::int32_t missing_here = cells[clue].missing();
  neighbourhood_->each_sharing(clue, open_here, [&](std::int32_t other, std::size_t offset) {
    const Known there = cells[other];
    if (!there.has(Known::is_clue) || (there.has(Known::changed) && other < clue)) return;
    const auto alone = static_cast<Directions>(open_here & ~Neighbourhood::common(offset));
    const auto others = static_cast<Directions>(
        there.open() & ~Neighbourhood::common(Neighbourhood::turned(offset)));
    if (!(alone | others)) return;
    // If the difference between the two clues requires all cells that only one of them has to be
    // mines, they are, and the cells that only the other has are safe.
    const std::int32_t more = missing_here - there.missing();
    if (more == ways_in(alone)) {
      pick_out(clue, alone, true);
      pick_out(other, others, false);
    }
    if (-more == ways_in(others)) {
      pick_out(other, others, true);
      pick_out(clue, alone, false);
    }
  });
}

// Records the deductions from a pair: the cells around a clue in these directions.
void PlayerKnowledge::pick_out(std::int32_t clue, Directions ways, bool mine) {
  neighbourhood_->each(clue, ways, [&](std::int32_t cell) { compared_.emplace_back(cell, mine); });
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
