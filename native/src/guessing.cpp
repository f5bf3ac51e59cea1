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

void Guessing::begin(std::int32_t size, std::uint64_t player_seed) {
  order_.begin(size, player_seed);
  components_.begin(size);
}

Fault Guessing::guess(Guesser guesser, const PlayerKnowledge& knowledge,
                      KnowledgePosterior& counted, const GameRules& rules, const Budget& budget,
                      const ShareOptions& shares, Cancel cancel, Guess& found) {
  Fault fault = Fault::none;
  switch (guesser) {
    case Guesser::in_order:
      found = in_order(knowledge);
      break;
    case Guesser::clue_ratio:
      found = clue_ratio(knowledge);
      break;
    case Guesser::clue_sum:
      found = clue_sum(knowledge);
      break;
    case Guesser::local_probability:
      found = local_probability(knowledge);
      break;
    case Guesser::least_exact:
      fault = least_exact(knowledge, counted, rules, found);
      break;
    case Guesser::champion:
      fault = champion(knowledge, counted, rules, budget, cancel, found);
      if (fault == Fault::none && found.cell < 0)
        fault = least_exact(knowledge, counted, rules, found);
      break;
    case Guesser::least_share:
      fault = least_share(knowledge, shares, cancel, found);
      break;
  }
  return fault;
}

Guess Guessing::in_order(const PlayerKnowledge& knowledge) {
  return {order_.first_open(knowledge, [](std::int32_t) { return true; })};
}

namespace {

// The share of mines among the undecided cells around a clue; for a range, its midpoint. At least
// one cell must be undecided.
double share_of_mines(const PlayerKnowledge& knowledge, std::int32_t clue) {
  const double mines = (knowledge.least(clue) + knowledge.most(clue)) / 2.0;
  return std::clamp(mines / knowledge.open_around(clue), 0.0, 1.0);
}

}  // namespace

Guess Guessing::clue_ratio(const PlayerKnowledge& knowledge) {
  std::int32_t best = -1;
  double least = 2;
  for (std::int32_t clue = 0; clue < knowledge.size(); ++clue) {
    if (!knowledge.is_unspent(clue)) continue;
    const double share = share_of_mines(knowledge, clue);
    if (share > least) continue;
    bool any = false;
    knowledge.board().each(clue, [&](std::int32_t cell) { any |= knowledge.can_be_opened(cell); });
    if (!any || (share == least && !order_.is_before(clue, best))) continue;
    least = share;
    best = clue;
  }
  if (best < 0) return in_order(knowledge);
  std::int32_t first = -1;
  knowledge.board().each(best, [&](std::int32_t cell) {
    if (knowledge.can_be_opened(cell) && (first < 0 || order_.is_before(cell, first))) first = cell;
  });
  return {first, least, Action::open, best};
}

Guess Guessing::clue_sum(const PlayerKnowledge& knowledge) {
  std::int32_t best = -1;
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t cell = 0; cell < knowledge.size(); ++cell) {
    if (!knowledge.can_be_opened(cell)) continue;
    std::int32_t sum = 0;
    bool touched = false;
    knowledge.board().each(cell, [&](std::int32_t near) {
      if (!knowledge.is_clue(near)) return;
      touched = true;
      sum += knowledge.state(near);
    });
    if (!touched || sum >= least) continue;
    least = sum;
    best = cell;
  }
  if (best < 0) return in_order(knowledge);
  return {best};
}

Guess Guessing::local_probability(const PlayerKnowledge& knowledge) {
  constexpr double none = -1;
  risks_.assign(at(knowledge.size()), none);
  for (std::int32_t clue = 0; clue < knowledge.size(); ++clue) {
    if (!knowledge.is_unspent(clue)) continue;
    const double share = share_of_mines(knowledge, clue);
    knowledge.board().each(clue, knowledge.ways_open(clue), [&](std::int32_t cell) {
      risks_[cell] = std::max(risks_[cell], share);
    });
  }
  const std::int32_t elsewhere = order_.first_open(knowledge, [&](std::int32_t cell) {
    bool touched = false;
    knowledge.board().each(cell, [&](std::int32_t near) { touched |= knowledge.is_clue(near); });
    return !touched;
  });
  const auto left = knowledge.mines_left();
  if (elsewhere >= 0 && left && knowledge.open_cells() > 0)
    risks_[elsewhere] = std::clamp(static_cast<double>(*left) / knowledge.open_cells(), 0.0, 1.0);
  else if (elsewhere >= 0 && !left)
    risks_[elsewhere] = knowledge.expected().density.value_or(none);
  const auto offer = [&](auto&& take) {
    for (std::int32_t cell = 0; cell < knowledge.size(); ++cell)
      if (risks_[cell] >= 0 && knowledge.can_be_opened(cell))
        take(std::span(&cell, 1), risks_[cell]);
  };
  const LowestRisk best = find_safest(
      offer, [](std::int32_t) { return 0; },
      [this](std::int32_t a, std::int32_t b) { return order_.is_before(a, b); });
  if (best.cell < 0) return in_order(knowledge);
  return {best.cell, best.least};
}

// The cell that is a mine in the lowest share of its component's configurations, or the next one of
// the shared order outside all components if the risk there is lower on average. Python twin:
// LeastShare, which says why.
Fault Guessing::least_share(const PlayerKnowledge& knowledge, const ShareOptions& shares,
                            Cancel cancel, Guess& found) {
  const auto left = shares.count ? knowledge.mines_left() : std::nullopt;
  if (!components_.count(knowledge, shares.cap, left, cancel)) return Fault::cancelled;
  const auto offer = [&](auto&& take) {
    components_.each_share([&](std::span<const std::int32_t> cells, double share) {
      for (const std::int32_t cell : cells)
        if (knowledge.can_be_opened(cell)) take(std::span(&cell, 1), share);
    });
  };
  const LowestRisk best = find_safest(
      offer, [](std::int32_t) { return 0; },
      [this](std::int32_t a, std::int32_t b) { return order_.is_before(a, b); });
  if (left && components_.outside() > 0) {
    const double mines = *left - components_.fewest();
    const double average = std::clamp(mines / components_.outside(), 0.0, 1.0);
    const auto is_outside = [this](std::int32_t cell) { return !components_.has(cell); };
    if (best.cell < 0 || average < best.least - tie)
      found = {order_.first_open(knowledge, is_outside), average};
  }
  if (found.cell >= 0) return Fault::none;
  found = best.cell < 0 ? in_order(knowledge) : Guess{best.cell, best.least};
  if (best.least == 0) found.rule = Rule::arrangements;
  return Fault::none;
}

Fault Guessing::champion(const PlayerKnowledge& knowledge, KnowledgePosterior& counted,
                         const GameRules& rules, const Budget& budget, Cancel cancel,
                         Guess& found) {
  if (!rules.mine_ends && !knowledge.clues().exact)
    return look_ahead(knowledge, counted, rules, budget, cancel, found);
  const Position position{knowledge.view(), knowledge.prior(), rules.mine_ends, rules.opening};
  const Advice& advice = search_.advise(position, budget, cancel);
  if (advice.cancelled) return Fault::cancelled;
  const bool flags = advice.method == Method::flags;
  for (const Candidate& one : advice.candidates) {
    if (knowledge.state(one.cell) == flagged) continue;  // the search ignores flags
    found = {one.cell, flags ? 1 - one.risk : one.risk, flags ? Action::flag : Action::open};
    break;
  }
  return Fault::none;
}

// The best cell by look-ahead in a game for a score with uncertain clues; no cell if the lowest
// risk is as good. Python twin: Champion._ahead, which says why.
Fault Guessing::look_ahead(const PlayerKnowledge& knowledge, KnowledgePosterior& counted,
                           const GameRules& rules, const Budget& budget, Cancel cancel,
                           Guess& found) {
  constexpr double few_mines = 0.075;  // density; FEW in champion.py
  const auto& mines = knowledge.expected().mines;
  const bool few = mines && *mines < few_mines * knowledge.size();
  if (knowledge.clues().redraw || knowledge.covered() == knowledge.size() ||
      (few && !knowledge.clues().can_be_missing()))
    return Fault::none;
  if (const Fault fault = counted.count(knowledge); fault != Fault::none) return fault;
  if (counted.is_estimate()) return Fault::none;
  const Position position{knowledge.view(), knowledge.prior(), rules.mine_ends, rules.opening};
  const Advice& advice = search_.advise(position, budget, cancel);
  if (advice.cancelled) return Fault::cancelled;
  if (advice.method != Method::look_ahead) return Fault::none;
  for (const Candidate& one : advice.candidates) {
    if (knowledge.state(one.cell) != hidden) continue;
    found = {one.cell, one.risk};
    break;
  }
  return Fault::none;
}

// The lowest exact risk; in a game for a score with uncertain clues, flags that pay off on average.
// By contradictory clues, taken for exact, the next cell of the shared order.
Fault Guessing::least_exact(const PlayerKnowledge& knowledge, KnowledgePosterior& counted,
                            const GameRules& rules, Guess& found) {
  const Fault fault = counted.count(knowledge);
  if (fault == Fault::contradiction && knowledge.may_contradict()) {
    found = in_order(knowledge);
    return Fault::none;
  }
  if (fault != Fault::none) return fault;
  Engine& engine = counted.engine();
  if (!rules.mine_ends && !knowledge.clues().exact) {
    risks_.resize(at(knowledge.size()));
    engine.write_risk(risks_);
    found = flag_by_odds(knowledge);
  }
  if (found.cell < 0) found = by_lowest_risk(knowledge, engine);
  found.estimated = counted.is_estimate();
  return Fault::none;
}

// The most valuable flag, to set or to remove; no cell if none pays off. `risks_` must be up to
// date. Python twin: flag_by_odds in by_odds.py, which says why.
Guess Guessing::flag_by_odds(const PlayerKnowledge& knowledge) const {
  constexpr double even = 0.5;
  // The first cell in this state whose worth is highest, within a tie.
  const auto best = [&](std::uint8_t state, auto&& worth) {
    double most = -2;
    for (std::int32_t cell = 0; cell < knowledge.size(); ++cell)
      if (knowledge.state(cell) == state) most = std::max(most, worth(risks_[cell]));
    for (std::int32_t cell = 0; cell < knowledge.size(); ++cell)
      if (knowledge.state(cell) == state && worth(risks_[cell]) >= most - tie) return cell;
    return -1;
  };
  const std::int32_t doubtful = best(flagged, [](double risk) { return -risk; });
  if (doubtful >= 0 && risks_[doubtful] < even - tie)
    return {doubtful, risks_[doubtful], Action::unflag};
  const std::int32_t safest = best(hidden, [](double risk) { return -risk; });
  if (safest < 0 || risks_[safest] <= even + tie) return {};
  const std::int32_t likeliest = best(hidden, [](double risk) { return risk; });
  return {likeliest, 1 - risks_[likeliest], Action::flag};
}

// The lowest exact risk; ties go to the fewest covered neighbours, then to the shared order. If
// clues may be missing, they go to the shared order at once.
Guess Guessing::by_lowest_risk(const PlayerKnowledge& knowledge, Engine& engine) {
  const bool by_rim = !knowledge.clues().can_be_missing();
  const auto rank = [&](std::int32_t cell) { return by_rim ? knowledge.covered_around(cell) : 0; };
  const auto before = [this](std::int32_t a, std::int32_t b) { return order_.is_before(a, b); };
  const auto groups = [&](auto&& take) {
    engine.each_group([&](std::span<const std::int32_t> group, double risk) {
      for (const std::int32_t cell : group)
        if (knowledge.state(cell) == hidden) take(std::span(&cell, 1), risk);
    });
  };
  LowestRisk best;
  if (!engine.any_safe()) best = find_safest(groups, rank, before);
  if (best.cell < 0) {
    // Deduced cells that are still to be played count, too: take the lowest risk of all cells.
    risks_.resize(at(knowledge.size()));
    engine.write_risk(risks_);
    const auto all = [&](auto&& take) {
      for (std::int32_t cell = 0; cell < knowledge.size(); ++cell)
        if (knowledge.state(cell) == hidden) take(std::span(&cell, 1), risks_[cell]);
    };
    best = find_safest(all, rank, before);
  }
  Guess found;
  if (best.cell >= 0) {
    found.cell = best.cell;
    found.risk = best.least;
  }
  return found;
}

}  // namespace mineproof
