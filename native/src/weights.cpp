#include "mineproof/weights.hpp"

#include <cmath>
#include <limits>

namespace mineproof {

namespace {

constexpr std::array<std::array<int, 9>, 9> choose = [] {
  std::array<std::array<int, 9>, 9> c{};
  for (std::size_t n = 0; n < 9; ++n) {
    c[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) c[n][k] = c[n - 1][k - 1] + (k < n ? c[n - 1][k] : 0);
  }
  return c;
}();

}  // namespace

Weights::Weights(double chance) : p(chance) {
  std::array<double, 9> mined{1};
  std::array<double, 9> safe{1};
  for (std::size_t i = 1; i < 9; ++i) {
    mined[i] = mined[i - 1] * p;
    safe[i] = safe[i - 1] * (1 - p);
  }
  for (std::size_t m = 0; m < 9; ++m)
    for (std::size_t k = 0; k <= m; ++k) of[m][k] = choose[m][k] * mined[k] * safe[m - k];
}

double log_choose(std::int32_t n, std::int32_t k) {
  if (k < 0 || k > n) return -std::numeric_limits<double>::infinity();
  return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
}

}  // namespace mineproof
