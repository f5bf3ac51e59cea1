#include "mineproof/search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "mineproof/lowest_risk.hpp"

namespace mineproof {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Parameters of the look-ahead, tuned by paired games on separate boards (docs/lab/champion.md).
constexpr double worth_a_look = 0.9;  // relative to the best probability of survival
constexpr double halves = 0.5;  // the first safe cell adds nothing to the premium; each further one
                                // adds this share of what is missing
constexpr double second_counts = 0.3;  // weight of the second safest cell in the next step
constexpr double sparse = 0.18;  // mines per cell, from which on safe cells have their full premium
constexpr int early = 12;        // positions with fewer opened cells are cached
constexpr std::size_t remembered = 4096;
constexpr std::size_t uncertain_states =
    // For uncertain clues, which leave most of a board in one component.
    3'000;
constexpr double look_ahead_work = 1e9;  // multiplications of weights in a look-ahead: a second
constexpr double uncertain_work = 4e8;   // for uncertain clues, where it informs less often
constexpr double shown_by_a_cell = 10;   // approximate number of outcomes per candidate
constexpr double estimate_width = 1000;  // weights per group and number of mines in an estimate

}  // namespace

// A hash of the position.
std::uint64_t Search::name() const {
  std::uint64_t name = 0xCBF29CE484222325U;
  const auto add = [&](std::uint64_t number) { name = (name ^ number) * 0x100000001B3U; };
  for (const std::uint8_t state : states_) add(state);
  add(static_cast<std::uint64_t>(view_.shape.cols));
  add(static_cast<std::uint64_t>(prior_.mines()));
  return name;
}

void Search::begin(const Position& position) {
  LookAhead::begin(position);
  forced_guesses_.clear();
}

const Advice& Search::advise(const Position& position, const Budget& budget, Cancel cancel) {
  if (!position.mine_ends) return score_.advise(position, budget, cancel);
  cancel_ = cancel;
  begin(position);
  const auto opened = std::count_if(states_.begin(), states_.end(), [](std::uint8_t state) {
    return is_opened(state) || state == exploded;
  });
  const bool is_early = opened < early;
  std::vector<std::int64_t> key;
  if (is_early && is_simple()) {
    key = key_of(position, budget);
    const auto known = openings_.find(key);
    if (known != openings_.end()) return advice_ = known->second;
  }
  if (opened == 0 && is_simple())
    first(position, budget);
  else
    think(budget, is_early);
  if (cancel_.stop_requested()) {
    advice_ = {};
    advice_.cancelled = true;
  } else if (!key.empty() && openings_.size() < remembered) {
    openings_.emplace(std::move(key), advice_);
  }
  return advice_;
}

// Everything that the advice depends on.
std::vector<std::int64_t> Search::key_of(const Position& position, const Budget& budget) const {
  std::vector<std::int64_t> key = {view_.shape.rows,
                                   view_.shape.cols,
                                   prior_.knows_total(),
                                   prior_.is_independent(),
                                   prior_.mines(),
                                   std::bit_cast<std::int64_t>(prior_.density()),
                                   static_cast<std::int64_t>(position.opening)};
  for_each_budget_field([&](const char*, auto member, auto, auto) {
    if constexpr (std::is_same_v<decltype(member), double Budget::*>)
      key.push_back(std::bit_cast<std::int64_t>(budget.*member));
    else
      key.push_back(budget.*member);
  });
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (states_[i] != hidden) key.push_back(static_cast<std::int64_t>(16 * i + states_[i]));
  return key;
}

// The limit of one count; there is one for each outcome of each candidate.
std::size_t Search::most_states() const {
  return view_.model->exact ? state_budget : uncertain_states;
}

// Uses the first method that applies.
void Search::think(const Budget& budget, bool is_early) {
  const Outcome outcome = engine_.solve(view_, prior_, most_states(), cancel_);
  if (outcome == Outcome::contradiction || outcome == Outcome::cancelled) return;
  const bool perfect = is_simple() && outcome == Outcome::exact;
  if (perfect && finish(budget)) return;
  const bool counted = perfect && prior_.knows_total();
  if (counted && set_parts_apart(budget, Aim::win)) return;
  if (counted && budget.fifties) {
    list_forced_guesses();
    if (take_forced_guess(budget)) return;
    if (is_early) forced_guesses_.clear();  // their weight was tuned for later phases of a game
  }
  gather_candidates(budget);
  if (advice_.candidates.empty() && apart_best_) {
    advice_.method = Method::part;
    advice_.candidates.push_back(*apart_best_);
    return;
  }
  const std::int32_t playouts = counted ? affordable_playouts(budget, is_early) : 0;
  const bool solves = counted && !is_early && budget.leaves > 0;
  const bool compares = playouts > 0 || solves;
  const bool learned = counted && can_rank_by_network(budget, is_early);
  if (learned)
    rank_by_features(budget);
  else if (compares)
    rank(budget, close_by);
  else
    rank_further(budget);
  if (compares) play_out(budget, playouts, is_early, learned);
}

// Gathers the cells that are nearly as safe as the safest one.
void Search::gather_candidates(const Budget& budget) {
  gather(1 - (1 - engine_.least_risks(apart_).first) * worth_a_look, budget.candidates, is_opened);
}

// Plays perfectly, if few configurations are left.
bool Search::finish(const Budget& budget) {
  const auto best = solve_endgame(budget, Aim::win);
  if (!best || best->cell < 0) return false;
  advice_.method = Method::endgame;
  advice_.candidates.push_back(
      {best->cell, arrangements_.risk(best->cell), unknown, best->worth / arrangements_.all(), 0});
  return true;
}

// Whether mines are few: safe cells are then plentiful, and worth only a quarter of the premium.
bool Search::is_sparse() const {
  return prior_.knows_total() && prior_.mines() < sparse * view_.shape.size();
}

// The number of candidates that can be evaluated, extrapolated from the cost of counting the
// position: it is counted again for each outcome of each candidate.
std::size_t Search::affordable() const {
  const Engine::Figures figures = engine_.figures();
  const auto groups = static_cast<double>(figures.largest_component);
  // A state has one weight per number of mines so far.
  const double counted = static_cast<double>(figures.states) * groups;
  const double estimated = engine_.error() > 0 ? estimate_width * groups * groups : 0;
  const double work = shown_by_a_cell * std::max({counted, estimated, 1.0});
  const double most = view_.model->exact ? look_ahead_work : uncertain_work;
  return static_cast<std::size_t>(most / work);
}

double Search::premium_of(const Budget& budget) const {
  return is_sparse() ? budget.premium / 4 : budget.premium;
}

// Ranks the candidates by the look-ahead, best first. The evaluation of a candidate that cannot
// reach this share of the best score stops early; its score is then the part evaluated so far.
void Search::rank(const Budget& budget, double share) {
  auto& candidates = advice_.candidates;
  const std::size_t most = affordable();
  if (candidates.size() > 1 && most < 2) {
    advice_.method = Method::least_risk;
    for (Candidate& candidate : candidates) candidate.score = unknown;
    return;
  }
  candidates.resize(std::min(candidates.size(), std::max<std::size_t>(most, 1)));
  advice_.method = Method::look_ahead;
  shown_.clear();
  double best = 0;
  for (Candidate& candidate : candidates) {
    candidate.score = look_ahead(candidate, share * best, premium_of(budget));
    best = std::max(best, candidate.score);
  }
  weigh_forced_guesses(near_the_best * best);
  sort_by_score(candidates.size());
}

// Sorts the first `count` candidates.
void Search::sort_by_score(std::size_t count) {
  const auto first = advice_.candidates.begin();
  std::stable_sort(first, first + static_cast<std::ptrdiff_t>(count),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
}

// The probability of surviving this step and the next one, if that opens the safest cell then (with
// a small contribution of the second safest one, for the step after that), over all outcomes; plus
// a premium for outcomes with safe cells, which grows with their number. Stops early, with less
// than `needed`, once that cannot be reached.
double Search::look_ahead(const Candidate& candidate, double needed, double premium) {
  double left = 1 - candidate.risk;  // the probability of outcomes not evaluated yet
  double value = 0;
  const auto see = [&](std::uint8_t state) {
    if (left <= 0 || value + left * (1 + premium) <= needed || cancel_.stop_requested()) return;
    const Shown shown = after(state, candidate.cell, premium);
    if (shown.chance == 0) return;
    shown_.push_back(shown);
    value += shown.chance * shown.worth;
    left -= shown.chance;
  };
  each_shown(candidate.cell, see);
  return value;
}

// Evaluates an outcome: its probability (0 if it is impossible), and the value of the position
// after it.
Search::Shown Search::after(std::uint8_t state, std::int32_t cell, double premium) {
  const std::uint8_t before = std::exchange(states_[cell], state);
  const Outcome outcome = after_.solve(view_, prior_, most_states(), cancel_);
  states_[cell] = before;
  Shown shown{};
  shown.cell = cell;
  shown.state = state;
  if (outcome == Outcome::contradiction || outcome == Outcome::cancelled) return shown;
  std::tie(shown.least, shown.second) = after_.least_risks(apart_);
  shown.chance = std::exp(after_.log_weight() - engine_.log_weight());
  shown.stuck = !after_.any_safe();
  shown.many = shown.stuck ? 0 : 1 - std::pow(halves, after_.safe_cells() - 1);
  shown.doubt = after_.doubt();
  shown.worth = shown.stuck ? 1 - shown.least - second_counts * (shown.second - shown.least)
                            : 1 + premium * shown.many;
  return shown;
}

}  // namespace mineproof
