#include "mineproof/referee.hpp"

#include <algorithm>

#include "mineproof/fair.hpp"

namespace mineproof {

std::vector<std::int32_t> cells_promised(Shape shape, Opening opening, std::int32_t start) {
  std::vector<std::int32_t> free;
  if (opening == Opening::clear)
    shape.each_neighbour(start, [&](std::int32_t near) { free.push_back(near); });
  if (opening != Opening::any)
    free.insert(std::lower_bound(free.begin(), free.end(), start), start);
  return free;
}

std::int32_t count_promised(Shape shape, Opening opening, std::int32_t start) {
  if (start < 0 && opening == Opening::clear)
    return std::min(3, shape.rows) * std::min(3, shape.cols);
  return static_cast<std::int32_t>(cells_promised(shape, opening, start).size());
}

void Referee::begin(SharedNeighbourhood neighbourhood, const GameRules& rules,
                    const ClueModel& clues, std::uint64_t seed) {
  neighbourhood_ = std::move(neighbourhood);
  rules_ = rules;
  clues_ = &clues;
  begin(seed);
}

void Referee::begin(std::uint64_t seed) {
  seed_ = seed;
  const std::size_t size = at(neighbourhood_->size());
  states_.assign(size, hidden);
  asked_.assign(clues_->exact ? 0 : size, 0);
  bounds_.assign(clues_->known ? size : 0, ClueModel::unbounded);
  dealt_ = ended_ = false;
  first_ = -1;
  mines_ = opened_ = flags_ = right_ = exploded_ = silent_ = changes_ = 0;
  changed_.resize(size);
  if (rules_.luck == Luck::dealt)
    judge_.reset();
  else if (judge_ == nullptr)
    judge_ = std::make_shared<GameJudge>();
}

void Referee::begin_at(SharedNeighbourhood neighbourhood, const GameRules& rules,
                       std::span<const std::uint8_t> states) {
  begin(std::move(neighbourhood), rules);
  states_.assign(states.begin(), states.end());
  for (const std::uint8_t state : states) {
    opened_ += is_opened(state);
    exploded_ += state == mineproof::exploded;
  }
}

void Referee::deal(const GameSetup& ground, std::int32_t first) {
  if (!ground.mined.empty()) return deal(ground.mined);
  const Shape shape = neighbourhood_->shape();
  const auto free = cells_promised(shape, rules_.opening, first);
  if (ground.each_threshold) return deal(deal_each(shape, *ground.each_threshold, free, seed_));
  truth_.assign(at(shape.size()), 0);
  deal_into(truth_, mine, std::span(changed_).first(at(ground.mines)), free, seed_);
  count_mines(ground.mines);
  begin_judge();
}

void Referee::deal(std::span<const std::uint8_t> mined) {
  place(mined);
  begin_judge();
}

void Referee::begin_judge() {
  if (judge_ != nullptr) judge_->begin(neighbourhood_, rules_, mines_, seed_);
}

void Referee::place(std::span<const std::uint8_t> mined) {
  truth_.assign(mined.size(), 0);
  std::int32_t mines = 0;
  for (std::int32_t cell = 0; cell < neighbourhood_->size(); ++cell) {
    if (!mined[at(cell)]) continue;
    truth_[cell] = mine;
    changed_[mines++] = cell;
  }
  count_mines(mines);
}

// Counts the mines around each cell. Until then, changed_ begins with the mines.
void Referee::count_mines(std::int32_t mines) {
  std::uint8_t* const truth = truth_.data();
  for (const std::int32_t mined : std::span(changed_).first(at(mines)))
    neighbourhood_->each(mined, [truth](std::int32_t near) { ++truth[near]; });
  mines_ = mines;
  changes_ = 0;
  dealt_ = true;
}

bool Referee::has_start() const {
  if (rules_.opening != Opening::clear)
    return rules_.opening == Opening::any || mines_ < neighbourhood_->size();
  const auto is_clear = [&](std::int32_t cell) {
    bool clear = !is_mine(cell);
    neighbourhood_->each(cell, [&](std::int32_t near) { clear &= !is_mine(near); });
    return clear;
  };
  for (std::int32_t cell = 0; cell < neighbourhood_->size(); ++cell)
    if (is_clear(cell)) return true;
  return false;
}

bool Referee::promise(std::int32_t first) {
  changes_ = 0;
  if (rules_.opening == Opening::any) return true;
  first_ = first;
  bool kept = true;
  for (const std::int32_t cell : cells_promised(neighbourhood_->shape(), rules_.opening, first)) {
    kept &= !is_mine(cell);
    if (states_[cell] != hidden) continue;
    states_[cell] = known_safe;
    note(cell);
  }
  inform_judge(0);
  return kept;
}

Cells Referee::board() const {
  Cells mined(truth_.size());
  for (std::size_t i = 0; i < mined.size(); ++i) mined[i] = truth_[i] >= mine;
  return mined;
}

// Draws the board again if the judge asks for it.
void Referee::draw_again(std::int32_t cell, Cancel cancel) {
  if (!judge_->is_in_doubt(cell)) return;
  const Cells mined = board();
  const std::span<const std::uint8_t> drawn = judge_->judge(cell, states_, mined, cancel);
  if (drawn.empty()) return;
  place(drawn);
  right_ = 0;
  for (std::int32_t one = 0; one < neighbourhood_->size(); ++one)
    right_ += is_mine(one) && states_[one] == flagged;
}

// Passes on what changed, and how many moves were made.
void Referee::inform_judge(std::uint64_t moves) {
  if (judge_ == nullptr) return;
  judge_->count(moves);
  for (const std::int32_t cell : changed()) judge_->see(cell, states_[cell]);
}

void Referee::open(std::int32_t cell, Cancel cancel) {
  if (judge_ != nullptr) draw_again(cell, cancel);
  changes_ = 0;
  if (is_mine(cell)) {
    states_[cell] = mineproof::exploded;
    note(cell);
    ++exploded_;
    ended_ = rules_.mine_ends;
  } else {
    ++opened_;
    show(cell);
    flood();
  }
  inform_judge(1);
  finish();
}

// Whether a cell shows that all its neighbours are safe, and they open, too.
bool Referee::floods(std::int32_t cell) const {
  if (!rules_.flood) return false;
  if (clues_->exact) return states_[cell] == 0;
  return clues_->opens_around(states_[cell], ways_in(neighbourhood_->directions(cell)),
                              bound(cell));
}

// Opens what the cell that was shown last, and those that open with it, show to be safe; breadth
// first.
void Referee::flood() {
  const std::int32_t before = changes_;
  for (std::int32_t next = before - 1; next < changes_; ++next)
    if (floods(changed_[next]))
      neighbourhood_->each(changed_[next], [this](std::int32_t near) {
        if (states_[near] == hidden || states_[near] == known_safe) show(near);
      });
  opened_ += changes_ - before;
}

// Shows the clue of an opened cell.
void Referee::show(std::int32_t cell) {
  states_[cell] = clues_->exact ? truth_[cell] : draw(cell);
  note(cell);
}

// The noise depends only on the cell and on how often it was asked, not on the player or the order
// of moves.
std::uint8_t Referee::draw(std::int32_t cell) {
  std::int32_t known = 0;
  std::int32_t covered = 0;
  if (clues_->known)
    neighbourhood_->each(cell, [&](std::int32_t near) {
      known += states_[near] == mineproof::exploded || states_[near] == flagged;
      covered += states_[near] == hidden || states_[near] == known_safe;
    });
  const std::int8_t bound = clues_->bound(known, covered);
  const bool was_silent = asked_[cell] > 0;
  Stream stream(seed_, Purpose::noise,
                std::uint64_t{asked_[cell]++} << 32 | static_cast<std::uint32_t>(cell));
  const std::uint8_t shown =
      clues_->draw(truth_[cell], ways_in(neighbourhood_->directions(cell)), bound, stream);
  silent_ += (shown == no_clue) - was_silent;
  if (clues_->known && is_clue(shown)) bounds_[cell] = bound;
  return shown;
}

void Referee::ask() {
  changes_ = 0;
  // Cells that open meanwhile are not asked a second time.
  std::vector<std::int32_t> silent;
  for (std::int32_t cell = 0; cell < neighbourhood_->size(); ++cell)
    if (states_[cell] == no_clue) silent.push_back(cell);
  for (const std::int32_t cell : silent) {
    show(cell);
    if (states_[cell] == no_clue)
      --changes_;
    else
      flood();
  }
  finish();
}

void Referee::flag(std::int32_t cell) {
  changes_ = 0;
  note(cell);
  states_[cell] = flagged;
  ++flags_;
  right_ += is_mine(cell);
  inform_judge(1);
  finish();
}

bool Referee::is_promised(std::int32_t cell) const {
  if (first_ < 0) return false;
  const auto promised = cells_promised(neighbourhood_->shape(), rules_.opening, first_);
  return std::binary_search(promised.begin(), promised.end(), cell);
}

void Referee::unflag(std::int32_t cell) {
  changes_ = 0;
  note(cell);
  states_[cell] = is_promised(cell) ? known_safe : hidden;
  --flags_;
  right_ -= is_mine(cell);
  inform_judge(1);
}

void Referee::finish() {
  const std::int32_t covered = neighbourhood_->size() - opened_ - exploded_;
  ended_ |= covered == (rules_.mine_ends ? mines_ : flags_);
}

bool Referee::all_safe_open() const { return opened_ == neighbourhood_->size() - mines_; }

bool Referee::won() const {
  const bool clean = exploded_ == 0 && wrong() == 0;
  return clean && (all_safe_open() || (!rules_.mine_ends && right_ == mines_));
}

}  // namespace mineproof
