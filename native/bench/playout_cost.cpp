// What a game played out costs, from contested positions of whole games.
//
//     playout_cost ROWS COLS MINES OPENING START GAMES SEED [BOARDS]
//
// `champion:budget=fast` plays so many games, immortal ones (immortal_games.cpp). Where its
// look-ahead leaves candidates close together after the first cells, the best are played out from
// there on so many boards [100], as the champion does with a larger budget. Prints positions,
// games, CPU microseconds a game, and the mean chance to win: the same before and after a change
// that is for speed alone.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include "mineproof/chance.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/mind.hpp"
#include "mineproof/referee.hpp"
#include "mineproof/runner.hpp"
#include "mineproof/search.hpp"

using namespace mineproof;

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::int32_t number(const char* text) { return static_cast<std::int32_t>(std::atol(text)); }

struct Totals {
  std::int64_t positions = 0, games = 0;
  double seconds = 0, won = 0;
};

// Plays games to where they are contested.
class Player {
 public:
  Player(Shape shape, std::int32_t mines, Opening opening, std::int32_t boards)
      : shape_(shape), mines_(mines), opening_(opening), boards_(boards) {
    budget_.work = 500'000;
    neighbourhood_ = neighbourhood_of(shape, nullptr);
    board_.resize(at(shape.size()));
  }

  void play(const Cells& board, std::int32_t start, std::uint64_t seed, Totals& totals) {
    Mind::Habits habits;
    habits.pairs = true;
    mind_.begin(neighbourhood_, habits, {mines_, std::nullopt});
    GameRules rules;
    rules.opening = opening_;
    referee_.begin(neighbourhood_, rules);
    referee_.deal(board);
    (void)referee_.promise(start);
    tell();
    open(start);
    for (std::uint64_t guess = 0; settle(), !referee_.all_safe_open(); ++guess) {
      const Position position{mind_.view(), mind_.prior(), true, opening_};
      const Advice advice = search_.advise(position, budget_);
      if (advice.method == Method::look_ahead && mind_.size() - mind_.covered() >= 12)
        play_out(advice.candidates, totals);
      const std::int32_t cell = advice.candidates[0].cell;
      if (referee_.is_mine(cell))
        draw_without(cell, Stream(seed, Purpose::playout, 1000 * guess + at(cell)));
      open(cell);
    }
  }

 private:
  void tell() {
    for (const std::int32_t changed : referee_.changed())
      mind_.see(changed, referee_.shows(changed));
  }
  void open(std::int32_t cell) {
    referee_.open(cell);
    tell();
  }
  void settle() {
    for (;;) {
      mind_.reason();
      std::int32_t cell = mind_.next_to_open();
      if (cell >= 0) {
        for (; cell >= 0; cell = mind_.next_to_open()) open(cell);
        continue;
      }
      if (referee_.all_safe_open()) return;
      engine_.solve(mind_.view(), mind_.prior(), state_budget);
      if (!engine_.any_safe()) return;
      const auto verdicts = engine_.verdicts();
      for (std::int32_t one = 0; one < mind_.size(); ++one)
        if (verdicts[at(one)] != Verdict::open && mind_.is_open(one))
          mind_.settle(one, verdicts[at(one)] == Verdict::mine, Rule::exact);
    }
  }
  void draw_without(std::int32_t cell, Stream stream) {
    states_.assign(mind_.states().begin(), mind_.states().end());
    states_[at(cell)] = told_safe;
    View view = mind_.view();
    view.states = states_;
    engine_.solve(view, mind_.prior(), state_budget);
    engine_.draw(stream, board_);
    referee_.deal(board_);
  }
  // The close candidates of a position, each on the same boards.
  void play_out(const std::vector<Candidate>& candidates, Totals& totals) {
    std::size_t close = 0;
    while (close < std::min<std::size_t>(candidates.size(), 6) &&
           candidates[close].score > close_by * candidates[0].score)
      ++close;
    if (close < 2) return;
    const double begun = cpu_seconds();
    engine_.solve(mind_.view(), mind_.prior(), state_budget);
    runner_.set_up(shape_, mind_.states(), mines_, Redraw::near);
    for (std::int32_t i = 0; i < boards_; ++i) {
      Stream stream(1, Purpose::playout, at(i));
      engine_.draw(stream, board_);
      for (std::size_t c = 0; c < close; ++c) {
        Stream own = stream;
        (void)runner_.deal(candidates[c].cell, board_, own);
        totals.won += runner_.play_out(candidates[c].cell, own);
      }
    }
    totals.seconds += cpu_seconds() - begun;
    totals.games += boards_ * static_cast<std::int64_t>(close);
    ++totals.positions;
  }

  Shape shape_;
  std::int32_t mines_;
  Opening opening_;
  std::int32_t boards_;
  Budget budget_;
  SharedNeighbourhood neighbourhood_;
  Mind mind_;
  Referee referee_;
  Engine engine_;
  Search search_;
  Runner runner_;
  std::vector<std::uint8_t> states_, board_;
};

}  // namespace

int main(int count, char** words) {
  if (count < 8) {
    std::fprintf(stderr,
                 "usage: playout_cost ROWS COLS MINES safe|clear START GAMES SEED [BOARDS]\n");
    return 2;
  }
  const Shape shape{number(words[1]), number(words[2])};
  const std::int32_t mines = number(words[3]);
  const Opening opening = std::string_view(words[4]) == "clear" ? Opening::clear : Opening::safe;
  const std::int32_t start = number(words[5]);
  const auto games = std::strtoull(words[6], nullptr, 10);
  const auto seed = std::strtoull(words[7], nullptr, 10);
  const auto free = cells_promised(shape, opening, start);
  Player player(shape, mines, opening, count > 8 ? number(words[8]) : 100);
  Totals totals;
  for (std::uint64_t game = 0; game < games; ++game) {
    const std::uint64_t own = Stream(seed, Purpose::game, game).next64() >> 11;
    player.play(deal(shape, mines, free, own), start, own, totals);
  }
  const auto played = static_cast<double>(totals.games);
  std::printf("%lld positions, %lld games, %.1f us a game, %.9f %% won\n",
              static_cast<long long>(totals.positions), static_cast<long long>(totals.games),
              1e6 * totals.seconds / played, 100 * totals.won / played);
  return 0;
}
