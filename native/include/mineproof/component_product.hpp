// Combines the components of a view through the total number of mines.
//
// The total links components that share no clue. Their polynomials are multiplied up a tree; on the
// way down, each component receives the weight of the rest of the board as a function of its own
// number of mines. This costs twice as much as the products alone, whatever the number of
// components. Nodes are rescaled, and long ones lose tails that cannot matter (below 1e-40 of their
// largest coefficient) after a tilt that moves the mode to where the total requires it. So even a
// board of a million cells keeps full precision.
#pragma once

#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/cells.hpp"
#include "mineproof/chance.hpp"
#include "mineproof/weights.hpp"

namespace mineproof {

class ComponentProduct {
 public:
  // The upward pass. Leaves are the components' weights by number of mines. `tilt` multiplies the
  // weight of every mine by exp(tilt) on the way up and is undone on the way down. False if
  // cancelled.
  bool multiply(std::span<const Polynomial> leaves, double tilt, Cancel cancel);
  // The range of the total number of mines in all components that the product covers.
  [[nodiscard]] std::int32_t low() const { return nodes_.back().low; }
  [[nodiscard]] std::int32_t length() const { return nodes_.back().length; }
  // The downward pass: weights[i] is the weight of the rest of the board given low() + i mines in
  // all components. False if all products underflow, or if cancelled.
  bool descend(std::span<const Polynomial> leaves, std::span<const double> weights, Cancel cancel);

  [[nodiscard]] std::span<const double> outside(std::size_t leaf) const;
  [[nodiscard]] double log_total() const { return log_total_; }
  // The expectation of f over the number of mines in all components.
  template <class F>
  [[nodiscard]] double mean(F&& f) const {
    const Node& root = nodes_.back();
    double sum = 0;
    double total = 0;
    for (std::int32_t i = 0; i < root.length; ++i) {
      const std::size_t place = root.place + at(i);
      const double weight = values_[place] * adjoints_[place];
      if (weight <= 0) continue;
      total += weight;
      sum += weight * f(root.low + i);
    }
    return sum / total;
  }
  // Draws the number of mines of every component.
  void draw(Stream& stream, std::span<std::int32_t> mines) const;

 private:
  struct Node {
    std::int32_t low;
    std::int32_t length;
    std::size_t place;  // in values_ and adjoints_
    std::int32_t left;  // children, or -1
    std::int32_t right;
  };
  void finish(Node& node);
  [[nodiscard]] Node product(std::size_t i);
  void down(const Node& node);
  std::vector<Node> nodes_;
  std::vector<double> values_, adjoints_;
  std::size_t leaves_ = 0;
  double tilt_ = 0;
  double log_scale_ = 0;
  double log_total_ = 0;
  std::vector<double> outside_;
  std::vector<std::size_t> outside_place_;
};

}  // namespace mineproof
