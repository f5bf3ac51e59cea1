// Dealing boards and counting what players count on them.
//
// A board is one byte a cell, row by row: 1 for a mine, 0 for none.
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

  // Calls f(neighbour) for the up to eight neighbours of a cell, by index.
  template <class F>
  void around(std::int32_t cell, F&& f) const {
    const std::int32_t row = cell / cols;
    const std::int32_t col = cell % cols;
    for (std::int32_t r = row > 0 ? row - 1 : 0; r <= row + 1 && r < rows; ++r)
      for (std::int32_t c = col > 0 ? col - 1 : 0; c <= col + 1 && c < cols; ++c)
        if (r != row || c != col) f(r * cols + c);
  }
};

// Floods: calls goes_on(near) for all that is around the cells of `walk`, and appends the cells
// for which it is true, so that the flood reaches what is around them, too; breadth first.
// around(cell, f) calls f(near) for all that is around a cell; it may reach a cell several times.
template <class Around, class GoesOn>
void flood(std::vector<std::int32_t>& walk, Around&& around, GoesOn&& goes_on) {
  for (std::size_t i = 0; i < walk.size(); ++i)
    around(walk[i], [&](std::int32_t near) {
      if (goes_on(near)) walk.push_back(near);
    });
}

using Cells = std::vector<std::uint8_t>;

// `mines` mines, uniform among all boards in which the cells `free` have none.
// `free` is sorted and without repeats; the mines must fit. O(cells) to clear
// the board, O(mines) draws (Floyd's sampling).
[[nodiscard]] Cells deal(Shape shape, std::int32_t mines, std::span<const std::int32_t> free,
                         std::uint64_t seed);

// The same mines into cells that are all 0, `mark` at each; `mined` lists them, in no order.
void deal_into(std::span<std::uint8_t> cells, std::uint8_t mark, std::vector<std::int32_t>& mined,
               std::int32_t mines, std::span<const std::int32_t> free, std::uint64_t seed);

// Each cell is independently a mine with probability `threshold` / 2^53, but none of `free`.
[[nodiscard]] Cells deal_each(Shape shape, std::uint64_t threshold,
                              std::span<const std::int32_t> free, std::uint64_t seed);

// The key of every cell in the shared order: cells are taken by rising key.
[[nodiscard]] std::vector<std::uint64_t> order_keys(std::int32_t size, std::uint64_t seed);

// The key of one cell.
[[nodiscard]] std::uint64_t order_key(std::int32_t cell, std::uint64_t seed);

// The number of mines around every cell, mines included (a mine does not count itself).
[[nodiscard]] Cells count_mines(Shape shape, std::span<const std::uint8_t> mines);

// What players call a board's figures.
struct Figures {
  std::int32_t openings;  // connected regions of cells with no mine around
  std::int32_t islands;   // connected regions of safe cells that no opening shows
  std::int32_t bbbv;      // 3BV: the fewest left clicks that open every safe cell
};
[[nodiscard]] Figures figures(Shape shape, std::span<const std::uint8_t> mines);

}  // namespace mineproof
