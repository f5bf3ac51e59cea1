// What a player opens when nothing is proved safe: the twin of guessers.py.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mineproof/play.hpp"

namespace mineproof {

namespace {

constexpr double no_risk_given = std::numeric_limits<double>::quiet_NaN();
constexpr double close_enough = 1e-10;

}  // namespace

Move Player::guess() {
  const bool is_first = covered_ == shape_.size();
  Move move{};
  if (is_first && strategy_.first >= 0) {
    move = {strategy_.first, Action::open, false, Rule::none, no_risk_given};
  } else {
    switch (strategy_.guesser) {
      case Guesser::in_order:
        move = ordered();
        break;
      case Guesser::clue_ratio:
        move = guess_clue_ratio();
        break;
      case Guesser::clue_sum:
        move = guess_clue_sum();
        break;
      case Guesser::local_probability:
        move = guess_local_probability();
        break;
      case Guesser::least_exact:
        move = guess_exact();
        break;
      case Guesser::champion:
        move = guess_champion();
        break;
    }
  }
  if (move.action == Action::open && is_first && rules_.opening != Opening::any) {
    move.certain = true;
    move.risk = 0;
  }
  return move;
}

// The keys of the shared order, made when first asked for.
void Player::know_keys() {
  if (keys_.empty()) keys_ = order_keys(shape_.size(), player_seed_);
}

// The first cell in the shared order that can be opened, or -1.
std::int32_t Player::in_order(bool away_from_clues) {
  know_keys();
  if (!ordered_) {
    order_.resize(keys_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [this](std::int32_t a, std::int32_t b) {
      return keys_[at(a)] != keys_[at(b)] ? keys_[at(a)] < keys_[at(b)] : a < b;
    });
    ordered_ = true;
  }
  while (passed_ < order_.size() && truth_[at(order_[passed_])] != Truth::open) ++passed_;
  for (std::size_t i = passed_; i < order_.size(); ++i) {
    const std::int32_t cell = order_[i];
    if (!can_be_opened(cell)) continue;
    const auto near = around(cell);
    if (away_from_clues && std::any_of(near.begin(), near.end(), [this](std::int32_t other) {
          return states_[at(other)] <= 8;
        }))
      continue;
    return cell;
  }
  return -1;
}

std::int32_t Player::first_of(std::span<const std::int32_t> cells) const {
  return *std::min_element(cells.begin(), cells.end(), [this](std::int32_t a, std::int32_t b) {
    return keys_[at(a)] != keys_[at(b)] ? keys_[at(a)] < keys_[at(b)] : a < b;
  });
}

Move Player::ordered() {
  const std::int32_t cell = in_order(false);
  if (cell < 0) return {0, Action::stop, false, Rule::none, no_risk_given};
  return {cell, Action::open, false, Rule::none, no_risk_given};
}

Move Player::guess_clue_ratio() {
  know_keys();
  std::int32_t best = -1;
  double least = 2;
  for (std::int32_t clue = 0; clue < shape_.size(); ++clue) {
    if (states_[at(clue)] > 8 || open_around(clue) == 0) continue;
    const auto near = around(clue);
    if (std::none_of(near.begin(), near.end(), [this](auto cell) { return can_be_opened(cell); }))
      continue;
    const double ratio =
        std::clamp(static_cast<double>(missing(clue)) / open_around(clue), 0.0, 1.0);
    if (ratio > least || (ratio == least && keys_[at(clue)] >= keys_[at(best)])) continue;
    least = ratio;
    best = clue;
  }
  if (best < 0) return ordered();
  cells_.clear();
  for (const std::int32_t cell : around(best))
    if (can_be_opened(cell)) cells_.push_back(cell);
  return {first_of(cells_), Action::open, false, Rule::none, least};
}

Move Player::guess_clue_sum() {
  std::int32_t best = -1;
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell) {
    if (!can_be_opened(cell)) continue;
    std::int32_t sum = 0;
    bool touched = false;
    for (const std::int32_t near : around(cell))
      if (states_[at(near)] <= 8) {
        touched = true;
        sum += states_[at(near)];
      }
    if (!touched || sum >= least) continue;
    least = sum;
    best = cell;
  }
  if (best < 0) return ordered();
  return {best, Action::open, false, Rule::none, no_risk_given};
}

Move Player::guess_local_probability() {
  risk_.assign(states_.size(), -1.0);
  for (std::int32_t clue = 0; clue < shape_.size(); ++clue) {
    if (states_[at(clue)] > 8 || open_around(clue) == 0) continue;
    const double ratio =
        std::clamp(static_cast<double>(missing(clue)) / open_around(clue), 0.0, 1.0);
    for (const std::int32_t cell : around(clue))
      if (truth_[at(cell)] == Truth::open) risk_[at(cell)] = std::max(risk_[at(cell)], ratio);
  }
  const std::int32_t elsewhere = in_order(true);
  const std::int32_t hidden_cells = covered_ - settled_;
  std::optional<double> overall = rules_.density;
  if (told_mines_)
    overall = hidden_cells > 0
                  ? std::optional(std::clamp(
                        static_cast<double>(*told_mines_ - mines_known_) / hidden_cells, 0.0, 1.0))
                  : std::nullopt;
  if (elsewhere >= 0 && overall) risk_[at(elsewhere)] = *overall;
  double least = 2;
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell)
    if (risk_[at(cell)] >= 0 && can_be_opened(cell)) least = std::min(least, risk_[at(cell)]);
  if (least > 1) return ordered();
  cells_.clear();
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell)
    if (risk_[at(cell)] >= 0 && risk_[at(cell)] <= least + close_enough && can_be_opened(cell))
      cells_.push_back(cell);
  return {first_of(cells_), Action::open, false, Rule::none, least};
}

Move Player::guess_champion() {
  static const Model exact_clues;
  if (!search_) search_ = std::make_unique<Search>();
  const Position position{
      {shape_, states_, &exact_clues, {}, false}, prior(), rules_.mine_ends, rules_.opening};
  const auto& found = search_->advise(position, strategy_.budget).candidates;
  if (found.empty()) return guess_exact();
  return {found[0].cell, Action::open, false, Rule::none, found[0].risk};
}

// The least exact risk; ties to the fewest hidden neighbours, then the shared order.
Move Player::guess_exact() {
  solve();
  Move best{-1, Action::open, false, Rule::none, 2};
  std::int32_t fewest = 9;
  const auto consider = [&](std::int32_t cell) {
    std::int32_t covered = 0;
    for (const std::int32_t near : around(cell)) {
      covered += is_covered(states_[at(near)]);
      if (covered > fewest) return;
    }
    if (covered == fewest && order_key(cell, player_seed_) >= order_key(best.cell, player_seed_))
      return;
    fewest = covered;
    best.cell = cell;
  };
  if (!engine_.any_safe()) {
    engine_.each_box([&](std::span<const std::int32_t> box, double risk) {
      for (const std::int32_t cell : box)
        if (states_[at(cell)] == hidden) best.risk = std::min(best.risk, risk);
    });
    engine_.each_box([&](std::span<const std::int32_t> box, double risk) {
      if (risk > best.risk + close_enough) return;
      for (const std::int32_t cell : box)
        if (states_[at(cell)] == hidden) consider(cell);
    });
  }
  if (best.cell >= 0) return best;
  // What is settled has not been played: the least risk of all.
  risk_.resize(states_.size());
  engine_.write_risk(risk_);
  for (std::size_t cell = 0; cell < risk_.size(); ++cell)
    if (states_[cell] == hidden) best.risk = std::min(best.risk, risk_[cell]);
  if (best.risk > 1) return {0, Action::stop, false, Rule::none, no_risk_given};
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell)
    if (states_[at(cell)] == hidden && risk_[at(cell)] <= best.risk + close_enough) consider(cell);
  return best;
}

}  // namespace mineproof
