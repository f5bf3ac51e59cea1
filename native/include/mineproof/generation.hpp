// Boards that need no guess: dealt and thrown away until one is solved by the reasoning asked for.
// The twin of boards/searching.py.
//
// A try is named by the seed of its board and its number, so tries can be made in any order, on
// any number of threads, and gone on with later. The first tries are deals, uniform among the
// boards that keep the opening rule: one that is solved is uniform among all that are. The tries
// after these are *repaired*: mines where play is stuck are moved, one at a time, and a move is
// kept if no fewer cells are opened than before. Those boards are of another distribution, and
// say so.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/deducing.hpp"

namespace mineproof {

struct Wanted {
  Shape shape{0, 0};
  std::int32_t mines = 0;
  std::int32_t start = 0;
  Opening opening = Opening::safe;
  Reasoning reasoning = Reasoning::exact;
  bool needed = false;      // no lower reasoning solves it
  std::uint64_t deals = 0;  // tries that are deals; all after these are repaired
  std::int32_t moves = 0;   // of mines, for a try that is repaired
};

struct Tried {
  Fault fault = Fault::none;
  bool found = false;
  std::int32_t opened = 0;  // safe cells that were, at best
  Cells board;
  std::uint64_t seed = 0;  // of the deal that it is or was made from
};

// The seed of a try. The first one has that of its board: that is the board of a game of this seed.
[[nodiscard]] std::uint64_t try_seed(std::uint64_t board_seed, std::uint64_t number);

// Memory is kept between tries; one thread at a time.
class Generator {
 public:
  [[nodiscard]] Tried attempt(const Wanted& wanted, std::uint64_t board_seed, std::uint64_t number,
                              Cancel cancel);

 private:
  [[nodiscard]] Deduced play(const Wanted& wanted, const Cells& board, Cancel cancel);
  // Whether a board that is solved is one that is wanted.
  [[nodiscard]] bool fits(const Wanted& wanted, Tried& tried, Cancel cancel);
  void repair(const Wanted& wanted, Tried& tried, Deduced& deduced, Cancel cancel);
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> choose(const Wanted& wanted,
                                                             const Cells& board,
                                                             Stream& stream) const;
  void find_stuck(const Cells& board);

  Deducer deducer_;
  // Where play is stuck: cells neither opened nor known, and those at the edge of what is.
  std::vector<std::int32_t> mines_, safe_, edge_mines_, edge_safe_;
};

}  // namespace mineproof
