// Weights of numbers of mines: within a group of cells, and as polynomials.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mineproof {

// The weight of k mines in a group of m cells: C(m,k) p^k (1-p)^(m-k).
struct Weights {
  explicit Weights(double p);
  double p;
  std::array<std::array<double, 9>, 9> of{};
};

// The natural logarithm of C(n, k).
[[nodiscard]] double log_choose(std::int32_t n, std::int32_t k);

// A polynomial in the number of mines: coefficient i is the weight of low + i.
struct Polynomial {
  std::int32_t low = 0;
  std::vector<double> at;
};

}  // namespace mineproof
