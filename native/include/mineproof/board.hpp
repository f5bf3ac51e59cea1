// Dealing boards, and the figures that players quote for a board.
//
// A board is one byte per cell, row by row: 1 for a mine, 0 otherwise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/chance.hpp"

namespace mineproof {

struct Shape {
  std::int32_t rows;
  std::int32_t cols;
  [[nodiscard]] std::int32_t size() const noexcept { return rows * cols; }

  // Calls f(neighbour) for each of the up to eight neighbours of a cell, in ascending order.
  template <class F>
  void each_neighbour(std::int32_t cell, F&& f) const {
    const std::int32_t row = cell / cols;
    const std::int32_t col = cell % cols;
    for (std::int32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < rows; ++r)
      for (std::int32_t c = col > 0 ? col - 1 : 0; c <= col + 1 && c < cols; ++c)
        if (r != row || c != col) f(r * cols + c);
  }
};

// Floods: calls goes_on(near) for all that is around the cells of `queue`, and appends the cells
// for which it is true, so that the flood reaches what is around them, too; breadth first.
// around(cell, f) calls f(near) for all that is around a cell; it may reach a cell several times.
template <class Around, class GoesOn>
void flood(std::vector<std::int32_t>& queue, Around&& around, GoesOn&& goes_on) {
  for (std::size_t i = 0; i < queue.size(); ++i)
    around(queue[i], [&](std::int32_t near) {
      if (goes_on(near)) queue.push_back(near);
    });
}

using Cells = std::vector<std::uint8_t>;

// Deals `mines` mines, uniformly among all boards without mines in `free`. `free` is ascending
// without duplicates, and there must be room for the mines. Cost: O(cells) to clear the board,
// O(mines) draws (Floyd's sampling).
[[nodiscard]] Cells deal(Shape shape, std::int32_t mines, std::span<const std::int32_t> free,
                         std::uint64_t seed);

// Deals the same board as deal() into `cells`, which must be all 0: writes `mark` at each mine.
// `mined`, which has one element per mine, receives the mines, in no particular order.
void deal_into(std::span<std::uint8_t> cells, std::uint8_t mark, std::span<std::int32_t> mined,
               std::span<const std::int32_t> free, std::uint64_t seed);

// Makes each cell a mine independently with probability `threshold` / 2^53, except for `free`.
[[nodiscard]] Cells deal_each(Shape shape, std::uint64_t threshold,
                              std::span<const std::int32_t> free, std::uint64_t seed);

// The key of every cell in the shared order: cells are tried in ascending order of their keys.
[[nodiscard]] std::vector<std::uint64_t> order_keys(std::int32_t size, std::uint64_t seed);

// The key of one cell.
[[nodiscard]] std::uint64_t order_key(std::int32_t cell, std::uint64_t seed);

// The number of mines around every cell, also for mined cells (a mine does not count itself).
[[nodiscard]] Cells count_mines(Shape shape, std::span<const std::uint8_t> mines);

// Standard statistics of a board.
struct Figures {
  std::int32_t openings;  // connected regions of cells with no mine around them
  std::int32_t islands;   // connected regions of safe cells that no opening reveals
  std::int32_t bbbv;      // 3BV: the fewest left clicks that open every safe cell
};
[[nodiscard]] Figures figures(Shape shape, std::span<const std::uint8_t> mines);

}  // namespace mineproof
