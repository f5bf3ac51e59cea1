#include "mineproof/prior.hpp"

#include <algorithm>
#include <cmath>

#include "mineproof/weights.hpp"

namespace mineproof {

namespace {

// Limits on the density with which a component is weighed (its distance from 0 and from 1): powers
// of smaller numbers underflow.
constexpr double least_weighed = 1e-3;

}  // namespace

double Prior::chance(std::int32_t size) const {
  if (knows_total()) return mines_ / (1.0 * size);
  return is_independent() ? density_ : 0.5;
}

double Prior::weighing_chance(std::int32_t mines, std::int32_t cells) const {
  if (is_independent()) {
    if (density_ <= 0 || density_ >= 1) return density_;
    if (density_ < least_weighed) return 1.0 / shares;
    return density_ > 1 - least_weighed ? 1 - 1.0 / shares : density_;
  }
  if (!knows_total()) return 0.25;
  const double left = mines_ - mines;
  const double share = std::round(cells > 0 ? left / cells * shares : shares / 2);
  return std::clamp(share, 1.0, shares - 1.0) / shares;
}

std::pair<bool, bool> Prior::rest_can_be(const Uncounted& uncounted, const CountSet& inside) const {
  if (is_independent()) return {density_ > 0, density_ < 1};
  if (!knows_total()) return {true, true};
  const auto [least, most] = possible(uncounted);
  return {inside.any(least, most - 1), inside.any(least + 1, most)};
}

double Prior::log_rest(const Uncounted& uncounted, std::int32_t inside) const {
  const std::int32_t elsewhere = uncounted.mines + inside;
  if (knows_total()) return log_choose(uncounted.rest, mines_ - elsewhere);
  const std::int32_t cells = uncounted.size - uncounted.rest;
  return -log_choose(cells, elsewhere) - std::log(cells + 1.0);
}

bool Prior::too_many(const Uncounted& uncounted, double inside, double log_odds) const {
  const auto rest = static_cast<double>(uncounted.rest);
  if (knows_total()) return inside + rest / (1 + std::exp(-log_odds)) > mines_ - uncounted.mines;
  const double cells = uncounted.size - rest;
  const double share = (uncounted.mines + inside + 0.5) / (cells + 1);
  return log_odds > std::log(share) - std::log1p(-share);
}

std::int32_t Prior::draw_rest(const Uncounted& uncounted, std::int32_t inside,
                              Stream& stream) const {
  const std::int32_t elsewhere = uncounted.mines + inside;
  if (knows_total()) return mines_ - elsewhere;
  // Polya's urn: each further cell is a mine with the share of mines among the cells before it.
  std::int32_t drawn = 0;
  double mines = elsewhere + 1.0;
  double cells = uncounted.size - uncounted.rest + 2.0;
  for (std::int32_t i = 0; i < uncounted.rest; ++i, cells += 1)
    if (stream.uniform() * cells < mines) {
      ++drawn;
      mines += 1;
    }
  return drawn;
}

double Prior::log_weight(std::int32_t mines, std::int32_t unknown, std::int32_t known,
                         std::int32_t size) const {
  if (knows_total()) return 0;
  if (is_independent()) {
    // Skips powers of 0: 0 times its logarithm is nan.
    const std::int32_t safe = unknown - mines;
    return (mines > 0 ? mines * std::log(density_) : 0) +
           (safe > 0 ? safe * std::log1p(-density_) : 0);
  }
  return -log_choose(size, known + mines);
}

}  // namespace mineproof
