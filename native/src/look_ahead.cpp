#include "mineproof/look_ahead.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "mineproof/lowest_risk.hpp"
#include "mineproof/referee.hpp"

namespace mineproof {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int32_t outside_most = 6;     // candidates that are next to no informative cell
constexpr std::size_t many_cells = 40;       // cells left, in an endgame
constexpr std::size_t most_listed = 50'000;  // configurations are numbered with 16 bits

}  // namespace

std::int32_t LookAhead::covered_around(std::int32_t cell) const {
  std::int32_t covered = 0;
  view_.shape.each_neighbour(cell,
                             [&](std::int32_t near) { covered += is_covered(states_[near]); });
  return covered;
}

bool LookAhead::touches(std::int32_t cell, bool (*accepts)(std::uint8_t)) const {
  bool found = false;
  view_.shape.each_neighbour(cell, [&](std::int32_t near) { found |= accepts(states_[near]); });
  return found;
}

void LookAhead::begin(const Position& position) {
  states_.assign(position.view.states.begin(), position.view.states.end());
  std::replace(states_.begin(), states_.end(), std::uint8_t{flagged}, std::uint8_t{hidden});
  view_ = position.view;
  view_.states = states_;
  prior_ = position.prior;
  apart_.clear();
  apart_best_.reset();
  advice_ = {};
}

void LookAhead::promise(std::int32_t cell, Opening opening) {
  states_[cell] = known_safe;
  for (const std::int32_t safe : cells_promised(view_.shape, opening, cell))
    states_[safe] = known_safe;
}

bool LookAhead::can_begin(std::int32_t cell, Opening opening) const {
  if (!prior_.knows_total()) return true;
  const std::int32_t free = std::max(1, count_promised(view_.shape, opening, cell));
  return prior_.mines() >= 0 && prior_.mines() <= view_.shape.size() - free;
}

std::int32_t LookAhead::near_corner(std::int32_t steps, Opening opening) const {
  const Shape shape = view_.shape;
  const std::int32_t row = std::min(steps, (shape.rows - 1) / 2);
  const std::int32_t col = std::min(steps, (shape.cols - 1) / 2);
  const std::int32_t cell = row * shape.cols + col;
  return can_begin(cell, opening) ? cell : 0;
}

std::optional<Choice> LookAhead::solve_endgame(const Budget& budget, Aim aim, bool all,
                                               std::int32_t first) {
  std::size_t cells = 1;
  engine_.each_group([&](std::span<const std::int32_t> group, double) { cells += group.size(); });
  const std::size_t most = at(budget.arrangements) * std::max<std::size_t>(1, many_cells / cells);
  if (!engine_.list(std::min(most, most_listed), arrangements_, all, cancel_)) return {};
  return endgame_.solve(view_.shape, arrangements_, budget.work, cancel_, aim, first);
}

bool LookAhead::set_parts_apart(const Budget& budget, Aim aim) {
  if (budget.parts == 0) return false;
  std::optional<Candidate> fixed;
  for (std::size_t c = 0; c < engine_.components(); ++c) {
    if (!engine_.is_closed(c) ||
        !engine_.list_component(c, at(budget.parts), arrangements_, cancel_))
      continue;
    const auto best = endgame_.solve(view_.shape, arrangements_, budget.work, cancel_, aim);
    if (!best) continue;
    if (apart_.empty()) apart_.assign(states_.size(), 0);
    for (const std::int32_t cell : arrangements_.cells) apart_[cell] = 1;
    if (best->cell < 0) continue;
    const Candidate found{best->cell, arrangements_.risk(best->cell), unknown, unknown, unknown};
    const bool alone = engine_.has_fixed_mines(c) || !prior_.knows_total();
    std::optional<Candidate>& safest = alone ? fixed : apart_best_;
    if (!safest || found.risk < safest->risk) safest = found;
  }
  if (!fixed) return false;
  advice_.method = Method::part;
  advice_.candidates.push_back(*fixed);
  return true;
}

bool LookAhead::gather(double risk, std::int32_t most, bool (*accepts)(std::uint8_t)) {
  struct Found {
    std::int32_t covered;
    Candidate candidate;
  };
  std::vector<Found> cells;
  std::vector<Found> outside;
  engine_.each_group([&](std::span<const std::int32_t> group, double here) {
    if (here > risk || (!apart_.empty() && apart_[group[0]])) return;
    auto& found = touches(group[0], accepts) ? cells : outside;
    for (const std::int32_t cell : group)
      found.push_back({covered_around(cell), {cell, here, 0, unknown, unknown}});
  });
  const auto before = [](const Found& a, const Found& b) {
    if (std::abs(a.candidate.risk - b.candidate.risk) > tie)
      return a.candidate.risk < b.candidate.risk;
    return a.covered != b.covered ? a.covered < b.covered : a.candidate.cell < b.candidate.cell;
  };
  const auto few = [](auto& list, std::int32_t count) {
    return list.begin() + std::min<std::ptrdiff_t>(count, std::ssize(list));
  };
  std::partial_sort(outside.begin(), few(outside, outside_most), outside.end(), before);
  cells.insert(cells.end(), outside.begin(), few(outside, outside_most));
  std::sort(cells.begin(), cells.end(), before);
  cells.erase(few(cells, most), cells.end());
  for (const Found& found : cells) advice_.candidates.push_back(found.candidate);
  return !outside.empty();
}

}  // namespace mineproof
