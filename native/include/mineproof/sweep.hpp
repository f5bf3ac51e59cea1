// Counts the mine arrangements of one component, weighted by its clues.
//
// Boxes are taken one at a time. The state is how many mines the *open* clues
// (some but not all boxes taken) have so far, four bits each; states that agree
// merge. Each state carries a polynomial: weight by number of mines so far. When a
// clue's last box is taken, its table's entry multiplies and it leaves the state.
// What is stored on the way forward is walked once backwards for all marginals.
//
// Knows boxes and clues; knows no board and no Python.
//
// Cost: states x choices x length of a polynomial. `states` is bounded by a
// budget; beyond it nothing is counted (`run` is false), never something wrong.
// Weights are scaled by layer, so that nothing over- or underflows as a whole; what
// is certain is decided apart from them, by counting in booleans (`possible`).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "mineproof/chance.hpp"
#include "mineproof/network.hpp"
#include "mineproof/numbers.hpp"
#include "mineproof/order.hpp"

namespace mineproof {

// Weight of k mines in a box of m cells: C(m,k) p^k (1-p)^(m-k).
struct Weights {
  explicit Weights(double p);
  double p;
  std::array<std::array<double, 9>, 9> of{};
};

// The logarithm of the number of ways to choose k of n.
double log_choose(std::int32_t n, std::int32_t k);

// A polynomial in the number of mines: coefficient i is the weight of low + i.
struct Polynomial {
  std::int32_t low = 0;
  std::vector<double> at;
};

// What a state is told apart by: how many mines each open clue has, four bits each.
template <std::size_t W>
struct WideKey {
  std::array<std::uint64_t, W> words{};
  bool operator==(const WideKey&) const = default;
  [[nodiscard]] int at(int slot) const {
    return static_cast<int>(words[static_cast<std::size_t>(slot >> 4)] >> ((slot & 15) * 4) & 15);
  }
  void add(const WideKey& mask, std::uint64_t k) {
    for (std::size_t i = 0; i < W; ++i) words[i] += mask.words[i] * k;
  }
  void keep(const WideKey& mask) {
    for (std::size_t i = 0; i < W; ++i) words[i] &= mask.words[i];
  }
  void clear(int slot) {
    words[static_cast<std::size_t>(slot >> 4)] &= ~(std::uint64_t{15} << ((slot & 15) * 4));
  }
  void set(int slot, std::uint64_t nibble) {
    words[static_cast<std::size_t>(slot >> 4)] |= nibble << ((slot & 15) * 4);
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

class Sweep {
 public:
  // Finds an order for the boxes and counts. False if over the budget.
  // `weights` and `scratch` must outlive the sweep.
  bool run(const Network& network, std::span<const std::int32_t> boxes, const Weights& weights,
           std::size_t budget, Scratch& scratch);

  // An estimate instead, for what is over the budget, in the order that another chose:
  // no layer keeps more than `width` states. Of more than that the heaviest stay, the
  // others are drawn by weight and count for those that are not (Fearnhead and
  // Clifford's resampling), so the weights are unbiased estimates of the true ones.
  void estimate(const Sweep& planned, std::size_t width, Stream& stream);

  // The component's weight by its number of mines, times exp(-log_scale()).
  [[nodiscard]] std::int32_t low() const { return last().low; }
  [[nodiscard]] std::span<const double> total() const;
  [[nodiscard]] double log_scale() const { return log_scale_; }
  // The numbers of mines that are possible at all, in booleans.
  [[nodiscard]] Numbers support();
  [[nodiscard]] bool feasible() const;

  // Given the weight of everything else by this component's number of mines:
  // the weights of what each box can hold, up to a factor of its own. Backwards once.
  void marginals(std::span<const double> outside);
  // The weights of a cell of the i-th box being mined and being safe, times its size.
  [[nodiscard]] std::pair<double, double> halves(std::size_t i) const;
  // Given the numbers of mines that everything else allows: which k are possible.
  void possibilities(const Numbers& outside);
  [[nodiscard]] bool possible(std::size_t i, std::size_t k) const { return possible_[i] >> k & 1; }

  // Draws the mines of each box in order(), given the component's number of mines.
  // `prepare_draws` comes before the first.
  void prepare_draws();
  void draw(std::int32_t mines, Stream& stream, std::span<std::int32_t> mines_of_box) const;

  // Every way to fill the boxes, in order(): its mines box by box, one way after the other.
  // False if there are more than `most`, or too many dead ends on the way.
  bool list(std::size_t most, std::vector<std::uint8_t>& ways) const;

  // The order in which boxes were taken, as positions in the component.
  [[nodiscard]] std::span<const std::int32_t> order() const { return order_; }
  [[nodiscard]] std::size_t states() const { return layer_.back(); }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] int most_open() const { return most_open_; }

 private:
  // What taking one box means for the clues it touches.
  struct Step {
    int size;  // cells of the box
    int clue_count;
    std::array<int, 8> slot;      // of each of its clues
    std::array<int, 8> capacity;  // cells of the clue in boxes still to come
    std::array<int, 8> low;       // mines of the clue
    std::array<int, 8> high;
    std::array<const double*, 8> closing;  // the table to multiply, or null
    bool weighs;                           // some closing table is there
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

  bool count_in_order(const Network& network, std::span<const std::int32_t> boxes,
                      std::size_t budget);
  void assign(const Network& network);
  void begin();
  template <class Key>
  bool count(std::size_t budget, std::size_t most, Stream* stream);
  void thin(std::size_t step, std::size_t width, Stream& stream);
  template <class Key>
  static double closing(const Step& step, const Key& key, int k);
  void make_room(std::size_t more, std::size_t budget);
  void accumulate(std::size_t step);
  [[nodiscard]] bool scales(std::size_t step) const { return weighs_ || step % 8 == 7; }
  static double rescale(std::span<double> weights);
  [[nodiscard]] const double* chances(std::size_t step) const;
  void reach();
  [[nodiscard]] const State& last() const { return states_[layer_.back() - 1]; }
  // One past the last transition of a state.
  [[nodiscard]] std::size_t end_of(std::size_t state) const { return states_[state + 1].first; }

  Scratch* scratch_ = nullptr;
  const Weights* weights_ = nullptr;
  std::vector<std::int32_t> order_;
  std::vector<Step> steps_;
  int most_open_ = 0;
  std::size_t width_ = 0;
  bool weighs_ = false;

  // States of all layers, one after the other, and the ways between them. The vectors
  // only grow, and hold what an earlier sweep left beyond the end of this one.
  std::vector<std::uint32_t> layer_;  // first state of each layer, and the end
  std::vector<State> states_;
  std::vector<std::uint32_t> target_;  // by transition: the next state
  std::vector<double> factor_;         // by transition, where tables weigh or states were thinned
  std::vector<std::uint8_t> gone_;     // by state: was thinned out
  std::size_t transitions_ = 0;
  std::size_t weight_count_ = 0;
  std::vector<double> forward_, backward_;
  std::int32_t longest_ = 1;            // polynomial
  std::vector<std::uint64_t> reached_;  // by state: which coefficients are possible
  std::size_t reach_words_ = 0;
  std::vector<std::array<double, 9>> marginal_;  // by step
  std::vector<std::uint16_t> possible_;          // by step, bit k
  double log_scale_ = 0;

  // For drawing: the transitions into each state.
  std::vector<std::uint32_t> source_, incoming_, arrival_;
};

}  // namespace mineproof
