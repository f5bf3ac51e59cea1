#include "mineproof/deduction_play.hpp"

namespace mineproof {

DeductionResult DeductionPlayer::play(Shape shape, std::span<const std::uint8_t> mined,
                                      std::int32_t start, Opening opening, Levels levels,
                                      Cancel cancel) {
  DeductionResult deduced;
  deduced.fault = begin(shape, mined, start, opening, cancel);
  bool stuck = false;
  while (deduced.fault == Fault::none && !stuck && !referee_.ended()) {
    stuck = true;
    for (std::size_t i = 0; i < reasoning_count && stuck; ++i) {
      const auto level = static_cast<Reasoning>(i);
      if (!(levels & only(level))) continue;
      deduced.fault = close(level, levels);
      if (deduced.fault != Fault::none) break;
      if (knowledge_.next_to_open() < 0) continue;
      ++deduced.times[i];
      open_all();
      stuck = false;
    }
    if (cancel.stop_requested()) deduced.fault = Fault::cancelled;
  }
  deduced.opened = knowledge_.size() - knowledge_.covered();
  deduced.solved = deduced.fault == Fault::none && referee_.all_safe_open();
  return deduced;
}

Fault DeductionPlayer::begin(Shape shape, std::span<const std::uint8_t> mined, std::int32_t start,
                             Opening opening, Cancel cancel) {
  neighbourhood_ = neighbourhood_of(shape, neighbourhood_);
  GameRules rules;
  rules.opening = opening;
  referee_.begin(neighbourhood_, rules);
  referee_.deal(mined);
  knowledge_.begin(neighbourhood_, {true, true, true}, {referee_.mines(), std::nullopt});
  counted_.forget(cancel);
  for (Deductions* findings : {&by_subset_, &by_gauss_, &by_counting_}) findings->begin(knowledge_);
  for_subset_.clear();
  for_gauss_.clear();
  if (referee_.is_mine(start) || !referee_.promise(start)) return Fault::broken_opening;
  for (const std::int32_t cell : referee_.changed()) knowledge_.see(cell, referee_.shows(cell));
  referee_.open(start);
  for (const std::int32_t cell : referee_.changed()) knowledge_.see(cell, referee_.shows(cell));
  open_all();  // cells that the opening rule revealed
  return Fault::none;
}

Fault DeductionPlayer::close(Reasoning level, Levels levels) {
  if (level == Reasoning::local) {
    knowledge_.reason_locally();
    return Fault::none;
  }
  for (;;) {
    knowledge_.reason();
    const std::uint64_t version = knowledge_.version();
    for (auto i = static_cast<std::size_t>(Reasoning::subset);
         i <= static_cast<std::size_t>(level) && version == knowledge_.version(); ++i) {
      const auto next = static_cast<Reasoning>(i);
      if (!(levels & only(next))) continue;
      if (const Fault fault = find(next); fault != Fault::none) return fault;
    }
    if (version == knowledge_.version()) return Fault::none;
  }
}

Fault DeductionPlayer::find(Reasoning level) {
  if (level == Reasoning::exact) {
    const Fault fault = by_counting_.find(knowledge_, AdvancedRule::exact, counted_);
    if (fault == Fault::none) deduce(by_counting_);
    return fault;
  }
  note_changes();
  const bool subsets = level == Reasoning::subset;
  Deductions& findings = subsets ? by_subset_ : by_gauss_;
  auto& changed = subsets ? for_subset_ : for_gauss_;
  const Fault fault = findings.find_by_component(knowledge_, changed, subsets);
  changed.clear();
  if (fault == Fault::none) deduce(findings);
  return fault;
}

void DeductionPlayer::note_changes() {
  const auto changes = knowledge_.changes();
  for_subset_.insert(for_subset_.end(), changes.begin(), changes.end());
  for_gauss_.insert(for_gauss_.end(), changes.begin(), changes.end());
  knowledge_.forget_changes();
}

void DeductionPlayer::deduce(const Deductions& findings) {
  findings.each([this](std::int32_t cell, Verdict verdict, Rule rule) {
    knowledge_.deduce(cell, verdict == Verdict::mine, rule);
  });
}

void DeductionPlayer::open_all() {
  for (std::int32_t cell = knowledge_.next_to_open(); cell >= 0 && !referee_.ended();
       cell = knowledge_.next_to_open()) {
    referee_.open(cell);
    for (const std::int32_t shown : referee_.changed())
      knowledge_.see(shown, referee_.shows(shown));
  }
}

}  // namespace mineproof
