#include "mineproof/neighbourhood.hpp"

namespace mineproof {

namespace {

constexpr std::int32_t offsets = 25;
constexpr std::int32_t here = 12;  // the offset of the cell itself

constexpr std::int32_t down_of(std::int32_t offset) { return offset / 5 - 2; }
constexpr std::int32_t right_of(std::int32_t offset) { return offset % 5 - 2; }

constexpr std::array<Directions, 25> directions_in_common() {
  std::array<Directions, 25> masks{};
  for (std::int32_t offset = 0; offset < offsets; ++offset)
    for (std::int32_t down = -1; down <= 1; ++down)
      for (std::int32_t right = -1; right <= 1; ++right) {
        if (down == 0 && right == 0) continue;
        const std::int32_t far_down = down - down_of(offset);
        const std::int32_t far_right = right - right_of(offset);
        const bool meets = far_down >= -1 && far_down <= 1 && far_right >= -1 && far_right <= 1;
        if (meets) masks[at(offset)] |= direction(down, right);
      }
  return masks;
}

constexpr std::array<std::uint32_t, 256> offsets_sharing() {
  constexpr auto common = directions_in_common();
  std::array<std::uint32_t, 256> masks{};
  for (std::size_t ways = 0; ways < masks.size(); ++ways)
    for (std::int32_t offset = 0; offset < offsets; ++offset)
      if (offset != here && (ways & common[at(offset)]) != 0) masks[ways] |= 1U << offset;
  return masks;
}

}  // namespace

const std::array<Directions, 25> Neighbourhood::in_common = directions_in_common();
const std::array<std::uint32_t, 256> Neighbourhood::far_by = offsets_sharing();

Neighbourhood::Neighbourhood(Shape shape)
    : shape_(shape), directions_(at(shape.size())), far_(at(shape.size())) {
  const std::int32_t cols = shape.cols;
  steps_ = {-cols - 1, -cols, -cols + 1, -1, 1, cols - 1, cols, cols + 1};
  for (std::int32_t offset = 0; offset < offsets; ++offset)
    far_steps_[at(offset)] = down_of(offset) * cols + right_of(offset);
  for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
    const std::int32_t row = cell / cols;
    const std::int32_t col = cell % cols;
    shape.each_neighbour(cell, [&](std::int32_t near) {
      directions_[cell] |= direction(near / cols - row, near % cols - col);
    });
    for (std::int32_t offset = 0; offset < offsets; ++offset) {
      const std::int32_t far_row = row + down_of(offset);
      const std::int32_t far_col = col + right_of(offset);
      if (far_row >= 0 && far_row < shape.rows && far_col >= 0 && far_col < cols)
        far_[cell] |= 1U << offset;
    }
  }
}

SharedNeighbourhood neighbourhood_of(Shape shape, const SharedNeighbourhood& last) {
  if (last && last->shape().rows == shape.rows && last->shape().cols == shape.cols) return last;
  return std::make_shared<const Neighbourhood>(shape);
}

}  // namespace mineproof
