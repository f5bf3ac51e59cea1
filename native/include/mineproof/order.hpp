// The order in which a sweep takes the boxes of a component; its cost depends mostly on it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/network.hpp"

namespace mineproof {

// Memory is kept between calls.
class Planner {
 public:
  // Writes the boxes of a component in the order in which to take them: from the far end
  // of a breadth-first walk; where that looks expensive, several starts and rules are
  // tried and the cheapest is kept, unless the first looks `hopeless`. Returns what it looks like:
  // the states at most, summed over all steps; nothing if cancelled.
  std::optional<double> plan(const Network& network, std::span<const std::int32_t> boxes,
                             double hopeless, std::vector<std::int32_t>& order, Cancel cancel);

 private:
  enum class Rule { close, close_more, fewest_values, fewest_values_last };
  template <Rule rule>
  std::optional<double> greedy(const Network& network, std::int32_t start, double most,
                               std::vector<std::int32_t>& order, Cancel cancel);
  void take(const Network& network, const Box& box, double& states);
  template <Rule rule>
  [[nodiscard]] auto cost_of(const Network& network, const Box& box) const;

  std::vector<std::int32_t> taken_;  // by open clue: its cells in boxes taken; otherwise 0
  std::vector<std::uint32_t> seen_;  // by box: the walk in which it became a candidate
  std::uint32_t walk_ = 0;
  std::vector<std::int32_t> candidates_, trial_;
};

}  // namespace mineproof
