// Games played out from a position, on boards drawn for it: what the look-ahead cannot see.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mineproof/play.hpp"
#include "mineproof/search.hpp"

namespace mineproof {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t state_budget = 1'000'000;

// The player of playouts: the least risk, and perfect play with few arrangements left.
constexpr std::size_t few = 40;
constexpr std::int64_t little_work = 200'000;

// Which candidates are compared, and how much the look-ahead is trusted (docs/play.md).
constexpr std::size_t most_compared = 6;
constexpr double slope = 0.7;              // chances to win go with this power of the scores
constexpr double deviation = 0.01;         // of chances to win from that;
constexpr double early_deviation = 0.005;  // less before much is open: a wrong choice there
                                           // is made again in many games;
constexpr double late_deviation = 0.02;    // more with few arrangements left:
constexpr double late = 30;                // the logarithm of their number
constexpr double beaten = 2.5;             // so many standard errors behind the leader

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

double square(double x) { return x * x; }

// The standard error of the mean of so many chances. Games that all end alike still leave
// some doubt, so an estimate is never taken for the truth.
double error_of(double sum, double squares, double count) {
  if (count < 1) return 0.5;
  const double variance = squares / count - square(sum / count);
  return std::sqrt(std::max(variance, 1 / count) / count);
}

}  // namespace

void Player::set_up(Shape shape, std::span<const std::uint8_t> states,
                    std::optional<std::int32_t> mines) {
  Strategy strategy;
  strategy.pairs = true;
  strategy.beyond = Beyond::exact;
  sit_down(shape, {}, strategy);
  told_mines_ = mines;
  std::copy(states.begin(), states.end(), states_.begin());
  for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
    const std::uint8_t state = states_[at(cell)];
    if (state == told_safe) settle(cell, false, Rule::opening);
    if (is_covered(state)) continue;
    see(cell, state == exploded);
    opened_ += state != exploded;
    if (state <= 8) touch(cell);
  }
  reason();
}

// Takes over what another player knows.
void Player::resume(const Player& other) {
  if (shape_.rows != other.shape_.rows || shape_.cols != other.shape_.cols)
    sit_down(other.shape_, other.rules_, other.strategy_);
  rules_ = other.rules_;
  strategy_ = other.strategy_;
  told_mines_ = other.told_mines_;
  states_ = other.states_;
  truth_ = other.truth_;
  open_ = other.open_;
  mines_around_ = other.mines_around_;
  covered_ = other.covered_;
  mines_known_ = other.mines_known_;
  settled_ = other.settled_;
  opened_ = other.opened_;
  to_open_ = other.to_open_;
  to_flag_.reset(shape_.size());
  exploded_ = flags_ = right_ = 0;
  ended_ = false;
  solved_version_ = ~std::uint64_t{0};
}

double Player::play_out(const Player& position, std::int32_t first,
                        std::span<const std::uint8_t> mined, Stream& stream) {
  resume(position);
  mined_.assign(mined.begin(), mined.end());
  counts_ = count_mines(shape_, mined_);
  mines_ = *told_mines_;
  const std::int32_t safe = shape_.size() - mines_;
  double chance = 1;
  for (std::int32_t cell = first;;) {
    open(cell);
    open_all_certain();
    if (opened_ == safe) return chance;
    if (engine_.list(few, arrangements_))
      if (const auto best = endgame_.solve(shape_, arrangements_, little_work))
        return chance * best->worth / arrangements_.all();
    const Move guess = least_risk();
    if (guess.cell < 0 || guess.risk >= 1) return 0;
    chance *= 1 - guess.risk;
    cell = guess.cell;
    if (!mined_[at(cell)]) continue;
    states_[at(cell)] = told_safe;  // a board on which it is
    ++version_;
    solve();
    engine_.draw(stream, mined_);
    counts_ = count_mines(shape_, mined_);
    states_[at(cell)] = hidden;
  }
}

// Opens all that is certain, until nothing is. The order is of no account here: all that can
// be proved will be.
void Player::open_all_certain() {
  const std::int32_t safe = shape_.size() - mines_;
  for (;;) {
    do {
      do {
        reason_locally();
      } while (open_settled());
    } while (compare_pairs());
    if (opened_ == safe) return;
    solve();
    if (!engine_.any_safe()) return;
    const auto verdicts = engine_.verdicts();
    for (std::int32_t cell = 0; cell < shape_.size(); ++cell)
      if (truth_[at(cell)] == Truth::open && verdicts[at(cell)] != Verdict::open)
        settle(cell, verdicts[at(cell)] == Verdict::mine, Rule::exact);
  }
}

// Opens what is settled as safe. Whether there was any.
bool Player::open_settled() {
  bool any = false;
  while (!to_open_.empty()) {
    const std::int32_t cell = to_open_.top();
    to_open_.pop();
    if (!is_covered(states_[at(cell)])) continue;
    open(cell);
    any = true;
  }
  return any;
}

// The least risk; ties to the fewest covered neighbours, then to the first found.
Move Player::least_risk() {
  Move best{-1, Action::open, false, Rule::none, 2};
  std::int32_t fewest = 9;
  engine_.each_box([&](std::span<const std::int32_t> cells, double risk) {
    if (risk > best.risk + 1e-10) return;
    if (risk < best.risk - 1e-10) fewest = 9;
    for (const std::int32_t cell : cells) {
      std::int32_t covered = 0;
      for (const std::int32_t near : around(cell)) {
        covered += is_covered(states_[at(near)]);
        if (covered >= fewest) break;
      }
      if (covered >= fewest) continue;
      fewest = covered;
      best.cell = cell;
      best.risk = risk;
    }
  });
  return best;
}

void Search::set_up_players() {
  if (!runner_) {
    at_position_ = std::make_unique<Player>();
    runner_ = std::make_unique<Player>();
  }
  board_.resize(states_.size());
  at_position_->set_up(view_.shape, states_, prior_.mines);
}

namespace {

// Candidates in a contest: their chances to win as playouts tell them so far, and with them
// what the look-ahead said.
class Contest {
 public:
  explicit Contest(double deviation_of_scores) : deviation_(deviation_of_scores) {}

  struct Entrant {
    double sure = 0;    // chance to win that is known already
    double open = 0;    // chance of what must be played out
    double told = 0;    // what the look-ahead says, up to a factor
    bool in = true;     // not beaten yet
    double mean = 0;    // of what was played out
    double win = 0;     // with what the look-ahead says
    double spread = 0;  // its variance, apart from what is common to all
    double error = 0;
    std::vector<double> played;  // by board; below 0 where none was played
  };
  std::vector<Entrant> entrants;

  // Means and errors of all that are in. The beaten leave. How many are in then.
  std::size_t judge() {
    double wins = 0;
    double told = 0;
    for (Entrant& one : entrants) {
      if (!one.in) continue;
      double sum = 0;
      double count = 0;
      double squares = 0;
      for (const double chance : one.played)
        if (chance >= 0) {
          sum += chance;
          squares += chance * chance;
          count += 1;
        }
      one.mean = count > 0 ? sum / count : 0;
      one.error = one.open * error_of(sum, squares, count);
      wins += one.sure + one.open * one.mean;
      told += one.told;
    }
    find_spreads();
    for (Entrant& one : entrants) {
      if (!one.in) continue;
      // Normal errors on both sides: the mean of both, by how sure they are.
      const double trust = one.spread / (one.spread + square(deviation_));
      one.win = trust * wins / told * one.told + (1 - trust) * (one.sure + one.open * one.mean);
      one.spread *= 1 - trust;
    }
    const Entrant& first = entrants[leader()];
    std::size_t left = 0;
    for (Entrant& one : entrants) {
      one.in &= first.win - one.win <= beaten * std::sqrt(one.spread + first.spread);
      left += one.in;
    }
    return left;
  }

  [[nodiscard]] std::size_t leader() const {
    std::size_t best = entrants.size();
    for (std::size_t i = 0; i < entrants.size(); ++i)
      if (entrants[i].in && (best == entrants.size() || entrants[i].win > entrants[best].win))
        best = i;
    return best;
  }

 private:
  double deviation_;

  // Boards are the same for all, so what they have in common tells nothing apart.
  void find_spreads() {
    double count = 0;
    std::size_t boards = 0;
    for (Entrant& one : entrants)
      if (one.in) {
        one.spread = 0;
        boards = one.played.size();
        count += 1;
      }
    const auto off = [](const Entrant& one, std::size_t board) {
      return one.played[board] >= 0 ? one.played[board] - one.mean : 0;
    };
    for (std::size_t board = 0; board < boards; ++board) {
      double common = 0;
      for (const Entrant& one : entrants)
        if (one.in) common += off(one, board) / count;
      for (Entrant& one : entrants)
        if (one.in) one.spread += square(off(one, board) - common);
    }
    for (Entrant& one : entrants)
      if (one.in) one.spread = one.spread / square(static_cast<double>(boards)) + 1e-12;
  }
};

}  // namespace

// What follows a cell is solved where that leaves few arrangements.
Search::Outcomes Search::outcomes(const Candidate& candidate, const Budget& budget) {
  Outcomes found;
  found.exact.fill(-1);
  // Far from it no outcome has so few.
  if (budget.leaves == 0 || engine_.log_weight() > std::log(budget.leaves) + 3.5) {
    found.open = 1 - candidate.risk;
    return found;
  }
  for (std::uint8_t shows = 0; shows <= 8; ++shows) {
    const std::uint8_t before = std::exchange(states_[at(candidate.cell)], shows);
    const Outcome outcome = after_.solve(view_, prior_, state_budget);
    states_[at(candidate.cell)] = before;
    if (outcome == Outcome::contradiction) continue;
    const double chance = std::exp(after_.log_weight() - engine_.log_weight());
    std::optional<Choice> best;
    if (after_.list(at(budget.leaves), arrangements_, true))
      best = endgame_.solve(view_.shape, arrangements_, budget.work);
    if (best) {
      found.exact[shows] = best->worth / arrangements_.all();
      found.sure += chance * found.exact[shows];
    } else {
      found.open += chance;
    }
  }
  return found;
}

// Plays games out from the candidates that the look-ahead leaves close together.
void Search::play_out(const Budget& budget, bool early) {
  auto& candidates = advice_.candidates;
  std::size_t count = 0;
  while (count < candidates.size() && count < most_compared &&
         candidates[count].score > candidates[0].score * close_by)
    ++count;
  if (count < 2 || (budget.playouts == 0 && budget.leaves == 0)) return;
  std::vector<Outcomes> known;
  Contest contest(early                         ? early_deviation
                  : engine_.log_weight() < late ? late_deviation
                                                : deviation);
  bool all_known = true;
  for (std::size_t i = 0; i < count; ++i) {
    known.push_back(outcomes(candidates[i], budget));
    Contest::Entrant& one = contest.entrants.emplace_back();
    one.sure = known[i].sure;
    one.open = known[i].open;
    one.told = std::pow(candidates[i].score, slope);
    all_known &= known[i].open < 1e-9;
  }
  if (!all_known) {
    if (budget.playouts == 0) return;
    set_up_players();
    const std::uint64_t here = name();
    std::int32_t played = 0;
    std::size_t left = count;
    std::size_t next = 32;
    for (std::size_t board = 1; left > 1; ++board) {
      Stream stream(here, Purpose::playout, board);
      engine_.draw(stream, board_);
      for (std::size_t i = 0; i < count; ++i) {
        if (!contest.entrants[i].in) continue;
        const std::int32_t cell = candidates[i].cell;
        std::size_t shows = 0;
        view_.shape.around(cell, [&](std::int32_t near) { shows += board_[at(near)]; });
        const bool must = !board_[at(cell)] && known[i].exact[shows] < 0;
        Stream own = stream;  // chance is the same for all, too
        contest.entrants[i].played.push_back(
            must ? runner_->play_out(*at_position_, cell, board_, own) : -1);
        played += must;
      }
      const bool over = played >= budget.playouts || board >= 2 * at(budget.playouts);
      if (board != next && !over) continue;
      next += next / 2;
      left = contest.judge();
      if (over) break;
    }
  }
  advice_.method = Method::playouts;
  for (std::size_t i = 0; i < count; ++i) {
    const Contest::Entrant& one = contest.entrants[i];
    candidates[i].win = all_known ? one.sure : one.win;
    candidates[i].error = all_known ? 0 : one.error;
  }
  // Those that were beaten stay behind, whatever the few games say that they had.
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool in = contest.entrants[a].in;
    return in != contest.entrants[b].in ? in : candidates[a].win > candidates[b].win;
  });
  const std::vector<Candidate> before = candidates;
  for (std::size_t i = 0; i < count; ++i) candidates[i] = before[order[i]];
}

// The mean of games played out from this cell, given that it is safe: the states say so, and
// the engine has solved them.
Chance Search::sample(std::int32_t cell, std::int32_t games) {
  set_up_players();
  const std::uint64_t here = name();
  double sum = 0;
  double squares = 0;
  for (std::int32_t i = 0; i < games; ++i) {
    Stream stream(here, Purpose::playout, static_cast<std::uint64_t>(i));
    engine_.draw(stream, board_);
    const double win = runner_->play_out(*at_position_, cell, board_, stream);
    sum += win;
    squares += square(win);
  }
  return {sum / games, error_of(sum, squares, games)};
}

// The chance to win by opening this cell first, given that it keeps what is promised: exact
// where few arrangements are left. Below 0 where it cannot.
Chance Search::first_chance(const Position& position, std::int32_t cell, std::int32_t games,
                            const Budget& budget) {
  std::fill(states_.begin(), states_.end(), std::uint8_t{hidden});
  states_[at(cell)] = told_safe;
  if (position.opening == Opening::clear)
    view_.shape.around(cell, [&](std::int32_t near) { states_[at(near)] = told_safe; });
  if (engine_.solve(view_, prior_, state_budget) != Outcome::exact) return {-1, 0};
  if (engine_.list(4 * at(budget.arrangements), arrangements_, true))
    if (const auto best = endgame_.solve(view_.shape, arrangements_, 4 * budget.work))
      return {best->worth / arrangements_.all(), 0};
  return sample(cell, games);
}

std::optional<Chance> Search::chance(const Position& position, const Budget& budget,
                                     std::int32_t games) {
  if (!position.view.model->exact || !position.view.overrides.empty() || !position.mine_ends ||
      position.prior.kind != Prior::Kind::count)
    return std::nullopt;
  begin(position);
  if (engine_.solve(view_, prior_, state_budget) != Outcome::exact) return std::nullopt;
  if (std::find(states_.begin(), states_.end(), std::uint8_t{exploded}) != states_.end())
    return Chance{0, 0};
  if (engine_.list(at(budget.arrangements), arrangements_, true)) {
    if (const auto best = endgame_.solve(view_.shape, arrangements_, budget.work))
      return Chance{best->worth / arrangements_.all(), 0};
  }
  const auto verdicts = engine_.verdicts();
  for (std::int32_t cell = 0; cell < view_.shape.size(); ++cell)
    if (verdicts[at(cell)] == Verdict::safe || states_[at(cell)] == told_safe)
      return sample(cell, games);
  if (advise(position, budget).candidates.empty()) return std::nullopt;
  const Candidate best = advice_.candidates[0];
  const bool promised = advice_.method == Method::opening && position.opening != Opening::any;
  if (advice_.method == Method::opening && !std::isnan(best.win))
    return Chance{best.win, best.error};
  begin(position);
  states_[at(best.cell)] = told_safe;
  if (promised && position.opening == Opening::clear)
    view_.shape.around(best.cell, [&](std::int32_t near) { states_[at(near)] = told_safe; });
  if (engine_.solve(view_, prior_, state_budget) != Outcome::exact) return std::nullopt;
  const Chance found = sample(best.cell, games);
  return Chance{(1 - best.risk) * found.win, (1 - best.risk) * found.error};
}

// The first move. A small board's first cell is found by playing it, up to symmetry; on large
// ones a corner opens most often, and a cell near one if its surroundings are promised.
void Search::first(const Position& position, const Budget& budget) {
  const Shape shape = view_.shape;
  advice_.method = Method::opening;
  const bool promised = position.opening != Opening::any;
  const double risk = promised                              ? 0
                      : prior_.kind == Prior::Kind::count   ? prior_.mines / (1.0 * shape.size())
                      : prior_.kind == Prior::Kind::density ? prior_.density
                                                            : 0.5;
  constexpr std::int32_t small = 64;
  if (shape.size() > small || prior_.kind != Prior::Kind::count || !mine_ends_) {
    const std::int32_t step = position.opening == Opening::clear ? 2 : 0;
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
      const auto [win, error] = first_chance(position, cell, games, budget);
      if (win >= 0)
        advice_.candidates.push_back({cell, risk, unknown, (1 - risk) * win, (1 - risk) * error});
    }
  std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.win > b.win; });
  if (advice_.candidates.empty())
    advice_.candidates.push_back({0, risk, unknown, unknown, unknown});
}

}  // namespace mineproof
