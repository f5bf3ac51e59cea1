// The rule without luck: every ruling agrees with an independent listing of all configurations,
// boards are drawn from the posterior, and beyond the budget the judge is kind.
#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "check.hpp"
#include "mineproof/board.hpp"
#include "mineproof/fair.hpp"
#include "mineproof/play.hpp"

using namespace mineproof;

namespace {

// What the player knows of the number of mines.
struct Known {
  std::optional<std::int32_t> mines;
  std::optional<double> density;

  [[nodiscard]] Prior prior() const {
    if (mines) return Prior::count(*mines);
    return density ? Prior::density(*density) : Prior::uniform();
  }
};

// Whether everything that is shown is true of a board.
bool fits(Shape shape, std::span<const std::uint8_t> states, std::span<const std::uint8_t> mined) {
  const Cells counts = count_mines(shape, mined);
  for (std::size_t i = 0; i < states.size(); ++i)
    if ((is_clue(states[i]) && (mined[i] || states[i] != counts[i])) ||
        (states[i] == known_safe && mined[i]))
      return false;
  return true;
}

// All boards that are consistent with the states, by trying every set of mines.
std::vector<Cells> list(Shape shape, std::span<const std::uint8_t> states,
                        std::optional<std::int32_t> mines) {
  std::vector<Cells> found;
  const auto size = static_cast<unsigned>(shape.size());
  for (unsigned bits = 0; bits < 1U << size; ++bits) {
    Cells mined(size);
    for (unsigned i = 0; i < size; ++i) mined[i] = static_cast<std::uint8_t>(bits >> i & 1);
    if (mines && std::accumulate(mined.begin(), mined.end(), 0) != *mines) continue;
    if (fits(shape, states, mined)) found.push_back(mined);
  }
  return found;
}

// Plays random games on tiny boards and compares every ruling with the listing.
void test_rulings() {
  const Shape shape{3, 4};
  FairJudge judge;
  std::map<std::string_view, int> seen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Stream random(seed, Purpose::ties);
    const auto dealt = static_cast<std::int32_t>(1 + random.below(6));
    const Known known = seed % 3 == 0   ? Known{dealt, {}}
                        : seed % 3 == 1 ? Known{{}, 0.3}
                                        : Known{{}, {}};
    Cells mined = deal(shape, dealt, {}, seed);
    Cells states(mined.size(), hidden);
    for (std::uint64_t move = 0;; ++move) {
      std::vector<std::int32_t> covered;
      for (std::int32_t i = 0; i < shape.size(); ++i)
        if (states[at(i)] == hidden || states[at(i)] == known_safe) covered.push_back(i);
      if (covered.empty()) break;
      const std::int32_t cell = covered[random.below(static_cast<std::uint32_t>(covered.size()))];
      if (random.uniform() < 0.15 && states[at(cell)] == hidden) {
        states[at(cell)] = flagged;
        continue;
      }
      if (random.uniform() < 0.1 && !mined[at(cell)]) states[at(cell)] = known_safe;
      const std::vector<Cells> all = list(shape, states, known.mines);
      std::vector<std::size_t> mines_at(states.size());
      for (const Cells& one : all)
        for (std::size_t i = 0; i < one.size(); ++i) mines_at[i] += one[i];
      bool any_safe = false;
      for (std::size_t i = 0; i < states.size(); ++i)
        any_safe |= is_covered(states[i]) && mines_at[i] == 0;
      const bool is_safe = mines_at[at(cell)] == 0;
      const bool is_mine = mines_at[at(cell)] == all.size();
      const bool explodes = is_mine || (!is_safe && any_safe);

      const auto ruling =
          judge.judge({shape, states, known.prior(), cell, mined, dealt, seed, move}, state_budget);
      CHECK(!ruling.kind && !ruling.cancelled);
      if (is_safe || is_mine) {
        CHECK(!ruling.drawn);
        ++seen["certain"];
      } else if (any_safe) {
        CHECK(ruling.drawn == !mined[at(cell)]);
        ++seen[ruling.drawn ? "made fatal" : "fatal"];
      } else {
        CHECK(ruling.drawn);
        ++seen["guess"];
      }
      if (ruling.drawn) {
        const auto board = judge.board();
        CHECK(fits(shape, states, board));
        mined.assign(board.begin(), board.end());
        // As many mines as usual, if any configuration has as many.
        const std::vector<Cells> usual = list(shape, states, dealt);
        const auto agrees = [&](const Cells& one) { return one[at(cell)] == explodes; };
        if (std::ranges::any_of(usual, agrees))
          CHECK(std::accumulate(mined.begin(), mined.end(), 0) == dealt);
        else
          ++seen["unusual"];
      }
      CHECK((mined[at(cell)] != 0) == explodes);
      if (explodes) break;
      states[at(cell)] = count_mines(shape, mined)[at(cell)];
    }
  }
  for (const char* kind : {"certain", "made fatal", "fatal", "guess", "unusual"})
    CHECK(seen[kind] > 5);
}

// Where nothing is certain, all configurations without a mine in the cell are equally likely.
void test_draws() {
  const Shape shape{2, 3};
  // The clue in the corner touches 3 of the 5 hidden cells; 2 mines in total.
  const Cells states = {1, hidden, hidden, hidden, hidden, hidden};
  const Cells mined = {0, 1, 1, 0, 0, 0};
  Cells after = states;
  after[1] = known_safe;
  const auto all = list(shape, after, 2);
  std::map<Cells, int> drawn;
  constexpr int draws = 4000;
  FairJudge judge;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    CHECK(judge.judge({shape, states, Prior::count(2), 1, mined, 2, seed, 5}).drawn);
    ++drawn[Cells(judge.board().begin(), judge.board().end())];
  }
  CHECK(drawn.size() == all.size());
  double chi_square = 0;
  const double expected = draws / static_cast<double>(all.size());
  for (const Cells& one : all) {
    const double off = drawn[one] - expected;
    chi_square += off * off / expected;
  }
  CHECK(all.size() == 4 && chi_square < 16.3);  // 0.1 % with 3 degrees of freedom
}

// With no budget at all, nothing is proved: openings are safe, and little of the board changes.
void test_kindness() {
  const Shape shape{12, 12};
  FairJudge judge;
  int kind = 0;
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Cells mined = deal(shape, 30, {}, seed);
    const Cells counts = count_mines(shape, mined);
    Cells states(mined.size(), hidden);
    Stream random(seed, Purpose::ties);
    for (std::size_t i = 0; i < states.size(); ++i)
      if (!mined[i] && random.uniform() < 0.25) states[i] = counts[i];
    Engine engine;
    const View seen{shape, states, &exact_clues, {}};
    for (const std::size_t budget : {std::size_t{20}, std::size_t{200}}) {
      if (engine.find_certain(seen, Prior::count(30), budget) != Outcome::estimate) continue;
      const std::vector<Verdict> verdicts(engine.verdicts().begin(), engine.verdicts().end());
      for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
        if (states[at(cell)] != hidden) continue;
        const auto ruling =
            judge.judge({shape, states, Prior::count(30), cell, mined, 30, seed, 0}, budget);
        const bool certain = verdicts[at(cell)] != Verdict::open;
        CHECK(ruling.kind == !certain);
        if (!ruling.drawn) continue;
        CHECK(mined[at(cell)] && !judge.board()[at(cell)]);
        CHECK(fits(shape, states, judge.board()));
        CHECK(std::accumulate(judge.board().begin(), judge.board().end(), 0) == 30);
        ++changed;
      }
      ++kind;
    }
  }
  CHECK(kind > 10 && changed > 100);
}

// Whole games: an agent that deduces everything never loses, others lose only by mistakes, and all
// that was shown is true of the final board.
void test_games() {
  Match match;
  int lost = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Shape shape{9, static_cast<std::int32_t>(9 + seed % 3)};
    GameRules rules;
    rules.opening = static_cast<Opening>(seed % 3);
    rules.count_known = seed % 4 != 0;
    rules.luck = Luck::fair;
    const GameSetup ground{shape, {}, 14, std::nullopt};
    Strategy strategy;
    for (const AdvancedRule beyond : {AdvancedRule::exact, AdvancedRule::none}) {
      strategy.beyond = beyond;
      const Played played = match.play(ground, rules, exact_clues, strategy, -1, seed, true);
      CHECK(played.fault == Fault::none);
      CHECK(played.won || beyond == AdvancedRule::none);
      lost += !played.won;

      Referee referee;
      referee.begin(neighbourhood_of(shape, nullptr), rules, exact_clues, seed);
      std::uint64_t moves = 0;
      for (const Move& move : match.moves()) {
        if (!referee.dealt()) {
          referee.deal(ground, move.cell);
          CHECK(referee.promise(move.cell));
        }
        if (move.action == Action::open) referee.open(move.cell);
        if (move.action == Action::flag) referee.flag(move.cell);
        if (move.action == Action::unflag) referee.unflag(move.cell);
        CHECK(referee.judge()->moves() == ++moves);
        std::int32_t right = 0;
        for (std::int32_t cell = 0; cell < shape.size(); ++cell)
          right += referee.shows(cell) == flagged && referee.is_mine(cell);
        CHECK(referee.right() == right);
        CHECK(fits(shape, referee.states(), referee.board()));
      }
      CHECK(referee.ended() && referee.won() == played.won);
      CHECK(referee.mines() == played.mines);
    }
  }
  CHECK(lost > 50);
}

void test_cancelling() {
  const Shape shape{3, 3};
  const Cells states(9, hidden);
  const Cells mined = {1, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::atomic<bool> asked = true;
  const auto ruling = FairJudge().judge({shape, states, Prior::count(1), 0, mined, 1, 0, 0},
                                        state_budget, Cancel(asked));
  CHECK(ruling.cancelled || ruling.drawn);
}

}  // namespace

int main() {
  test_rulings();
  test_draws();
  test_kindness();
  test_games();
  test_cancelling();
  return exit_code();
}
