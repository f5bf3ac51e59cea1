#include "mineproof/guessing.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "mineproof/lowest_risk.hpp"

namespace mineproof {

void SharedOrder::begin(std::int32_t size, std::uint64_t player_seed) {
  size_ = size;
  seed_ = player_seed;
  keys_.clear();
  order_.clear();
  passed_ = 0;
}

std::uint64_t SharedOrder::key(std::int32_t cell) const {
  return keys_.empty() ? order_key(cell, seed_) : keys_[at(cell)];
}

bool SharedOrder::is_before(std::int32_t a, std::int32_t b) const {
  const std::uint64_t of_a = key(a);
  const std::uint64_t of_b = key(b);
  return of_a != of_b ? of_a < of_b : a < b;
}

void SharedOrder::sort_all() {
  keys_ = order_keys(size_, seed_);
  order_.resize(keys_.size());
  std::iota(order_.begin(), order_.end(), 0);
  const std::uint64_t* const keys = keys_.data();
  std::sort(order_.begin(), order_.end(), [keys](std::int32_t a, std::int32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
}

std::int32_t SharedOrder::first_open(const PlayerKnowledge& mind, bool away_from_clues) {
  if (order_.empty()) sort_all();
  while (passed_ < order_.size() && !mind.is_open(order_[passed_])) ++passed_;
  for (std::size_t i = passed_; i < order_.size(); ++i) {
    const std::int32_t cell = order_[i];
    if (!mind.can_be_opened(cell)) continue;
    bool touched = false;
    if (away_from_clues)
      mind.board().each(cell, [&](std::int32_t near) { touched |= mind.is_clue(near); });
    if (!touched) return cell;
  }
  return -1;
}

Fault Guessing::guess(Guesser guesser, const PlayerKnowledge& mind, KnowledgePosterior& counted,
                      const GameRules& rules, const Budget& budget, Cancel cancel, Guess& found) {
  Fault fault = Fault::none;
  switch (guesser) {
    case Guesser::in_order:
      found = in_order(mind);
      break;
    case Guesser::clue_ratio:
      found = clue_ratio(mind);
      break;
    case Guesser::clue_sum:
      found = clue_sum(mind);
      break;
    case Guesser::local_probability:
      found = local_probability(mind);
      break;
    case Guesser::least_exact:
      fault = least_exact(mind, counted, found);
      break;
    case Guesser::champion:
      fault = champion(mind, rules, budget, cancel, found);
      if (fault == Fault::none && found.cell < 0) fault = least_exact(mind, counted, found);
      break;
  }
  return fault;
}

Guess Guessing::in_order(const PlayerKnowledge& mind) { return {order_.first_open(mind, false)}; }

namespace {

// The share of mines among the undecided cells around a clue. At least one must be undecided.
double share_of_mines(const PlayerKnowledge& mind, std::int32_t clue) {
  return std::clamp(static_cast<double>(mind.missing(clue)) / mind.open_around(clue), 0.0, 1.0);
}

}  // namespace

Guess Guessing::clue_ratio(const PlayerKnowledge& mind) {
  std::int32_t best = -1;
  double least = 2;
  for (std::int32_t clue = 0; clue < mind.size(); ++clue) {
    if (!mind.is_unspent(clue)) continue;
    const double share = share_of_mines(mind, clue);
    if (share > least) continue;
    bool any = false;
    mind.board().each(clue, [&](std::int32_t cell) { any |= mind.can_be_opened(cell); });
    if (!any || (share == least && !order_.is_before(clue, best))) continue;
    least = share;
    best = clue;
  }
  if (best < 0) return in_order(mind);
  std::int32_t first = -1;
  mind.board().each(best, [&](std::int32_t cell) {
    if (mind.can_be_opened(cell) && (first < 0 || order_.is_before(cell, first))) first = cell;
  });
  return {first, least, false, best};
}

Guess Guessing::clue_sum(const PlayerKnowledge& mind) {
  std::int32_t best = -1;
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t cell = 0; cell < mind.size(); ++cell) {
    if (!mind.can_be_opened(cell)) continue;
    std::int32_t sum = 0;
    bool touched = false;
    mind.board().each(cell, [&](std::int32_t near) {
      if (!mind.is_clue(near)) return;
      touched = true;
      sum += mind.state(near);
    });
    if (!touched || sum >= least) continue;
    least = sum;
    best = cell;
  }
  if (best < 0) return in_order(mind);
  return {best};
}

Guess Guessing::local_probability(const PlayerKnowledge& mind) {
  constexpr double none = -1;
  risks_.assign(at(mind.size()), none);
  for (std::int32_t clue = 0; clue < mind.size(); ++clue) {
    if (!mind.is_unspent(clue)) continue;
    const double share = share_of_mines(mind, clue);
    mind.board().each(clue, mind.ways_open(clue),
                      [&](std::int32_t cell) { risks_[cell] = std::max(risks_[cell], share); });
  }
  const std::int32_t elsewhere = order_.first_open(mind, true);
  const auto left = mind.mines_left();
  if (elsewhere >= 0 && left && mind.open_cells() > 0)
    risks_[elsewhere] = std::clamp(static_cast<double>(*left) / mind.open_cells(), 0.0, 1.0);
  else if (elsewhere >= 0 && !left)
    risks_[elsewhere] = mind.expected().density.value_or(none);
  const auto offer = [&](auto&& take) {
    for (std::int32_t cell = 0; cell < mind.size(); ++cell)
      if (risks_[cell] >= 0 && mind.can_be_opened(cell)) take(std::span(&cell, 1), risks_[cell]);
  };
  const LowestRisk best = find_safest(
      offer, [](std::int32_t) { return 0; },
      [this](std::int32_t a, std::int32_t b) { return order_.is_before(a, b); });
  if (best.cell < 0) return in_order(mind);
  return {best.cell, best.least};
}

Fault Guessing::champion(const PlayerKnowledge& mind, const GameRules& rules, const Budget& budget,
                         Cancel cancel, Guess& found) {
  const Position position{mind.view(), mind.prior(), rules.mine_ends, rules.opening};
  const Advice& advice = search_.advise(position, budget, cancel);
  if (advice.cancelled) return Fault::cancelled;
  const bool flags = advice.method == Method::flags;
  for (const Candidate& one : advice.candidates) {
    if (mind.state(one.cell) == flagged) continue;  // the search ignores flags
    found = {one.cell, flags ? 1 - one.risk : one.risk, flags};
    break;
  }
  return Fault::none;
}

// The lowest exact risk; ties go to the fewest covered neighbours, then to the shared order.
Fault Guessing::least_exact(const PlayerKnowledge& mind, KnowledgePosterior& counted,
                            Guess& found) {
  if (const Fault fault = counted.count(mind); fault != Fault::none) return fault;
  Engine& engine = counted.engine();
  const auto rank = [&](std::int32_t cell) { return mind.covered_around(cell); };
  const auto before = [this](std::int32_t a, std::int32_t b) { return order_.is_before(a, b); };
  const auto groups = [&](auto&& take) {
    engine.each_box([&](std::span<const std::int32_t> group, double risk) {
      for (const std::int32_t cell : group)
        if (mind.state(cell) == hidden) take(std::span(&cell, 1), risk);
    });
  };
  LowestRisk best;
  if (!engine.any_safe()) best = find_safest(groups, rank, before);
  if (best.cell < 0) {
    // Deduced cells that are still to be played count, too: take the lowest risk of all cells.
    risks_.resize(at(mind.size()));
    engine.write_risk(risks_);
    const auto all = [&](auto&& take) {
      for (std::int32_t cell = 0; cell < mind.size(); ++cell)
        if (mind.state(cell) == hidden) take(std::span(&cell, 1), risks_[cell]);
    };
    best = find_safest(all, rank, before);
  }
  if (best.cell >= 0) found = {best.cell, best.least};
  return Fault::none;
}

}  // namespace mineproof
