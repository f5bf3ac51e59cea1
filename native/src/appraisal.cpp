#include "mineproof/appraisal.hpp"

#include <algorithm>
#include <cstdint>

namespace mineproof {

namespace {

#include "appraisal.inc"

constexpr double farthest = 5;  // standard deviations from the mean that an input counts

std::array<double, Sight::size> numbers(const Sight& sight) {
  return {sight.log_score, sight.log_value, sight.log_safe,   sight.load,       sight.goes_on,
          sight.many,      sight.entropy,   sight.zero,       sight.likeliest,  sight.least,
          sight.second,    sight.doubt,     sight.covered,    sight.clues,      sight.edges,
          sight.beyond,    sight.half,      sight.doubt_near, sight.mines_near, sight.shows,
          sight.least_near};
}

// One layer: sums by the weights of what is given, the bias first. Each weight is a line of nodes,
// so that they are added up side by side.
template <std::size_t from, std::size_t to>
std::array<double, to> layer(const std::array<double, from>& given,
                             const std::array<double, (from + 1) * to>& weights) {
  std::array<double, to> sums;
  std::copy_n(weights.begin(), to, sums.begin());
  for (std::size_t i = 0; i < from; ++i) {
    const double* const line = weights.data() + (i + 1) * to;
    for (std::size_t node = 0; node < to; ++node) sums[node] += given[i] * line[node];
  }
  return sums;
}

template <std::size_t size>
std::array<double, size> rectified(std::array<double, size> sums) {
  for (double& sum : sums) sum = std::max(sum, 0.0);
  return sums;
}

// The weights are written as multiples of a small number.
template <std::size_t size>
constexpr std::array<double, size> scaled(const std::array<std::int16_t, size>& written) {
  std::array<double, size> weights{};
  for (std::size_t i = 0; i < size; ++i) weights[i] = written[i] * learned_unit;
  return weights;
}

constexpr auto to_first = scaled(learned_to_first);
constexpr auto to_second = scaled(learned_to_second);
constexpr auto to_last = scaled(learned_to_last);

}  // namespace

std::vector<Inputs> inputs_of(std::span<const Sight> sights, const Scene& scene) {
  std::vector<Inputs> rows(sights.size());
  if (sights.empty()) return rows;
  const auto first = numbers(sights[0]);
  for (std::size_t c = 0; c < sights.size(); ++c) {
    const auto own = numbers(sights[c]);
    Inputs& row = rows[c];
    for (std::size_t i = 0; i < own.size(); ++i) {
      row[i] = own[i] - first[i];
      row[Sight::size + i] = own[i];
    }
    const std::array<double, Scene::size> shared = {scene.fifties,   scene.log_weight, scene.rest,
                                                    scene.rest_risk, scene.hidden,     scene.least};
    std::copy(shared.begin(), shared.end(), row.end() - Scene::size);
  }
  return rows;
}

std::vector<double> appraise(std::span<const Sight> sights, const Scene& scene) {
  std::vector<double> logs;
  for (Inputs row : inputs_of(sights, scene)) {
    const double told = learned_slope * row[0];  // by the look-ahead's score alone
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = std::clamp((row[i] - learned_means[i]) / learned_deviations[i], -farthest, farthest);
    const auto first = rectified(layer<appraised_inputs, learned_first>(row, to_first));
    const auto second = rectified(layer<learned_first, learned_second>(first, to_second));
    logs.push_back(told + layer<learned_second, 1>(second, to_last)[0]);
  }
  return logs;
}

}  // namespace mineproof
