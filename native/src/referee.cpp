#include "mineproof/referee.hpp"

#include <algorithm>
#include <numeric>

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

void Referee::begin(SharedNeighbourhood neighbourhood, const GameRules& rules) {
  neighbourhood_ = std::move(neighbourhood);
  rules_ = rules;
  states_.assign(at(neighbourhood_->size()), hidden);
  dealt_ = ended_ = false;
  promised_.clear();
  mines_ = opened_ = flags_ = right_ = exploded_ = 0;
  changed_.clear();
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

void Referee::deal(const GameSetup& ground, std::int32_t first, std::uint64_t seed) {
  if (!ground.mined.empty()) return deal(ground.mined);
  const Shape shape = neighbourhood_->shape();
  const auto free = cells_promised(shape, rules_.opening, first);
  deal(ground.each_threshold ? deal_each(shape, *ground.each_threshold, free, seed)
                             : mineproof::deal(shape, ground.mines, free, seed));
}

void Referee::deal(std::span<const std::uint8_t> mined) {
  mined_.assign(mined.begin(), mined.end());
  mines_ = std::accumulate(mined_.begin(), mined_.end(), 0);
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
  changed_.clear();
  if (rules_.opening == Opening::any) return true;
  promised_ = cells_promised(neighbourhood_->shape(), rules_.opening, first);
  bool kept = true;
  for (const std::int32_t cell : promised_) {
    kept &= !is_mine(cell);
    if (states_[cell] != hidden) continue;
    states_[cell] = known_safe;
    changed_.push_back(cell);
  }
  return kept;
}

void Referee::open(std::int32_t cell) {
  changed_.clear();
  if (is_mine(cell)) {
    states_[cell] = mineproof::exploded;
    changed_.push_back(cell);
    ++exploded_;
    ended_ = rules_.mine_ends;
  } else {
    show(cell);
    if (rules_.flood && states_[cell] == 0) flood_from(cell);
  }
  finish();
}

// Zeros open what surrounds them.
void Referee::flood_from(std::int32_t zero) {
  zeros_.assign(1, zero);
  const auto around = [this](std::int32_t cell, auto&& f) { neighbourhood_->each(cell, f); };
  flood(zeros_, around, [this](std::int32_t near) {
    if (states_[near] != hidden && states_[near] != known_safe) return false;
    show(near);
    return states_[near] == 0;
  });
}

void Referee::show(std::int32_t cell) {
  int mines = 0;
  neighbourhood_->each(cell, [&](std::int32_t near) { mines += mined_[near]; });
  states_[cell] = static_cast<std::uint8_t>(mines);
  ++opened_;
  changed_.push_back(cell);
}

void Referee::flag(std::int32_t cell) {
  changed_.assign(1, cell);
  states_[cell] = flagged;
  ++flags_;
  right_ += is_mine(cell);
  finish();
}

void Referee::unflag(std::int32_t cell) {
  changed_.assign(1, cell);
  states_[cell] =
      std::binary_search(promised_.begin(), promised_.end(), cell) ? known_safe : hidden;
  --flags_;
  right_ -= is_mine(cell);
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
