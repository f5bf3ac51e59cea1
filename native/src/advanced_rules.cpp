#include "mineproof/advanced_rules.hpp"

#include <algorithm>

namespace mineproof {

Fault KnowledgePosterior::count(const PlayerKnowledge& knowledge) {
  if (version_ == knowledge.version()) return fault_;
  const bool exact = knowledge.clues().exact;
  engine_ = exact ? &fresh_ : &remembering_;
  const Outcome outcome = engine_->solve(knowledge.view(), knowledge.prior(),
                                         exact ? state_budget : uncertain_budget, cancel_);
  if (outcome == Outcome::cancelled) return Fault::cancelled;
  fault_ = outcome == Outcome::contradiction ? Fault::contradiction : Fault::none;
  is_estimate_ = outcome == Outcome::estimate;
  version_ = knowledge.version();
  return fault_;
}

void Deductions::begin(const PlayerKnowledge& knowledge) {
  verdicts_.assign(at(knowledge.size()), Verdict::open);
  rules_.assign(at(knowledge.size()), Rule::none);
  cells_.clear();
  rest_.clear();
  only_rest_ = false;
  version_ = ~std::uint64_t{0};
  if (std::cmp_not_equal(seen_.size(), knowledge.size())) {
    seen_.assign(at(knowledge.size()), 0);
    visits_ = 0;
  }
}

Fault Deductions::find(PlayerKnowledge& knowledge, AdvancedRule beyond,
                       KnowledgePosterior& counted) {
  const bool changed = version_ != knowledge.version();
  cancel_ = counted.cancel();
  Fault fault = Fault::none;
  switch (beyond) {
    case AdvancedRule::none:
      break;
    case AdvancedRule::subset:
      fault = find_what_changed(knowledge, true);
      break;
    case AdvancedRule::subset_until_found:
      only_rest_ = knowledge.mines_left() == 0;
      if (!only_rest_) fault = find_what_changed(knowledge, true);
      find_rest(knowledge);
      break;
    case AdvancedRule::gauss:
      fault = find_what_changed(knowledge, false);
      break;
    case AdvancedRule::gauss_count:
      if (changed) fault = find_with_count(knowledge);
      break;
    case AdvancedRule::exact:
      if (changed) fault = find_exact(knowledge, counted);
      break;
  }
  version_ = knowledge.version();
  forget_played(knowledge);
  return fault;
}

void Deductions::forget_played(const PlayerKnowledge& knowledge) {
  std::erase_if(cells_, [&](std::int32_t cell) {
    return !knowledge.is_open(cell) || verdicts_[cell] == Verdict::open;
  });
}

void Deductions::forget_all() {
  for (const std::int32_t cell : cells_) verdicts_[cell] = Verdict::open;
  cells_.clear();
}

void Deductions::add_clue(const PlayerKnowledge& knowledge, std::int32_t clue) {
  around_.clear();
  knowledge.board().each(clue, knowledge.ways_open(clue),
                         [&](std::int32_t near) { around_.push_back(near); });
  if (!around_.empty()) part_.add(clue, around_, knowledge.least(clue), knowledge.most(clue));
}

void Deductions::keep(std::int32_t cell, Verdict verdict, Rule rule) {
  if (verdicts_[cell] == Verdict::open) cells_.push_back(cell);
  verdicts_[cell] = verdict;
  rules_[cell] = rule;
}

// Applies the reasoner to the equations that were added.
Fault Deductions::close(bool subsets, bool contradicts) {
  if (!part_.close(subsets, contradicts, cancel_))
    return part_.is_cancelled() ? Fault::cancelled : Fault::overflow;
  for (const Part::Deduced& one : part_.deduced())
    keep(one.cell, one.mine ? Verdict::mine : Verdict::safe, one.rule);
  return Fault::none;
}

Fault Deductions::find_what_changed(PlayerKnowledge& knowledge, bool subsets) {
  const Fault fault = find_by_component(knowledge, knowledge.changes(), subsets);
  if (fault == Fault::none) knowledge.forget_changes();
  return fault;
}

Fault Deductions::find_by_component(const PlayerKnowledge& knowledge,
                                    std::span<const std::int32_t> clues, bool subsets) {
  ++visits_;
  for (const std::int32_t start : clues) {
    if (seen_[start] == visits_ || knowledge.open_around(start) == 0) continue;
    gather_component(knowledge, start);
    forget_played(knowledge);
    if (const Fault fault = close(subsets, knowledge.may_contradict()); fault != Fault::none)
      return fault;
  }
  return Fault::none;
}

// Sorts clues in the order of their appearance. If they contradict each other, what follows depends
// on it.
void Deductions::sort_by_age(const PlayerKnowledge& knowledge, std::vector<std::int32_t>& clues) {
  std::sort(clues.begin(), clues.end(),
            [&](std::int32_t a, std::int32_t b) { return knowledge.is_older(a, b); });
}

// Collects all clues linked to this one, and discards earlier findings for their cells.
void Deductions::gather_component(const PlayerKnowledge& knowledge, std::int32_t start) {
  part_.clear();
  reached_.assign(1, start);
  seen_[start] = visits_;
  const auto linked_to = [&](std::int32_t clue, auto&& f) {
    add_clue(knowledge, clue);
    for (const std::int32_t cell : around_) {
      if (std::exchange(seen_[cell], visits_) == visits_) continue;
      verdicts_[cell] = Verdict::open;
      if (!knowledge.may_contradict()) {
        knowledge.board().each(cell, f);
        continue;
      }
      linked_.clear();
      knowledge.board().each(cell, [&](std::int32_t near) { linked_.push_back(near); });
      sort_by_age(knowledge, linked_);
      for (const std::int32_t near : linked_) f(near);
    }
  };
  flood(reached_, linked_to, [&](std::int32_t near) {
    return knowledge.is_clue(near) && std::exchange(seen_[near], visits_) != visits_;
  });
}

// Reasons about all clues, with the mine count as one more equation.
Fault Deductions::find_with_count(const PlayerKnowledge& knowledge) {
  forget_all();
  part_.clear();
  ++visits_;
  reached_.clear();
  for (std::int32_t clue = 0; clue < knowledge.size(); ++clue)
    if (knowledge.is_clue(clue)) reached_.push_back(clue);
  if (knowledge.may_contradict()) sort_by_age(knowledge, reached_);
  for (const std::int32_t clue : reached_) {
    add_clue(knowledge, clue);
    for (const std::int32_t cell : around_) seen_[cell] = visits_;
  }
  if (const auto mines = knowledge.mines_left()) {
    around_.clear();
    for (std::int32_t cell = 0; cell < knowledge.size(); ++cell)
      if (knowledge.is_open(cell) && seen_[cell] != visits_) around_.push_back(cell);
    part_.add_count(around_, *mines);
  }
  return close(false, knowledge.may_contradict());
}

Fault Deductions::find_exact(const PlayerKnowledge& knowledge, KnowledgePosterior& counted) {
  const Fault fault = counted.count(knowledge);
  if (fault != Fault::none && !(fault == Fault::contradiction && knowledge.may_contradict()))
    return fault;
  forget_all();
  if (fault != Fault::none) return Fault::none;  // contradictory clues prove nothing
  const auto verdicts = counted.engine().verdicts();
  for (std::int32_t cell = 0; cell < knowledge.size(); ++cell)
    if (verdicts[at(cell)] != Verdict::open && knowledge.is_open(cell))
      keep(cell, verdicts[at(cell)], Rule::exact);
  return Fault::none;
}

// Once all mines are found, the remaining cells are safe.
void Deductions::find_rest(const PlayerKnowledge& knowledge) {
  rest_.clear();
  forget_played(knowledge);
  const auto left = knowledge.mines_left();
  if (!left) return;
  std::int32_t found = 0;
  if (!only_rest_)
    for (const std::int32_t cell : cells_) found += verdicts_[cell] == Verdict::mine;
  if (found != *left) return;
  for (std::int32_t cell = 0; cell < knowledge.size(); ++cell)
    if (knowledge.is_open(cell) && (only_rest_ || verdicts_[cell] == Verdict::open))
      rest_.push_back(cell);
}

Fault Closure::close(Shape shape, std::span<const std::uint8_t> states,
                     PlayerKnowledge::Expected expected, PlayerKnowledge::InferenceOptions options,
                     AdvancedRule beyond, std::span<Verdict> verdicts, Cancel cancel) {
  neighbourhood_ = neighbourhood_of(shape, neighbourhood_);
  knowledge_.begin(neighbourhood_, options, expected);
  knowledge_.read(states);
  knowledge_.reason();
  counted_.forget(cancel);
  findings_.begin(knowledge_);
  if (const Fault fault = findings_.find(knowledge_, beyond, counted_); fault != Fault::none)
    return fault;
  for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
    const PlayerKnowledge::Truth truth = knowledge_.truth(cell);
    verdicts[at(cell)] = truth == PlayerKnowledge::Truth::mine   ? Verdict::mine
                         : truth == PlayerKnowledge::Truth::safe ? Verdict::safe
                                                                 : Verdict::open;
  }
  findings_.each([&](std::int32_t cell, Verdict verdict, Rule) { verdicts[at(cell)] = verdict; });
  return Fault::none;
}

}  // namespace mineproof
