// Decides whether some clues are consistent, with or without the opposite of a cell.
//
// A backtracking search over groups of unknown cells (cells that are next to the same clues),
// starting at the cell in question: each group is given every number of mines that its clues still
// allow. Partial assignments that failed are remembered, so the work is bounded in terms of how
// many clues are partly assigned at a time: microseconds for a handful of clues. Python twin:
// reasoning/consistency.py, node by node: both give up at the same point.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/proof_statements.hpp"

namespace mineproof {

// A set of keys. A key is a sequence of words, the first of which determines their number.
class KeySet {
 public:
  void clear();
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool contains(std::span<const std::uint64_t> key) const;
  void insert(std::span<const std::uint64_t> key);

 private:
  struct Slot {
    std::uint32_t round = 0, place = 0;  // occupied in this `round`; place of its words
    std::uint64_t hash = 0;
  };
  [[nodiscard]] std::size_t find(std::span<const std::uint64_t> key, std::uint64_t hash) const;
  void grow();

  std::uint32_t round_ = 0;
  std::size_t count_ = 0;
  std::size_t in_use_ = 0;   // active slots: a power of two, at most half occupied
  std::vector<Slot> slots_;  // as many as ever needed; small rounds use the front only
  std::vector<std::uint64_t> words_;
};

class Consistency {
 public:
  // `statements` must outlive all queries; `cells` is the number of cells of the board.
  void read(std::span<const ProofConstraint> statements, std::int32_t cells);

  // Whether the chosen statements are inconsistent with the cell's being a mine (or being safe);
  // also false if the search gave up. Ignores statements that no chain of shared cells links to the
  // cell.
  [[nodiscard]] bool refutes(std::span<const std::int32_t> chosen, std::int32_t cell, bool mine);
  // Whether the chosen statements contradict each other; also false if the search gave up.
  [[nodiscard]] bool clash(std::span<const std::int32_t> chosen);
  // Set when a search gives up; reset it before a query.
  bool gave_up = false;
  std::int64_t nodes = 0;  // assignments tried in the last query

  // -1 if no statement contains the cell.
  [[nodiscard]] std::int32_t group_of(std::int32_t cell) const {
    return group_of_[static_cast<std::size_t>(cell)];
  }
  std::vector<std::vector<std::int32_t>> statements_of;  // by group
  std::vector<std::vector<std::int32_t>> groups_of;      // by statement

 private:
  struct Place {
    std::int32_t group, first, last;  // its chosen statements are touching_[first, last)
  };
  void choose(std::span<const std::int32_t> chosen);
  void forget(std::span<const std::int32_t> chosen);
  void order(std::int32_t group);
  bool fits(std::int32_t low, std::int32_t high);
  bool can_hold(std::size_t place) const;
  std::span<const std::uint64_t> key(std::size_t place);
  void find_open();

  std::span<const ProofConstraint> statements_;
  std::vector<std::int32_t> group_of_;  // by cell
  std::vector<std::int32_t> sizes_;     // by group
  // State of one query:
  std::vector<Place> order_;
  std::vector<std::int32_t> touching_;
  std::vector<std::uint8_t> chosen_, seen_, seen_groups_;  // by statement, by statement, by group
  std::vector<std::int32_t> done_, rest_;        // by statement: mines assigned, cells unassigned
  std::vector<std::int32_t> open_, open_begin_;  // by place: statements partly assigned
  std::vector<std::int32_t> last_;               // by statement: the last place that affects it
  std::vector<std::int32_t> given_;              // by place: mines assigned
  std::vector<std::uint64_t> key_;
  KeySet failed_;
};

}  // namespace mineproof
