// Win probabilities of positions, and the choice of the first cell.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mineproof/search.hpp"

namespace mineproof {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// Estimates the win probability by playouts from this cell, given that it is safe; the states must
// mark it as safe, and the engine must have solved them.
Chance Search::sample(std::int32_t cell, std::int32_t games) {
  set_up_playout(Resample::all);
  const std::uint64_t here = name();
  double sum = 0;
  double squares = 0;
  for (std::int32_t i = 0; i < games && !cancel_.stop_requested(); ++i) {
    Stream stream(here, Purpose::playout, static_cast<std::uint64_t>(i));
    if (!engine_.draw(stream, board_, cancel_)) break;
    playout_.deal(cell, board_, stream);
    const double win = playout_.play_out(cell, stream);
    sum += win;
    squares += win * win;
  }
  return {sum / games, error_of(sum, squares, games)};
}

// The win probability if this cell is opened first, given that the opening rule is kept there:
// exact if few configurations are left. Negative if the rule cannot be kept.
Chance Search::first_chance(const Position& position, std::int32_t cell, std::int32_t games,
                            const Budget& budget) {
  std::fill(states_.begin(), states_.end(), std::uint8_t{hidden});
  promise(cell, position.opening);
  if (engine_.solve(view_, prior_, state_budget, cancel_) != Outcome::exact) return {-1};
  if (engine_.list(4 * at(budget.arrangements), arrangements_, true, cancel_))
    if (const auto best = endgame_.solve(view_.shape, arrangements_, 4 * budget.work, cancel_))
      return {best->worth / arrangements_.all()};
  return sample(cell, games);
}

std::optional<Chance> Search::chance(const Position& position, const Budget& budget,
                                     std::int32_t games, Cancel cancel, std::int32_t first) {
  cancel_ = cancel;
  const auto found = find_chance(position, budget, games, first);
  return cancel_.stop_requested() ? Chance{unknown, unknown, true} : found;
}

std::optional<Chance> Search::find_chance(const Position& position, const Budget& budget,
                                          std::int32_t games, std::int32_t first) {
  begin(position);
  if (!is_simple() || !position.mine_ends || !prior_.knows_total()) return std::nullopt;
  if (engine_.solve(view_, prior_, state_budget, cancel_) != Outcome::exact) return std::nullopt;
  if (std::find(states_.begin(), states_.end(), std::uint8_t{exploded}) != states_.end())
    return Chance{};
  if (first != the_best) return chance_by(first, budget, games);
  // What the opening rule protects is not known before the first cell is chosen.
  const bool is_promised = position.opening != Opening::any &&
                           std::all_of(states_.begin(), states_.end(),
                                       [](std::uint8_t state) { return state == hidden; });
  if (!is_promised) {
    if (engine_.list(at(budget.arrangements), arrangements_, true, cancel_))
      if (const auto best = endgame_.solve(view_.shape, arrangements_, budget.work, cancel_))
        return Chance{best->worth / arrangements_.all()};
    const auto verdicts = engine_.verdicts();
    for (std::int32_t cell = 0; cell < view_.shape.size(); ++cell)
      if (verdicts[at(cell)] == Verdict::safe || states_[cell] == known_safe)
        return sample(cell, games);
  }
  if (advise(position, budget, cancel_).candidates.empty()) return std::nullopt;
  const Candidate best = advice_.candidates[0];
  const bool is_opening = advice_.method == Method::opening;
  if (is_opening && !std::isnan(best.win)) return Chance{best.win, best.error};
  begin(position);
  promise(best.cell, is_opening ? position.opening : Opening::safe);
  if (engine_.solve(view_, prior_, state_budget, cancel_) != Outcome::exact) return std::nullopt;
  const Chance found = sample(best.cell, games);
  return Chance{(1 - best.risk) * found.win, (1 - best.risk) * found.error};
}

// The win probability if this cell is opened, whether it is safe, risky or a mine. The engine must
// have solved the position.
std::optional<Chance> Search::chance_by(std::int32_t cell, const Budget& budget,
                                        std::int32_t games) {
  if (engine_.verdicts()[at(cell)] == Verdict::mine) return Chance{};
  if (const auto found = solve_endgame(budget, Aim::win, true, cell))
    return Chance{found->worth / arrangements_.all()};
  std::vector<double> risk(states_.size());
  engine_.write_risk(risk);
  const double safe = 1 - (states_[cell] == known_safe ? 0 : risk[at(cell)]);
  promise(cell, Opening::safe);
  if (engine_.solve(view_, prior_, state_budget, cancel_) != Outcome::exact) return std::nullopt;
  const Chance found = sample(cell, games);
  return Chance{safe * found.win, safe * found.error};
}

// Chooses the first cell. On a small board the cells are compared by exact play or playouts, up to
// symmetry; on a large one it is a corner, which is most likely to be an opening, or a cell near
// one if the rule protects the neighbours. No candidates if no cell can be safe, or if the rule can
// be kept nowhere.
void Search::first(const Position& position, const Budget& budget) {
  const Shape shape = view_.shape;
  const auto room = std::count(states_.begin(), states_.end(), std::uint8_t{hidden});
  advice_.method = Method::opening;
  if (prior_.knows_total() && prior_.mines() > room) return;  // no configuration
  const bool promised = position.opening != Opening::any;
  const double risk = promised ? 0 : prior_.chance(shape.size());
  // the rule protects the fewest cells at a corner
  if (risk >= 1 || !can_begin(0, position.opening)) return;
  constexpr std::int32_t small = 64;
  if (shape.size() > small || !prior_.knows_total()) {
    const std::int32_t steps = position.opening != Opening::clear ? 0 : is_sparse() ? 2 : 3;
    const std::int32_t cell = near_corner(steps, position.opening);
    advice_.candidates.push_back({cell, risk, unknown, unknown, unknown});
    return;
  }
  const std::int32_t games = std::max(400, 2 * budget.playouts);
  each_first([&](std::int32_t cell) {
    if (cancel_.stop_requested()) return;
    const Chance found = first_chance(position, cell, games, budget);
    if (found.win >= 0)
      advice_.candidates.push_back(
          {cell, risk, unknown, (1 - risk) * found.win, (1 - risk) * found.error});
  });
  std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.win > b.win; });
}

}  // namespace mineproof
