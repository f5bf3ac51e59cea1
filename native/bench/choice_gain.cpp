// Estimates how much more one budget of the champion wins than another, from the choices in which
// they differ.
//
// choice_gain ROWS COLS MINES OPENING START GAMES SEED BOARDS [OPTIONS] -- [OPTIONS]
//
// The second budget plays GAMES immortal games (immortal_games.cpp). At each guess the first budget
// chooses, too; if they differ, `champion:budget=fast` plays playouts of both cells on BOARDS
// boards. The sum of these differences, each times the probability that the game gets that far, is
// how much more the second wins, if `fast` plays on as they would; it has a fifth of the noise of
// whole games. It overestimates a choice that would be offered again at the next guess. Prints the
// sum in percentage points, with its standard error.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "bench/immortal.hpp"
#include "mineproof/playout.hpp"

using namespace mineproof;

namespace {

// Compares two cells of a position by playouts on the same boards.
class Judge {
 public:
  Judge(Shape shape, std::int32_t mines, std::int32_t boards)
      : shape_(shape), mines_(mines), boards_(boards), board_(at(shape.size())) {}

  // How much more often the first cell wins than the second.
  double compare(const PlayerKnowledge& knowledge, const Candidate& first,
                 const Candidate& second) {
    engine_.solve(knowledge.view(), knowledge.prior(), state_budget);
    playout_.set_up(
        shape_, knowledge.states(), mines_, Resample::near, {},
        [this](const PlayerKnowledge& met) { return guess(met); }, 1);
    double ahead = 0;
    for (std::int32_t i = 0; i < boards_; ++i) {
      Stream stream(1, Purpose::playout, at(i));
      engine_.draw(stream, board_);
      ahead += wins(first, stream) - wins(second, stream);
    }
    return ahead / boards_;
  }

 private:
  LowestRisk guess(const PlayerKnowledge& knowledge) {
    Budget fast;
    const Advice& advice =
        search_.advise({knowledge.view(), knowledge.prior(), true, Opening::any}, fast);
    if (advice.candidates.empty()) return {};
    const Candidate& best = advice.candidates[0];
    return {best.cell, best.risk, best.risk};
  }

  double wins(const Candidate& candidate, Stream chance) {
    (void)playout_.deal(candidate.cell, board_, chance);
    return (1 - candidate.risk) * playout_.play_out(candidate.cell, chance);
  }

  Shape shape_;
  std::int32_t mines_;
  std::int32_t boards_;
  std::vector<std::uint8_t> board_;
  Engine engine_;
  Playout playout_;
  Search search_;
};

}  // namespace

int main(int count, char** words) {
  if (count < 9) {
    std::fprintf(stderr,
                 "usage: choice_gain ROWS COLS MINES safe|clear START GAMES SEED BOARDS "
                 "[OPTION=NUMBER...] -- [OPTION=NUMBER...]\n");
    return 2;
  }
  const Setting setting(words);
  const auto [shape, mines, opening, start] = setting;
  const auto games = std::strtoull(words[6], nullptr, 10);
  const auto seed = std::strtoull(words[7], nullptr, 10);
  Budget first;
  Budget second = first;
  Budget* budget = &first;
  for (int i = 9; i < count; ++i) {
    if (std::string_view(words[i]) == "--")
      budget = &second;
    else if (!set_option(*budget, words[i]))
      return std::fprintf(stderr, "unknown option: %s\n", words[i]), 2;
  }
  const auto free = cells_promised(shape, opening, start);
  Immortal player(setting, second);
  Judge judge(shape, mines, number(words[8]));
  Search other;
  std::int64_t differ = 0;
  Mean gains;
  for (std::uint64_t game = 0; game < games; ++game) {
    const std::uint64_t own = game_seed(seed, game);
    double alive = 1;
    double gain = 0;
    player.play(deal(shape, mines, free, own), start, own,
                [&](const PlayerKnowledge& knowledge, const Advice& advice) {
                  const Candidate taken = advice.candidates.at(0);
                  const Position position{knowledge.view(), knowledge.prior(), true, opening};
                  const Candidate left = other.advise(position, first).candidates.at(0);
                  if (left.cell != taken.cell) {
                    ++differ;
                    gain += alive * judge.compare(knowledge, taken, left);
                  }
                  alive *= 1 - taken.risk;
                });
    gains.add(gain);
  }
  std::printf("%llu games, %.2f differing choices per game: %+.3f +- %.3f points\n", games,
              static_cast<double>(differ) / static_cast<double>(games), 100 * gains.value(),
              100 * gains.error());
  return 0;
}
