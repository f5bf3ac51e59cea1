// The positions of a series of games, to learn from: what an agent saw before every cell that it
// opened, the exact odds, its move and how the game ended. One array a figure.
#pragma once

#include <cstdint>
#include <vector>

#include "mineproof/cancel.hpp"
#include "runtime/series.hpp"

namespace mineproof::runtime {

struct Positions {
  std::vector<std::uint8_t> states;  // by position, by cell; no flags: those are marks
  std::vector<float> risk;           // by position, by cell; nan where opened
  std::vector<std::uint64_t> game;   // the number of the game in the series,
  std::vector<std::uint64_t> seed;   // and its seed
  std::vector<std::int32_t> move;    // cells that were opened before, one by one
  std::vector<std::int32_t> cell;    // that the agent opened
  std::vector<std::uint8_t> exact;   // 1 where all was counted, 0 where risks are estimates
  std::vector<std::uint8_t> won;     // 1 where the game was
  std::vector<std::int32_t> mines;
};

// Of the games `first`, `first` + 1, ... of a series, one after the other on this thread. A mine
// must end the game. `budget` as Engine::solve has it. Throws Invalid, Cancelled, BrokenOpening.
[[nodiscard]] Positions positions_of(const Source& source, const GameRules& rules,
                                     const Strategy& strategy, std::int32_t start,
                                     std::uint64_t seed, std::uint64_t first, std::size_t games,
                                     std::size_t budget, Cancel cancel);

}  // namespace mineproof::runtime
