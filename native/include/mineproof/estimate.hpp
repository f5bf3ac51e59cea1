// Estimates a component that is too large to be counted.
//
// Runs several independent sweeps of bounded width (see Sweep::estimate), half of them from the
// opposite end: a state that one direction drops because its weight is still small may decide
// everything, and the other direction keeps it. The sweeps' weights are unbiased, so each sweep
// contributes in proportion to its weight.
//
// The standard error has three parts: the differences between the sweeps; how much each would vary
// if other states had been drawn; and what one more state might have added (Sweep::noise). The
// first part alone would be overconfident, since sweeps that agree may all have missed the same
// states. The error is never 0, which is reserved for exact counts; 0.5 or more means that almost
// nothing is known.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/sweep.hpp"

namespace mineproof {

class Estimate {
 public:
  // The error of an estimate that dropped no states, hence only rounding. 0 is reserved for counts.
  static constexpr double least_error = 1e-9;

  // `planned` is the sweep that exceeded the budget. Each estimate uses its order or the reverse,
  // with about as many states as the budget allows; all estimates share `room` bytes. If cancelled
  // (see is_cancelled), discard the object.
  Estimate(std::size_t component, const ConstraintGraph& graph,
           std::span<const std::int32_t> groups, const Sweep& planned, std::size_t budget,
           std::size_t room, Scratch& scratch, Cancel cancel);
  [[nodiscard]] bool is_cancelled() const { return cancelled_; }
  // Approximate memory use in bytes.
  [[nodiscard]] std::size_t bytes() const;

  [[nodiscard]] std::size_t component() const { return component_; }
  // The mean weights of 0, ..., `cells` mines, times exp(-log_scale). If every sweep came out at
  // zero weight: as if each cell were a mine with probability `p`.
  Polynomial weights(std::int32_t cells, double p, double& log_scale) const;
  // Writes the risk of each group, by position in the component, given the weight of the rest of
  // the board by the component's number of mines. Returns the largest standard error; std::nullopt
  // if cancelled.
  std::optional<double> weigh(std::span<const double> outside, double p, std::span<double> risk,
                              Cancel cancel);
  // After weigh(): the distribution of the mine count of the i-th watched clue of the component,
  // and the largest standard error of its probabilities; std::nullopt if nothing is known.
  [[nodiscard]] std::optional<std::pair<std::array<double, 9>, double>> counts(std::size_t i) const;
  // The watched clues of the component.
  [[nodiscard]] std::span<const Sweep::Watch> watches() const;
  // After weigh(): the relative standard error of the component's weight; 1 if nothing is known.
  [[nodiscard]] double weight_error() const { return weight_error_; }

 private:
  void judge();
  [[nodiscard]] double with_noise(double spread) const;

  std::size_t component_;
  bool cancelled_ = false;
  double weight_error_ = 1;
  bool outweighed_ = false;     // after weigh(): one sweep outweighs all others together
  Sweep::Noise noise_;          // after weigh(): of all sweeps together
  std::vector<double> shares_;  // after weigh(): the share of each sweep, summing to 1; or empty
  std::vector<std::unique_ptr<Sweep>> sweeps_;
};

}  // namespace mineproof
