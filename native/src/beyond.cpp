// What a player finds where the local rules find no more: the twin of closure.py.
#include <algorithm>

#include "mineproof/play.hpp"

namespace mineproof {

void Player::find_beyond() {
  switch (strategy_.beyond) {
    case Beyond::none:
      break;
    case Beyond::subset:
    case Beyond::gauss:
      find_by_component();
      break;
    case Beyond::subset_until_found:
      find_by_component();
      find_rest();
      break;
    case Beyond::gauss_count:
      if (beyond_version_ != version_) find_with_count();
      break;
    case Beyond::exact:
      if (beyond_version_ != version_) find_exact();
      break;
  }
  beyond_version_ = version_;
  forget_played();
}

void Player::forget_played() {
  std::erase_if(found_cells_, [this](std::int32_t cell) {
    return truth_[at(cell)] != Truth::open || found_[at(cell)] == Verdict::open;
  });
}

void Player::add_to_part(std::int32_t clue) {
  cells_.clear();
  for (const std::int32_t near : around(clue))
    if (truth_[at(near)] == Truth::open) cells_.push_back(near);
  if (!cells_.empty()) part_.add(cells_, missing(clue));
}

void Player::keep(std::span<const Part::Settled> settled) {
  for (const Part::Settled& one : settled) {
    if (found_[at(one.cell)] == Verdict::open) found_cells_.push_back(one.cell);
    found_[at(one.cell)] = one.mine ? Verdict::mine : Verdict::safe;
    found_rule_[at(one.cell)] = one.rule;
  }
}

// The components in which something changed, each by itself.
void Player::find_by_component() {
  ++walks_;
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    const std::int32_t start = fresh_[i];
    is_fresh_[at(start)] = 0;
    if (seen_[at(start)] == walks_ || open_around(start) == 0) continue;
    part_.clear();
    walk_.assign(1, start);
    seen_[at(start)] = walks_;
    for (std::size_t next = 0; next < walk_.size(); ++next) {
      add_to_part(walk_[next]);
      for (const std::int32_t cell : around(walk_[next])) {
        if (truth_[at(cell)] != Truth::open || seen_[at(cell)] == walks_) continue;
        seen_[at(cell)] = walks_;
        found_[at(cell)] = Verdict::open;
        for (const std::int32_t clue : around(cell))
          if (states_[at(clue)] <= 8 && seen_[at(clue)] != walks_) {
            seen_[at(clue)] = walks_;
            walk_.push_back(clue);
          }
      }
    }
    forget_played();
    part_.close(strategy_.beyond != Beyond::gauss);
    keep(part_.settled());
  }
  fresh_.clear();
}

// All clues, and the count as one more equation.
void Player::find_with_count() {
  for (const std::int32_t cell : found_cells_) found_[at(cell)] = Verdict::open;
  found_cells_.clear();
  part_.clear();
  ++walks_;
  for (std::int32_t clue = 0; clue < shape_.size(); ++clue) {
    if (states_[at(clue)] > 8 || open_around(clue) == 0) continue;
    add_to_part(clue);
    for (const std::int32_t cell : cells_) seen_[at(cell)] = walks_;
  }
  if (told_mines_) {
    cells_.clear();
    for (std::int32_t cell = 0; cell < shape_.size(); ++cell)
      if (truth_[at(cell)] == Truth::open && seen_[at(cell)] != walks_) cells_.push_back(cell);
    part_.add_count(cells_, *told_mines_ - mines_known_);
  }
  part_.close(false);
  keep(part_.settled());
}

Prior Player::prior() const {
  if (told_mines_) return Prior::count(*told_mines_);
  return rules_.density ? Prior::density(*rules_.density) : Prior::uniform();
}

void Player::solve() {
  if (solved_version_ == version_) return;
  solved_version_ = version_;
  static const Model exact_clues;
  if (engine_.solve({shape_, states_, &exact_clues, {}, false}, prior(), state_budget) ==
      Outcome::contradiction)
    throw std::invalid_argument("no arrangement fits");
}

void Player::find_exact() {
  solve();
  found_cells_.clear();
  const auto verdicts = engine_.verdicts();
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell) {
    found_[at(cell)] = Verdict::open;
    if (truth_[at(cell)] != Truth::open || verdicts[at(cell)] == Verdict::open) continue;
    found_[at(cell)] = verdicts[at(cell)];
    found_rule_[at(cell)] = Rule::exact;
    found_cells_.push_back(cell);
  }
}

// Once all mines are found the rest is safe.
void Player::find_rest() {
  forget_played();
  if (!told_mines_) return;
  std::int32_t mines = 0;
  for (const std::int32_t cell : found_cells_) mines += found_[at(cell)] == Verdict::mine;
  if (mines != *told_mines_ - mines_known_) return;
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell) {
    if (truth_[at(cell)] != Truth::open || found_[at(cell)] != Verdict::open) continue;
    found_[at(cell)] = Verdict::safe;
    found_rule_[at(cell)] = Rule::count;
    found_cells_.push_back(cell);
  }
}

}  // namespace mineproof
