// Puts components together: what the rest of the board means for each of them.
//
// The total number of mines links components that no clue links. Their polynomials
// are multiplied up a tree; the weight of everything else by a component's number of
// mines comes down it again. Twice the cost of the products, whatever the number of
// components. Nodes are scaled, and long ones lose the tails that cannot matter
// (below 1e-40 of their largest coefficient), after a tilt that brings the mode to
// where the total needs it: so a board of a million cells keeps full precision.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "mineproof/sweep.hpp"

namespace mineproof {

// Numeric: weights.
class Mixture {
 public:
  // Leaves are components' weights by number of mines; log_weight(s) is the log of
  // the weight of everything else if the components have s mines in all (-inf if
  // that is impossible). `tilt` multiplies every mine's weight by exp(tilt) inside.
  // Returns false if all weights vanish in doubles at this tilt.
  bool combine(std::span<const Polynomial> leaves, const std::function<double(int)>& log_weight,
               double tilt);

  [[nodiscard]] std::span<const double> outside(std::size_t leaf) const;
  [[nodiscard]] double log_total() const { return log_total_; }
  // The mean of f over the number of mines in all components.
  [[nodiscard]] double mean(const std::function<double(int)>& f) const;
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
  void down(const Node& node);
  std::vector<Node> nodes_;
  std::vector<double> values_, adjoints_;
  std::size_t leaves_ = 0;
  double log_total_ = 0;
  std::vector<double> outside_;
  std::vector<std::size_t> outside_place_;
};

// In booleans: which numbers are possible, if their sum must be allowed.
struct Possible {
  Numbers totals;                // sums that are possible and allowed
  std::vector<Numbers> outside;  // for each leaf: its numbers that the others allow
};
Possible combine_numbers(std::span<const Numbers> leaves, const std::function<bool(int)>& allowed);

}  // namespace mineproof
