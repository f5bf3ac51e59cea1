// What the states of a sweep weigh, forwards, and what each box can hold, backwards.
#include <algorithm>
#include <cmath>

#include "mineproof/sweep.hpp"

namespace mineproof {

std::span<const double> Sweep::total() const {
  return {forward_.data() + last().place, at(last().length)};
}

// Adds up the polynomials of layer `step` + 1 from those before, and scales them
// where they leave the middle of a double's range. False if cancelled.
bool Sweep::accumulate(std::size_t step, Cancel cancel) {
  const std::size_t from = layer_[step];
  const std::size_t end = layer_[step + 1];
  const std::size_t first = weight_count_;
  for (std::size_t t = end; t < layer_.back(); ++t) {
    State& state = states_[t];
    state.length -= state.low;
    state.place = static_cast<std::uint32_t>(weight_count_);
    longest_ = std::max(longest_, state.length);
    weight_count_ += at(state.length);
  }
  states_[end].first = static_cast<std::uint32_t>(transitions_);
  grow(forward_, weight_count_);
  double* const weights = forward_.data();
  std::fill(weights + first, weights + weight_count_, 0.0);
  const double* const chance = chances(step);
  for (std::size_t s = from; s < end; ++s) {
    if (stops(s, cancel)) return false;
    const State& state = states_[s];
    const double* const source = weights + state.place;
    std::int32_t k = state.least;
    for (std::size_t i = state.first; i < end_of(s); ++i, ++k) {
      const State& target = states_[target_[i]];
      const double factor = weighs_ ? chance[k] * factor_[i] : chance[k];
      double* const sum = weights + target.place + (state.low + k - target.low);
      for (std::int32_t j = 0; j < state.length; ++j) sum[j] += factor * source[j];
    }
  }
  if (scales(step)) log_scale_ += rescale({weights + first, weight_count_ - first});
  return true;
}

double Sweep::rescale(std::span<double> weights) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, weight);
  if (largest == 0 || (largest > 1e-100 && largest < 1e100)) return 0;
  for (double& weight : weights) weight /= largest;
  return std::log(largest);
}

bool Sweep::marginals(std::span<const double> outside, Cancel cancel) {
  grow(backward_, weight_count_);
  double* const weights = backward_.data();
  std::copy(outside.begin(), outside.end(), weights + last().place);
  grow(marginal_, order_.size());
  for (std::size_t i = order_.size(); i-- > 0;) {
    const double* const chance = chances(i);
    std::array<double, 9> mass{};
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s) {
      if (stops(s, cancel)) return false;
      const State& state = states_[s];
      const double* const forward = forward_.data() + state.place;
      double* const sum = weights + state.place;
      std::fill_n(sum, state.length, 0.0);
      std::int32_t k = state.least;
      for (std::size_t way = state.first; way < end_of(s); ++way, ++k) {
        const State& target = states_[target_[way]];
        const double factor = weighs_ ? chance[k] * factor_[way] : chance[k];
        const double* const next = weights + target.place + (state.low + k - target.low);
        double together = 0;
        for (std::int32_t j = 0; j < state.length; ++j) {
          sum[j] += factor * next[j];
          together += forward[j] * next[j];
        }
        mass[at(k)] += factor * together;
      }
    }
    marginal_[i] = mass;
    const std::size_t from = states_[layer_[i]].place;
    if (scales(i)) rescale({weights + from, states_[layer_[i + 1]].place - from});
  }
  return true;
}

std::pair<double, double> Sweep::halves(std::size_t i) const {
  const std::size_t size = at(steps_[i].size);
  double mines = 0;
  double gaps = 0;
  for (std::size_t k = 0; k <= size; ++k) {
    mines += static_cast<double>(k) * marginal_[i][k];
    gaps += static_cast<double>(size - k) * marginal_[i][k];
  }
  return {mines, gaps};
}

}  // namespace mineproof
