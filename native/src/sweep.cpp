// The order of the groups, and the states of each layer. Other parts of Sweep are in
// sweep_weigh.cpp, sweep_estimate.cpp, sweep_prove.cpp, sweep_draw.cpp and sweep_list.cpp.
#include "mineproof/sweep.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace mineproof {

namespace {

// Coefficients that a state of the budget may have on average.
constexpr std::size_t coefficients = 32;

}  // namespace

Swept Sweep::run(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
                 const Weights& weights, std::size_t budget, std::size_t room, double hopeless,
                 Scratch& scratch, Cancel cancel) {
  if (weights_.p != weights.p) weights_ = weights;
  // First tries the order in which the graph was traversed, which is usually good and free. If it
  // is bad, that shows early, and planning an order pays off.
  order_.assign(groups.begin(), groups.end());
  const std::size_t modest = std::min(budget, 64 * groups.size());
  const Swept at_once = count_in_order(graph, groups, modest, room, scratch, cancel);
  if (at_once != Swept::over_budget) return at_once;
  const auto work = scratch.planner.plan(graph, groups, 100 * hopeless, order_, cancel);
  if (!work) return Swept::cancelled;
  if (*work > hopeless) {
    assign_positions(graph, groups, scratch);
    begin();
    return Swept::over_budget;
  }
  const Swept counted = count_in_order(graph, groups, budget, room, scratch, cancel);
  if (counted == Swept::over_budget) {  // the estimate needs the memory
    states_ = decltype(states_)();
    target_ = decltype(target_)();
    factor_ = decltype(factor_)();
    forward_ = decltype(forward_)();
    begin();
  }
  return counted;
}

Swept Sweep::count_in_order(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
                            std::size_t budget, std::size_t room, Scratch& scratch, Cancel cancel) {
  assign(graph, scratch);
  assign_positions(graph, groups, scratch);
  return count_by_key({budget, 0, 0, coefficients * (budget + 1) - 1, room}, nullptr, scratch,
                      cancel);
}

// Converts group ids of the graph to positions in the component.
void Sweep::assign_positions(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
                             Scratch& scratch) {
  std::vector<std::int32_t>& position = scratch.position;
  if (position.size() < graph.groups.size()) position.resize(graph.groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    position[at(groups[i])] = static_cast<std::int32_t>(i);
  for (std::int32_t& group : order_) group = position[at(group)];
}

Swept Sweep::count_by_key(const Limits& limits, Stream* stream, Scratch& scratch, Cancel cancel) {
  if (most_open_ <= 16) return count<WideKey<1>>(limits, stream, scratch, cancel);
  if (most_open_ <= 32) return count<WideKey<2>>(limits, stream, scratch, cancel);
  if (most_open_ <= 64) return count<WideKey<4>>(limits, stream, scratch, cancel);
  return Swept::over_budget;
}

// Assigns each clue a slot while it is open, and keeps the tables of the clues that close.
void Sweep::assign(const ConstraintGraph& graph, Scratch& scratch) {
  std::vector<std::int32_t>& taken = scratch.taken;
  std::vector<std::int32_t>& slot = scratch.slot;
  if (taken.size() < graph.clues.size()) {
    taken.resize(graph.clues.size());
    slot.resize(graph.clues.size());
  }
  if (steps_.size() < order_.size()) steps_.resize(order_.size());
  tables_.clear();
  watches_.clear();
  weighs_ = false;
  std::uint64_t used = 0;
  int open = 0;
  most_open_ = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const CellGroup& group = graph.groups[at(order_[i])];
    Step& step = steps_[i];
    step.size = group.size;
    step.clue_count = group.clue_count;
    step.weighs = false;
    std::uint64_t closed = 0;
    int closing = 0;
    for (std::size_t j = 0; j < at(group.clue_count); ++j) {
      const std::size_t id = at(group.clues[j]);
      const Clue& clue = graph.clues[id];
      if (taken[id] == 0) {
        ++open;
        slot[id] = std::min(std::countr_one(used), 63);
        used |= std::uint64_t{1} << slot[id];
        most_open_ = std::max({most_open_, open, slot[id] + 1});
      }
      taken[id] += group.size;
      step.slot[j] = slot[id];
      step.capacity[j] = clue.cells - taken[id];
      step.low[j] = clue.low;
      step.high[j] = clue.high;
      step.closing[j] = no_table;
      if (taken[id] < clue.cells) continue;
      taken[id] = 0;
      closed |= std::uint64_t{1} << slot[id];
      ++closing;
      if (clue.watch >= 0)
        watches_.push_back({.id = clue.watch, .step = i, .slot = slot[id], .counts = {}});
      if (clue.table == nullptr) continue;
      step.closing[j] = static_cast<std::int32_t>(tables_.size());
      tables_.insert(tables_.end(), clue.table, clue.table + clue.cells + 1);
      step.weighs = true;
    }
    weighs_ |= step.weighs;
    used &= ~closed;
    open -= closing;
  }
  if (most_open_ > 63) most_open_ = 65;  // a slot may have been assigned twice: too many
}

template <class Key>
struct Sweep::Layer {
  std::uint64_t* table;
  std::size_t mask;
  std::uint64_t stamp;  // of this layer, in the upper half
  Key* keys;
  State* states;
  std::size_t found = 0;

  // The index of the state with this key; extends its range to `low` to `end` - 1 mines.
  std::size_t merge(const Key& key, std::int32_t low, std::int32_t end) {
    for (std::size_t i = key.hash() & mask;; i = (i + 1) & mask) {
      const std::uint64_t entry = table[i];
      if (entry >> 32 != stamp >> 32) {
        const std::size_t t = found++;
        table[i] = stamp | t;
        keys[t] = key;
        states[t].low = low;
        states[t].length = end;  // temporarily the end of the range
        return t;
      }
      const std::size_t t = static_cast<std::uint32_t>(entry);
      if (keys[t] == key) {
        states[t].low = std::min(states[t].low, low);
        states[t].length = std::max(states[t].length, end);
        return t;
      }
    }
  }
};

// Builds the states layer by layer, and weighs each layer. With a stream, layers are thinned.
template <class Key>
Swept Sweep::count(const Limits& limits, Stream* stream, Scratch& scratch, Cancel cancel) {
  auto& [keys, next_keys] = std::get<Keys<Key>>(scratch.keys);
  begin();
  weighs_ |= stream != nullptr;
  most_states_ = stream == nullptr ? limits.states + 10 : 0;
  most_weights_ = limits.weights;
  grow(keys, 1);
  keys[0] = Key{};
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Swept expanded = expand<Key>(i, limits.states, scratch, cancel);
    if (expanded != Swept::all) return expanded;
    if (!feasible()) break;
    place_layer(i);
    if (!watches_.empty()) watch<Key>(i, std::span(keys.data(), layer_[i + 1] - layer_[i]));
    if (stream == nullptr && (weight_count_ > limits.weights || bytes() > limits.bytes))
      return Swept::over_budget;
    const auto scale = accumulate(i, cancel);
    if (!scale) return Swept::cancelled;
    log_scale_ += *scale;
    if (stream != nullptr) {
      if (thin(i, limits, *stream)) {
        std::size_t kept = 0;
        for (std::size_t t = 0; t < gone_.size(); ++t)
          if (!gone_[t]) next_keys[kept++] = next_keys[t];
      }
      if (weight_count_ > limits.weights) begin_block(i + 1);
    }
    keys.swap(next_keys);
  }
  if (!feasible()) return Swept::all;
  states_[layer_.back()].first = static_cast<std::uint32_t>(transitions_);
  total_.assign(forward_.data() + last().place, forward_.data() + last().place + last().length);
  return Swept::all;
}

// Takes a group: builds the states of the next layer and the transitions to them.
template <class Key>
Swept Sweep::expand(std::size_t i, std::size_t budget, Scratch& scratch, Cancel cancel) {
  const Step& step = steps_[i];
  const std::size_t clue_count = at(step.clue_count);
  Key ones{};
  Key kept{};
  for (auto& word : kept.words) word = ~std::uint64_t{0};
  for (std::size_t j = 0; j < clue_count; ++j) {
    ones.set(step.slot[j], 1);
    if (step.capacity[j] == 0) kept.clear(step.slot[j]);
  }
  auto& [keys, next_keys] = std::get<Keys<Key>>(scratch.keys);
  const std::size_t from = layer_[i];
  const std::size_t end = layer_[i + 1];
  const std::size_t more = (end - from) * at(step.size + 1);
  make_room(more, budget, scratch);
  grow(next_keys, std::min(more, budget + 9));
  State* const states = states_.data();
  Layer<Key> next{scratch.table.data(), scratch.table.size() - 1,
                  std::uint64_t{scratch.stamp} << 32, next_keys.data(), states + end};
  const int always = weights_.p >= 1 ? step.size : 0;
  const int ever = weights_.p <= 0 ? 0 : step.size;
  for (std::size_t s = from; s < end; ++s) {
    if (stops(s, cancel)) return Swept::cancelled;
    State& source = states[s];
    source.first = static_cast<std::uint32_t>(transitions_);
    source.least = 0;
    const Key& key = keys[s - from];
    int least = always;
    int greatest = ever;
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
      const std::size_t t = next.merge(moved, low, low + source.length);
      if (weighs_) factor_[transitions_] = closing(step, key, k);
      target_[transitions_++] = static_cast<std::uint32_t>(end + t);
    }
    if (end + next.found > budget) return Swept::over_budget;
  }
  layer_.push_back(static_cast<std::uint32_t>(end + next.found));
  width_ = std::max(width_, next.found);
  return Swept::all;
}

// Records, for every transition of a step, the mine counts of the watched clues that close there.
template <class Key>
void Sweep::watch(std::size_t i, std::span<const Key> keys) {
  for (Watch& seen : watches_) {
    if (seen.step != i) continue;
    seen.counts.clear();
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s) {
      int count = keys[s - layer_[i]].at(seen.slot) + states_[s].least;
      for (std::size_t way = states_[s].first; way < end_of(s); ++way)
        seen.counts.push_back(static_cast<std::uint8_t>(count++));
    }
  }
}

void Sweep::begin() {
  layer_.assign({0, 1});
  grow(states_, 2);
  states_[0] = {0, 1, 0, 0, 0};
  transitions_ = 0;
  grow(forward_, 1);
  forward_[0] = 1;
  weight_count_ = 1;
  log_scale_ = 0;
  width_ = 1;
  threshold_.clear();
  reach_place_.clear();
  source_.clear();
  blocks_.assign(1, {0, 0});
  kept_.assign(1, 1.0);
  loaded_ = 0;
}

std::size_t Sweep::bytes() const {
  if (layer_.empty()) return 0;  // nothing has been counted
  const std::size_t way = sizeof target_[0] + (weighs_ ? sizeof factor_[0] : 0);
  return layer_.back() * sizeof(State) + transitions_ * way + weight_count_ * sizeof(double);
}

// Reserves memory for a layer: for its states and transitions, and a hash table of twice the
// largest possible number of states, or of what the budget allows.
void Sweep::make_room(std::size_t more, std::size_t budget, Scratch& scratch) {
  grow(states_, layer_.back() + std::min(more, budget + 9) + 1, most_states_);
  grow(target_, transitions_ + more, 4 * most_states_);
  if (weighs_) grow(factor_, transitions_ + more, 4 * most_states_);
  const std::size_t room = std::bit_ceil(2 * std::min(more, std::min(more, budget) + 16) + 2);
  if (scratch.table.size() < room) {
    scratch.table.assign(room, 0);
    scratch.stamp = 0;
  }
  if (++scratch.stamp == 0) {
    std::fill(scratch.table.begin(), scratch.table.end(), 0);
    scratch.stamp = 1;
  }
}

// The product of the table entries of the clues that close with k mines in this group. Zero only if
// one of the entries is zero: proofs rely on that.
template <class Key>
double Sweep::closing(const Step& step, const Key& key, int k) const {
  if (!step.weighs) return 1;
  double factor = 1;
  bool possible = true;
  for (std::size_t j = 0; j < at(step.clue_count); ++j)
    if (step.closing[j] != no_table) {
      const double entry = tables_[at(step.closing[j] + key.at(step.slot[j]) + k)];
      possible &= entry > 0;
      factor *= entry;
    }
  return possible ? std::max(factor, std::numeric_limits<double>::min()) : 0;
}

}  // namespace mineproof
