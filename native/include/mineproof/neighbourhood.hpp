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

// How many there are. A table: not every machine counts bits.
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

  // Calls f(neighbour) for the neighbours that these directions lead to, by index.
  template <class F>
  void each(std::int32_t cell, Directions ways, F&& f) const {
    for (unsigned left = ways; left != 0; left &= left - 1)
      f(cell + steps_[at(std::countr_zero(left))]);
  }
  // Calls f(neighbour) for all neighbours, by index.
  template <class F>
  void each(std::int32_t cell, F&& f) const {
    each_with_way_back(cell, [&f](std::int32_t near, Directions) { f(near); });
  }
  // Calls f(neighbour, back) for all neighbours: `back` is the direction back from there.
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
  // Calls f(cell, offset) for all cells within two steps that share a neighbour, to which one
  // of these directions leads, with this one. The offset is 5 * (down + 2) + right + 2.
  template <class F>
  void each_sharing(std::int32_t cell, Directions ways, F&& f) const {
    for (unsigned left = far_[cell] & far_by[ways]; left != 0; left &= left - 1) {
      const auto offset = at(std::countr_zero(left));
      f(cell + far_steps_[offset], offset);
    }
  }
  // Of a cell's directions, those that lead to neighbours of the cell at an offset.
  [[nodiscard]] static Directions common(std::size_t offset) { return in_common[offset]; }
  // The offset from there back.
  [[nodiscard]] static std::size_t turned(std::size_t offset) { return 24 - offset; }

 private:
  static constexpr Directions everywhere = 255;
  static const std::array<Directions, 25> in_common;   // by offset
  static const std::array<std::uint32_t, 256> far_by;  // by directions: offsets, a bit for each

  Shape shape_;
  std::array<std::int32_t, 8> steps_;       // by direction: from a cell to its neighbour
  std::array<std::int32_t, 25> far_steps_;  // by offset: from a cell to that one
  ByCell<Directions> directions_;           // by cell: those that do not lead off the board,
  ByCell<std::uint32_t> far_;               // and offsets that do not, a bit for each
};

using SharedNeighbourhood = std::shared_ptr<const Neighbourhood>;

// The one of this shape: the last one again if it fits.
[[nodiscard]] SharedNeighbourhood neighbourhood_of(Shape shape, const SharedNeighbourhood& last);

}  // namespace mineproof
