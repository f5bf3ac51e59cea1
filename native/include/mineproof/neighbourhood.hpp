// Which neighbours the cells of a board have. Made once for a shape, and shared by all that
// play on it: it never changes.
//
// The eight directions around a cell are bits, row by row: so bits by rising place lead to
// cells by rising index, and the direction back is the bit as far from the other end.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "mineproof/board.hpp"
#include "mineproof/cells.hpp"

namespace mineproof {

using Directions = std::uint8_t;

// The bit of the way that is `down` rows down and `right` columns to the right.
[[nodiscard]] constexpr Directions direction(std::int32_t down, std::int32_t right) {
  const std::int32_t place = (down + 1) * 3 + right + 1;
  return static_cast<Directions>(1U << (place > 4 ? place - 1 : place));
}

class Neighbourhood {
 public:
  explicit Neighbourhood(Shape shape);

  [[nodiscard]] Shape shape() const { return shape_; }
  [[nodiscard]] std::int32_t size() const { return shape_.size(); }
  [[nodiscard]] Directions directions(std::int32_t cell) const { return directions_[cell]; }

  // Calls f(neighbour) for the neighbours that these directions lead to, by index.
  template <class F>
  void each(std::int32_t cell, Directions ways, F&& f) const {
    for (unsigned left = ways; left != 0; left &= left - 1)
      f(cell + steps_[at(std::countr_zero(left))]);
  }
  // Calls f(neighbour) for all neighbours, by index.
  template <class F>
  void each(std::int32_t cell, F&& f) const {
    each(cell, directions_[cell], f);
  }
  // Calls f(neighbour, back) for all neighbours: `back` is the direction back from there.
  template <class F>
  void each_with_way_back(std::int32_t cell, F&& f) const {
    for (unsigned left = directions_[cell]; left != 0; left &= left - 1) {
      const int place = std::countr_zero(left);
      f(cell + steps_[at(place)], static_cast<Directions>(128U >> place));
    }
  }

 private:
  Shape shape_;
  std::array<std::int32_t, 8> steps_;  // by direction: from a cell to its neighbour
  ByCell<Directions> directions_;      // by cell: those that do not lead off the board
};

using SharedNeighbourhood = std::shared_ptr<const Neighbourhood>;

// The one of this shape: the last one again if it fits.
[[nodiscard]] SharedNeighbourhood neighbourhood_of(Shape shape, const SharedNeighbourhood& last);

}  // namespace mineproof
