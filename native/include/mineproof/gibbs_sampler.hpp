// Estimates components that are too large to be counted and whose clues are loose.
//
// Gibbs sampling: a Markov chain on the configurations that redraws one group of cells at a time,
// given all others. Each step contributes the probability with which it drew, not what it drew
// (Rao-Blackwellisation), which has a far lower variance. Chains start from independent groups and
// introduce the clues gradually; the factors of these steps give the total weight of all
// configurations (Neal's annealed importance sampling). Sampling starts when annealing has ended.
//
// Clues are loose if each of them alone would let groups change one at a time: all say "at most" or
// all say "at least", with roughly equal weights for neighbouring numbers. Then every configuration
// can be reached from every other. Exact clues are not loose: the chain could not move.
//
// The standard error is computed from the differences between stretches of the chains (batch
// means); differences between distant stretches, and between whole chains, take precedence.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/chance.hpp"
#include "mineproof/constraint_graph.hpp"
#include "mineproof/weights.hpp"

namespace mineproof {

class GibbsSampler {
 public:
  // Whether all clues of these groups are loose in the same direction.
  static bool suits(const ConstraintGraph& graph, std::span<const std::int32_t> groups);

  // Samples configurations of these groups, weighted by their clues, by the groups' weights, and by
  // `outside`: the weight of the rest of the board for 0 to all mines in them. Makes about this
  // number of steps per group. False if cancelled.
  bool run(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
           const Weights& weights, std::span<const double> outside, std::size_t steps,
           Cancel cancel);

  // A sum of mine probabilities, and the sum of weights to divide it by.
  struct Share {
    double mined = 0, all = 0;
  };

  // After run(): whether any chain reached a configuration. If not, nothing is known.
  [[nodiscard]] bool found() const { return batches_ > 0; }
  // By group: the risk of a cell. Next to it the largest standard error of these risks.
  [[nodiscard]] std::span<const double> risks() const { return risks_; }
  [[nodiscard]] double error() const { return error_; }
  // The distribution of the number of mines; sums to 1.
  [[nodiscard]] std::span<const double> mines() const { return mines_; }
  // The log of the total weight of all configurations, including `outside`. A rough estimate: its
  // error is reported as 1, as if almost nothing were known.
  [[nodiscard]] double log_weight() const { return log_weight_; }
  static constexpr double weight_error = 1;
  // The watched clues: Clue::watch, the probability of each number of mines, and the largest
  // standard error of these probabilities.
  struct Watch {
    std::int32_t id;
    std::array<double, 9> chance;
    double error;
  };
  [[nodiscard]] std::span<const Watch> watches() const { return watches_; }

 private:
  static constexpr std::size_t chains = 4;
  static constexpr std::size_t batches = 8;  // per chain

  using Table = std::array<double, 9>;
  struct Place {                     // a group during sampling
    std::int32_t size, first, last;  // its clues are links_[first, last)
  };
  struct Watched {
    std::int32_t id;
    std::size_t clue;
  };

  void read(const ConstraintGraph& graph, std::span<const std::int32_t> groups);
  void begin(Stream& stream);
  void heat(double warmth);
  template <bool keeps>
  void step(std::size_t group, Stream& stream);
  [[nodiscard]] double log_fit() const;
  [[nodiscard]] bool fits() const;
  bool anneal(std::size_t sweeps, Stream& stream, double& log_weight, Cancel cancel);
  bool sample(std::size_t sweeps, Stream& stream, Cancel cancel);
  void summarise();
  void weigh(std::span<const double> log_weights);

  Weights weights_{0.5};
  std::vector<Place> places_;
  std::vector<std::int32_t> links_;         // clues, group by group
  std::vector<Table> all_, logs_, tables_;  // by clue: the tables, their logarithms, the tables at
                                            // the current temperature
  std::vector<double> log_outside_, outside_;  // by number of mines: logarithm and value at the
                                               // current temperature
  std::vector<double> counts_;  // by number of mines: the weight of one configuration
  std::vector<Watched> watched_;

  std::vector<std::int32_t> in_group_, in_clue_;  // current mines
  std::int32_t mines_now_ = 0;
  std::vector<Share> sums_;        // by group, for the current batch
  std::vector<Table> seen_;        // by watched clue, for the current batch
  std::vector<Share> batch_sums_;  // by batch, by group
  std::vector<Table> batch_seen_;
  std::size_t batches_ = 0;
  double counted_ = 0;  // sweeps

  std::vector<double> risks_, mines_;
  std::vector<Watch> watches_;
  double error_ = 1, log_weight_ = 0;
};

}  // namespace mineproof
