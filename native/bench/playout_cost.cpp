// The cost of a playout from close decisions of whole games, and how much playouts can gain.
//
//     playout_cost ROWS COLS MINES OPENING START GAMES SEED [BOARDS]
//
// `champion:budget=fast,further=0,learned=0` plays GAMES immortal games (immortal_games.cpp). After
// the first cells, whenever its look-ahead finds close candidates, it plays playouts of the best on
// BOARDS boards [100], as the champion does with a larger budget. Prints positions, playouts, CPU
// microseconds per playout, and the mean win probability, which a change that only affects speed
// must not change. Then it prints how much more often a game would be won, in percentage points
// with the standard error, with the cells that win most on one half of the boards, judged by the
// other half; with more boards this approaches the best possible choice.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "bench/immortal.hpp"
#include "mineproof/playout.hpp"

using namespace mineproof;

namespace {

struct Totals {
  std::int64_t positions = 0, games = 0;
  double seconds = 0, won = 0;
};

// Win probabilities of a cell: on the even boards, and on the odd ones.
using Halves = std::array<double, 2>;

// The gain in win probability from choosing the best cell on one half of the boards instead of the
// first, measured on the other half; averaged over both assignments of halves.
double gain_of_choice(const std::vector<Halves>& won) {
  double gain = 0;
  for (const std::size_t chooses : {0U, 1U}) {
    std::size_t best = 0;
    for (std::size_t c = 1; c < won.size(); ++c)
      if (won[c][chooses] > won[best][chooses]) best = c;
    gain += (won[best][1 - chooses] - won[0][1 - chooses]) / 2;
  }
  return gain;
}

class PlayingOut {
 public:
  PlayingOut(Shape shape, std::int32_t mines, std::int32_t boards)
      : shape_(shape), mines_(mines), boards_(boards), board_(at(shape.size())) {}

  // Plays playouts of each close candidate of a position on the same boards. Returns the gain from
  // choosing better.
  double run(const PlayerKnowledge& knowledge, const std::vector<Candidate>& candidates) {
    std::size_t close = 0;
    while (close < std::min<std::size_t>(candidates.size(), 6) &&
           candidates[close].score > close_by * candidates[0].score)
      ++close;
    if (close < 2) return 0;
    const double begun = cpu_seconds();
    engine_.solve(knowledge.view(), knowledge.prior(), state_budget);
    playout_.set_up(shape_, knowledge.states(), mines_, Resample::near, {},
                    [this](const PlayerKnowledge& met) { return search_.guess(met); });
    std::vector<Halves> won(close);
    for (std::int32_t i = 0; i < boards_; ++i) {
      Stream stream(1, Purpose::playout, at(i));
      engine_.draw(stream, board_);
      for (std::size_t c = 0; c < close; ++c) {
        Stream own = stream;
        (void)playout_.deal(candidates[c].cell, board_, own);
        const double chance = playout_.play_out(candidates[c].cell, own);
        totals_.won += chance;
        won[c][at(i % 2)] += (1 - candidates[c].risk) * chance * 2 / boards_;
      }
    }
    totals_.seconds += cpu_seconds() - begun;
    totals_.games += boards_ * static_cast<std::int64_t>(close);
    ++totals_.positions;
    return gain_of_choice(won);
  }
  [[nodiscard]] const Totals& totals() const { return totals_; }

 private:
  Shape shape_;
  std::int32_t mines_;
  std::int32_t boards_;
  std::vector<std::uint8_t> board_;
  Engine engine_;
  Playout playout_;
  Search search_;
  Totals totals_;
};

}  // namespace

int main(int count, char** words) {
  if (count < 8) {
    std::fprintf(stderr,
                 "usage: playout_cost ROWS COLS MINES safe|clear START GAMES SEED [BOARDS]\n");
    return 2;
  }
  const Setting setting(words);
  const auto [shape, mines, opening, start] = setting;
  const auto games = std::strtoull(words[6], nullptr, 10);
  const auto seed = std::strtoull(words[7], nullptr, 10);
  const auto free = cells_promised(shape, opening, start);
  Budget budget;
  budget.further = budget.learned = false;
  Immortal player(setting, budget);
  PlayingOut playing_out(shape, mines, count > 8 ? number(words[8]) : 100);
  Mean gains;
  for (std::uint64_t game = 0; game < games; ++game) {
    const std::uint64_t own = game_seed(seed, game);
    double alive = 1;
    double gain = 0;
    player.play(
        deal(shape, mines, free, own), start, own,
        [&](const PlayerKnowledge& knowledge, const Advice& advice) {
          if (advice.method == Method::look_ahead && knowledge.size() - knowledge.covered() >= 12)
            gain += alive * playing_out.run(knowledge, advice.candidates);
          alive *= 1 - advice.candidates.at(0).risk;
        });
    gains.add(gain);
  }
  const Totals& totals = playing_out.totals();
  const auto played = static_cast<double>(totals.games);
  std::printf("%lld positions, %lld playouts, %.1f us per playout, %.9f %% won\n",
              static_cast<long long>(totals.positions), static_cast<long long>(totals.games),
              1e6 * totals.seconds / played, 100 * totals.won / played);
  std::printf("better choices: %+.3f +- %.3f points per game\n", 100 * gains.value(),
              100 * gains.error());
  return 0;
}
