// Decisions between close cells, with the features and win probability of each: the training data
// of the champion's `rank_by_network` (benchmarks/ranking_network.py).
//
// decisions ROWS COLS MINES OPENING START SEED FROM TO BOARDS
//
// `champion:budget=fast` plays immortal games (immortal_games.cpp). After the first cells, whenever
// its look-ahead finds close candidates, it plays playouts of each on the same BOARDS boards.
// Writes one row per candidate, of four-byte numbers: the game, the decision in it, the probability
// that the game gets that far, whether the cell was taken, its win probability, then the features
// of the cell, of the position and of the outcomes; and the square around it in bytes. The
// candidate with the best look-ahead score comes first.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/immortal.hpp"
#include "mineproof/playout.hpp"

using namespace mineproof;

namespace {

constexpr std::int32_t early = 12;      // opened cells
constexpr std::size_t apart = 100'000;  // board numbers between two decisions
constexpr std::int32_t often = 8;       // visits before the look-ahead is used in a view

class PlayingOut {
 public:
  PlayingOut(const Setting& setting, std::int32_t boards)
      : setting_(setting), boards_(boards), board_(at(setting.shape.size())) {}

  // The win probability of each candidate.
  std::vector<double> wins(const PlayerKnowledge& knowledge,
                           const std::vector<Candidate>& candidates, std::uint64_t seed,
                           std::size_t decision) {
    engine_.solve(knowledge.view(), knowledge.prior(), state_budget);
    playout_.set_up(
        setting_.shape, knowledge.states(), setting_.mines, Resample::near, {},
        [this](const PlayerKnowledge& met) { return search_.guess(met); }, often);
    std::vector<double> won(candidates.size());
    for (std::int32_t i = 0; i < boards_; ++i) {
      Stream stream(seed, Purpose::playout, apart * decision + at(i));
      engine_.draw(stream, board_);
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        Stream own = stream;
        (void)playout_.deal(candidates[c].cell, board_, own);
        won[c] += (1 - candidates[c].risk) * playout_.play_out(candidates[c].cell, own) / boards_;
      }
    }
    return won;
  }

 private:
  Setting setting_;
  std::int32_t boards_;
  std::vector<std::uint8_t> board_;
  Engine engine_;
  Playout playout_;
  Search search_;
};

void write(std::vector<double> row, const Measures& seen, const Square& square) {
  row.insert(row.end(), seen.begin() + CandidateFeatures::size, seen.end());
  const std::vector<float> numbers(row.begin(), row.end());
  std::fwrite(numbers.data(), sizeof(float), numbers.size(), stdout);
  std::array<std::uint8_t, (Square::size + 3) / 4 * 4> bytes{};
  std::copy(square.cells.begin(), square.cells.end(), bytes.begin());
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
}

}  // namespace

int main(int count, char** words) {
  if (count < 10) {
    std::fprintf(stderr, "usage: decisions ROWS COLS MINES safe|clear START SEED FROM TO BOARDS\n");
    return 2;
  }
  const Setting setting(words);
  const auto seed = std::strtoull(words[6], nullptr, 10);
  const auto from = std::strtoull(words[7], nullptr, 10);
  const auto to = std::strtoull(words[8], nullptr, 10);
  const auto free = cells_promised(setting.shape, setting.opening, setting.start);
  Budget budget;
  Budget looking = budget;
  looking.candidates = 24;
  Immortal player(setting, budget);
  PlayingOut playing_out(setting, number(words[9]));
  Search search;
  for (std::uint64_t game = from; game < to; ++game) {
    const std::uint64_t own = game_seed(seed, game);
    double alive = 1;
    std::size_t decision = 0;
    player.play(
        deal(setting.shape, setting.mines, free, own), setting.start, own,
        [&](const PlayerKnowledge& knowledge, const Advice& advice) {
          const Candidate taken = advice.candidates.at(0);
          const double here = std::exchange(alive, alive * (1 - taken.risk));
          ++decision;
          if (advice.method != Method::learned || knowledge.size() - knowledge.covered() < early)
            return;
          const Search::Looked looked =
              search.look({knowledge.view(), knowledge.prior(), true, setting.opening}, looking);
          if (looked.candidates.size() < 2) return;
          const auto won = playing_out.wins(knowledge, looked.candidates, own + 7, decision);
          const auto seen = measures_of(looked.features, looked.position);
          for (std::size_t c = 0; c < won.size(); ++c)
            write({static_cast<double>(game), static_cast<double>(decision), here,
                   looked.candidates[c].cell == taken.cell ? 1.0 : 0.0, won[c]},
                  seen[c], looked.features[c].square);
        });
    std::fflush(stdout);
  }
  return 0;
}
