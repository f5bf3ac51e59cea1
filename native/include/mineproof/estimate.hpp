// Estimates of a component that is too large to be counted.
//
// Several independent sweeps of bounded width (see Sweep::estimate), half of them from the other
// end: what one direction throws away for its small weight, though all depends on it, the other
// one keeps. Their weights are unbiased, so each counts by its weight.
//
// The error has three parts: how far apart the sweeps are; how much each would vary if other states
// had been drawn; and what one more state might have added (Sweep::noise). Sweeps that agree may
// all have missed the same, so the first part alone would claim too much. It is never 0, which is
// for what was counted; a half and more means that hardly anything is known.
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
  // Of what was estimated though nothing had to be left out: rounding. 0 is for what was counted.
  static constexpr double least_error = 1e-9;

  // `planned` is the sweep that went over the budget: each estimate takes its order or the reverse,
  // and has about as many states as the budget allows; all of them share the room, in bytes. If
  // cancelled, it is worth nothing.
  Estimate(std::size_t component, const Network& network, std::span<const std::int32_t> boxes,
           const Sweep& planned, std::size_t budget, std::size_t room, Scratch& scratch,
           Cancel cancel);
  [[nodiscard]] bool is_cancelled() const { return cancelled_; }
  // The bytes that it holds, about.
  [[nodiscard]] std::size_t bytes() const;

  [[nodiscard]] std::size_t component() const { return component_; }
  // The mean of the weights of 0, ..., `cells` mines, times exp(-log_scale); where every
  // estimate came to nothing, as if cells were mines with probability `p`.
  Polynomial weights(std::int32_t cells, double p, double& log_scale) const;
  // Writes the risk of each box, by position in the component, given the weight of
  // the rest of the board by number of mines. Returns the largest standard error; nothing if
  // cancelled.
  std::optional<double> weigh(std::span<const double> outside, double p, std::span<double> risk,
                              Cancel cancel);
  // After weigh(): the chances of what the i-th watched clue of the component has, and the largest
  // standard error of one of them; nothing where nothing is known.
  [[nodiscard]] std::optional<std::pair<std::array<double, 9>, double>> counts(std::size_t i) const;
  // The watched clues of the component.
  [[nodiscard]] std::span<const Sweep::Watch> watches() const;
  // After weigh(): the standard error of the component's weight, as a share of it; 1 where
  // nothing is known of it.
  [[nodiscard]] double weight_error() const { return weight_error_; }

 private:
  void judge();
  [[nodiscard]] double with_noise(double spread) const;

  std::size_t component_;
  bool cancelled_ = false;
  double weight_error_ = 1;
  bool outweighed_ = false;     // after weigh(): one sweep counts for more than all others
  Sweep::Noise noise_;          // the same: of all sweeps together
  std::vector<double> shares_;  // after weigh(): of each sweep, summing to 1, or none
  std::vector<std::unique_ptr<Sweep>> sweeps_;
};

}  // namespace mineproof
