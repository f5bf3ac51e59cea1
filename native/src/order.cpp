#include "mineproof/order.hpp"

#include <algorithm>
#include <limits>

namespace mineproof {

namespace {

// The number of values that an open clue can have when `taken` of its cells have been taken.
double values(const Clue& clue, std::int32_t taken) {
  if (taken == 0 || taken == clue.cells) return 1;
  return std::min(clue.high, taken) - std::max(0, clue.low - (clue.cells - taken)) + 1;
}

}  // namespace

// The cost of taking a group. By the first two rules, the number of clues it opens minus the number
// it closes; by the others, the factor by which the number of values of the open clues grows.
template <Planner::Rule rule>
auto Planner::cost_of(const ConstraintGraph& graph, const CellGroup& group) const {
  constexpr bool by_values = rule >= Rule::fewest_values;
  std::conditional_t<by_values, double, int> cost = by_values ? 1 : 0;
  for (std::size_t j = 0; j < at(group.clue_count); ++j) {
    const std::size_t id = at(group.clues[j]);
    const Clue& clue = graph.clues[id];
    if constexpr (by_values) {
      cost *= values(clue, taken_[id] + group.size) / values(clue, taken_[id]);
    } else {
      cost += taken_[id] == 0 ? 2 : 0;
      cost -= taken_[id] + group.size == clue.cells ? (rule == Rule::close ? 2 : 3) : 0;
    }
  }
  return cost;
}

// Takes a group: updates the number of values that the open clues can have, and makes groups next
// to newly opened clues candidates.
void Planner::take(const ConstraintGraph& graph, const CellGroup& group, double& states) {
  for (std::size_t j = 0; j < at(group.clue_count); ++j) {
    const std::size_t id = at(group.clues[j]);
    const Clue& clue = graph.clues[id];
    states *= values(clue, taken_[id] + group.size) / values(clue, taken_[id]);
    if (taken_[id] == 0)
      for (std::size_t b = 0; b < at(clue.group_count); ++b) {
        std::uint32_t& seen = seen_[at(clue.groups[b])];
        if (seen == walk_) continue;
        seen = walk_;
        candidates_.push_back(clue.groups[b]);
      }
    taken_[id] += group.size;
    if (taken_[id] == clue.cells) taken_[id] = 0;  // closed: ignored from now on
  }
}

// Takes groups greedily from `start` on, always the cheapest one next to an open clue. Returns an
// estimate of the work: the number of values that the open clues together can have, summed over all
// steps, or a partial sum once that exceeds `most`; std::nullopt if cancelled.
template <Planner::Rule rule>
std::optional<double> Planner::greedy(const ConstraintGraph& graph, std::int32_t start, double most,
                                      std::vector<std::int32_t>& order, Cancel cancel) {
  order.clear();
  if (++walk_ == 0) {
    std::fill(seen_.begin(), seen_.end(), 0);
    walk_ = 1;
  }
  candidates_.assign(1, start);
  seen_[at(start)] = walk_;
  double work = 0;
  double states = 1;
  while (!candidates_.empty()) {
    if (order.size() % 16 == 0 && cancel.stop_requested()) {
      std::fill(taken_.begin(), taken_.end(), 0);
      return std::nullopt;
    }
    std::size_t best = 0;
    if (candidates_.size() > 1) {
      auto least = std::numeric_limits<decltype(cost_of<rule>(graph, graph.groups[0]))>::max();
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const auto cost = cost_of<rule>(graph, graph.groups[at(candidates_[i])]);
        if (cost < least || (rule == Rule::fewest_values_last && cost == least)) {
          least = cost;
          best = i;
        }
      }
    }
    const std::int32_t taken = candidates_[best];
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
    order.push_back(taken);
    take(graph, graph.groups[at(taken)], states);
    work += states;
    if (work >= most) {
      std::fill(taken_.begin(), taken_.end(), 0);
      return work;
    }
  }
  return work;
}

std::optional<double> Planner::plan(const ConstraintGraph& graph,
                                    std::span<const std::int32_t> groups, double hopeless,
                                    std::vector<std::int32_t>& order, Cancel cancel) {
  if (taken_.size() < graph.clues.size()) taken_.resize(graph.clues.size());
  if (seen_.size() < graph.groups.size()) seen_.resize(graph.groups.size());
  constexpr double no_end = std::numeric_limits<double>::infinity();
  const auto first = greedy<Rule::close>(graph, groups.back(), no_end, order, cancel);
  if (!first) return std::nullopt;
  double best = *first;
  constexpr double hard = 2000;
  if (best < hard || best > hopeless) return best;
  const auto compare = [&](std::optional<double> work) {
    if (!work || *work >= best) return work.has_value();
    best = *work;
    order.swap(trial_);
    return true;
  };
  const std::size_t starts = std::min<std::size_t>(groups.size(), 16);
  for (std::size_t i = 0; i < starts; ++i) {
    const std::int32_t start = groups[i * groups.size() / starts];
    if (!compare(greedy<Rule::close>(graph, start, best, trial_, cancel)) ||
        !compare(greedy<Rule::close_more>(graph, start, best, trial_, cancel)) ||
        !compare(greedy<Rule::fewest_values>(graph, start, best, trial_, cancel)) ||
        !compare(greedy<Rule::fewest_values_last>(graph, start, best, trial_, cancel)))
      return std::nullopt;
  }
  return best;
}

}  // namespace mineproof
