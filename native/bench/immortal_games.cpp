// Measures how well the champion plays, with a fraction of the noise of counting wins.
//
// immortal_games ROWS COLS MINES OPENING START SEED|FILE FROM TO [OPTION=NUMBER...]
//
// An immortal game continues after a mine. Each guess multiplies its result by the probability that
// the cell is safe; if it is a mine, the rest of the board is drawn again from the configurations
// in which it is safe. The mean of the products is the win probability. The random draws depend
// only on the board, the guess and the cell, so two budgets that make the same guesses get the same
// boards: run both, and compare line by line.
//
// OPENING is `safe` or `clear`, START is the index of a cell, and the options are those of a
// champion's budget. The boards are those of mp.arena with this seed, or of a corpus, from FROM up
// to TO. Prints one line per board as soon as it is played: the win probability, whether the game
// as dealt is won, guesses, and CPU milliseconds until it was won or lost.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "bench/immortal.hpp"

using namespace mineproof;

namespace {

// A board of a corpus: hexadecimal digits, row by row, the first cell in the highest bit.
Cells board_of(std::string_view line, Shape shape) {
  Cells cells(at(shape.size()));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const char digit = line[i / 4];
    const int four = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    cells[i] = four >> (3 - i % 4) & 1;
  }
  return cells;
}

}  // namespace

int main(int count, char** words) {
  if (count < 9) {
    std::fprintf(stderr,
                 "usage: immortal_games ROWS COLS MINES safe|clear START SEED|FILE FROM TO "
                 "[OPTION=NUMBER...]\n");
    return 2;
  }
  const Setting setting(words);
  const auto [shape, mines, opening, start] = setting;
  const auto seed = std::strtoull(words[6], nullptr, 10);
  const auto from = std::strtoull(words[7], nullptr, 10);
  const auto to = std::strtoull(words[8], nullptr, 10);
  Budget budget;
  for (int i = 9; i < count; ++i)
    if (!set_option(budget, words[i]))
      return std::fprintf(stderr, "unknown option: %s\n", words[i]), 2;
  std::ifstream corpus;
  std::string line;
  if (seed == 0) {
    corpus.open(words[6]);
    std::getline(corpus, line);
  }
  const auto free = cells_promised(shape, opening, start);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  Immortal player(setting, budget);
  for (std::uint64_t game = 0; game < to; ++game) {
    if (seed == 0 && !std::getline(corpus, line)) break;
    if (game < from) continue;
    const std::uint64_t own = game_seed(seed, game);
    const Cells board = seed == 0 ? board_of(line, shape) : deal(shape, mines, free, own);
    const double begun = cpu_seconds();
    const Ended ended =
        player.play(board, start, own, [](const PlayerKnowledge&, const Advice&) {});
    std::printf("%.6f %d %d %.3f\n", ended.chance, ended.won, ended.guesses,
                1e3 * ((ended.won ? cpu_seconds() : ended.lost_at) - begun));
  }
  return 0;
}
