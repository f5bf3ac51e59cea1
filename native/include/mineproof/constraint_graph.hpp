// Turns a view into the constraints that must be counted.
//
// Reads a view, makes all deductions that follow from single clues, and groups the remaining cells.
// A group (`CellGroup`) is a set of unknown cells that have the same clues as neighbours and so are
// interchangeable; a component is a set of groups linked by clues. Nothing here counts
// configurations.
//
// Reuses its memory between calls: make one Network and read many views into it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/cells.hpp"
#include "mineproof/clues.hpp"
#include "mineproof/named_enum.hpp"

namespace mineproof {

// A likelihood that applies to one opened cell only, by true count 0-8.
struct Override {
  std::int32_t cell;
  ClueModel::Likelihood table;
};

struct View {
  Shape shape;
  std::span<const std::uint8_t> states;
  const ClueModel* model;
  std::span<const Override> overrides;  // ascending by cell
  bool trust_flags = false;
  // Opened cells for which the caller wants the distribution of their mine counts; no duplicates.
  std::span<const std::int32_t> watched = {};

  // Whether a cell in this state is known to be a mine, or is unknown (neither opened nor known to
  // be safe).
  [[nodiscard]] bool is_known_mine(std::uint8_t state) const {
    return state == exploded || (state == flagged && trust_flags);
  }
  [[nodiscard]] bool is_unknown(std::uint8_t state) const {
    return state == hidden || (state == flagged && !trust_flags);
  }
};

NAMED_ENUM(enum class, Verdict, std::uint8_t, open, safe, mine)

// The constraint of one clue: between `low` and `high` of `cells` unknown cells are mines. `table`
// weighs each number of mines, and is null if low == high and the weight is 1.
struct Clue {
  std::int32_t cell;
  std::int32_t cells;
  std::int32_t low;
  std::int32_t high;
  const double* table;
  std::int32_t group_count;
  std::array<std::int32_t, 8> groups;
  std::int32_t watch = -1;  // index of its cell in the view's `watched`, or -1
};

struct CellGroup {
  std::int32_t size;
  std::int32_t clue_count;
  std::array<std::int32_t, 8> cells;
  std::array<std::int32_t, 8> clues;
};

class ConstraintGraph {
 public:
  // False if some clue cannot be satisfied by itself (then `broken` is its cell).
  bool read(const View& view);

  std::vector<Clue> clues;
  std::vector<CellGroup> groups;
  std::vector<std::int32_t> component_groups;  // groups, component by component
  std::vector<std::int32_t> component_begin;   // one entry more than there are components
  std::vector<Verdict> verdicts;               // by cell
  std::vector<std::int32_t> deduced;           // cells deduced from single clues
  std::int32_t unknown = 0;                    // unknown cells before these deductions
  std::int32_t rest = 0;                       // unknown interior cells (next to no clue)
  std::int32_t deduced_mines = 0;              // unknown cells proved mines
  std::int32_t deduced_safe = 0;               // unknown cells proved safe
  std::int32_t known_mines = 0;                // exploded, or flagged and trusted
  double log_constant = 0;                     // contributed by clues that weigh every count alike
  std::vector<std::int32_t> watched_mines;     // by watched cell: proved mines around it
  std::int32_t broken = -1;

  [[nodiscard]] std::size_t components() const { return component_begin.size() - 1; }
  // The unknown interior cells, in ascending order.
  [[nodiscard]] std::vector<std::int32_t> rest_cells() const;

 private:
  using Plane = std::vector<std::uint8_t>;

  void shape(Shape wanted);
  void copy_rows(const View& view);
  void load(const View& view);
  bool deduce(const View& view);
  [[nodiscard]] std::uint64_t ready(std::size_t first) const;
  bool deduce_clue(const View& view, std::size_t place);
  void deduce_around(std::size_t middle, bool mine);
  void form_groups(const View& view);
  void group_around(std::size_t middle);
  void link();
  [[nodiscard]] bool is_watched(std::size_t place) const {
    return !watch_at_.empty() && watch_at_[place] != 0;
  }
  bool range(const View& view, std::size_t place, int unknown_around, int mines_around, int& low,
             int& high, const double*& table) const;

  // The values in known_.
  static constexpr std::uint8_t is_unknown = 1;
  static constexpr std::uint8_t is_grouped = 2;  // added to is_unknown
  static constexpr std::uint8_t is_mine = 16;
  static constexpr std::uint8_t outside = 15;  // the value in shown_ beyond the board

  // The planes hold one byte per place, and cells are mapped to places such that one column between
  // rows and two rows above and below stay empty: so no neighbour needs a bounds check, and sixteen
  // places can be processed at once.
  [[nodiscard]] std::size_t place_of(std::int32_t cell) const {
    return at((cell / shape_.cols + 2) * stride_ + cell % shape_.cols + 2);
  }
  static constexpr std::size_t block = 64;  // in places
  [[nodiscard]] static std::size_t block_of(std::int32_t place) { return at(place) / block; }
  Shape shape_{0, 0};
  std::int32_t stride_ = 0;
  std::size_t places_ = 0;
  bool simple_ = true;                  // exact clues and no overrides: no table is needed
  std::array<std::int32_t, 9> step_{};  // from a place to the nine in the 3x3 square around it
  Plane shown_;                         // cell states; `outside` beyond the board
  Plane known_;                         // is_unknown (and is_grouped), is_mine or 0
  Plane sums_;                          // of known_ over the 3x3 square: unknown cells + 16 * mines
  Plane live_clues_;  // 255 at clues; in the end only at clues that still constrain something
  std::vector<std::uint8_t> dirty_;        // by block of places: sums changed since last processed
  std::vector<std::int32_t> cell_at_;      // by place
  std::vector<std::int32_t> clue_id_;      // by place
  std::vector<std::int32_t> override_at_;  // by place: 1 + index into the overrides
  std::vector<std::int32_t> watch_at_;     // by place: 1 + index into the watched cells
  std::vector<std::uint8_t> seen_groups_, seen_clues_;
};

}  // namespace mineproof
