// Boards that need no guess, many at a time, on some threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/generation.hpp"

namespace mineproof::runtime {

// Of one board of a series: where to go on, and what came of it.
struct Search {
  std::uint64_t board = 0;  // its number in the series
  std::uint64_t tries = 0;  // how many were made
  bool found = false;
  std::int32_t opened = 0;  // safe cells that the best one opened
  Cells mines;              // of the board that was found,
  std::uint64_t seed = 0;   // and of the deal that it is or was made from
};

// Goes on with each search that has not found its board, until that has, or has made `most` tries
// in all, or `seconds` have passed. What is found does not depend on when that is, nor on threads.
// Throws Invalid, Cancelled (then the searches are worth nothing).
void search_boards(const Wanted& wanted, std::uint64_t seed, std::span<Search> searches,
                   std::uint64_t most, double seconds, unsigned threads, Cancel cancel);

// One board played by what is certain. Throws Invalid, BrokenOpening, Overflow, Cancelled.
[[nodiscard]] Deduced deduce(Shape shape, const Cells& mines, std::int32_t start, Opening opening,
                             Reasoning reasoning, Cancel cancel);

}  // namespace mineproof::runtime
