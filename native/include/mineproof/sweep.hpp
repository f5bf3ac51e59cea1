// Counts the configurations of one component, weighted by its clues.
//
// A dynamic programme that takes the groups of the component (`CellGroup`) one at a time. A clue is
// *open* while some but not all of its groups have been taken. The state is the number of mines
// that each open clue has so far, four bits each; equal states merge. Each state carries a
// polynomial: weight by number of mines so far. When the last group of a clue is taken, the weight
// is multiplied by the entry of the clue's table, and the clue leaves the state. One backward pass
// over the stored states gives all marginals.
//
// Knows groups and clues; knows no board and no Python. Owns all data that it needs after counting:
// no argument has to outlive the call.
//
// Cost: states x choices x length of a polynomial. The number of states is bounded by a budget, and
// memory by a number of bytes that is checked before allocating. Beyond either limit nothing is
// counted (`run` reports it), so results are never wrong. Weights are rescaled layer by layer to
// avoid overflow and underflow of the whole; what is certain is decided separately, by counting in
// booleans (`possible`).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/chance.hpp"
#include "mineproof/constraint_graph.hpp"
#include "mineproof/count_set.hpp"
#include "mineproof/order.hpp"
#include "mineproof/weights.hpp"

namespace mineproof {

// The identity of a state: the number of mines of each open clue, four bits each.
template <std::size_t W>
struct WideKey {
  std::array<std::uint64_t, W> words{};
  bool operator==(const WideKey&) const = default;
  [[nodiscard]] int at(int slot) const {
    return static_cast<int>(words[mineproof::at(slot >> 4)] >> ((slot & 15) * 4) & 15);
  }
  void add(const WideKey& mask, std::uint64_t k) {
    for (std::size_t i = 0; i < W; ++i) words[i] += mask.words[i] * k;
  }
  void keep(const WideKey& mask) {
    for (std::size_t i = 0; i < W; ++i) words[i] &= mask.words[i];
  }
  void clear(int slot) {
    words[mineproof::at(slot >> 4)] &= ~(std::uint64_t{15} << ((slot & 15) * 4));
  }
  void set(int slot, std::uint64_t nibble) {
    words[mineproof::at(slot >> 4)] |= nibble << ((slot & 15) * 4);
  }
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t h = 0;
    for (const std::uint64_t word : words) h = (h ^ word) * 0x9E3779B97F4A7C15U + (h >> 29);
    return h ^ h >> 32;
  }
};

template <class Key>
struct Keys {
  std::vector<Key> here, next;
};

// Memory that the sweeps of one thread share. No content survives a call.
struct Scratch {
  Planner planner;
  std::vector<std::int32_t> taken;     // by clue: its cells in groups taken; 0 unless open
  std::vector<std::int32_t> slot;      // by open clue
  std::vector<std::int32_t> position;  // by group: its position in the component
  std::vector<std::uint64_t> allowed;  // by state: numbers of mines that can be completed
  std::tuple<Keys<WideKey<1>>, Keys<WideKey<2>>, Keys<WideKey<4>>> keys;  // of two layers
  // An open-addressing hash table whose entries are stamped by layer, so it is never cleared.
  std::vector<std::uint64_t> table;
  std::uint32_t stamp = 0;
};

enum class Swept : std::uint8_t { all, over_budget, cancelled };

class Sweep {
 public:
  // Finds an order for the groups and counts within these limits on states and bytes. If a limit is
  // exceeded, only the order is kept. An order that is predicted to need more than `hopeless`
  // states is not tried.
  Swept run(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
            const Weights& weights, std::size_t budget, std::size_t room, double hopeless,
            Scratch& scratch, Cancel cancel);

  // Estimates a component that is over the budget, in the order that `planned` chose, keeping no
  // more than `width` states per layer. In larger layers the heaviest states stay; the others are
  // drawn by weight, and those drawn also count for those dropped (Fearnhead and Clifford's
  // resampling). So the weights are unbiased estimates of the true ones. If `room` bytes cannot
  // hold the polynomials of all layers, only some layers are stored and those in between are
  // recomputed on the way back; if they cannot hold even that, fewer states are kept. False if
  // cancelled.
  bool estimate(const Sweep& planned, std::size_t width, std::size_t room, Stream& stream,
                Scratch& scratch, Cancel cancel);

  // Prepares an estimate in the opposite direction: the same groups, in the reverse of the order of
  // `planned`. False if too many clues would be open at once; the sweep is then unusable.
  bool plan_reversed(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
                     const Sweep& planned, Scratch& scratch);

  // Approximate memory use in bytes.
  [[nodiscard]] std::size_t bytes() const;

  // The component's weight by its number of mines, times exp(-log_scale()).
  [[nodiscard]] std::int32_t low() const { return last().low; }
  [[nodiscard]] std::span<const double> total() const { return total_; }
  [[nodiscard]] double log_scale() const { return log_scale_; }
  // The set of possible numbers of mines, decided in booleans; std::nullopt if cancelled.
  [[nodiscard]] std::optional<CountSet> support(Cancel cancel);
  [[nodiscard]] bool feasible() const;

  // The backward pass. Given the weight of the rest of the board as a function of this component's
  // number of mines, computes the weight of each number of mines in each group, up to a factor per
  // group. False if cancelled.
  bool marginals(std::span<const double> outside, Cancel cancel);
  // For a cell of the i-th group: the weights of its being a mine and of its being safe, times the
  // size of the group.
  [[nodiscard]] std::pair<double, double> halves(std::size_t i) const;
  // After marginals() of an estimate: how much dropping states may have changed the weight.
  struct Noise {
    double variance = 0;  // of the weight relative to its square, given the states drawn
    double unseen = 0;    // the most that one more state could have added, relative to the weight
  };
  [[nodiscard]] Noise noise() const { return noise_; }
  // Given the numbers of mines that the rest of the board allows, decides which numbers of mines
  // each group can have. False if cancelled.
  bool possibilities(const CountSet& outside, Scratch& scratch, Cancel cancel);
  [[nodiscard]] bool possible(std::size_t i, std::size_t k) const { return possible_[i] >> k & 1; }

  // After marginals(): the distribution of the mine count of each watched clue of the component, up
  // to a factor per clue.
  struct Watch {
    std::int32_t id;                   // Clue::watch
    std::size_t step;                  // the step at which the clue closes
    int slot;                          // the clue's slot in the states before that step
    std::vector<std::uint8_t> counts;  // by transition of that step: the clue's mines
    std::array<double, 9> mass{};      // weight by number of mines
  };
  [[nodiscard]] std::span<const Watch> watches() const { return watches_; }

  // Draws the mines of each group in order(), given the component's number of mines. Call
  // `prepare_draws` once before; it returns false if cancelled.
  bool prepare_draws(Cancel cancel);
  void draw(std::int32_t mines, Stream& stream, std::span<std::int32_t> mines_of_group) const;

  // Appends every assignment of mine counts to the groups, in order(), one assignment after the
  // other. False if there are more than `most`, if the enumeration meets too many dead ends, or if
  // cancelled.
  bool list(std::size_t most, std::vector<std::uint8_t>& ways, Cancel cancel) const;

  // The order in which the groups were taken, as positions in the component.
  [[nodiscard]] std::span<const std::int32_t> order() const { return order_; }
  [[nodiscard]] std::size_t states() const { return layer_.back(); }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] int most_open() const { return most_open_; }

 private:
  static constexpr std::int32_t no_table = -1;

  // How taking one group affects its clues.
  struct Step {
    int size;  // cells of the group
    int clue_count;
    std::array<int, 8> slot;      // of each of its clues
    std::array<int, 8> capacity;  // the clue's cells in groups not taken yet
    std::array<int, 8> low;       // least mines of the clue
    std::array<int, 8> high;
    std::array<std::int32_t, 8> closing;  // place in tables_ of each clue that closes, or no_table
    bool weighs;                          // whether any clue that closes has a table
  };

  // A state. Its polynomial starts at `place` in the weights; its transitions start at `first`, and
  // the k-th of them puts `least` + k mines into the group.
  struct State {
    std::int32_t low;     // fewest mines so far
    std::int32_t length;  // of the polynomial
    std::uint32_t place;
    std::uint32_t first;
    std::int32_t least;
  };

  // The states of a layer while they are being collected, in the hash table of Scratch.
  template <class Key>
  struct Layer;

  // Limits of a count: states in total; states and coefficients that are kept per layer;
  // coefficients in memory at once; all memory in bytes.
  struct Limits {
    std::size_t states, layer_states, layer_weights, weights, bytes;
  };

  Swept count_in_order(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
                       std::size_t budget, std::size_t room, Scratch& scratch, Cancel cancel);
  void assign(const ConstraintGraph& graph, Scratch& scratch);
  void assign_positions(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
                        Scratch& scratch);
  void begin();
  Swept count_by_key(const Limits& limits, Stream* stream, Scratch& scratch, Cancel cancel);
  template <class Key>
  Swept count(const Limits& limits, Stream* stream, Scratch& scratch, Cancel cancel);
  template <class Key>
  Swept expand(std::size_t step, std::size_t budget, Scratch& scratch, Cancel cancel);
  // sweep_estimate.cpp: chooses the states of a layer that stay, and drops the others except for
  // their keys.
  [[nodiscard]] bool thin(std::size_t step, const Limits& limits, Stream& stream);
  void drop(std::size_t step, std::span<const double> inflate);
  void add_noise(std::size_t layer, double all);
  void begin_block(std::size_t layer);
  bool load_block(std::size_t block, Cancel cancel);
  template <class Key>
  [[nodiscard]] double closing(const Step& step, const Key& key, int k) const;
  template <class Key>
  void watch(std::size_t step, std::span<const Key> keys);
  void make_room(std::size_t more, std::size_t budget, Scratch& scratch);
  void place_layer(std::size_t step);
  std::optional<double> accumulate(std::size_t step, Cancel cancel);
  [[nodiscard]] bool scales(std::size_t step) const { return weighs_ || step % 8 == 7; }
  static double rescale(std::span<double> weights);
  [[nodiscard]] const double* chances(std::size_t step) const {
    return weights_.of[at(steps_[step].size)].data();
  }
  bool reach(Cancel cancel);
  // The part of `words` (laid out like reached_) that belongs to a state.
  [[nodiscard]] std::span<std::uint64_t> words_of(std::vector<std::uint64_t>& words,
                                                  std::size_t state) const {
    return {words.data() + reach_place_[state], reach_place_[state + 1] - reach_place_[state]};
  }
  [[nodiscard]] const State& last() const { return states_[layer_.back() - 1]; }
  // One past the last transition of a state.
  [[nodiscard]] std::size_t end_of(std::size_t state) const { return states_[state + 1].first; }
  // Whether to stop before state s. Polls only at intervals of a fraction of a millisecond.
  [[nodiscard]] static bool stops(std::size_t s, Cancel cancel) {
    return s % 1024 == 0 && cancel.stop_requested();
  }
  // The number of coefficients of all states of a layer.
  [[nodiscard]] std::size_t weights_of(std::size_t layer) const {
    const State& end = states_[layer_[layer + 1] - 1];
    return end.place + at(end.length) - states_[layer_[layer]].place;
  }
  // Ensures at least `count` elements; never shrinks.
  template <class T>
  static void grow(std::vector<T>& vector, std::size_t count) {
    if (vector.size() < count) vector.resize(count > 2 * vector.size() ? count : 2 * vector.size());
  }
  // The same for a vector that will not exceed `most` elements (0 if that is not known). A large
  // vector is moved once, to an allocation for all of them: the system commits memory only when it
  // is written to.
  template <class T>
  static void grow(std::vector<T>& vector, std::size_t count, std::size_t most) {
    constexpr std::size_t large = 1 << 18;
    if (count <= large) return grow(vector, count);
    if (vector.capacity() < count) vector.reserve(std::max(count + count / 4, most));
    if (vector.size() < count) vector.resize(std::min(count + count / 8, vector.capacity()));
  }

  Weights weights_{0.5};
  std::vector<std::int32_t> order_;
  std::vector<Step> steps_;
  std::vector<double> tables_;  // of the clues that close, one after the other
  std::vector<Watch> watches_;  // ascending by step
  int most_open_ = 0;
  std::size_t width_ = 0;
  bool weighs_ = false;

  // The states of all layers, one layer after the other, and the transitions between them. These
  // vectors never shrink; beyond the end of this sweep they hold leftovers of earlier ones.
  std::vector<std::uint32_t> layer_;  // the first state of each layer, and the end
  std::vector<State> states_;
  std::vector<std::uint32_t> target_;  // by transition: the next state
  std::vector<double> factor_;         // by transition, if tables weigh or states were dropped
  std::vector<std::uint8_t> gone_;     // by state of the layer thinned last: whether it was dropped
  std::vector<float> staying_;         // by state of a thinned layer: probability of being kept
  std::vector<double> threshold_;  // by layer: threshold relative to its weight; 0 if not thinned
  Noise noise_;
  std::size_t transitions_ = 0;
  std::size_t weight_count_ = 0;
  std::vector<double> forward_;
  std::size_t most_states_ = 0, most_weights_ = 0;  // of the current count
  std::vector<double> later_, here_;                // of two layers, in backward passes
  std::vector<double> total_;                       // of the final state
  std::vector<std::uint64_t> reached_;              // by state: which coefficients are possible
  std::vector<std::uint32_t> reach_place_;  // by state: where its words start; empty until computed
  // If forward_ cannot hold all layers, they are divided into blocks: kept_ stores the polynomials
  // of the first layer of each block, and forward_ holds the block `loaded_`.
  struct Block {
    std::size_t layer, place;  // its first layer; where that starts in kept_
  };
  std::vector<Block> blocks_;
  std::vector<double> kept_;
  std::size_t loaded_ = 0;
  std::vector<std::array<double, 9>> marginal_;  // by step
  std::vector<std::uint16_t> possible_;          // by step: bit k is set if k mines are possible
  double log_scale_ = 0;

  // For drawing: the transitions into each state.
  std::vector<std::uint32_t> source_, incoming_, arrival_;
};

}  // namespace mineproof
