// What numbers of mines weigh: in a box, and as polynomials.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mineproof {

// Weight of k mines in a box of m cells: C(m,k) p^k (1-p)^(m-k).
struct Weights {
  explicit Weights(double p);
  double p;
  std::array<std::array<double, 9>, 9> of{};
};

// The logarithm of the number of ways to choose k of n.
[[nodiscard]] double log_choose(std::int32_t n, std::int32_t k);

// A polynomial in the number of mines: coefficient i is the weight of low + i.
struct Polynomial {
  std::int32_t low = 0;
  std::vector<double> at;
};

}  // namespace mineproof
