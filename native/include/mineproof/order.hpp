// The order in which a Sweep eliminates the groups of a component. The cost of the sweep depends
// mostly on this order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/constraint_graph.hpp"

namespace mineproof {

// Reuses its memory between calls.
class Planner {
 public:
  // Writes the groups of a component to `order`. The first attempt starts at the far end of a
  // breadth-first search; if it looks expensive, several other starts and rules are tried and the
  // cheapest order is kept, unless the first one already exceeds `hopeless`. Returns an upper bound
  // on the number of states, summed over all steps; std::nullopt if cancelled.
  std::optional<double> plan(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
                             double hopeless, std::vector<std::int32_t>& order, Cancel cancel);

 private:
  enum class Rule { close, close_more, fewest_values, fewest_values_last };
  template <Rule rule>
  std::optional<double> greedy(const ConstraintGraph& graph, std::int32_t start, double most,
                               std::vector<std::int32_t>& order, Cancel cancel);
  void take(const ConstraintGraph& graph, const CellGroup& group, double& states);
  template <Rule rule>
  [[nodiscard]] auto cost_of(const ConstraintGraph& graph, const CellGroup& group) const;

  std::vector<std::int32_t> taken_;  // by clue: its cells in groups taken; 0 unless open
  std::vector<std::uint32_t> seen_;  // by group: the search in which it became a candidate
  std::uint32_t walk_ = 0;
  std::vector<std::int32_t> candidates_, trial_;
};

}  // namespace mineproof
