// Compares candidates by their win probabilities: exact where they can be solved, otherwise
// estimated by playouts.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mineproof/search.hpp"

namespace mineproof {

namespace {

// Which candidates are compared, and how far the look-ahead is trusted (docs/lab/champion.md).
constexpr std::size_t most_compared = 8;
constexpr double slope = 0.7;  // win probabilities are proportional to this power of the scores
constexpr double deviation = 0.01;           // standard deviation of win probabilities from that
constexpr double early_deviation = 0.005;    // smaller at the start of a game
constexpr double late_deviation = 0.02;      // larger with few configurations left
constexpr double learned_deviation = 0.009;  // the same for the network's predictions
constexpr double late_learned_deviation = 0.017;
constexpr std::int32_t early_playouts = 2000;  // at the start of a game, fewer playouts say less
                                               // than the look-ahead, and a wrong choice there is
                                               // repeated in many games
constexpr double gain_of_all = 0.3;    // the win probability that the whole budget of playouts must
                                       // be expected to gain, at the rate of the next ones
constexpr double nothing_open = 1e-9;  // a smaller Outcomes::open is rounding noise
constexpr std::size_t first_judged = 8;  // boards before the first elimination
constexpr std::int32_t fewest = 32;      // fewer playouts are not worthwhile on a large board
constexpr double not_played = -1;
constexpr double vague = 0.04;  // a win probability with this standard error is not reported
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double ordinary = 1000;  // cells: above, the time of a playout grows with the square
// The time of a playout is proportional to the number of safe cells left to open plus `begun`; it
// counts as one playout if the sum is `usual`.
constexpr double begun = 70;
constexpr double usual = 250;

}  // namespace

// The number of leading candidates that the look-ahead leaves close together.
std::size_t Search::close_candidates() const {
  const auto& candidates = advice_.candidates;
  std::size_t count = 0;
  while (count < candidates.size() && count < most_compared &&
         candidates[count].score > candidates[0].score * close_by)
    ++count;
  return count;
}

// The number of playouts: fewer on large boards, and none if that is too few to decide; more if
// playouts are short.
std::int32_t Search::affordable_playouts(const Budget& budget, bool is_early) const {
  const double share = std::min(1.0, ordinary / static_cast<double>(view_.shape.size()));
  const double most = budget.playouts * share * share;
  const std::int32_t least = is_early ? early_playouts : share < 1 ? fewest : 1;
  if (most < least) return 0;
  if (share < 1) return static_cast<std::int32_t>(most);
  const auto covered = std::count_if(states_.begin(), states_.end(), [](std::uint8_t state) {
    return is_covered(state) || state == exploded;
  });
  const double safe = std::max<double>(static_cast<double>(covered) - prior_.mines(), 0);
  return static_cast<std::int32_t>(most * usual / (begun + safe));
}

// Solves the outcomes of a candidate that leave few configurations.
Search::Outcomes Search::outcomes(const Candidate& candidate, const Budget& budget) {
  Outcomes found;
  found.exact.fill(not_played);
  // Far from the limit, no outcome has that few.
  if (budget.leaves == 0 || engine_.log_weight() > std::log(budget.leaves) + 3.5) {
    found.open = 1 - candidate.risk;
    return found;
  }
  for (std::uint8_t shows = 0; shows <= largest_clue && !cancel_.stop_requested(); ++shows) {
    const std::uint8_t before = std::exchange(states_[candidate.cell], shows);
    const Outcome outcome = after_.solve(view_, prior_, state_budget, cancel_);
    states_[candidate.cell] = before;
    if (outcome == Outcome::contradiction || outcome == Outcome::cancelled) continue;
    const double chance = std::exp(after_.log_weight() - engine_.log_weight());
    std::optional<Choice> best;
    if (after_.list(at(budget.leaves), arrangements_, true, cancel_))
      best = endgame_.solve(view_.shape, arrangements_, budget.work, cancel_);
    if (best) {
      found.exact[shows] = best->worth / arrangements_.all();
      found.sure += chance * found.exact[shows];
    } else {
      found.open += chance;
    }
  }
  return found;
}

// Compares close candidates by what can be solved, and by playouts.
void Search::play_out(const Budget& budget, std::int32_t playouts, bool is_early, bool learned) {
  auto& candidates = advice_.candidates;
  const std::size_t count = close_candidates();
  if (count < 2) return;
  std::vector<Outcomes> known;
  const bool is_late = engine_.log_weight() < late;
  Race race(is_early  ? early_deviation
            : learned ? (is_late ? late_learned_deviation : learned_deviation)
            : is_late ? late_deviation
                      : deviation,
            gain_of_all / playouts);
  bool all_known = true;
  for (std::size_t i = 0; i < count; ++i) {
    known.push_back(outcomes(candidates[i], budget));
    Race::Arm& one = race.arms.emplace_back();
    one.sure = known[i].sure;
    one.open = known[i].open;
    one.prior_score = learned ? candidates[i].score : std::pow(candidates[i].score, slope);
    all_known &= known[i].open < nothing_open;
  }
  if (!all_known && playouts == 0) return;
  if (!all_known) compete(race, known, playouts);
  if (cancel_.stop_requested()) return;
  advice_.method = Method::playouts;
  for (std::size_t i = 0; i < count; ++i) {
    const Race::Arm& one = race.arms[i];
    candidates[i].win = all_known ? one.sure : one.win;
    candidates[i].error = all_known ? 0 : one.error;
  }
  order_by_wins(race);
}

// Plays boards until one candidate is left or the playouts are used up. All candidates play the
// same boards.
void Search::compete(Race& race, std::span<const Outcomes> known, std::int32_t playouts) {
  set_up_playout(Resample::near);
  const std::uint64_t here = name();
  std::int32_t played = 0;
  std::size_t left = race.arms.size();
  std::size_t next = first_judged;
  for (std::size_t board = 1; left > 1 && !cancel_.stop_requested(); ++board) {
    Stream stream(here, Purpose::playout, board);
    if (!engine_.draw(stream, board_, cancel_)) break;
    played += play_board(race, known, stream);
    const bool over = played >= playouts || board >= 2 * at(playouts);
    if (board != next && !over) continue;
    next += next / 2;
    left = race.judge();
    if (over) break;
  }
}

// Plays one board for every remaining candidate. Returns the number of playouts.
std::int32_t Search::play_board(Race& race, std::span<const Outcomes> known, const Stream& stream) {
  std::int32_t played = 0;
  for (std::size_t i = 0; i < race.arms.size(); ++i) {
    if (!race.arms[i].in) continue;
    const std::int32_t cell = advice_.candidates[i].cell;
    Stream own = stream;  // all candidates get the same random numbers
    const bool must = known[i].exact[playout_.deal(cell, board_, own)] < 0;
    race.arms[i].played.push_back(must ? playout_.play_out(cell, own) : not_played);
    played += must;
  }
  return played;
}

// Sorts the candidates, best first. Eliminated ones come last, whatever their few playouts suggest;
// their estimate is dropped if its error is large.
void Search::order_by_wins(const Race& race) {
  auto& candidates = advice_.candidates;
  std::vector<std::size_t> order(race.arms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool in = race.arms[a].in;
    return in != race.arms[b].in ? in : candidates[a].win > candidates[b].win;
  });
  const std::vector<Candidate> before = candidates;
  for (std::size_t i = 0; i < order.size(); ++i) {
    candidates[i] = before[order[i]];
    if (!race.arms[order[i]].in && candidates[i].error > vague)
      candidates[i].win = candidates[i].error = unknown;
  }
}

// The player in playouts uses the look-ahead in views that recur.
void Search::set_up_playout(Resample resample) {
  board_.resize(states_.size());
  playout_.set_up(
      view_.shape, states_, prior_.mines(), resample, cancel_,
      [this](const PlayerKnowledge& knowledge) { return player().guess(knowledge, cancel_); });
}

Search& Search::player() {
  if (!player_) player_ = std::make_unique<Search>();
  return *player_;
}

// Ignores 50/50s: finding them would double the time, for a tenth of what the look-ahead gains.
LowestRisk Search::guess(const PlayerKnowledge& knowledge, Cancel cancel) {
  Budget budget;
  budget.arrangements = 0;
  budget.work = 1'000'000;
  budget.fifties = budget.further = budget.learned = false;
  const Position position{knowledge.view(), knowledge.prior(), true, Opening::any};
  const Advice& advice = advise(position, budget, cancel);
  if (advice.candidates.empty()) return {};
  const Candidate& best = advice.candidates[0];
  return {best.cell, best.risk, best.risk};
}

}  // namespace mineproof
