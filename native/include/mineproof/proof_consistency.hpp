// Whether some clues can hold together, with the opposite of a cell or without.
//
// The unknown cells are taken in boxes (cells that touch the same clues), from the asked cell
// outwards, and each box is given every number of mines that the clues around it can bear.
// What failed once is remembered, so that the work is bounded by how many clues are half done
// at a time: microseconds for a handful of clues. The twin of reasoning/consistency.py,
// node by node: both give up at the same place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/proof_statements.hpp"

namespace mineproof {

// A set of keys: some words each, the first of which says how many.
class KeySet {
 public:
  void clear();
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool contains(std::span<const std::uint64_t> key) const;
  void insert(std::span<const std::uint64_t> key);

 private:
  struct Slot {
    std::uint32_t round = 0, place = 0;  // taken if the round is this one; where its words are
    std::uint64_t hash = 0;
  };
  [[nodiscard]] std::size_t find(std::span<const std::uint64_t> key, std::uint64_t hash) const;
  void grow();

  std::uint32_t round_ = 0;
  std::size_t count_ = 0;
  std::size_t in_use_ = 0;   // slots, the first ones: a power of two, at most half of them taken
  std::vector<Slot> slots_;  // the size of the largest round, so that small ones stay in cache
  std::vector<std::uint64_t> words_;
};

class Consistency {
 public:
  // `statements` must live as long as this is asked; `cells`: how many the board has.
  void read(std::span<const Statement> statements, std::int32_t cells);

  // Whether the chosen statements cannot hold if a cell is (or is not) a mine; false, too, if
  // the question was given up. Statements that no chain of shared cells links to the cell play
  // no part.
  [[nodiscard]] bool refutes(std::span<const std::int32_t> chosen, std::int32_t cell, bool mine);
  // Whether the chosen statements cannot hold together; false, too, if it was given up.
  [[nodiscard]] bool clash(std::span<const std::int32_t> chosen);
  // Whether a question was given up since this was set to false.
  bool gave_up = false;
  std::int64_t nodes = 0;  // numbers tried for boxes in the last question

  // -1 where no statement touches the cell.
  [[nodiscard]] std::int32_t box_of(std::int32_t cell) const {
    return box_of_[static_cast<std::size_t>(cell)];
  }
  std::vector<std::vector<std::int32_t>> statements_of;  // by box
  std::vector<std::vector<std::int32_t>> boxes_of;       // by statement

 private:
  struct Place {
    std::int32_t box, first, last;  // its chosen statements are touching_[first, last)
  };
  void choose(std::span<const std::int32_t> chosen);
  void forget(std::span<const std::int32_t> chosen);
  void order(std::int32_t box);
  bool fits(std::int32_t low, std::int32_t high);
  bool can_hold(std::size_t place) const;
  std::span<const std::uint64_t> key(std::size_t place);
  void find_open();

  std::span<const Statement> statements_;
  std::vector<std::int32_t> box_of_;  // by cell
  std::vector<std::int32_t> sizes_;   // by box
  // Of one question:
  std::vector<Place> order_;
  std::vector<std::int32_t> touching_;
  std::vector<std::uint8_t> chosen_, seen_, seen_boxes_;  // by statement, by box
  std::vector<std::int32_t> done_, rest_;                 // by statement: mines given, cells left
  std::vector<std::int32_t> open_, open_begin_;           // by place: statements half done
  std::vector<std::int32_t> last_;                        // by statement: its last place
  std::vector<std::int32_t> given_;                       // by place: mines
  std::vector<std::uint64_t> key_;
  KeySet failed_;
};

}  // namespace mineproof
