#include "mineproof/mind.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace mineproof {

namespace {

constexpr std::array<std::uint8_t, 256> bits_in = [] {
  std::array<std::uint8_t, 256> bits{};
  for (std::size_t i = 1; i < 256; ++i) bits[i] = static_cast<std::uint8_t>(bits[i / 2] + i % 2);
  return bits;
}();

// Two clues whose squares meet, by how far the other one is from this: 5 * (down + 2) +
// right + 2. Of this clue's directions, those that lead to neighbours of the other.
constexpr std::size_t here = 12;  // no step at all
constexpr std::array<Directions, 25> common = [] {
  std::array<Directions, 25> masks{};
  for (std::int32_t offset = 0; offset < 25; ++offset)
    for (std::int32_t down = -1; down <= 1; ++down)
      for (std::int32_t right = -1; right <= 1; ++right) {
        if (down == 0 && right == 0) continue;
        const std::int32_t far_down = down - (offset / 5 - 2);
        const std::int32_t far_right = right - (offset % 5 - 2);
        const bool meets = far_down >= -1 && far_down <= 1 && far_right >= -1 && far_right <= 1;
        if (meets) masks[at(offset)] |= direction(down, right);
      }
  return masks;
}();

}  // namespace

void Mind::begin(SharedNeighbourhood neighbourhood, Habits habits, Expected expected) {
  neighbourhood_ = std::move(neighbourhood);
  habits_ = habits;
  expected_ = expected;
  states_.assign(at(size()), hidden);
  rules_.assign(at(size()), Rule::none);
  cells_.resize(at(size()));
  for (std::int32_t cell = 0; cell < size(); ++cell)
    cells_[cell] = Known(neighbourhood_->directions(cell));
  covered_ = size();
  mines_known_ = settled_ = 0;
  version_ = 0;
  to_flag_.reset(size());
  to_open_.reset(size());
  waiting_.clear();
  changed_.clear();
  noted_.clear();
}

void Mind::see(std::int32_t cell, std::uint8_t state) {
  states_[cell] = state;
  if (state == told_safe) settle(cell, false, Rule::opening);
  if (is_covered(state)) return;
  --covered_;
  ++version_;
  if (is_open(cell))
    learn(cell, state == exploded);
  else
    --settled_;
  Known& known = cells_[cell];
  known.set_truth(Truth::seen);
  if (!mineproof::is_clue(state)) return;
  known.set_clue(state);
  if (known.can_wake()) wake(cell);
}

void Mind::read(std::span<const std::uint8_t> states) {
  for (std::int32_t cell = 0; cell < size(); ++cell)
    if (states[at(cell)] != hidden) see(cell, states[at(cell)]);
}

// The truth of a cell came to be known.
void Mind::learn(std::int32_t cell, bool mine) {
  ++version_;
  mines_known_ += mine;
  Known* const cells = cells_.data();
  neighbourhood_->each_with_way_back(cell, [&](std::int32_t near, Directions back) {
    Known& known = cells[near];
    known.learn(back, mine);
    if (known.can_wake()) wake(near);
  });
}

void Mind::settle(std::int32_t cell, bool mine, Rule rule) {
  if (!is_open(cell)) return;
  learn(cell, mine);
  cells_[cell].set_truth(mine ? Truth::mine : Truth::safe);
  rules_[cell] = rule;
  ++settled_;
  (mine ? to_flag_ : to_open_).push(cell);
}

// A clue is new, or has fewer open cells.
void Mind::wake(std::int32_t clue) {
  cells_[clue].set(Known::waits);
  waiting_.push_back(clue);
}

std::int32_t Mind::open_around(std::int32_t cell) const { return bits_in[ways_open(cell)]; }

std::int32_t Mind::covered_around(std::int32_t cell) const {
  std::int32_t covered = 0;
  neighbourhood_->each(cell, [&](std::int32_t near) { covered += is_covered(states_[near]); });
  return covered;
}

std::optional<std::int32_t> Mind::mines_left() const {
  if (!expected_.mines) return std::nullopt;
  return *expected_.mines - mines_known_;
}

View Mind::view() const {
  static const Model exact_clues;
  return {shape(), states_, &exact_clues, {}, false};
}

Prior Mind::prior() const {
  return {expected_.mines     ? Prior::Kind::count
          : expected_.density ? Prior::Kind::density
                              : Prior::Kind::uniform,
          expected_.mines.value_or(0), expected_.density.value_or(0)};
}

void Mind::reason() {
  do {
    reason_locally();
  } while (compare_pairs());
}

void Mind::reason_locally() {
  while (!waiting_.empty()) {
    const std::int32_t clue = waiting_.back();
    waiting_.pop_back();
    Known& known = cells_[clue];
    known.clear(Known::waits);
    const Directions open = known.open();
    if (open == 0) continue;
    const std::int32_t mines = known.missing();
    if (habits_.local && (mines == 0 || mines == bits_in[open])) {
      neighbourhood_->each(clue, open,
                           [&](std::int32_t near) { settle(near, mines != 0, Rule::local); });
      continue;  // nothing around it is open now
    }
    if (habits_.pairs && !known.has(Known::changed)) {
      known.set(Known::changed);
      changed_.push_back(clue);
    }
    if (habits_.notes && !known.has(Known::noted)) {
      known.set(Known::noted);
      noted_.push_back(clue);
    }
  }
}

bool Mind::compare_pairs() {
  compared_.clear();
  for (const std::int32_t clue : changed_) compare(clue);
  for (const std::int32_t clue : changed_) cells_[clue].clear(Known::changed);
  changed_.clear();
  for (const auto& [cell, mine] : compared_) settle(cell, mine, Rule::pairs);
  return !compared_.empty();
}

// Compares a clue that changed with all that share cells with it.
void Mind::compare(std::int32_t clue) {
  const Known* const cells = cells_.data();
  const Directions open_here = cells[clue].open();
  if (open_here == 0) return;
  const std::int32_t missing_here = cells[clue].missing();
  const auto [rows, cols] = shape();
  const std::int32_t row = clue / cols;
  const std::int32_t col = clue % cols;
  const std::int32_t left = std::max(-2, -col);
  const std::int32_t right = std::min(2, cols - 1 - col);
  for (std::int32_t down = std::max(-2, -row); down <= std::min(2, rows - 1 - row); ++down)
    for (std::int32_t side = left; side <= right; ++side) {
      const auto offset = at(5 * (down + 2) + side + 2);
      if (!(open_here & common[offset]) || offset == here) continue;
      const std::int32_t other = clue + down * cols + side;
      const Known there = cells[other];
      if (!there.has(Known::is_clue) || (there.has(Known::changed) && other < clue)) continue;
      const auto alone = static_cast<Directions>(open_here & ~common[offset]);
      const auto others = static_cast<Directions>(there.open() & ~common[2 * here - offset]);
      // If the cells of one alone must all be mines for it to have so many more than the
      // other, they are, and those of the other alone are safe.
      const std::int32_t more = missing_here - there.missing();
      if (!(alone | others)) continue;
      if (more == bits_in[alone]) {
        pick_out(clue, alone, true);
        pick_out(other, others, false);
      }
      if (-more == bits_in[others]) {
        pick_out(other, others, true);
        pick_out(clue, alone, false);
      }
    }
}

// Cells around a clue, by their directions, that pairs settle.
void Mind::pick_out(std::int32_t clue, Directions ways, bool mine) {
  neighbourhood_->each(clue, ways, [&](std::int32_t cell) { compared_.emplace_back(cell, mine); });
}

std::int32_t Mind::next_to_flag() {
  for (; !to_flag_.empty(); to_flag_.pop()) {
    const std::int32_t cell = to_flag_.top();
    if (states_[cell] == hidden) return cell;
  }
  return -1;
}

std::int32_t Mind::next_to_open() {
  for (; !to_open_.empty(); to_open_.pop()) {
    const std::int32_t cell = to_open_.top();
    if (is_covered(states_[cell])) return cell;
  }
  return -1;
}

void Mind::forget_changes() {
  for (const std::int32_t clue : noted_) cells_[clue].clear(Known::noted);
  noted_.clear();
}

}  // namespace mineproof
