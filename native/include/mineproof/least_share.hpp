// The components of a position with few cells, and the share of their configurations in which each
// cell is a mine, all configurations weighted equally. Python twin: guessers/by_configurations.py.
//
// Components are those of the player's undecided cells, so they may be smaller than the engine's,
// and clues may contradict each other: a component without any configuration is left out.
//
// Cost: a walk around all clues; only components that changed since the last call are counted
// again. Shares are exact up to one rounding: doubles hold counts of up to 2^20 configurations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/constraint_graph.hpp"
#include "mineproof/player_knowledge.hpp"
#include "mineproof/sweep.hpp"

namespace mineproof {

// The most cells of a component that is counted. The same number as CAP in by_configurations.py.
constexpr std::int32_t largest_cap = 20;

// What Guesser::least_share counts: components of at most `cap` cells, and whether their
// configurations must agree with the mine count.
struct ShareOptions {
  bool count = true;
  std::int32_t cap = largest_cap;
};

class SmallComponents {
 public:
  // Call for each new game.
  void begin(std::int32_t size);
  // Counts the components of at most `cap` cells. With `left`, the number of mines not known yet,
  // drops the configurations that cannot add up to it. False if cancelled; then call begin().
  [[nodiscard]] bool count(const PlayerKnowledge& knowledge, std::int32_t cap,
                           std::optional<std::int32_t> left, Cancel cancel);
  // Calls f(cells, share) for each group of cells whose component has configurations left.
  template <class F>
  void each_share(F&& f) const {
    for (const Component& one : std::span(components_.data(), count_))
      for (std::size_t i = 0; i < one.shares.size(); ++i)
        f(std::span(one.groups[i].cells.data(), at(one.groups[i].size)), one.shares[i]);
  }
  // Whether a cell is in a component that has a configuration, dropped or not.
  [[nodiscard]] bool has(std::int32_t cell) const { return inside_[cell] == round_; }
  // The number of all other undecided cells.
  [[nodiscard]] std::int32_t outside() const { return outside_; }
  // The mines of these components if each has its fewest.
  [[nodiscard]] std::int32_t fewest() const { return fewest_; }

 private:
  struct Component {
    std::int32_t start = -1;           // its first clue
    std::vector<std::uint64_t> clues;  // all that its configurations depend on
    std::vector<CellGroup> groups;
    Sweep sweep;
    bool feasible = false;              // whether it has a configuration
    std::int32_t fewest = 0, most = 0;  // its mines, if it is feasible
    std::int32_t from = -1, to = -1;    // the numbers of mines that `shares` allow
    std::vector<double> shares;         // by group; empty if none of these numbers is possible
  };

  void gather(const PlayerKnowledge& knowledge, std::int32_t start);
  [[nodiscard]] bool add(const PlayerKnowledge& knowledge, Cancel cancel);
  [[nodiscard]] bool sweep(const PlayerKnowledge& knowledge, Component& one, Cancel cancel);
  void form_groups(const PlayerKnowledge& knowledge);
  [[nodiscard]] bool weigh(Component& one, Cancel cancel);

  // This call's components and the last call's, by first clue; leftovers follow the first `count_`
  // and `last_count_`.
  std::vector<Component> components_, last_;
  std::size_t count_ = 0, last_count_ = 0;
  std::size_t next_last_ = 0;  // the last call's component that may be the next one
  std::int32_t outside_ = 0, fewest_ = 0, most_ = 0;
  std::uint32_t round_ = 0;
  ByCell<std::uint32_t> seen_, inside_;  // by cell: the last round that did
  ByCell<std::int32_t> place_;           // by clue: its index in the graph
  std::vector<std::int32_t> clues_, cells_, order_;
  std::vector<std::uint64_t> key_;
  std::vector<double> allowed_;
  ConstraintGraph graph_;
  Scratch scratch_;
};

}  // namespace mineproof
