#include "mineproof/score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mineproof/lowest_risk.hpp"

namespace mineproof {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double worth_a_look = 0.1;  // margin above the lowest risk
constexpr double even = 0.5;          // a flag on a cell with this risk is worth nothing
constexpr double likely = 0.7;        // at this risk playing on loses as much as flagging
constexpr double nothing = 1e-12;     // a smaller probability is rounding noise
// Limits for uncertain clues, which leave most of a board in one component and give less
// information: evaluate few candidates, and only if counting the position took no more than this
// number of states times groups; ignore outcomes whose total probability is at most `rare`.
constexpr std::size_t uncertain_states = 30'000;
constexpr std::size_t uncertain_work = 5'000;
constexpr std::int32_t uncertain_candidates = 3;
constexpr double rare = 0.02;
constexpr double noise = 1e-9;  // losses are rounded to this, so that ties are stable

}  // namespace

const Advice& ScoreSearch::advise(const Position& position, const Budget& budget, Cancel cancel) {
  cancel_ = cancel;
  begin(position);
  density_ = prior_.chance(view_.shape.size());
  is_first_ = std::all_of(states_.begin(), states_.end(),
                          [](std::uint8_t state) { return state == hidden; });
  if (is_first_ && position.opening != Opening::any)
    first(position, budget);
  else if (!think(budget) && is_first_ && !advice_.candidates.empty())
    corner(position);
  if (cancel_.stop_requested()) {
    advice_ = {};
    advice_.cancelled = true;
  }
  return advice_;
}

std::optional<Cost> ScoreSearch::cost(const Position& position, const Budget& budget, Cancel cancel,
                                      std::int32_t first) {
  cancel_ = cancel;
  begin(position);
  if (!is_simple() || !prior_.knows_total()) return std::nullopt;
  const Outcome outcome = engine_.solve(view_, prior_, state_budget, cancel_);
  if (cancel_.stop_requested()) return Cost{0, true};
  if (outcome != Outcome::exact) return std::nullopt;
  // Opening a known mine reveals nothing and costs its flag.
  const bool is_mine = first != the_best && engine_.verdicts()[at(first)] == Verdict::mine;
  const auto best = solve_endgame(budget, Aim::score, true, is_mine ? the_best : first);
  if (cancel_.stop_requested()) return Cost{0, true};
  if (!best) return std::nullopt;
  return Cost{is_mine - best->worth / arrangements_.all()};
}

// The first cell, if it is protected by the opening rule.
void ScoreSearch::first(const Position& position, const Budget& budget) {
  if (!can_begin(0, position.opening)) return;  // the rule protects the fewest cells at a corner
  if (!is_simple() || !prior_.knows_total()) return corner(position);
  if (!is_known_first(position, budget)) {
    if (!rank_first(position, budget)) advice_.candidates.clear();
    if (cancel_.stop_requested()) return;
    openings_ = {view_.shape, prior_, position.opening, budget, advice_.candidates};
  }
  advice_.method = Method::opening;
  advice_.candidates = openings_->candidates;
  if (advice_.candidates.empty()) corner(position);
}

bool ScoreSearch::is_known_first(const Position& position, const Budget& budget) const {
  return openings_ && openings_->shape.rows == view_.shape.rows &&
         openings_->shape.cols == view_.shape.cols && openings_->prior == prior_ &&
         openings_->opening == position.opening && openings_->budget == budget;
}

// Ranks all first cells by the loss of perfect play after each. False if that takes too much work.
bool ScoreSearch::rank_first(const Position& position, const Budget& budget) {
  bool is_perfect = true;
  each_first([&](std::int32_t cell) {
    if (!is_perfect || !can_begin(cell, position.opening)) return;
    std::fill(states_.begin(), states_.end(), std::uint8_t{hidden});
    promise(cell, position.opening);
    const Outcome outcome = engine_.solve(view_, prior_, state_budget, cancel_);
    const auto best = outcome == Outcome::exact ? solve_endgame(budget, Aim::score, true)
                                                : std::optional<Choice>();
    is_perfect = best.has_value();
    if (best)
      advice_.candidates.push_back(
          {cell, 0, unknown, unknown, unknown, -best->worth / arrangements_.all()});
  });
  std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.loss < b.loss; });
  return is_perfect;
}

// A corner is most likely to be an opening; with many mines, the cell diagonal to it is more
// informative.
void ScoreSearch::corner(const Position& position) {
  constexpr double many = 0.25;
  const bool promised = position.opening != Opening::any;
  const std::int32_t cell = near_corner(promised && density_ > many ? 1 : 0, position.opening);
  advice_.method = Method::opening;
  advice_.candidates = {{cell, promised ? 0 : density_, unknown, unknown, unknown}};
}

// The limit of one count; there is one for each outcome of each candidate.
std::size_t ScoreSearch::most_states() const {
  return view_.model->exact ? state_budget : uncertain_states;
}

// Uses the first method that applies. Returns whether that is perfect play.
bool ScoreSearch::think(const Budget& budget) {
  const Outcome outcome = engine_.solve(view_, prior_, most_states(), cancel_);
  if (outcome == Outcome::contradiction || outcome == Outcome::cancelled) return false;
  const bool perfect = is_simple() && outcome == Outcome::exact;
  if (perfect && finish(budget)) return true;
  if (perfect && set_parts_apart(budget, Aim::score)) return false;
  // The cells whose risk is close to the lowest one.
  has_outside_ = gather(
      engine_.least_risks(apart_).first + worth_a_look,
      view_.model->exact ? budget.candidates : std::min(budget.candidates, uncertain_candidates),
      is_clue);
  for (Candidate& candidate : advice_.candidates) candidate.score = unknown;
  if (advice_.candidates.empty() && apart_best_) {
    advice_.method = Method::part;
    advice_.candidates.push_back(*apart_best_);
  } else if (can_look_ahead(outcome)) {
    rank();
  } else {
    advice_.method = Method::least_risk;
  }
  return false;
}

// Whether a look-ahead is affordable: each outcome of each candidate is counted.
bool ScoreSearch::can_look_ahead(Outcome outcome) const {
  const Engine::Figures figures = engine_.figures();
  return view_.model->exact || (outcome == Outcome::exact &&
                                figures.states * figures.largest_component <= uncertain_work);
}

// Plays perfectly, if few configurations are left.
bool ScoreSearch::finish(const Budget& budget) {
  const auto best = solve_endgame(budget, Aim::score);
  if (!best) return false;
  if (best->cell < 0) {
    flag();
    return true;
  }
  advice_.method = Method::endgame;
  advice_.candidates.push_back({best->cell, arrangements_.risk(best->cell), unknown, unknown,
                                unknown, -best->worth / arrangements_.all()});
  return true;
}

// Chooses the cells to flag: those that are more likely to be mines than not, most likely first. If
// nothing is opened, that includes certain mines, which are not flagged yet.
void ScoreSearch::flag() {
  advice_.method = Method::flags;
  advice_.candidates.clear();
  const auto verdicts = engine_.verdicts();
  for (std::int32_t cell = 0; is_first_ && cell < view_.shape.size(); ++cell)
    if (verdicts[at(cell)] == Verdict::mine)
      advice_.candidates.push_back({cell, 1, unknown, unknown, unknown});
  engine_.each_group([&](std::span<const std::int32_t> group, double risk) {
    if (risk <= even) return;
    for (const std::int32_t cell : group)
      advice_.candidates.push_back({cell, risk, unknown, unknown, unknown});
  });
  std::sort(advice_.candidates.begin(), advice_.candidates.end(),
            [](const Candidate& a, const Candidate& b) {
              if (std::abs(a.risk - b.risk) > tie) return a.risk > b.risk;
              return a.cell < b.cell;
            });
}

// Ranks the candidates by the look-ahead, best first. The evaluation of a candidate that cannot be
// the best stops early; its loss is then a lower bound.
void ScoreSearch::rank() {
  auto& candidates = advice_.candidates;
  if (candidates.empty()) return flag();
  advice_.method = Method::look_ahead;
  // If every cell left is more likely to be a mine than not, flagging may be worth more than
  // opening any cell.
  const bool is_last = candidates[0].risk > even + tie && !plays_on(candidates[0].risk);
  double best = is_last ? doubt(engine_) : std::numeric_limits<double>::infinity();
  bool opens = !is_last;
  for (Candidate& candidate : candidates) {
    candidate.loss = loss_of(candidate, best, is_last);
    if (candidate.loss < best) {
      best = candidate.loss;
      opens = true;
    }
  }
  if (!opens) return flag();
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.loss < b.loss; });
}

// As long as there are interior cells, looking one step ahead does not show what playing on is
// worth. Taking the lowest risk loses as much as flagging at once if 70 % of the cells are mines
// (docs/lab/champion.md). If the mine count is unknown, the density is estimated from the cells
// seen, and the standard error of that estimate is taken into account. Uncertain clues give too
// little information for playing on.
bool ScoreSearch::plays_on(double risk) const {
  if (!has_outside_ || !view_.model->exact) return false;
  if (prior_.knows_total() || prior_.is_independent()) return risk < likely;
  const auto seen = std::count_if(states_.begin(), states_.end(),
                                  [](std::uint8_t state) { return state != hidden; });
  const double error = std::sqrt(risk * (1 - risk) / (static_cast<double>(seen) + 3));
  return risk - 2 * error < likely;
}

// The risk of a cell plus the expected risk of the next step, over all outcomes. Stops early once
// the sum reaches `enough`.
double ScoreSearch::loss_of(const Candidate& candidate, double enough, bool is_last) {
  const double ignored = view_.model->exact ? nothing : rare + tie;
  double left = 1;
  double value = candidate.risk;
  const auto see = [&](std::uint8_t state) {
    if (left <= ignored || value >= enough || cancel_.stop_requested()) return;
    double loss = 0;
    const double chance = after(state, candidate.cell, is_last, loss);
    value += chance * loss;
    left -= chance;
  };
  if (!view_.model->exact) see(exploded);
  each_shown(candidate.cell, see);
  if (view_.model->exact) {
    see(exploded);
    return value;
  }
  if (left > 0) value += left * (is_last ? doubt(engine_) : engine_.least_risks(apart_).first);
  return std::round(value / noise) * noise;
}

// The expected loss if nothing more is opened.
double ScoreSearch::doubt(Engine& engine) {
  double doubt = 0;
  engine.each_group([&](std::span<const std::int32_t> group, double risk) {
    doubt += std::min(risk, 1 - risk) * static_cast<double>(group.size());
  });
  return doubt;
}

// The probability of this outcome. `loss` becomes the loss after it: everything in doubt if this is
// the last cell to open, otherwise the risk of the next step.
double ScoreSearch::after(std::uint8_t state, std::int32_t cell, bool is_last, double& loss) {
  const std::uint8_t before = std::exchange(states_[cell], state);
  const Outcome outcome = after_.solve(view_, prior_, most_states(), cancel_);
  states_[cell] = before;
  if (outcome == Outcome::contradiction || outcome == Outcome::cancelled) return 0;
  if (is_last) {
    loss = doubt(after_);
  } else {
    const double least = after_.least_risks(apart_).first;
    loss = after_.any_safe() || least >= 1 ? 0 : least;
  }
  return std::exp(after_.log_weight() - engine_.log_weight());
}

}  // namespace mineproof
