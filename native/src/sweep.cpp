#include "mineproof/sweep.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
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

std::span<const double> Sweep::total() const {
  return {forward_.data() + last().place, static_cast<std::size_t>(last().length)};
}

bool Sweep::run(const Network& network, std::span<const std::int32_t> boxes, const Weights& weights,
                std::size_t budget, Scratch& scratch) {
  scratch_ = &scratch;
  weights_ = &weights;
  // The order in which the network was walked is a good one, mostly, and free. Where it
  // is not, that shows early, and an order is worth some thought.
  order_.assign(boxes.begin(), boxes.end());
  const std::size_t modest = 64 * boxes.size();
  if (count_in_order(network, boxes, std::min(budget, modest))) return true;
  scratch.planner.plan(network, boxes, order_);
  return count_in_order(network, boxes, budget);
}

bool Sweep::count_in_order(const Network& network, std::span<const std::int32_t> boxes,
                           std::size_t budget) {
  assign(network);
  std::vector<std::int32_t>& position = scratch_->position;
  if (position.size() < network.boxes.size()) position.resize(network.boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    position[static_cast<std::size_t>(boxes[i])] = static_cast<std::int32_t>(i);
  for (std::int32_t& box : order_) box = position[static_cast<std::size_t>(box)];
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  if (most_open_ <= 16) return count<WideKey<1>>(budget, no_limit, nullptr);
  if (most_open_ <= 32) return count<WideKey<2>>(budget, no_limit, nullptr);
  if (most_open_ <= 64) return count<WideKey<4>>(budget, no_limit, nullptr);
  return false;
}

void Sweep::estimate(const Sweep& planned, std::size_t width, Stream& stream) {
  scratch_ = planned.scratch_;
  weights_ = planned.weights_;
  order_ = planned.order_;
  steps_ = planned.steps_;
  most_open_ = planned.most_open_;
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max() / 4;
  if (most_open_ <= 16) {
    count<WideKey<1>>(no_limit, width, &stream);
  } else if (most_open_ <= 32) {
    count<WideKey<2>>(no_limit, width, &stream);
  } else if (most_open_ <= 64) {
    count<WideKey<4>>(no_limit, width, &stream);
  } else {  // too many clues are open at once: nothing can be said
    steps_.clear();
    order_.clear();
    begin();
    layer_.push_back(1);
    states_[1].first = 0;
  }
}

// Gives each clue a slot while it is open.
void Sweep::assign(const Network& network) {
  std::vector<std::int32_t>& taken = scratch_->taken;
  std::vector<std::int32_t>& slot = scratch_->slot;
  if (taken.size() < network.clues.size()) {
    taken.resize(network.clues.size());
    slot.resize(network.clues.size());
  }
  if (steps_.size() < order_.size()) steps_.resize(order_.size());
  weighs_ = false;
  std::uint64_t used = 0;
  int open = 0;
  most_open_ = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Box& box = network.boxes[static_cast<std::size_t>(order_[i])];
    Step& step = steps_[i];
    step.size = box.size;
    step.clue_count = box.clue_count;
    step.weighs = false;
    std::uint64_t closed = 0;
    int closing = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(box.clue_count); ++j) {
      const auto id = static_cast<std::size_t>(box.clues[j]);
      const Clue& clue = network.clues[id];
      if (taken[id] == 0) {
        ++open;
        slot[id] = std::min(std::countr_one(used), 63);
        used |= std::uint64_t{1} << slot[id];
        most_open_ = std::max({most_open_, open, slot[id] + 1});
      }
      taken[id] += box.size;
      step.slot[j] = slot[id];
      step.capacity[j] = clue.cells - taken[id];
      step.low[j] = clue.low;
      step.high[j] = clue.high;
      step.closing[j] = nullptr;
      if (taken[id] < clue.cells) continue;
      taken[id] = 0;
      closed |= std::uint64_t{1} << slot[id];
      ++closing;
      step.closing[j] = clue.table;
      step.weighs |= clue.table != nullptr;
    }
    weighs_ |= step.weighs;
    used &= ~closed;
    open -= closing;
  }
  if (most_open_ > 63) most_open_ = 65;  // a slot may have been given twice: too many
}

namespace {

// What a state of the budget may hold, in the mean.
constexpr std::size_t coefficients = 32;

// A vector that only grows: room for `count`.
template <class T>
void grow(std::vector<T>& vector, std::size_t count) {
  if (vector.size() < count) vector.resize(std::max(count, 2 * vector.size()));
}

}  // namespace

// Finds the states layer by layer; `accumulate` then weighs each layer.
template <class Key>
bool Sweep::count(std::size_t budget, std::size_t most, Stream* stream) {
  auto& [keys, next_keys] = std::get<Keys<Key>>(scratch_->keys);
  begin();
  weighs_ |= stream != nullptr;
  gone_.assign(stream != nullptr, 0);
  grow(keys, 1);
  keys[0] = Key{};
  const bool certain_mines = weights_->p >= 1;
  const bool no_mines = weights_->p <= 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Step& step = steps_[i];
    const auto clue_count = static_cast<std::size_t>(step.clue_count);
    Key ones{};
    Key kept{};
    for (auto& word : kept.words) word = ~std::uint64_t{0};
    for (std::size_t j = 0; j < clue_count; ++j) {
      ones.set(step.slot[j], 1);
      if (step.capacity[j] == 0) kept.clear(step.slot[j]);
    }
    const std::size_t from = layer_[i];
    const std::size_t end = layer_[i + 1];
    const std::size_t more = (end - from) * static_cast<std::size_t>(step.size + 1);
    make_room(more, budget);
    grow(next_keys, std::min(more, budget + 9));
    const std::size_t mask = scratch_->table.size() - 1;
    std::uint64_t* const table = scratch_->table.data();
    const std::uint64_t stamp = std::uint64_t{scratch_->stamp} << 32;
    State* const states = states_.data();
    State* const next = states + end;
    std::size_t found = 0;
    for (std::size_t s = from; s < end; ++s) {
      State& source = states[s];
      source.first = static_cast<std::uint32_t>(transitions_);
      source.least = 0;
      if (stream != nullptr && gone_[s]) continue;
      const Key& key = keys[s - from];
      int least = certain_mines ? step.size : 0;
      int greatest = no_mines ? 0 : step.size;
      for (std::size_t j = 0; j < clue_count; ++j) {
        const int so_far = key.at(step.slot[j]);
        least = std::max(least, step.low[j] - step.capacity[j] - so_far);
        greatest = std::min(greatest, step.high[j] - so_far);
      }
      source.least = least;
      Key sum = key;
      sum.add(ones, static_cast<std::uint64_t>(least));
      for (int k = least; k <= greatest; ++k, sum.add(ones, 1)) {
        Key moved = sum;
        moved.keep(kept);
        const std::int32_t low = source.low + k;
        const std::int32_t last = low + source.length;
        std::size_t t = 0;
        for (std::size_t at = moved.hash() & mask;; at = (at + 1) & mask) {
          const std::uint64_t entry = table[at];
          if (entry >> 32 != stamp >> 32) {
            t = found++;
            table[at] = stamp | t;
            next_keys[t] = moved;
            next[t].low = low;
            next[t].length = last;  // for now, where it ends
            break;
          }
          t = static_cast<std::uint32_t>(entry);
          if (next_keys[t] == moved) {
            next[t].low = std::min(next[t].low, low);
            next[t].length = std::max(next[t].length, last);
            break;
          }
        }
        if (weighs_) factor_[transitions_] = closing(step, key, k);
        target_[transitions_++] = static_cast<std::uint32_t>(end + t);
      }
      if (end + found > budget) return false;
    }
    layer_.push_back(static_cast<std::uint32_t>(end + found));
    width_ = std::max(width_, found);
    accumulate(i);
    if (weight_count_ / coefficients > budget) return false;  // memory is bounded too
    if (stream != nullptr) thin(i, most, *stream);
    keys.swap(next_keys);
  }
  states_[layer_.back()].first = static_cast<std::uint32_t>(transitions_);
  return true;
}

void Sweep::begin() {
  layer_.assign({0, 1});
  grow(states_, 2);
  states_[0] = {0, 1, 0, 0, 0};
  transitions_ = 0;
  grow(forward_, 1);
  forward_[0] = 1;
  weight_count_ = 1;
  longest_ = 1;
  log_scale_ = 0;
  width_ = 1;
  reach_words_ = 0;
  source_.clear();
}

// Room for a layer: of states and transitions, and in the hash table for twice what
// can come, or what the budget allows.
void Sweep::make_room(std::size_t more, std::size_t budget) {
  grow(states_, layer_.back() + std::min(more, budget + 9) + 1);
  grow(target_, transitions_ + more);
  if (weighs_) grow(factor_, transitions_ + more);
  const std::size_t room = std::bit_ceil(2 * std::min(more, std::min(more, budget) + 16) + 2);
  if (scratch_->table.size() < room) {
    scratch_->table.assign(room, 0);
    scratch_->stamp = 0;
  }
  if (++scratch_->stamp == 0) {
    std::fill(scratch_->table.begin(), scratch_->table.end(), 0);
    scratch_->stamp = 1;
  }
}

// What the tables that close with k mines in this box say together. Zero only if one
// of them is: proofs rest on that.
template <class Key>
double Sweep::closing(const Step& step, const Key& key, int k) {
  if (!step.weighs) return 1;
  double factor = 1;
  bool possible = true;
  for (std::size_t j = 0; j < static_cast<std::size_t>(step.clue_count); ++j)
    if (step.closing[j] != nullptr) {
      const double entry = step.closing[j][key.at(step.slot[j]) + k];
      possible &= entry > 0;
      factor *= entry;
    }
  return possible ? std::max(factor, std::numeric_limits<double>::min()) : 0;
}

// The weights of the numbers of mines in a step's box.
const double* Sweep::chances(std::size_t step) const {
  return weights_->of[static_cast<std::size_t>(steps_[step].size)].data();
}

// Adds up the polynomials of layer `step` + 1 from those before, and scales them
// where they leave the middle of a double's range.
void Sweep::accumulate(std::size_t step) {
  const std::size_t from = layer_[step];
  const std::size_t end = layer_[step + 1];
  const std::size_t first = weight_count_;
  for (std::size_t t = end; t < layer_.back(); ++t) {
    State& state = states_[t];
    state.length -= state.low;
    state.place = static_cast<std::uint32_t>(weight_count_);
    longest_ = std::max(longest_, state.length);
    weight_count_ += static_cast<std::size_t>(state.length);
  }
  states_[end].first = static_cast<std::uint32_t>(transitions_);
  grow(forward_, weight_count_);
  double* const weights = forward_.data();
  std::fill(weights + first, weights + weight_count_, 0.0);
  const double* const chance = chances(step);
  for (std::size_t s = from; s < end; ++s) {
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
}

// Keeps about `width` states of the layer after `step`.
void Sweep::thin(std::size_t step, std::size_t width, Stream& stream) {
  const std::size_t end = layer_[step + 1];
  const std::size_t count = layer_.back() - end;
  gone_.resize(layer_.back(), 0);
  if (count <= width) return;
  std::vector<double> weight(count);
  for (std::size_t t = 0; t < count; ++t) {
    const double* at = forward_.data() + states_[end + t].place;
    for (std::int32_t j = 0; j < states_[end + t].length; ++j) weight[t] += at[j];
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
  for (std::size_t t = 0; t < count; ++t) {
    if (weight[t] >= threshold) continue;
    walk -= threshold > 0 ? weight[t] / threshold : 0;
    const bool stays = walk < 0;
    if (stays) walk += 1;
    inflate[t] = stays ? threshold / weight[t] : 0;
    gone_[end + t] = !stays;
    double* at = forward_.data() + states_[end + t].place;
    for (std::int32_t j = 0; j < states_[end + t].length; ++j) at[j] *= inflate[t];
  }
  for (std::size_t i = states_[layer_[step]].first; i < transitions_; ++i)
    factor_[i] *= inflate[target_[i] - end];
}

double Sweep::rescale(std::span<double> weights) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, weight);
  if (largest == 0 || (largest > 1e-100 && largest < 1e100)) return 0;
  for (double& weight : weights) weight /= largest;
  return std::log(largest);
}

void Sweep::marginals(std::span<const double> outside) {
  grow(backward_, weight_count_);
  double* const weights = backward_.data();
  std::copy(outside.begin(), outside.end(), weights + last().place);
  grow(marginal_, order_.size());
  for (std::size_t i = order_.size(); i-- > 0;) {
    const double* const chance = chances(i);
    std::array<double, 9> mass{};
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s) {
      const State& state = states_[s];
      const double* const forward = forward_.data() + state.place;
      double* const sum = weights + state.place;
      std::fill_n(sum, state.length, 0.0);
      std::int32_t k = state.least;
      for (std::size_t at = state.first; at < end_of(s); ++at, ++k) {
        const State& target = states_[target_[at]];
        const double factor = weighs_ ? chance[k] * factor_[at] : chance[k];
        const double* const next = weights + target.place + (state.low + k - target.low);
        double together = 0;
        for (std::int32_t j = 0; j < state.length; ++j) {
          sum[j] += factor * next[j];
          together += forward[j] * next[j];
        }
        mass[static_cast<std::size_t>(k)] += factor * together;
      }
    }
    marginal_[i] = mass;
    const std::size_t from = states_[layer_[i]].place;
    if (scales(i)) rescale({weights + from, states_[layer_[i + 1]].place - from});
  }
}

std::pair<double, double> Sweep::halves(std::size_t i) const {
  const auto size = static_cast<std::size_t>(steps_[i].size);
  double mines = 0;
  double gaps = 0;
  for (std::size_t k = 0; k <= size; ++k) {
    mines += static_cast<double>(k) * marginal_[i][k];
    gaps += static_cast<double>(size - k) * marginal_[i][k];
  }
  return {mines, gaps};
}

}  // namespace mineproof
