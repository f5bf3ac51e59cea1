// Positions from a series of games, as training data: what an agent saw before every cell that it
// opened, the exact mine probabilities, its move, and the result of the game. One array per figure.
#pragma once

#include <cstdint>
#include <vector>

#include "mineproof/cancel.hpp"
#include "runtime/series.hpp"

namespace mineproof::runtime {

struct Positions {
  std::vector<std::uint8_t> states;  // by position, by cell; without flags
  std::vector<float> risk;           // by position, by cell; nan for opened cells
  std::vector<std::uint64_t> game;   // the number of the game in the series
  std::vector<std::uint64_t> seed;   // and its seed
  std::vector<std::int32_t> move;    // number of cells opened before
  std::vector<std::int32_t> cell;    // the cell that the agent opened
  std::vector<std::uint8_t> exact;   // 1 if everything was counted, 0 if risks are estimates
  std::vector<std::uint8_t> won;     // 1 if the game was won
  std::vector<std::int32_t> mines;
};

// Positions from the games `first`, `first` + 1, ... of a series, played one after the other on
// this thread. The rules must let a mine end the game. `budget`: see Engine::solve. Throws Invalid,
// Cancelled, BrokenOpening.
[[nodiscard]] Positions positions_of(const Source& source, const GameRules& rules,
                                     const ClueModel& clues, const Strategy& strategy,
                                     std::int32_t start, std::uint64_t seed, std::uint64_t first,
                                     std::size_t games, std::size_t budget, Cancel cancel);

}  // namespace mineproof::runtime
