#include "mineproof/fair.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace mineproof {

namespace {

constexpr std::int32_t least_radius = 2;

View view_of(const JudgedOpening& opening, std::span<const std::uint8_t> states) {
  return {opening.shape, states, &exact_clues, {}, false};
}

bool is_unknown(std::uint8_t state) { return state == hidden || state == flagged; }

std::int32_t distance(Shape shape, std::int32_t a, std::int32_t b) {
  return std::max(std::abs(a / shape.cols - b / shape.cols),
                  std::abs(a % shape.cols - b % shape.cols));
}

}  // namespace

FairJudge::Ruling FairJudge::judge(const JudgedOpening& opening, std::size_t budget,
                                   Cancel cancel) {
  const std::size_t cell = at(opening.cell);
  if (opening.states[cell] == known_safe) return {};
  const View seen = view_of(opening, opening.states);
  const Outcome found = engine_.find_certain(seen, opening.prior, budget, cancel);
  if (found == Outcome::cancelled) return {false, false, true};
  // If the rules give the player a wrong density, nothing may fit: the board decides.
  if (found == Outcome::contradiction || engine_.verdicts()[cell] != Verdict::open) return {};
  if (found == Outcome::estimate) return be_kind(opening, budget, cancel);
  const auto end = opening.states.end();
  const bool fatal =
      engine_.any_safe() || std::find(opening.states.begin(), end, known_safe) != end;
  if (fatal && opening.mined[cell]) return {};
  states_.assign(opening.states.begin(), opening.states.end());
  states_[cell] = fatal ? exploded : known_safe;
  const Outcome outcome = draw(opening, budget, cancel);
  if (outcome == Outcome::estimate) return be_kind(opening, budget, cancel);
  return {outcome == Outcome::exact, false, outcome == Outcome::cancelled};
}

// Draws a board that is consistent with states_.
Outcome FairJudge::draw(const JudgedOpening& opening, std::size_t budget, Cancel cancel) {
  const View view = view_of(opening, states_);
  Outcome found = engine_.solve(view, Prior::count(opening.usual_mines), budget, cancel);
  if (found == Outcome::contradiction && !opening.prior.knows_total())
    found = engine_.solve(view, opening.prior, budget, cancel);
  if (found != Outcome::exact) return found;
  board_.resize(opening.mined.size());
  Stream stream(opening.seed, Purpose::fair, opening.move);
  return engine_.draw(stream, board_, cancel) ? Outcome::exact : Outcome::cancelled;
}

// Finds a board without a mine in the cell by changing as little of the frontier as possible. If
// there is none among those that can be counted, the board stays as it is.
FairJudge::Ruling FairJudge::be_kind(const JudgedOpening& opening, std::size_t budget,
                                     Cancel cancel) {
  if (!opening.mined[at(opening.cell)]) return {false, true, false};
  const std::int32_t longest = std::max(opening.shape.rows, opening.shape.cols);
  Outcome found = Outcome::contradiction;
  for (std::int32_t radius = least_radius; found == Outcome::contradiction && radius < 2 * longest;
       radius *= 2) {
    fix_frontier_beyond(opening, radius);
    found = draw(opening, budget, cancel);
  }
  return {found == Outcome::exact, true, found == Outcome::cancelled};
}

// Fixes the frontier cells farther than `radius` from the cell as they are on the present board,
// and the cell as safe. The interior stays free, to balance the number of mines.
void FairJudge::fix_frontier_beyond(const JudgedOpening& opening, std::int32_t radius) {
  const Shape shape = opening.shape;
  states_.assign(opening.states.begin(), opening.states.end());
  for (std::int32_t clue = 0; clue < shape.size(); ++clue) {
    if (!is_clue(opening.states[at(clue)])) continue;
    shape.each_neighbour(clue, [&](std::int32_t near) {
      if (is_unknown(states_[near]) && distance(shape, near, opening.cell) > radius)
        states_[near] = opening.mined[at(near)] ? exploded : known_safe;
    });
  }
  states_[opening.cell] = known_safe;
}

void GameJudge::begin(SharedNeighbourhood neighbourhood, const GameRules& rules, std::int32_t mines,
                      std::uint64_t seed) {
  PlayerKnowledge::Expected expected{std::nullopt, rules.density};
  if (rules.count_known) expected.mines = mines;
  PlayerKnowledge::InferenceOptions options;
  options.pairs = true;
  knowledge_.begin(std::move(neighbourhood), options, expected);
  usual_mines_ = mines;
  seed_ = seed;
  moves_ = 0;
}

bool GameJudge::is_in_doubt(std::int32_t cell) {
  ruling_ = {};
  knowledge_.reason();
  return knowledge_.truth(cell) == PlayerKnowledge::Truth::open;
}

std::span<const std::uint8_t> GameJudge::judge(std::int32_t cell,
                                               std::span<const std::uint8_t> states,
                                               std::span<const std::uint8_t> mined, Cancel cancel) {
  const JudgedOpening opening{
      knowledge_.shape(), states, knowledge_.prior(), cell, mined, usual_mines_, seed_, moves_};
  ruling_ = judge_.judge(opening, state_budget, cancel);
  if (!ruling_.drawn) return {};
  return judge_.board();
}

}  // namespace mineproof
