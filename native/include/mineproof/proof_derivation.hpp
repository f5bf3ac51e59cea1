// From chosen clues to a cell, by the easiest inferences that do.
//
// Rules are tried from the easiest on, each time from the start; what they prove, later ones
// may use. In the end only what the asked cell rests on is kept. The twins of
// reasoning/proofs/derivation.py and cases.py.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/proof_statements.hpp"

namespace mineproof {

// Calls f(places, signs) for every choice of `fewest` to `most` of n places, and of signs for
// them with the first one 1, until it returns true; few places first, then by place, then with
// as much added as can be.
template <class F>
void each_sum(std::size_t n, std::size_t fewest, std::size_t most, F&& f) {
  std::vector<std::int8_t> signs;
  for (std::size_t size = fewest; size <= most && size <= n; ++size) {
    std::vector<std::size_t> places(size);
    for (std::size_t i = 0; i < size; ++i) places[i] = i;
    while (true) {
      for (std::uint32_t minus = 0; minus < 1U << (size - 1); ++minus) {
        signs.assign(size, 1);
        for (std::size_t i = 1; i < size; ++i)
          if ((minus >> (size - 1 - i) & 1) != 0) signs[i] = -1;
        if (f(std::span<const std::size_t>(places), std::span<const std::int8_t>(signs))) return;
      }
      std::size_t i = size;
      while (i > 0 && places[i - 1] == n - size + i - 1) --i;
      if (i == 0) break;
      ++places[i - 1];
      for (; i < size; ++i) places[i] = places[i - 1] + 1;
    }
  }
}

// What may still be done, counted in cells that are looked at (a few nanoseconds each).
struct Allowance {
  std::int64_t left;
  Cancel cancel;

  void spend(std::size_t cells) { left -= static_cast<std::int64_t>(cells); }
  [[nodiscard]] bool stops() const { return left < 0 || cancel.asked(); }
};

// Inferences from statements, which must be enough for it, that end in the asked cell. The
// count, if it takes part, is the last statement. Statements and inferences name cells of a
// board of this shape. Cost: sums of up to ten statements are all tried, every pair is looked at
// in every step, and an argument by cases may need two cases for each open cell: nothing if that
// is more than is allowed, or if cancelled.
[[nodiscard]] std::vector<Inference> derive(Shape shape, std::span<const Statement> statements,
                                            std::int32_t cell, bool mine, Allowance& allowance);

// A 1-2-1 or 1-2-2-1 along a wall; cells[n] is the cell of the board that the values and the
// statements call n.
[[nodiscard]] std::optional<Inference> find_pattern(Shape shape, std::span<const Left> left,
                                                    std::span<const std::int32_t> cells);

// Why a cell cannot be (or not be) a mine, given what is proved: the lines of the argument.
// None if that is more than is allowed.
[[nodiscard]] std::vector<Line> refute(std::span<const Statement> statements, const Values& settled,
                                       std::int32_t cell, bool mine, Allowance& allowance);

// The cells of all statements, counted as often as they are named.
[[nodiscard]] std::size_t cells_in(std::span<const Statement> statements);

// The earlier proved cells that the lines of an argument rest on.
[[nodiscard]] std::set<std::int32_t> case_premises(std::span<const Statement> statements,
                                                   const Values& settled,
                                                   std::span<const Line> lines);

}  // namespace mineproof
