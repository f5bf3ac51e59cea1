// An estimate of a component that is too large to be counted: layers are thinned.
#include <algorithm>
#include <functional>
#include <limits>

#include "mineproof/sweep.hpp"

namespace mineproof {

bool Sweep::estimate(const Sweep& planned, std::size_t width, Stream& stream, Scratch& scratch,
                     Cancel cancel) {
  weights_ = planned.weights_;
  order_ = planned.order_;
  steps_ = planned.steps_;
  tables_ = planned.tables_;
  most_open_ = planned.most_open_;
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max() / 4;
  Swept counted = Swept::all;
  if (most_open_ <= 16) {
    counted = count<WideKey<1>>(no_limit, width, &stream, scratch, cancel);
  } else if (most_open_ <= 32) {
    counted = count<WideKey<2>>(no_limit, width, &stream, scratch, cancel);
  } else if (most_open_ <= 64) {
    counted = count<WideKey<4>>(no_limit, width, &stream, scratch, cancel);
  } else {  // too many clues are open at once: nothing can be said
    steps_.clear();
    order_.clear();
    begin();
    layer_.push_back(1);
    states_[1].first = 0;
  }
  return counted != Swept::cancelled;
}

// Keeps about `width` states of the layer after `step`.
void Sweep::thin(std::size_t step, std::size_t width, Stream& stream) {
  const std::size_t end = layer_[step + 1];
  const std::size_t count = layer_.back() - end;
  gone_.resize(layer_.back(), 0);
  if (count <= width) return;
  std::vector<double> weight(count);
  for (std::size_t t = 0; t < count; ++t) {
    const double* polynomial = forward_.data() + states_[end + t].place;
    for (std::int32_t j = 0; j < states_[end + t].length; ++j) weight[t] += polynomial[j];
  }
  // The threshold: those above stay, those below stay with chance weight / threshold.
  std::vector<double> sorted(weight);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double below = 0;
  for (const double w : sorted) below += w;
  std::size_t kept = 0;
  while (kept < width && sorted[kept] * static_cast<double>(width - kept) >= below)
    below -= sorted[kept++];
  const double threshold = below / static_cast<double>(std::max<std::size_t>(width - kept, 1));
  std::vector<double> inflate(count, 1.0);
  double walk = stream.uniform();  // systematic: one draw for all, evenly spread
  // Where nothing is left below, states that weigh nothing in doubles may stay, but not all of
  // them: layers would grow without bound.
  auto idle = std::count(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(width), 0.0);
  for (std::size_t t = 0; t < count; ++t) {
    if (weight[t] >= threshold && (weight[t] > 0 || idle-- > 0)) continue;
    walk -= threshold > 0 ? weight[t] / threshold : 0;
    const bool stays = walk < 0;
    if (stays) walk += 1;
    inflate[t] = stays ? threshold / weight[t] : 0;
    gone_[end + t] = !stays;
    double* polynomial = forward_.data() + states_[end + t].place;
    for (std::int32_t j = 0; j < states_[end + t].length; ++j) polynomial[j] *= inflate[t];
  }
  for (std::size_t i = states_[layer_[step]].first; i < transitions_; ++i)
    factor_[i] *= inflate[target_[i] - end];
}

}  // namespace mineproof
