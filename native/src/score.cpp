#include "mineproof/score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mineproof/least.hpp"

namespace mineproof {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double worth_a_look = 0.1;  // of risk above the least
constexpr double even = 0.5;          // a flag with this risk is worth nothing
constexpr double likely = 0.7;        // from here on playing on loses as much as flags do
constexpr double nothing = 1e-12;     // a chance that is no more than rounding
// Uncertain clues leave most of a board in one piece and tell less: few cells are looked at, and
// only where the position took no more states times boxes to count; what is left out of all that a
// cell may show is as rare as this.
constexpr std::size_t uncertain_states = 30'000;
constexpr std::size_t uncertain_work = 5'000;
constexpr std::int32_t uncertain_candidates = 3;
constexpr double rare = 0.02;
constexpr double noise = 1e-9;  // cells stay as good as each other however chances are summed up

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
  if (cancel_.asked()) {
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
  if (cancel_.asked()) return Cost{0, true};
  if (outcome != Outcome::exact) return std::nullopt;
  // Opening a known mine reveals nothing and costs its flag.
  const bool is_mine = first != the_best && engine_.verdicts()[at(first)] == Verdict::mine;
  const auto best = solve_endgame(budget, Aim::score, true, is_mine ? the_best : first);
  if (cancel_.asked()) return Cost{0, true};
  if (!best) return std::nullopt;
  return Cost{is_mine - best->worth / arrangements_.all()};
}

// The first cell where the opening rule promises it.
void ScoreSearch::first(const Position& position, const Budget& budget) {
  if (!can_begin(0, position.opening)) return;  // a corner is promised the least
  if (!is_simple() || !prior_.knows_total()) return corner(position);
  if (!is_known_first(position, budget)) {
    if (!rank_first(position, budget)) advice_.candidates.clear();
    if (cancel_.asked()) return;
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

// By what perfect play loses after each first cell. False where that is too much to search.
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

// A corner opens most often; where mines are many, a cell beside it tells more.
void ScoreSearch::corner(const Position& position) {
  constexpr double many = 0.25;
  const bool promised = position.opening != Opening::any;
  const std::int32_t cell = near_corner(promised && density_ > many ? 1 : 0, position.opening);
  advice_.method = Method::opening;
  advice_.candidates = {{cell, promised ? 0 : density_, unknown, unknown, unknown}};
}

// What one count may cost: there is one for all that each candidate may show.
std::size_t ScoreSearch::most_states() const {
  return view_.model->exact ? state_budget : uncertain_states;
}

// The first way to decide that has an answer. Whether that is perfect play.
bool ScoreSearch::think(const Budget& budget) {
  const Outcome outcome = engine_.solve(view_, prior_, most_states(), cancel_);
  if (outcome == Outcome::contradiction || outcome == Outcome::cancelled) return false;
  const bool perfect = is_simple() && outcome == Outcome::exact;
  if (perfect && finish(budget)) return true;
  if (perfect && set_parts_apart(budget, Aim::score)) return false;
  // The cells with little more than the least risk.
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

// Whether it is worth the time to look ahead: each candidate is counted for all that it may show.
bool ScoreSearch::can_look_ahead(Outcome outcome) const {
  const Engine::Figures figures = engine_.figures();
  return view_.model->exact || (outcome == Outcome::exact &&
                                figures.states * figures.largest_component <= uncertain_work);
}

// Perfect play, if few arrangements are left.
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

// The cells to flag: those that are likelier mined than not, the likeliest first. Where nothing is
// opened nobody has flagged what is certain.
void ScoreSearch::flag() {
  advice_.method = Method::flags;
  advice_.candidates.clear();
  const auto verdicts = engine_.verdicts();
  for (std::int32_t cell = 0; is_first_ && cell < view_.shape.size(); ++cell)
    if (verdicts[at(cell)] == Verdict::mine)
      advice_.candidates.push_back({cell, 1, unknown, unknown, unknown});
  engine_.each_box([&](std::span<const std::int32_t> box, double risk) {
    if (risk <= even) return;
    for (const std::int32_t cell : box)
      advice_.candidates.push_back({cell, risk, unknown, unknown, unknown});
  });
  std::sort(advice_.candidates.begin(), advice_.candidates.end(),
            [](const Candidate& a, const Candidate& b) {
              if (std::abs(a.risk - b.risk) > tie) return a.risk > b.risk;
              return a.cell < b.cell;
            });
}

// The best first, as far as the look-ahead tells. What cannot be the best is not looked at to the
// end: its loss is the part that was seen.
void ScoreSearch::rank() {
  auto& candidates = advice_.candidates;
  if (candidates.empty()) return flag();
  advice_.method = Method::look_ahead;
  // Where all that is left is likelier mined than not, flags may be worth more than any cell.
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

// While there are cells that no clue touches, one step does not tell what playing on is worth. The
// least risk of `exact` loses as much as flags at once where 70 % are mined (docs/lab/champion.md);
// where nobody told how many are, it is as likely to be off as what was seen of the board lets
// expect. Uncertain clues tell too little for that.
bool ScoreSearch::plays_on(double risk) const {
  if (!has_outside_ || !view_.model->exact) return false;
  if (prior_.knows_total() || prior_.is_independent()) return risk < likely;
  const auto seen = std::count_if(states_.begin(), states_.end(),
                                  [](std::uint8_t state) { return state != hidden; });
  const double error = std::sqrt(risk * (1 - risk) / (static_cast<double>(seen) + 3));
  return risk - 2 * error < likely;
}

// The risk of a cell and that of the next step, over all that it may turn out to be. No less than
// `enough` as soon as that is reached.
double ScoreSearch::loss_of(const Candidate& candidate, double enough, bool is_last) {
  const double ignored = view_.model->exact ? nothing : rare + tie;
  double left = 1;
  double value = candidate.risk;
  const auto see = [&](std::uint8_t state) {
    if (left <= ignored || value >= enough || cancel_.asked()) return;
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

// What is lost where nothing more is opened.
double ScoreSearch::doubt(Engine& engine) {
  double doubt = 0;
  engine.each_box([&](std::span<const std::int32_t> box, double risk) {
    doubt += std::min(risk, 1 - risk) * static_cast<double>(box.size());
  });
  return doubt;
}

// The chance that a cell turns out so; `loss` is what is lost then: if it is the last one all that
// is in doubt, else the risk of the next step.
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
