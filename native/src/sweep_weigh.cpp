// The weights of a sweep's states in the forward pass, and the marginals of groups in the backward
// pass.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "mineproof/sweep.hpp"

namespace mineproof {

// Allocates the polynomials of layer `step` + 1.
void Sweep::place_layer(std::size_t step) {
  const std::size_t end = layer_[step + 1];
  for (std::size_t t = end; t < layer_.back(); ++t) {
    State& state = states_[t];
    state.length -= state.low;
    state.place = static_cast<std::uint32_t>(weight_count_);
    weight_count_ += at(state.length);
  }
  states_[end].first = static_cast<std::uint32_t>(transitions_);
}

// Computes the polynomials of layer `step` + 1 from the previous layer. Rescales them when they
// leave the middle of a double's range, and returns the log of the factor; std::nullopt if
// cancelled.
std::optional<double> Sweep::accumulate(std::size_t step, Cancel cancel) {
  const std::size_t from = layer_[step];
  const std::size_t end = layer_[step + 1];
  const std::size_t first = states_[end].place;
  const std::size_t size = weights_of(step + 1);
  grow(forward_, first + size, most_weights_);
  double* const weights = forward_.data();
  std::fill_n(weights + first, size, 0.0);
  const double* const chance = chances(step);
  for (std::size_t s = from; s < end; ++s) {
    if (stops(s, cancel)) return std::nullopt;
    const State& state = states_[s];
    const double* const source = weights + state.place;
    std::int32_t k = state.least;
    for (std::size_t i = state.first; i < end_of(s); ++i, ++k) {
      if (weighs_ && factor_[i] == 0) continue;  // includes transitions to dropped states
      const State& target = states_[target_[i]];
      const double factor = weighs_ ? chance[k] * factor_[i] : chance[k];
      double* const sum = weights + target.place + (state.low + k - target.low);
      for (std::int32_t j = 0; j < state.length; ++j) sum[j] += factor * source[j];
    }
  }
  return scales(step) ? rescale({weights + first, size}) : 0;
}

double Sweep::rescale(std::span<double> weights) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, weight);
  if (largest == 0 || (largest > 1e-100 && largest < 1e100)) return 0;
  for (double& weight : weights) weight /= largest;
  return std::log(largest);
}

bool Sweep::marginals(std::span<const double> outside, Cancel cancel) {
  if (!load_block(blocks_.size() - 1, cancel)) return false;
  later_.assign(outside.begin(), outside.end());
  grow(marginal_, order_.size());
  noise_ = {};
  for (Watch& watch : watches_) watch.mass.fill(0);
  for (std::size_t i = order_.size(); i-- > 0;) {
    if (i < blocks_[loaded_].layer && !load_block(loaded_ - 1, cancel)) return false;
    const double* const chance = chances(i);
    std::array<double, 9> mass{};
    here_.assign(weights_of(i), 0.0);
    const std::size_t first = states_[layer_[i]].place;
    const std::size_t first_later = states_[layer_[i + 1]].place;
    const std::size_t first_way = states_[layer_[i]].first;
    const auto begin = std::find_if(watches_.begin(), watches_.end(),
                                    [i](const Watch& watch) { return watch.step == i; });
    const auto end =
        std::find_if(begin, watches_.end(), [i](const Watch& watch) { return watch.step != i; });
    const std::span<Watch> closing(begin, end);
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s) {
      if (stops(s, cancel)) return false;
      const State& state = states_[s];
      const double* const forward = forward_.data() + state.place;
      double* const sum = here_.data() + (state.place - first);
      std::int32_t k = state.least;
      for (std::size_t way = state.first; way < end_of(s); ++way, ++k) {
        if (weighs_ && factor_[way] == 0) continue;
        const State& target = states_[target_[way]];
        const double factor = weighs_ ? chance[k] * factor_[way] : chance[k];
        const double* const next =
            later_.data() + (target.place - first_later) + (state.low + k - target.low);
        double together = 0;
        for (std::int32_t j = 0; j < state.length; ++j) {
          sum[j] += factor * next[j];
          together += forward[j] * next[j];
        }
        mass[at(k)] += factor * together;
        for (Watch& watch : closing) watch.mass[watch.counts[way - first_way]] += factor * together;
      }
    }
    marginal_[i] = mass;
    add_noise(i, std::accumulate(mass.begin(), mass.end(), 0.0));
    if (scales(i)) rescale(here_);
    here_.swap(later_);
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
