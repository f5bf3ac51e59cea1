// Estimates of components that are too large to be counted and whose clues are loose.
//
// Gibbs sampling: a chain walks among the configurations, one box at a time, each box drawn
// given all others. What is kept of a step is not what was drawn but the chance
// that it was drawn with (Rao and Blackwell), which is far steadier. Chains begin with every box by
// itself and introduce the clues by degrees (annealing): the factors of these steps give the total
// weight of all configurations (Neal's annealed importance sampling). The walk begins where
// annealing ends.
//
// Clues are loose if each of them alone would let boxes change one at a time: all of them say "at
// most", or all "at least", and give neighbouring numbers roughly equal weights. Then every
// configuration can be reached from every other. Exact clues are not loose: a chain would stand
// still.
//
// The error comes from how far apart stretches of the chains are (batch means), with those that lie
// far apart, whole chains, believed first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/chance.hpp"
#include "mineproof/network.hpp"
#include "mineproof/weights.hpp"

namespace mineproof {

class Walk {
 public:
  // Whether all clues of these boxes are loose, in the same direction.
  static bool suits(const Network& network, std::span<const std::int32_t> boxes);

  // Walks among the configurations of these boxes: weighed by their clues, by the weights of boxes,
  // and by `outside` for their number of mines, 0 to all their cells; about this number of steps
  // per box. False if cancelled.
  bool run(const Network& network, std::span<const std::int32_t> boxes, const Weights& weights,
           std::span<const double> outside, std::size_t steps, Cancel cancel);

  // A sum of chances of a mine, and of what they are shares of.
  struct Share {
    double mined = 0, all = 0;
  };

  // After run(): whether any chain reached a configuration; otherwise nothing is known.
  [[nodiscard]] bool found() const { return batches_ > 0; }
  // By box: the risk of a cell; the largest standard error of one.
  [[nodiscard]] std::span<const double> risks() const { return risks_; }
  [[nodiscard]] double error() const { return error_; }
  // The share of every number of mines, summing to 1.
  [[nodiscard]] std::span<const double> mines() const { return mines_; }
  // The logarithm of the weight of all that fits, `outside` included: roughly, so that its error
  // is said to be 1, as where hardly anything is known.
  [[nodiscard]] double log_weight() const { return log_weight_; }
  static constexpr double weight_error = 1;
  // The clues that are watched: as Clue has them, the chance of every number of mines, the largest
  // standard error of one.
  struct Watch {
    std::int32_t id;
    std::array<double, 9> chance;
    double error;
  };
  [[nodiscard]] std::span<const Watch> watches() const { return watches_; }

 private:
  static constexpr std::size_t chains = 4;
  static constexpr std::size_t batches = 8;  // of a chain

  using Table = std::array<double, 9>;
  struct Place {                     // a box as the walk has it
    std::int32_t size, first, last;  // its clues, in links_
  };
  struct Watched {
    std::int32_t id;
    std::size_t clue;
  };

  void read(const Network& network, std::span<const std::int32_t> boxes);
  void begin(Stream& stream);
  void heat(double warmth);
  template <bool keeps>
  void step(std::size_t box, Stream& stream);
  [[nodiscard]] double log_fit() const;
  [[nodiscard]] bool fits() const;
  bool anneal(std::size_t sweeps, Stream& stream, double& log_weight, Cancel cancel);
  bool sample(std::size_t sweeps, Stream& stream, Cancel cancel);
  void summarise();
  void weigh(std::span<const double> log_weights);

  Weights weights_{0.5};
  std::vector<Place> places_;
  std::vector<std::int32_t> links_;            // clues, box by box
  std::vector<Table> all_, logs_, tables_;     // by clue: as they are; as warm as they are now
  std::vector<double> log_outside_, outside_;  // by number of mines, the same
  std::vector<double> counts_;                 // by number of mines: the weight of a configuration
  std::vector<Watched> watched_;

  std::vector<std::int32_t> in_box_, in_clue_;  // mines now
  std::int32_t mines_now_ = 0;
  std::vector<Share> sums_;        // by box: of the batch that is under way
  std::vector<Table> seen_;        // by watched clue: the same
  std::vector<Share> batch_sums_;  // by batch, by box
  std::vector<Table> batch_seen_;
  std::size_t batches_ = 0;
  double counted_ = 0;  // sweeps

  std::vector<double> risks_, mines_;
  std::vector<Watch> watches_;
  double error_ = 1, log_weight_ = 0;
};

}  // namespace mineproof
