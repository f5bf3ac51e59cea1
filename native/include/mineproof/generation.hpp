// Generates boards that need no guess: deals boards until one can be solved by the requested
// reasoning. Python twin: boards/no_guess_search.py.
//
// An attempt is identified by its board's seed and its number, so attempts can be made in any
// order, on any number of threads, and resumed later. The first attempts are deals, uniform among
// the boards that keep the opening rule; so the first one solved is uniform among all solvable
// boards. Later attempts are *repaired*: mines where play is stuck are moved, one at a time, and a
// move is kept unless fewer cells can be opened than before. Repaired boards follow a different
// distribution, and results mark them as such.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/deduction_play.hpp"

namespace mineproof {

struct BoardSpec {
  Shape shape{0, 0};
  std::int32_t mines = 0;
  std::int32_t start = 0;
  Opening opening = Opening::safe;
  Reasoning reasoning = Reasoning::exact;
  bool needed = false;      // require that no lower reasoning solves it
  std::uint64_t deals = 0;  // attempts that are deals; all later ones are repaired
  std::int32_t moves = 0;   // how many mine moves a repaired attempt may try
};

struct Attempt {
  Fault fault = Fault::none;
  bool found = false;
  std::int32_t opened = 0;  // the most safe cells that could be opened
  Cells board;
  std::uint64_t seed = 0;  // of the deal that the board is, or was repaired from
};

// The seed of an attempt. The first attempt has the seed of its board, so it is the board of the
// game with that seed.
[[nodiscard]] std::uint64_t try_seed(std::uint64_t board_seed, std::uint64_t number);

// Reuses its memory between attempts; one thread at a time.
class Generator {
 public:
  [[nodiscard]] Attempt attempt(const BoardSpec& wanted, std::uint64_t board_seed,
                                std::uint64_t number, Cancel cancel);

 private:
  [[nodiscard]] DeductionResult play(const BoardSpec& wanted, const Cells& board, Cancel cancel);
  // Whether a solved board meets all requirements.
  [[nodiscard]] bool fits(const BoardSpec& wanted, Attempt& tried, Cancel cancel);
  void repair(const BoardSpec& wanted, Attempt& tried, DeductionResult& deduced, Cancel cancel);
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> choose(const BoardSpec& wanted,
                                                             const Cells& board,
                                                             Stream& stream) const;
  void find_stuck(const Cells& board);

  DeductionPlayer deducer_;
  // Where play is stuck: cells neither opened nor deduced, split into mines and safe cells;
  // `edge_`: those next to cells that are.
  std::vector<std::int32_t> mines_, safe_, edge_mines_, edge_safe_;
};

}  // namespace mineproof
