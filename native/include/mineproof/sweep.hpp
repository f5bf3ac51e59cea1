// Counts the configurations of one component, weighted by its clues.
//
// Boxes are taken one at a time. The state is how many mines the *open* clues
// (some but not all boxes taken) have so far, four bits each; states that agree
// merge. Each state carries a polynomial: weight by number of mines so far. When a
// clue's last box is taken, its table's entry multiplies and it leaves the state.
// What is stored on the way forward is walked once backwards for all marginals.
//
// Knows boxes and clues; knows no board and no Python. Owns all that it was counted
// from: nothing it was given needs to outlive the call.
//
// Cost: states x choices x length of a polynomial. `states` is bounded by a
// budget, and memory by a number of bytes, checked before it is allocated; beyond them
// nothing is counted (`run` reports it), so results are never wrong.
// Weights are scaled by layer, so that nothing over- or underflows as a whole; what
// is certain is decided apart from them, by counting in booleans (`possible`).
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
#include "mineproof/network.hpp"
#include "mineproof/numbers.hpp"
#include "mineproof/order.hpp"
#include "mineproof/weights.hpp"

namespace mineproof {

// What distinguishes states: how many mines each open clue has, four bits each.
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

// Memory that sweeps of one thread share: nothing of it outlives a call.
struct Scratch {
  Planner planner;
  std::vector<std::int32_t> taken;     // by clue: its cells in boxes taken; 0 unless open
  std::vector<std::int32_t> slot;      // by open clue
  std::vector<std::int32_t> position;  // by box: where it stands in the component
  std::vector<std::uint64_t> allowed;  // by state: which numbers of mines fit to the end
  std::tuple<Keys<WideKey<1>>, Keys<WideKey<2>>, Keys<WideKey<4>>> keys;  // of two layers
  // Open addressing, entries stamped by layer: nothing is cleared in between.
  std::vector<std::uint64_t> table;
  std::uint32_t stamp = 0;
};

enum class Swept : std::uint8_t { all, over_budget, cancelled };

class Sweep {
 public:
  // Finds an order for the boxes and counts, within these limits of states and bytes. What exceeds
  // them holds no memory but its order. An order that looks like `hopeless` many states is not
  // tried.
  Swept run(const Network& network, std::span<const std::int32_t> boxes, const Weights& weights,
            std::size_t budget, std::size_t room, double hopeless, Scratch& scratch, Cancel cancel);

  // An estimate instead, for what is over the budget, in the order that another chose:
  // no layer keeps more than `width` states. Of more than that the heaviest stay, the
  // others are drawn by weight and count for those that are not (Fearnhead and
  // Clifford's resampling), so the weights are unbiased estimates of the true ones.
  // Where `room` bytes do not hold the polynomials of all layers, those of some layers are
  // kept, and what is between is weighed again on the way back; where they do not hold
  // those either, fewer states stay. False if cancelled.
  bool estimate(const Sweep& planned, std::size_t width, std::size_t room, Stream& stream,
                Scratch& scratch, Cancel cancel);

  // For estimates the other way round: the same boxes in the reverse of the order that another
  // chose. False if too many clues would be open at once: then it is of no use.
  bool plan_reversed(const Network& network, std::span<const std::int32_t> boxes,
                     const Sweep& planned, Scratch& scratch);

  // The bytes that it holds, about.
  [[nodiscard]] std::size_t bytes() const;

  // The component's weight by its number of mines, times exp(-log_scale()).
  [[nodiscard]] std::int32_t low() const { return last().low; }
  [[nodiscard]] std::span<const double> total() const { return total_; }
  [[nodiscard]] double log_scale() const { return log_scale_; }
  // The numbers of mines that are possible at all, in booleans; nothing if cancelled.
  [[nodiscard]] std::optional<Numbers> support(Cancel cancel);
  [[nodiscard]] bool feasible() const;

  // Given the weight of the rest of the board by this component's number of mines:
  // the weights of what each box can hold, up to a factor of its own. Backwards once.
  // False if cancelled.
  bool marginals(std::span<const double> outside, Cancel cancel);
  // The weights of a cell of the i-th box being a mine and being safe, times its size.
  [[nodiscard]] std::pair<double, double> halves(std::size_t i) const;
  // After marginals() of an estimate: what thinning may have done to the weight.
  struct Noise {
    double variance = 0;  // of the weight, as a share of its square, by the states that were drawn
    double unseen = 0;    // the most that one more state could have added, as a share of the weight
  };
  [[nodiscard]] Noise noise() const { return noise_; }
  // Given the numbers of mines that the rest of the board allows: which k are possible.
  // False if cancelled.
  bool possibilities(const Numbers& outside, Scratch& scratch, Cancel cancel);
  [[nodiscard]] bool possible(std::size_t i, std::size_t k) const { return possible_[i] >> k & 1; }

  // After marginals(): what the watched clues of the component have, up to a factor of its own.
  struct Watch {
    std::int32_t id;                   // as Clue has it
    std::size_t step;                  // at which the clue closes
    int slot;                          // in the states before that
    std::vector<std::uint8_t> counts;  // by transition of that step: the clue's mines
    std::array<double, 9> mass{};      // by number of mines
  };
  [[nodiscard]] std::span<const Watch> watches() const { return watches_; }

  // Draws the mines of each box in order(), given the component's number of mines.
  // `prepare_draws` comes before the first; it is false if cancelled.
  bool prepare_draws(Cancel cancel);
  void draw(std::int32_t mines, Stream& stream, std::span<std::int32_t> mines_of_box) const;

  // Every way to fill the boxes, in order(): its mines box by box, one way after the other.
  // False if there are more than `most`, or too many dead ends on the way, or if cancelled.
  bool list(std::size_t most, std::vector<std::uint8_t>& ways, Cancel cancel) const;

  // The order in which boxes were taken, as positions in the component.
  [[nodiscard]] std::span<const std::int32_t> order() const { return order_; }
  [[nodiscard]] std::size_t states() const { return layer_.back(); }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] int most_open() const { return most_open_; }

 private:
  static constexpr std::int32_t no_table = -1;

  // What taking one box means for the clues it touches.
  struct Step {
    int size;  // cells of the box
    int clue_count;
    std::array<int, 8> slot;      // of each of its clues
    std::array<int, 8> capacity;  // cells of the clue in boxes still to come
    std::array<int, 8> low;       // mines of the clue
    std::array<int, 8> high;
    std::array<std::int32_t, 8> closing;  // where in tables_ is what to multiply, or no_table
    bool weighs;                          // some closing table is there
  };

  // A state: how the open clues stand. Its polynomial begins at `place` of the weights;
  // its transitions at `first`, the k-th of them with `least` + k mines.
  struct State {
    std::int32_t low;     // fewest mines so far
    std::int32_t length;  // of the polynomial
    std::uint32_t place;
    std::uint32_t first;
    std::int32_t least;
  };

  // The states of a layer as they are found, in the hash table of Scratch.
  template <class Key>
  struct Layer;

  // What a count may take: states in all; of each layer, states and coefficients that stay;
  // coefficients that are held at once, and all bytes.
  struct Limits {
    std::size_t states, layer_states, layer_weights, weights, bytes;
  };

  Swept count_in_order(const Network& network, std::span<const std::int32_t> boxes,
                       std::size_t budget, std::size_t room, Scratch& scratch, Cancel cancel);
  void assign(const Network& network, Scratch& scratch);
  void assign_positions(const Network& network, std::span<const std::int32_t> boxes,
                        Scratch& scratch);
  void begin();
  Swept count_by_key(const Limits& limits, Stream* stream, Scratch& scratch, Cancel cancel);
  template <class Key>
  Swept count(const Limits& limits, Stream* stream, Scratch& scratch, Cancel cancel);
  template <class Key>
  Swept expand(std::size_t step, std::size_t budget, Scratch& scratch, Cancel cancel);
  // sweep_estimate.cpp: which states of a layer stay; drops the others, but for their keys.
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
  // What `words`, as many as are in reached_, have for a state.
  [[nodiscard]] std::span<std::uint64_t> words_of(std::vector<std::uint64_t>& words,
                                                  std::size_t state) const {
    return {words.data() + reach_place_[state], reach_place_[state + 1] - reach_place_[state]};
  }
  [[nodiscard]] const State& last() const { return states_[layer_.back() - 1]; }
  // One past the last transition of a state.
  [[nodiscard]] std::size_t end_of(std::size_t state) const { return states_[state + 1].first; }
  // Whether to stop before state s: checked at intervals of a fraction of a millisecond.
  [[nodiscard]] static bool stops(std::size_t s, Cancel cancel) {
    return s % 1024 == 0 && cancel.asked();
  }
  // The coefficients of all states of a layer.
  [[nodiscard]] std::size_t weights_of(std::size_t layer) const {
    const State& end = states_[layer_[layer + 1] - 1];
    return end.place + at(end.length) - states_[layer_[layer]].place;
  }
  // A vector that only grows: room for `count`.
  template <class T>
  static void grow(std::vector<T>& vector, std::size_t count) {
    if (vector.size() < count) vector.resize(count > 2 * vector.size() ? count : 2 * vector.size());
  }
  // The same for one that will have no more than `most`, or 0 where that is not known. One that has
  // become large is moved once, to where all of that has room: a system gives memory when it is
  // written to, not before.
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
  std::vector<Watch> watches_;  // by rising step
  int most_open_ = 0;
  std::size_t width_ = 0;
  bool weighs_ = false;

  // States of all layers, one after the other, and the ways between them. The vectors
  // only grow, and hold what an earlier sweep left beyond the end of this one.
  std::vector<std::uint32_t> layer_;  // first state of each layer, and the end
  std::vector<State> states_;
  std::vector<std::uint32_t> target_;  // by transition: the next state
  std::vector<double> factor_;         // by transition, where tables weigh or states were thinned
  std::vector<std::uint8_t> gone_;     // by state of the layer that was thinned out last
  std::vector<float> staying_;     // by state of a thinned layer: the chance that it had to stay
  std::vector<double> threshold_;  // by layer: of thinning, as a share of its weight; or 0
  Noise noise_;
  std::size_t transitions_ = 0;
  std::size_t weight_count_ = 0;
  std::vector<double> forward_;
  std::size_t most_states_ = 0, most_weights_ = 0;  // of the count that is under way
  std::vector<double> later_, here_;                // backwards: of two layers
  std::vector<double> total_;                       // of the last state
  std::vector<std::uint64_t> reached_;              // by state: which coefficients are possible
  std::vector<std::uint32_t> reach_place_;  // by state: where its words begin; empty until reached
  // Where forward_ does not hold all layers: the blocks of layers, and for each the polynomials of
  // its first layer; the block that forward_ holds.
  struct Block {
    std::size_t layer, place;  // its first layer; where in kept_ that is
  };
  std::vector<Block> blocks_;
  std::vector<double> kept_;
  std::size_t loaded_ = 0;
  std::vector<std::array<double, 9>> marginal_;  // by step
  std::vector<std::uint16_t> possible_;          // by step, bit k
  double log_scale_ = 0;

  // For drawing: the transitions into each state.
  std::vector<std::uint32_t> source_, incoming_, arrival_;
};

}  // namespace mineproof
