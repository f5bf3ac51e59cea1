// Looks ahead one more step, if there are no playouts.
#include <algorithm>
#include <cmath>

#include "mineproof/search.hpp"

namespace mineproof {

namespace {

// Tuned by paired games on separate boards (docs/lab/champion.md).
constexpr std::size_t most_looked_at = 8;
constexpr std::int32_t next_candidates = 4;  // per outcome
constexpr double likely = 0.1;      // less likely outcomes are extrapolated from the others
constexpr double as_a_rule = 0.95;  // typical factor by which looking further changes a value
constexpr double at_most = 1.06;    // factor that is rarely exceeded
constexpr double largest = 1000;    // cells on the board
constexpr double nothing = 1e-9;    // a smaller probability is rounding noise

}  // namespace

// Whether looking further is enabled and affordable.
bool Search::can_look_further(const Budget& budget) const {
  return budget.further && is_simple() && prior_.knows_total() && engine_.error() == 0 &&
         view_.shape.size() <= largest &&
         affordable() >= most_looked_at * next_candidates * largest_clue;
}

// Ranks the candidates, best first, if there are no playouts.
void Search::rank_further(const Budget& budget) {
  const bool further = can_look_further(budget);
  rank(budget, further || !forced_guesses_.empty() ? near_the_best : 1);
  if (further) look_further(budget);
}

// Re-evaluates the candidates near the best by the value of the next guess instead of its risk.
void Search::look_further(const Budget& budget) {
  auto& candidates = advice_.candidates;
  std::size_t count = 0;
  while (count < candidates.size() && count < most_looked_at &&
         candidates[count].score > candidates[0].score * near_the_best)
    ++count;
  if (count < 2) return;
  const double before = candidates[0].score;
  double best = 0;
  for (std::size_t i = 0; i < count && !cancel_.stop_requested(); ++i) {
    candidates[i].score = further(candidates[i], best, budget);
    best = std::max(best, candidates[i].score);
  }
  for (std::size_t i = count; i < candidates.size(); ++i) candidates[i].score *= best / before;
  sort_by_score(count);
}

// The score of a cell after evaluating its outcomes that force a guess once more, the likeliest
// first. Stops early, with less than `needed`, once it is unlikely to reach that.
double Search::further(const Candidate& candidate, double needed, const Budget& budget) {
  std::vector<Shown> shown = all_shown(candidate, premium_of(budget));
  double sum = 0;
  double value = 0;  // an estimate that uses `at_most` for outcomes not evaluated yet
  for (const Shown& one : shown) {
    sum += one.chance * one.worth;
    value += one.chance * one.worth * (one.stuck ? at_most : 1);
  }
  std::stable_sort(shown.begin(), shown.end(),
                   [](const Shown& a, const Shown& b) { return a.chance > b.chance; });
  if (cancel_.stop_requested() || sum == 0) return candidate.score;
  const double weighed = candidate.score / sum;  // factor for the 50/50s that are left behind
  double was = 0;
  double is = 0;
  for (const Shown& one : shown) {
    if (!one.stuck) continue;
    if (weighed * value < needed || cancel_.stop_requested()) break;
    double worth = one.worth * (was > 0 ? is / was : as_a_rule);
    if (one.chance >= likely * (1 - candidate.risk)) {
      worth = next_score(candidate.cell, one.state, budget).value_or(one.worth);
      was += one.chance * one.worth;
      is += one.chance * worth;
    }
    value += one.chance * (worth - one.worth * at_most);
  }
  return weighed * value;
}

// The outcomes that the look-ahead evaluated for a candidate; completes them if it stopped early.
std::vector<Search::Shown> Search::all_shown(const Candidate& candidate, double premium) {
  std::vector<Shown> shown;
  double left = 1 - candidate.risk;
  for (const Shown& one : shown_)
    if (one.cell == candidate.cell) {
      shown.push_back(one);
      left -= one.chance;
    }
  if (left < nothing) return shown;
  shown.clear();
  each_shown(candidate.cell, [&](std::uint8_t state) {
    const Shown one = after(state, candidate.cell, premium);
    if (one.chance > 0) shown.push_back(one);
  });
  return shown;
}

// The best score in the position after a cell shows this; std::nullopt if that takes too long.
std::optional<double> Search::next_score(std::int32_t cell, std::uint8_t state,
                                         const Budget& budget) {
  Budget quick;
  quick.arrangements = quick.parts = 0;
  quick.fifties = quick.further = quick.learned = false;
  quick.candidates = next_candidates;
  quick.premium = budget.premium;
  const std::uint8_t before = std::exchange(states_[cell], state);
  const Advice& next = player().advise({view_, prior_, true, Opening::any}, quick, cancel_);
  states_[cell] = before;
  if (next.method != Method::look_ahead || next.candidates.empty()) return {};
  return next.candidates[0].score;
}

}  // namespace mineproof
