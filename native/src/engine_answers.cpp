// The queries of an Engine.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "mineproof/engine.hpp"

namespace mineproof {

std::pair<double, double> Engine::least_risks(std::span<const std::uint8_t> without) const {
  double least = 1;
  double second = 1;
  const auto take = [&](double risk) {
    second = std::min(second, std::max(least, risk));
    least = std::min(least, risk);
  };
  if (graph_.rest > 0 && rest_verdict_ == Verdict::open) take(rest_risk_);
  for (std::size_t b = 0; b < graph_.groups.size(); ++b) {
    const std::size_t cell = at(graph_.groups[b].cells[0]);
    if (graph_.verdicts[cell] == Verdict::open && (without.empty() || !without[cell]))
      take(group_risk_[b]);
  }
  return {least, second};
}

double Engine::doubt() const {
  double sum = 0;
  for (std::size_t b = 0; b < graph_.groups.size(); ++b)
    if (verdict(graph_.groups[b]) == Verdict::open)
      sum += graph_.groups[b].size * std::min(group_risk_[b], 1 - group_risk_[b]);
  return sum;
}

std::pair<std::int32_t, double> Engine::rest() const {
  if (graph_.rest == 0 || rest_verdict_ != Verdict::open) return {0, 0};
  return {graph_.rest, rest_risk_};
}

std::int32_t Engine::safe_cells() const {
  std::int32_t cells = graph_.deduced_safe;
  for (const CellGroup& group : graph_.groups)
    if (verdict(group) == Verdict::safe) cells += group.size;
  return rest_verdict_ == Verdict::safe ? cells + graph_.rest : cells;
}

std::span<const std::int32_t> Engine::rest_cells() {
  if (std::cmp_not_equal(rest_cells_.size(), graph_.rest)) rest_cells_ = graph_.rest_cells();
  return rest_cells_;
}

void Engine::write_risk(std::span<double> risk) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto by = [](Verdict verdict, double chance) {
    return verdict == Verdict::open ? chance : verdict == Verdict::mine ? 1.0 : 0.0;
  };
  // First the risk that follows from a cell's state alone; frontier cells are overwritten below.
  std::array<double, 16> by_state{};
  by_state.fill(none);
  by_state[known_safe] = 0;
  by_state[hidden] = by(rest_verdict_, rest_risk_);
  by_state[flagged] = view_.trust_flags ? 1 : by_state[hidden];
  const std::uint8_t* const states = view_.states.data();
  for (std::size_t i = 0; i < risk.size(); ++i) risk[i] = by_state[states[i] & 15];
  for (const std::int32_t cell : graph_.deduced)
    risk[at(cell)] = by(graph_.verdicts[at(cell)], none);
  for (std::size_t b = 0; b < graph_.groups.size(); ++b) {
    const CellGroup& group = graph_.groups[b];
    for (int j = 0; j < group.size; ++j) {
      const std::size_t cell = at(group.cells[at(j)]);
      risk[cell] = by(graph_.verdicts[cell], group_risk_[b]);
    }
  }
}

std::size_t Engine::bytes() const {
  std::size_t held = scratch_.table.size() * sizeof scratch_.table[0];
  for (const auto& counted : sweeps_) held += counted->bytes();
  for (const Estimate& guess : estimates_) held += guess.bytes();
  return held;
}

Engine::Figures Engine::figures() const {
  Figures found{leaves_.size(), 0, 0, 0, 0, reused_};
  for (std::size_t c = 0; c < leaves_.size(); ++c) {
    found.largest_component = std::max(found.largest_component, sweeps_[c]->order().size());
    found.widest = std::max(found.widest, sweeps_[c]->width());
    found.states += sweeps_[c]->states();
    found.most_open = std::max(found.most_open, sweeps_[c]->most_open());
  }
  return found;
}

}  // namespace mineproof
