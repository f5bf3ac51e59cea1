// Well-known patterns of clues along a wall.
#include <algorithm>
#include <array>
#include <map>

#include "mineproof/cells.hpp"
#include "mineproof/proof_derivation.hpp"

namespace mineproof {

namespace {

// The clues along a wall, and which of the wall's cells next to them are mines.
struct Pattern {
  std::size_t length;
  std::array<std::int32_t, 4> numbers;
  std::array<bool, 4> mines;
};
constexpr std::array<Pattern, 2> patterns{
    {{3, {1, 2, 1, 0}, {true, false, true, false}}, {4, {1, 2, 2, 1}, {false, true, true, false}}}};

// The remainders of clues with exactly one allowed number, by clue, and their positions on the
// board.
struct Wall {
  Shape shape;
  std::map<std::int32_t, const RemainingConstraint*> exact;
  std::span<const std::int32_t> cells;

  // A pattern that starts at a clue, with the wall one cell below or to the right (or above or to
  // the left).
  [[nodiscard]] std::optional<Inference> find(std::int32_t clue, const Pattern& one,
                                              std::int32_t down, std::int32_t right) const {
    const std::int32_t row = clue / shape.cols, col = clue % shape.cols;
    const std::int32_t along_rows = right != 0, along_cols = down != 0;
    const auto cell_at = [&](std::int32_t r, std::int32_t c) {
      return r >= 0 && c >= 0 && r < shape.rows && c < shape.cols ? r * shape.cols + c : -2;
    };
    Inference step{InferenceKind::pattern, {}, {}, {}, {}};
    std::vector<std::int32_t> next_to;
    const auto length = static_cast<std::int32_t>(one.length);
    for (std::int32_t n = -1; n <= length; ++n)
      next_to.push_back(cell_at(row + down + n * along_rows, col + right + n * along_cols));
    // The index of a cell along the wall; for other cells, the last one.
    const auto place_of = [&](std::int32_t cell) {
      return std::find(next_to.begin(), next_to.end(), cells[at(cell)]) - next_to.begin() - 1;
    };
    std::set<std::int32_t> open;
    for (std::int32_t n = 0; n < length; ++n) {
      const std::int32_t here = cell_at(row + n * along_rows, col + n * along_cols);
      const auto found = exact.find(here);
      if (found == exact.end() || found->second->bounds.low != one.numbers[at(n)])
        return std::nullopt;
      step.clues.push_back(here);
      step.signs.push_back(1);
      for (const std::int32_t cell : found->second->cells) {
        if (place_of(cell) > length) return std::nullopt;
        open.insert(cell);
      }
    }
    for (const std::int32_t cell : open) {
      const auto n = place_of(cell);
      const bool mine = n >= 0 && n < length && one.mines[static_cast<std::size_t>(n)];
      step.deduced.push_back({cell, mine});
    }
    return step;
  }
};

}  // namespace

std::optional<Inference> find_pattern(Shape shape, std::span<const RemainingConstraint> left,
                                      std::span<const std::int32_t> cells) {
  Wall wall{shape, {}, cells};
  for (const RemainingConstraint& one : left)
    if (one.bounds.low == one.bounds.high) wall.exact[one.statement->clue] = &one;
  for (const auto& [clue, _] : wall.exact)
    for (const bool across : {true, false})
      for (const Pattern& one : patterns)
        for (const std::int32_t side : {1, -1})
          if (auto step = wall.find(clue, one, across ? side : 0, across ? 0 : side)) return step;
  return std::nullopt;
}

}  // namespace mineproof
