// Generates many no-guess boards, on several threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/generation.hpp"

namespace mineproof::runtime {

// The search for one board of a series: where to resume, and its result.
struct NoGuessSearch {
  std::uint64_t board = 0;  // its number in the series
  std::uint64_t tries = 0;  // attempts made
  bool found = false;
  std::int32_t opened = 0;  // safe cells that could be opened on the best board so far
  Cells mines;              // the board that was found
  std::uint64_t seed = 0;   // of the deal that the board is, or was repaired from
};

// Continues each search that has not found its board yet, until it has, or `most` attempts have
// been made in total, or `seconds` have passed. The result does not depend on interruptions or on
// the number of threads. Throws Invalid, or Cancelled (then discard the searches).
void search_boards(const BoardSpec& wanted, std::uint64_t seed, std::span<NoGuessSearch> searches,
                   std::uint64_t most, double seconds, unsigned threads, Cancel cancel);

// Plays one board by certain moves only. Throws Invalid, BrokenOpening, Overflow, Cancelled.
[[nodiscard]] DeductionResult deduce(Shape shape, const Cells& mines, std::int32_t start,
                                     Opening opening, Reasoning reasoning, Cancel cancel);

}  // namespace mineproof::runtime
