// The neighbours of each cell of a board. Immutable: built once per shape and shared by all games
// on it.
//
// The eight directions around a cell are bits, row by row. So iterating over bits from the lowest
// visits neighbours in ascending order, and the opposite of bit i is bit 7 - i.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "mineproof/board.hpp"
#include "mineproof/cells.hpp"

namespace mineproof {

using Directions = std::uint8_t;

// The bit of the direction `down` rows down and `right` columns to the right.
[[nodiscard]] constexpr Directions direction(std::int32_t down, std::int32_t right) {
  const std::int32_t place = (down + 1) * 3 + right + 1;
  return static_cast<Directions>(1U << (place > 4 ? place - 1 : place));
}

// The number of directions in a set. A table, as not every target has a popcount instruction.
inline constexpr std::array<std::uint8_t, 256> way_counts = [] {
  std::array<std::uint8_t, 256> bits{};
  for (std::size_t i = 1; i < 256; ++i) bits[i] = static_cast<std::uint8_t>(bits[i / 2] + i % 2);
  return bits;
}();
[[nodiscard]] constexpr std::int32_t ways_in(Directions ways) { return way_counts[ways]; }

class Neighbourhood {
 public:
  explicit Neighbourhood(Shape shape);

  [[nodiscard]] Shape shape() const { return shape_; }
  [[nodiscard]] std::int32_t size() const { return shape_.size(); }
  [[nodiscard]] Directions directions(std::int32_t cell) const { return directions_[cell]; }

  // Calls f(neighbour) for the neighbours in these directions, in ascending order.
  template <class F>
  void each(std::int32_t cell, Directions ways, F&& f) const {
    for (unsigned left = ways; left != 0; left &= left - 1)
      f(cell + steps_[at(std::countr_zero(left))]);
  }
  // Calls f(neighbour) for all neighbours, in ascending order.
  template <class F>
  void each(std::int32_t cell, F&& f) const {
    each_with_way_back(cell, [&f](std::int32_t near, Directions) { f(near); });
  }
  // Calls f(neighbour, back) for all neighbours; `back` is the direction from the neighbour to
  // `cell`.
  template <class F>
  void each_with_way_back(std::int32_t cell, F&& f) const {
    const Directions ways = directions_[cell];
    if (ways == everywhere) {
      for (std::size_t place = 0; place < 8; ++place)
        f(cell + steps_[place], static_cast<Directions>(128U >> place));
      return;
    }
    for (unsigned left = ways; left != 0; left &= left - 1) {
      const auto place = at(std::countr_zero(left));
      f(cell + steps_[place], static_cast<Directions>(128U >> place));
    }
  }
  // Calls f(other, offset) for all cells within two steps of `cell` that share at least one of the
  // neighbours in these directions with it. The offset is 5 * (down + 2) + right + 2.
  template <class F>
  void each_sharing(std::int32_t cell, Directions ways, F&& f) const {
    for (unsigned left = far_[cell] & far_by[ways]; left != 0; left &= left - 1) {
      const auto offset = at(std::countr_zero(left));
      f(cell + far_steps_[offset], offset);
    }
  }
  // The directions from a cell to the neighbours that it shares with the cell at an offset.
  [[nodiscard]] static Directions common(std::size_t offset) { return in_common[offset]; }
  // The offset in the opposite direction.
  [[nodiscard]] static std::size_t turned(std::size_t offset) { return 24 - offset; }

 private:
  static constexpr Directions everywhere = 255;
  static const std::array<Directions, 25> in_common;   // by offset
  static const std::array<std::uint32_t, 256> far_by;  // by directions: offsets, one bit each

  Shape shape_;
  std::array<std::int32_t, 8> steps_;       // by direction: from a cell to its neighbour
  std::array<std::int32_t, 25> far_steps_;  // by offset: from a cell to the cell there
  ByCell<Directions> directions_;           // by cell: directions that stay on the board
  ByCell<std::uint32_t> far_;               // by cell: offsets that stay on the board, one bit each
};

using SharedNeighbourhood = std::shared_ptr<const Neighbourhood>;

// The neighbourhood of this shape: `last` if it has that shape, otherwise a new one.
[[nodiscard]] SharedNeighbourhood neighbourhood_of(Shape shape, const SharedNeighbourhood& last);

}  // namespace mineproof
