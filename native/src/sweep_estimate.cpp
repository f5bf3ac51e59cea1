// Estimates a component that is too large to be counted, by thinning layers.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "mineproof/sweep.hpp"

namespace mineproof {

namespace {

// Approximate number of coefficients that an estimate computes: a tenth of a second or two. Only
// boards of a few thousand cells have more.
constexpr std::size_t most_weighed = 15'000'000;

}  // namespace

bool Sweep::estimate(const Sweep& planned, std::size_t width, std::size_t room, Stream& stream,
                     Scratch& scratch, Cancel cancel) {
  weights_ = planned.weights_;
  order_ = planned.order_;
  steps_ = planned.steps_;
  tables_ = planned.tables_;
  watches_ = planned.watches_;
  most_open_ = planned.most_open_;
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max() / 4;
  constexpr std::size_t per_state =
      sizeof(State) + sizeof(float) + 3 * (sizeof(double) + sizeof(std::uint32_t));
  const std::size_t steps = std::max<std::size_t>(order_.size(), 1);
  // Two fifths of the memory are for the polynomials of the layers in a block, and as much for
  // those of the first layers of all blocks. With this number of layers per block, and no layer
  // above its share, there are as many blocks.
  const std::size_t weights = room / 5 * 2 / sizeof(double);
  const auto layers = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(steps))));
  const Limits limits{no_limit, std::clamp<std::size_t>(room / 5 / (steps * per_state), 1, width),
                      std::max<std::size_t>(std::min(weights / layers, most_weighed / steps), 1),
                      weights, room};
  if (most_open_ > 64) {  // too many clues are open at once: no information
    steps_.clear();
    order_.clear();
    begin();
    layer_.push_back(1);
    states_[1].first = 0;
    total_.assign(1, 1.0);
    return true;
  }
  return count_by_key(limits, &stream, scratch, cancel) != Swept::cancelled;
}

bool Sweep::plan_reversed(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
                          const Sweep& planned, Scratch& scratch) {
  weights_ = planned.weights_;
  order_.clear();
  for (std::size_t i = planned.order_.size(); i-- > 0;)
    order_.push_back(groups[at(planned.order_[i])]);
  assign(graph, scratch);
  assign_positions(graph, groups, scratch);
  return most_open_ <= 64;
}

// Decides which states of the layer after `step` stay. Returns whether any must go.
bool Sweep::thin(std::size_t step, const Limits& limits, Stream& stream) {
  const std::size_t end = layer_[step + 1];
  const std::size_t count = layer_.back() - end;
  std::size_t width = limits.layer_states;
  if (const std::size_t weights = weights_of(step + 1); weights > limits.layer_weights)
    width = std::clamp<std::size_t>(count * limits.layer_weights / weights, 1, width);
  if (count <= width) return false;
  std::vector<double> weight(count);
  for (std::size_t t = 0; t < count; ++t) {
    const double* polynomial = forward_.data() + states_[end + t].place;
    for (std::int32_t j = 0; j < states_[end + t].length; ++j) weight[t] += polynomial[j];
  }
  // Heavier states than the threshold stay; the others stay with probability weight / threshold.
  std::vector<double> sorted(weight);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double all = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  double below = all;
  std::size_t kept = 0;
  while (kept < width && sorted[kept] * static_cast<double>(width - kept) >= below)
    below -= sorted[kept++];
  const double threshold = below / static_cast<double>(std::max<std::size_t>(width - kept, 1));
  threshold_.resize(step + 2);
  threshold_[step + 1] = all > 0 ? threshold / all : 0;
  std::vector<double> inflate(count, 1.0);
  gone_.assign(count, 0);
  double position = stream.uniform();  // systematic resampling: one draw, evenly spaced
  // If the threshold is 0, states whose weight underflowed to 0 may stay, but not all of them, or
  // layers would grow without bound.
  auto idle = std::count(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(width), 0.0);
  for (std::size_t t = 0; t < count; ++t) {
    if (weight[t] >= threshold && (weight[t] > 0 || idle-- > 0)) continue;
    position -= threshold > 0 ? weight[t] / threshold : 0;
    const bool stays = position < 0;
    if (stays) position += 1;
    inflate[t] = stays ? threshold / weight[t] : 0;
    gone_[t] = !stays;
    double* polynomial = forward_.data() + states_[end + t].place;
    for (std::int32_t j = 0; j < states_[end + t].length; ++j) polynomial[j] *= inflate[t];
  }
  drop(step, inflate);
  return true;
}

// Removes the dropped states of the layer after `step` and their polynomials. Transitions to them
// get factor 0 and lead to the first state that stayed.
void Sweep::drop(std::size_t step, std::span<const double> inflate) {
  const std::size_t end = layer_[step + 1];
  std::vector<std::uint32_t> moved(gone_.size(), static_cast<std::uint32_t>(end));
  std::uint32_t next = static_cast<std::uint32_t>(end);
  std::uint32_t place = states_[end].place;
  grow(staying_, end + gone_.size());
  for (std::size_t t = 0; t < gone_.size(); ++t) {
    if (gone_[t]) continue;
    State state = states_[end + t];
    std::copy_n(forward_.data() + state.place, state.length, forward_.data() + place);
    state.place = place;
    place += static_cast<std::uint32_t>(state.length);
    states_[next] = state;
    staying_[next] = static_cast<float>(1 / inflate[t]);
    moved[t] = next++;
  }
  for (std::size_t i = states_[layer_[step]].first; i < transitions_; ++i) {
    const std::size_t t = target_[i] - end;
    factor_[i] *= inflate[t];
    target_[i] = moved[t];
  }
  layer_.back() = next;
  weight_count_ = place;
  states_[end].first = static_cast<std::uint32_t>(transitions_);
}

// Adds the noise of a thinned layer. At this point here_ holds the weights of completing its
// states, and `all` is the total over all states. The Horvitz-Thompson estimator gives the variance
// from the states that were drawn. If none of those contributes much, that variance is small,
// although a dropped state might have contributed more than all that stayed. So one more state is
// assumed, as heavy as those that were drawn, and with the best completion of any.
void Sweep::add_noise(std::size_t layer, double all) {
  if (layer >= threshold_.size() || threshold_[layer] <= 0 || !(all > 0)) return;
  const std::size_t first = states_[layer_[layer]].place;
  const double* const forward = forward_.data();
  const double drawn = threshold_[layer] *
                       std::accumulate(forward + first, forward + first + weights_of(layer), 0.0);
  double one_more = 0;
  for (std::size_t s = layer_[layer]; s < layer_[layer + 1]; ++s) {
    const State& state = states_[s];
    const double* const here = forward + state.place;
    const double* const further = here_.data() + (state.place - first);
    const double weight = std::accumulate(here, here + state.length, 0.0);
    const double share = std::inner_product(here, here + state.length, further, 0.0) / all;
    noise_.variance += (1 - static_cast<double>(staying_[s])) * share * share;
    if (weight > 0) one_more = std::max(one_more, share * std::min(1.0, drawn / weight));
  }
  noise_.unseen = std::max(noise_.unseen, one_more);
}

// Starts a new block at a layer, the last one so far, and stores the polynomials of that layer.
void Sweep::begin_block(std::size_t layer) {
  const std::size_t first = states_[layer_[layer]].place;
  const auto begin = forward_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = forward_.begin() + static_cast<std::ptrdiff_t>(weight_count_);
  blocks_.push_back({layer, kept_.size()});
  loaded_ = blocks_.size() - 1;
  const std::size_t kept = kept_.size() + weight_count_ - first;
  if (kept_.capacity() < kept) kept_.reserve(kept + kept / 4);
  kept_.insert(kept_.end(), begin, end);
  std::copy(begin, end, forward_.begin());
  for (std::size_t s = layer_[layer]; s < layer_.back(); ++s)
    states_[s].place -= static_cast<std::uint32_t>(first);
  weight_count_ -= first;
}

// Recomputes the layers of a block from its first. False if cancelled.
bool Sweep::load_block(std::size_t block, Cancel cancel) {
  if (block == loaded_) return true;
  const bool is_last = block + 1 == blocks_.size();
  const std::size_t end = is_last ? order_.size() : blocks_[block + 1].layer;
  const std::size_t place = is_last ? kept_.size() : blocks_[block + 1].place;
  std::copy(kept_.begin() + static_cast<std::ptrdiff_t>(blocks_[block].place),
            kept_.begin() + static_cast<std::ptrdiff_t>(place), forward_.begin());
  loaded_ = block;
  for (std::size_t step = blocks_[block].layer; step + 1 < end; ++step)
    if (!accumulate(step, cancel)) return false;
  return true;
}

}  // namespace mineproof
