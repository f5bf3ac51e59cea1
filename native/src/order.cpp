#include "mineproof/order.hpp"

#include <algorithm>
#include <limits>

namespace mineproof {

namespace {

// How many values an open clue can have when `taken` of its cells are.
double values(const Clue& clue, std::int32_t taken) {
  if (taken == 0 || taken == clue.cells) return 1;
  return std::min(clue.high, taken) - std::max(0, clue.low - (clue.cells - taken)) + 1;
}

}  // namespace

// What taking a box costs: by the first two rules the clues it opens, less those it
// closes; by the others, the factor by which the values of the open clues grow.
template <Planner::Rule rule>
auto Planner::cost_of(const Network& network, const Box& box) const {
  constexpr bool by_values = rule >= Rule::fewest_values;
  std::conditional_t<by_values, double, int> cost = by_values ? 1 : 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(box.clue_count); ++j) {
    const auto id = static_cast<std::size_t>(box.clues[j]);
    const Clue& clue = network.clues[id];
    if constexpr (by_values) {
      cost *= values(clue, taken_[id] + box.size) / values(clue, taken_[id]);
    } else {
      cost += taken_[id] == 0 ? 2 : 0;
      cost -= taken_[id] + box.size == clue.cells ? (rule == Rule::close ? 2 : 3) : 0;
    }
  }
  return cost;
}

// Takes boxes from `start` on, always one next to an open clue, that of least cost.
// Returns an estimate of the work: how many values the open clues together can have,
// summed over all steps.
template <Planner::Rule rule>
double Planner::greedy(const Network& network, std::int32_t start,
                       std::vector<std::int32_t>& order) {
  order.clear();
  if (++walk_ == 0) {
    std::fill(seen_.begin(), seen_.end(), 0);
    walk_ = 1;
  }
  candidates_.assign(1, start);
  seen_[static_cast<std::size_t>(start)] = walk_;
  double work = 0;
  double states = 1;
  while (!candidates_.empty()) {
    std::size_t best = 0;
    if (candidates_.size() > 1) {
      auto least = std::numeric_limits<decltype(cost_of<rule>(network, network.boxes[0]))>::max();
      for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const auto cost =
            cost_of<rule>(network, network.boxes[static_cast<std::size_t>(candidates_[i])]);
        if (cost < least || (rule == Rule::fewest_values_last && cost == least)) {
          least = cost;
          best = i;
        }
      }
    }
    const std::int32_t taken = candidates_[best];
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
    order.push_back(taken);
    const Box& box = network.boxes[static_cast<std::size_t>(taken)];
    for (std::size_t j = 0; j < static_cast<std::size_t>(box.clue_count); ++j) {
      const auto id = static_cast<std::size_t>(box.clues[j]);
      const Clue& clue = network.clues[id];
      states *= values(clue, taken_[id] + box.size) / values(clue, taken_[id]);
      if (taken_[id] == 0)
        for (std::size_t b = 0; b < static_cast<std::size_t>(clue.box_count); ++b) {
          std::uint32_t& seen = seen_[static_cast<std::size_t>(clue.boxes[b])];
          if (seen == walk_) continue;
          seen = walk_;
          candidates_.push_back(clue.boxes[b]);
        }
      taken_[id] += box.size;
      if (taken_[id] == clue.cells) taken_[id] = 0;  // closed: not looked at again
    }
    work += states;
  }
  return work;
}

void Planner::plan(const Network& network, std::span<const std::int32_t> boxes,
                   std::vector<std::int32_t>& order) {
  if (taken_.size() < network.clues.size()) taken_.resize(network.clues.size());
  if (seen_.size() < network.boxes.size()) seen_.resize(network.boxes.size());
  double best = greedy<Rule::close>(network, boxes.back(), order);
  constexpr double hard = 2000;
  if (best < hard) return;
  const auto compare = [&](double work) {
    if (work >= best) return;
    best = work;
    order.swap(trial_);
  };
  const std::size_t starts = std::min<std::size_t>(boxes.size(), 16);
  for (std::size_t i = 0; i < starts; ++i) {
    const std::int32_t start = boxes[i * boxes.size() / starts];
    compare(greedy<Rule::close>(network, start, trial_));
    compare(greedy<Rule::close_more>(network, start, trial_));
    compare(greedy<Rule::fewest_values>(network, start, trial_));
    compare(greedy<Rule::fewest_values_last>(network, start, trial_));
  }
}

}  // namespace mineproof
