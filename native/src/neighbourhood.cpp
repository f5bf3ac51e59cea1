#include "mineproof/neighbourhood.hpp"

namespace mineproof {

Neighbourhood::Neighbourhood(Shape shape) : shape_(shape), directions_(at(shape.size())) {
  const std::int32_t down = shape.cols;
  steps_ = {-down - 1, -down, -down + 1, -1, 1, down - 1, down, down + 1};
  for (std::int32_t cell = 0; cell < shape.size(); ++cell)
    shape.around(cell, [&](std::int32_t near) {
      directions_[cell] |=
          direction(near / shape.cols - cell / shape.cols, near % shape.cols - cell % shape.cols);
    });
}

SharedNeighbourhood neighbourhood_of(Shape shape, const SharedNeighbourhood& last) {
  if (last && last->shape().rows == shape.rows && last->shape().cols == shape.cols) return last;
  return std::make_shared<const Neighbourhood>(shape);
}

}  // namespace mineproof
