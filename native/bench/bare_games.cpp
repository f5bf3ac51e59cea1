// The speed of the kernel alone: plays the games of a series in a bare loop.
//
//     bare_games AGENT ROWS COLS MINES GAMES SEED
//
// AGENT is `baseline` or `exact`; the first cell is safe. Prints CPU seconds, games won and
// moves made. The games are those of mp.arena with the same seed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "bench/measuring.hpp"
#include "mineproof/chance.hpp"
#include "mineproof/play.hpp"

using namespace mineproof;

int main(int count, char** words) {
  if (count != 7) {
    std::fprintf(stderr, "usage: bare_games AGENT ROWS COLS MINES GAMES SEED\n");
    return 2;
  }
  Strategy strategy;  // the local rules, then in order: baseline
  if (std::string_view(words[1]) == "exact") {
    strategy.pairs = true;
    strategy.beyond = AdvancedRule::exact;
    strategy.guesser = Guesser::least_exact;
  }
  const GameSetup ground{{number(words[2]), number(words[3])}, {}, number(words[4]), {}};
  const auto games = std::strtoull(words[5], nullptr, 10);
  const auto seed = std::strtoull(words[6], nullptr, 10);
  GameRules rules;
  rules.opening = Opening::safe;
  Match match;
  std::uint64_t won = 0, moves = 0;
  const double begun = cpu_seconds();
  for (std::uint64_t game = 0; game < games; ++game) {
    const std::uint64_t own = Stream(seed, Purpose::game, game).next64() >> 11;
    const Played played = match.play(ground, rules, exact_clues, strategy, -1, own);
    won += played.won;
    moves += static_cast<std::uint64_t>(played.moves);
  }
  std::printf("%.9f %llu %llu\n", cpu_seconds() - begun, static_cast<unsigned long long>(won),
              static_cast<unsigned long long>(moves));
  return 0;
}
