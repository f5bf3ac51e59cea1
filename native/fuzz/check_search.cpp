// Advised cells can be opened, and their risks are the exact ones; win probabilities are valid, and
// the position's equals that of the advised cell if both are exact.
#include <algorithm>
#include <cmath>
#include <set>

#include "case.hpp"

using namespace mineproof;

namespace fuzz {

namespace {

constexpr double rounding = 1e-9;

bool is_chance(double number) { return number >= 0 && number <= 1 + rounding; }

Position position_of(const Case& made) {
  return {made.view(), made.prior, made.mine_ends, made.opening};
}

// If a mine does not end the game, there is no win probability, and no loss is below the risk.
void check_loss(const Case& made, Method method, const Candidate& one) {
  const std::size_t cell = at(one.cell);
  if (!std::isnan(one.win)) fail("a win probability if no game is won", made, cell, one.win);
  if (!std::isnan(one.score)) fail("a score together with a loss", made, cell, one.score);
  if (method == Method::endgame && std::isnan(one.loss))
    fail("perfect play without a loss", made, cell, one.loss);
  if (one.loss < one.risk - 1e-6) fail("a loss below the risk", made, cell, one.loss);
  // Tables of arbitrary numbers need not add up to 1, so losses are bounded only for exact clues.
  if (made.model.exact && one.loss > made.shape.size()) fail("invalid loss", made, cell, one.loss);
}

void check_candidate(const Case& made, Method method, const Candidate& one) {
  if (one.cell < 0 || one.cell >= made.shape.size()) fail("invalid cell", made, 0, one.cell);
  const std::size_t cell = at(one.cell);
  if (!is_covered(made.states[cell])) fail("advice to open an open cell", made, cell, one.risk);
  if (!is_chance(one.risk)) fail("invalid risk", made, cell, one.risk);
  if (!std::isnan(one.win) && !is_chance(one.win))
    fail("invalid win probability", made, cell, one.win);
  if (!std::isnan(one.error) && !(one.error >= 0)) fail("invalid error", made, cell, one.error);
  if (one.win > 1 - one.risk + 1e-6 && made.mine_ends)
    fail("win probability above survival", made, cell, one.win);
  if (std::isinf(one.score)) fail("invalid score", made, cell, one.score);
  if (!made.mine_ends) return check_loss(made, method, one);
  if (!std::isnan(one.loss)) fail("a loss where a mine ends the game", made, cell, one.loss);
  if (method == Method::endgame && (std::isnan(one.win) || one.error != 0))
    fail("perfect play without a win probability", made, cell, one.win);
}

// Flags do not affect a search.
View unflagged(const Case& made) {
  View view = made.view();
  view.trust_flags = false;
  return view;
}

void check_risk(const Case& made, Engine& engine, const Advice& advice) {
  if (advice.method == Method::opening || !made.model.exact) return;
  if (engine.solve(unflagged(made), made.prior, state_budget) != Outcome::exact) return;
  std::vector<double> risk(made.states.size());
  engine.write_risk(risk);
  for (const Candidate& one : advice.candidates)
    if (made.states[at(one.cell)] != known_safe &&
        !(std::abs(one.risk - risk[at(one.cell)]) < 1e-6))
      fail("advice with a wrong risk", made, at(one.cell), one.risk);
}

}  // namespace

bool check_advice(const Case& made, Engine& engine, Search& search) {
  const Advice advice = search.advise(position_of(made), made.thought);
  std::set<std::int32_t> cells;
  for (const Candidate& one : advice.candidates) {
    check_candidate(made, advice.method, one);
    if (!cells.insert(one.cell).second) fail("advised twice", made, at(one.cell), one.risk);
  }
  check_risk(made, engine, advice);
  return !advice.candidates.empty();
}

bool check_chance(const Case& made, Engine& engine, Search& search) {
  const auto chance = search.chance(position_of(made), made.thought, 4);
  if (!chance) return false;
  if (!is_chance(chance->win)) fail("invalid win probability", made, 0, chance->win);
  if (!(chance->error >= 0)) fail("a win probability without an error", made, 0, chance->error);
  const auto shows = [&](State state) {
    return std::find(made.states.begin(), made.states.end(), state) != made.states.end();
  };
  const bool is_lost = shows(exploded);
  if (is_lost && chance->win != 0) fail("a win after a mine", made, 0, chance->win);
  // Advice is for positions without safe cells: elsewhere it ignores the safe ones.
  engine.solve(unflagged(made), made.prior, state_budget);
  if (chance->error > 0 || is_lost || engine.any_safe() || shows(known_safe)) return true;
  const Advice advice = search.advise(position_of(made), made.thought);
  if (advice.method == Method::endgame &&
      !(std::abs(advice.candidates[0].win - chance->win) < 1e-6))
    fail("two exact win probabilities", made, at(advice.candidates[0].cell), chance->win);
  return true;
}

}  // namespace fuzz
