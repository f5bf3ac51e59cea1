// How likely a position is to be won, and which first cell is best.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mineproof/search.hpp"

namespace mineproof {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// The cell is safe, and so is what the opening rule promises with it.
void Search::promise(std::int32_t cell, Opening opening) {
  states_[cell] = told_safe;
  if (opening == Opening::clear)
    view_.shape.around(cell, [&](std::int32_t near) { states_[near] = told_safe; });
}

// The mean of games played out from this cell, given that it is safe: the states say so, and
// the engine has solved them.
Chance Search::sample(std::int32_t cell, std::int32_t games) {
  set_up_runner(Redraw::all);
  const std::uint64_t here = name();
  double sum = 0;
  double squares = 0;
  for (std::int32_t i = 0; i < games && !cancel_.asked(); ++i) {
    Stream stream(here, Purpose::playout, static_cast<std::uint64_t>(i));
    if (!engine_.draw(stream, board_, cancel_)) break;
    runner_.deal(cell, board_, stream);
    const double win = runner_.play_out(cell, stream);
    sum += win;
    squares += win * win;
  }
  return {sum / games, error_of(sum, squares, games)};
}

// The chance to win by opening this cell first, given that it keeps what is promised: exact
// where few arrangements are left. Below 0 where it cannot.
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
                                     std::int32_t games, Cancel cancel) {
  cancel_ = cancel;
  const auto found = find_chance(position, budget, games);
  return cancel_.asked() ? Chance{unknown, unknown, true} : found;
}

std::optional<Chance> Search::find_chance(const Position& position, const Budget& budget,
                                          std::int32_t games) {
  begin(position);
  if (!is_simple() || !position.mine_ends || !prior_.knows_total()) return std::nullopt;
  if (engine_.solve(view_, prior_, state_budget, cancel_) != Outcome::exact) return std::nullopt;
  if (std::find(states_.begin(), states_.end(), std::uint8_t{exploded}) != states_.end())
    return Chance{};
  if (engine_.list(at(budget.arrangements), arrangements_, true, cancel_)) {
    if (const auto best = endgame_.solve(view_.shape, arrangements_, budget.work, cancel_))
      return Chance{best->worth / arrangements_.all()};
  }
  const auto verdicts = engine_.verdicts();
  for (std::int32_t cell = 0; cell < view_.shape.size(); ++cell)
    if (verdicts[at(cell)] == Verdict::safe || states_[cell] == told_safe)
      return sample(cell, games);
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

// The first move. A small board's first cell is found by playing it, up to symmetry; on large
// ones a corner opens most often, and a cell near one if its surroundings are promised.
void Search::first(const Position& position, const Budget& budget) {
  const Shape shape = view_.shape;
  const auto room = std::count(states_.begin(), states_.end(), std::uint8_t{hidden});
  if (prior_.knows_total() && (prior_.mines() < 0 || prior_.mines() > room))
    return;  // nothing fits
  advice_.method = Method::opening;
  const bool promised = position.opening != Opening::any;
  const double risk = promised ? 0 : prior_.chance(shape.size());
  constexpr std::int32_t small = 64;
  if (shape.size() > small || !prior_.knows_total()) {
    const std::int32_t step = position.opening != Opening::clear ? 0 : is_sparse() ? 2 : 3;
    const std::int32_t row = std::min(step, (shape.rows - 1) / 2);
    const std::int32_t col = std::min(step, (shape.cols - 1) / 2);
    advice_.candidates.push_back({row * shape.cols + col, risk, unknown, unknown, unknown});
    return;
  }
  const std::int32_t games = std::max(400, 2 * budget.playouts);
  const bool square_board = shape.rows == shape.cols;
  for (std::int32_t row = 0; row <= (shape.rows - 1) / 2; ++row)
    for (std::int32_t col = square_board ? row : 0; col <= (shape.cols - 1) / 2; ++col) {
      const std::int32_t cell = row * shape.cols + col;
      if (cancel_.asked()) return;
      const Chance found = first_chance(position, cell, games, budget);
      if (found.win >= 0)
        advice_.candidates.push_back(
            {cell, risk, unknown, (1 - risk) * found.win, (1 - risk) * found.error});
    }
  std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.win > b.win; });
  if (advice_.candidates.empty())
    advice_.candidates.push_back({0, risk, unknown, unknown, unknown});
}

}  // namespace mineproof
