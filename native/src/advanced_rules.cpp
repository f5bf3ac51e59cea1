#include "mineproof/advanced_rules.hpp"

#include <algorithm>

namespace mineproof {

Fault KnowledgePosterior::count(const PlayerKnowledge& mind) {
  if (version_ == mind.version()) return Fault::none;
  const Outcome outcome = engine_.solve(mind.view(), mind.prior(), state_budget, cancel_);
  if (outcome == Outcome::contradiction) return Fault::contradiction;
  if (outcome == Outcome::cancelled) return Fault::cancelled;
  version_ = mind.version();
  return Fault::none;
}

void Deductions::begin(const PlayerKnowledge& mind) {
  verdicts_.assign(at(mind.size()), Verdict::open);
  rules_.assign(at(mind.size()), Rule::none);
  cells_.clear();
  version_ = ~std::uint64_t{0};
  if (std::cmp_not_equal(seen_.size(), mind.size())) {
    seen_.assign(at(mind.size()), 0);
    walks_ = 0;
  }
}

Fault Deductions::find(PlayerKnowledge& mind, AdvancedRule beyond, KnowledgePosterior& counted) {
  const bool changed = version_ != mind.version();
  cancel_ = counted.cancel();
  Fault fault = Fault::none;
  switch (beyond) {
    case AdvancedRule::none:
      break;
    case AdvancedRule::subset:
      fault = find_what_changed(mind, true);
      break;
    case AdvancedRule::subset_until_found:
      if (mind.mines_left() == 0)
        forget_all();
      else
        fault = find_what_changed(mind, true);
      find_rest(mind);
      break;
    case AdvancedRule::gauss:
      fault = find_what_changed(mind, false);
      break;
    case AdvancedRule::gauss_count:
      if (changed) fault = find_with_count(mind);
      break;
    case AdvancedRule::exact:
      if (changed) fault = find_exact(mind, counted);
      break;
  }
  version_ = mind.version();
  forget_played(mind);
  return fault;
}

void Deductions::forget_played(const PlayerKnowledge& mind) {
  std::erase_if(cells_, [&](std::int32_t cell) {
    return !mind.is_open(cell) || verdicts_[cell] == Verdict::open;
  });
}

void Deductions::forget_all() {
  for (const std::int32_t cell : cells_) verdicts_[cell] = Verdict::open;
  cells_.clear();
}

void Deductions::add_clue(const PlayerKnowledge& mind, std::int32_t clue) {
  around_.clear();
  mind.board().each(clue, mind.ways_open(clue),
                    [&](std::int32_t near) { around_.push_back(near); });
  if (!around_.empty()) part_.add(around_, mind.missing(clue));
}

void Deductions::keep(std::int32_t cell, Verdict verdict, Rule rule) {
  if (verdicts_[cell] == Verdict::open) cells_.push_back(cell);
  verdicts_[cell] = verdict;
  rules_[cell] = rule;
}

// Applies the reasoner to the equations that were added.
Fault Deductions::close(bool subsets) {
  if (!part_.close(subsets, cancel_))
    return part_.is_cancelled() ? Fault::cancelled : Fault::overflow;
  for (const Part::Deduced& one : part_.deduced())
    keep(one.cell, one.mine ? Verdict::mine : Verdict::safe, one.rule);
  return Fault::none;
}

Fault Deductions::find_what_changed(PlayerKnowledge& mind, bool subsets) {
  const Fault fault = find_by_component(mind, mind.changes(), subsets);
  if (fault == Fault::none) mind.forget_changes();
  return fault;
}

Fault Deductions::find_by_component(const PlayerKnowledge& mind,
                                    std::span<const std::int32_t> clues, bool subsets) {
  ++walks_;
  for (const std::int32_t start : clues) {
    if (seen_[start] == walks_ || mind.open_around(start) == 0) continue;
    gather_component(mind, start);
    forget_played(mind);
    if (const Fault fault = close(subsets); fault != Fault::none) return fault;
  }
  return Fault::none;
}

// Collects all clues linked to this one, and discards earlier findings for their cells.
void Deductions::gather_component(const PlayerKnowledge& mind, std::int32_t start) {
  part_.clear();
  walk_.assign(1, start);
  seen_[start] = walks_;
  const auto linked_to = [&](std::int32_t clue, auto&& f) {
    add_clue(mind, clue);
    for (const std::int32_t cell : around_) {
      if (std::exchange(seen_[cell], walks_) == walks_) continue;
      verdicts_[cell] = Verdict::open;
      mind.board().each(cell, f);
    }
  };
  flood(walk_, linked_to, [&](std::int32_t near) {
    return mind.is_clue(near) && std::exchange(seen_[near], walks_) != walks_;
  });
}

// Reasons about all clues, with the mine count as one more equation.
Fault Deductions::find_with_count(const PlayerKnowledge& mind) {
  forget_all();
  part_.clear();
  ++walks_;
  for (std::int32_t clue = 0; clue < mind.size(); ++clue) {
    if (!mind.is_clue(clue)) continue;
    add_clue(mind, clue);
    for (const std::int32_t cell : around_) seen_[cell] = walks_;
  }
  if (const auto mines = mind.mines_left()) {
    around_.clear();
    for (std::int32_t cell = 0; cell < mind.size(); ++cell)
      if (mind.is_open(cell) && seen_[cell] != walks_) around_.push_back(cell);
    part_.add_count(around_, *mines);
  }
  return close(false);
}

Fault Deductions::find_exact(const PlayerKnowledge& mind, KnowledgePosterior& counted) {
  if (const Fault fault = counted.count(mind); fault != Fault::none) return fault;
  forget_all();
  const auto verdicts = counted.engine().verdicts();
  for (std::int32_t cell = 0; cell < mind.size(); ++cell)
    if (verdicts[at(cell)] != Verdict::open && mind.is_open(cell))
      keep(cell, verdicts[at(cell)], Rule::exact);
  return Fault::none;
}

// Once all mines are found, the remaining cells are safe.
void Deductions::find_rest(const PlayerKnowledge& mind) {
  forget_played(mind);
  const auto left = mind.mines_left();
  if (!left) return;
  const auto is_mine = [&](std::int32_t cell) { return verdicts_[cell] == Verdict::mine; };
  if (std::count_if(cells_.begin(), cells_.end(), is_mine) != *left) return;
  for (std::int32_t cell = 0; cell < mind.size(); ++cell)
    if (mind.is_open(cell) && verdicts_[cell] == Verdict::open)
      keep(cell, Verdict::safe, Rule::count);
}

Fault Closure::close(Shape shape, std::span<const std::uint8_t> states,
                     PlayerKnowledge::Expected expected, PlayerKnowledge::InferenceOptions habits,
                     AdvancedRule beyond, std::span<Verdict> verdicts, Cancel cancel) {
  neighbourhood_ = neighbourhood_of(shape, neighbourhood_);
  mind_.begin(neighbourhood_, habits, expected);
  mind_.read(states);
  mind_.reason();
  counted_.forget(cancel);
  findings_.begin(mind_);
  if (const Fault fault = findings_.find(mind_, beyond, counted_); fault != Fault::none)
    return fault;
  for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
    const PlayerKnowledge::Truth truth = mind_.truth(cell);
    verdicts[at(cell)] = truth == PlayerKnowledge::Truth::mine   ? Verdict::mine
                         : truth == PlayerKnowledge::Truth::safe ? Verdict::safe
                         : truth == PlayerKnowledge::Truth::open ? findings_.verdict(cell)
                                                                 : Verdict::open;
  }
  return Fault::none;
}

}  // namespace mineproof
