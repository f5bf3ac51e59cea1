// From what a player sees to what must be counted.
//
// Reads a view, makes the deductions of single clues, and groups the rest: a *box* is
// a set of unknown cells that touch the same clues and are interchangeable; a
// *component* is a set of boxes linked by clues. Nothing here counts anything.
//
// Memory is kept between calls: a Network is made once and read into many times.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/cells.hpp"
#include "mineproof/named_enum.hpp"

namespace mineproof {

// A clue model: the likelihood of what is shown, by degree and true count.
struct Model {
  bool exact = true;  // each clue is the count; the table is not looked at
  // [shown 0-8, or 9 for no clue][degree 0-8][count 0-8]
  std::array<std::array<std::array<double, 9>, 9>, 10> table{};
};

// A likelihood of its own for one opened cell, by true count 0-8.
struct Override {
  std::int32_t cell;
  std::array<double, 9> table;
};

struct View {
  Shape shape;
  std::span<const std::uint8_t> states;
  const Model* model;
  std::span<const Override> overrides;  // by rising cell
  bool trust_flags = false;
  // Opened cells of which is asked how many mines are around them; no cell twice.
  std::span<const std::int32_t> watched = {};

  // Whether a cell in this state is known to be a mine, or unknown (neither opened nor known safe).
  [[nodiscard]] bool is_known_mine(std::uint8_t state) const {
    return state == exploded || (state == flagged && trust_flags);
  }
  [[nodiscard]] bool is_unknown(std::uint8_t state) const {
    return state == hidden || (state == flagged && !trust_flags);
  }
};

NAMED_ENUM(enum class, Verdict, std::uint8_t, open, safe, mine)

// Of `cells` unknown cells between `low` and `high` are mines; `table` weighs each
// number of mines, and is null where low == high and the weight is 1.
struct Clue {
  std::int32_t cell;
  std::int32_t cells;
  std::int32_t low;
  std::int32_t high;
  const double* table;
  std::int32_t box_count;
  std::array<std::int32_t, 8> boxes;
  std::int32_t watch = -1;  // where in the view's `watched` its cell is, or -1
};

struct Box {
  std::int32_t size;
  std::int32_t clue_count;
  std::array<std::int32_t, 8> cells;
  std::array<std::int32_t, 8> clues;
};

class Network {
 public:
  // False if a single clue cannot hold (then `broken` names its cell).
  bool read(const View& view);

  std::vector<Clue> clues;
  std::vector<Box> boxes;
  std::vector<std::int32_t> component_boxes;  // boxes, component by component
  std::vector<std::int32_t> component_begin;  // one more than there are components
  std::vector<Verdict> verdicts;              // by cell; open if undecided
  std::vector<std::int32_t> settled;          // cells that single clues prove
  std::int32_t unknown = 0;                   // unknown cells in all, before settling
  std::int32_t rest = 0;                      // unknown cells that no clue touches
  std::int32_t settled_mines = 0;             // unknown cells proved mines
  std::int32_t settled_safe = 0;              // unknown cells proved safe
  std::int32_t known_mines = 0;               // exploded, or flagged and trusted
  double log_constant = 0;                    // of clues that weigh every count alike
  std::vector<std::int32_t> watched_mines;    // by watched cell: proved mines around it
  std::int32_t broken = -1;

  [[nodiscard]] std::size_t components() const { return component_begin.size() - 1; }
  // The unknown cells that no clue touches, by index.
  [[nodiscard]] std::vector<std::int32_t> rest_cells() const;

 private:
  using Plane = std::vector<std::uint8_t>;

  void shape(Shape wanted);
  void copy_rows(const View& view);
  void load(const View& view);
  bool settle(const View& view);
  [[nodiscard]] std::uint64_t ready(std::size_t first) const;
  bool settle_clue(const View& view, std::size_t place);
  void settle_around(std::size_t middle, bool mine);
  void group(const View& view);
  void box_around(std::size_t middle);
  void link();
  [[nodiscard]] bool is_watched(std::size_t place) const {
    return !watch_at_.empty() && watch_at_[place] != 0;
  }
  bool range(const View& view, std::size_t place, int unknown_around, int mines_around, int& low,
             int& high, const double*& table) const;

  // What known_ holds of a place.
  static constexpr std::uint8_t is_unknown = 1;
  static constexpr std::uint8_t is_boxed = 2;  // added to is_unknown
  static constexpr std::uint8_t is_mine = 16;
  static constexpr std::uint8_t outside = 15;  // the state of a place beyond the board

  // Cells live at places of the planes, a byte each. The column between the rows, and two
  // rows above and below, are always empty, so that no neighbour needs a check, and
  // sixteen places are worked on at once.
  [[nodiscard]] std::size_t place_of(std::int32_t cell) const {
    return at((cell / shape_.cols + 2) * stride_ + cell % shape_.cols + 2);
  }
  static constexpr std::size_t block = 64;  // places
  [[nodiscard]] static std::size_t block_of(std::int32_t place) { return at(place) / block; }
  Shape shape_{0, 0};
  std::int32_t stride_ = 0;
  std::size_t places_ = 0;
  bool simple_ = true;  // exact clues and nothing of their own: no table is looked at
  std::array<std::int32_t, 9> step_{};  // from a place to the nine around it
  Plane shown_;                         // the states; `outside` beyond the board
  Plane known_;                         // is_unknown (and is_boxed), is_mine or 0
  Plane sums_;                          // of known_ over the 3x3 square: unknown cells + 16 * mines
  Plane told_;                          // 255 at clues; at the end, at clues that are still of use
  std::vector<std::uint8_t> dirty_;  // by block of places: its sums changed since it was looked at
  std::vector<std::int32_t> cell_at_;      // by place
  std::vector<std::int32_t> clue_id_;      // by place
  std::vector<std::int32_t> override_at_;  // by place: 1 + index into the overrides
  std::vector<std::int32_t> watch_at_;     // by place: 1 + index into the watched cells
  std::vector<std::uint8_t> seen_boxes_, seen_clues_;
};

}  // namespace mineproof
