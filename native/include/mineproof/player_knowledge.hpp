// What one player knows: the cells revealed so far, and deductions from them by the local rules and
// by pairs of clues.
//
// Python twin: knowledge.py. Holds only what the view shows and what follows from it; no member can
// reveal any other mine. It is copied by assignment, which playouts do for every game: a few flat
// buffers, seven bytes per cell in total.
//
// A clue says that between `least` and `most` mines are around its cell; for an exact clue both are
// the clue. A naive player takes clues for exact that are not; then they may contradict each other,
// and what is deduced depends on the order, which is that of knowledge.py.
//
// Cost: incremental. When a cell becomes known, the clues around it are queued; nothing scans the
// board.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/closure.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/neighbourhood.hpp"
#include "mineproof/queue.hpp"

namespace mineproof {

class PlayerKnowledge {
 public:
  // open: undecided; seen: opened or exploded
  enum class Truth : std::uint8_t { open, safe, mine, seen };
  struct InferenceOptions {
    bool local = true;   // rules on one clue at a time
    bool pairs = false;  // also on two clues that share cells
    bool notes = false;  // records which clues changed, for reasoners beyond these rules
    bool flags = false;  // marks a mine as flagged as soon as it is known; view() then trusts flags
    bool naive = false;  // takes every clue for exact, whatever the clue model says
  };
  // What is known about the number of mines before anything is revealed.
  struct Expected {
    std::optional<std::int32_t> mines;
    std::optional<double> density;
  };

  // Resets to a board with nothing opened. `clues` must stay alive.
  void begin(SharedNeighbourhood neighbourhood, InferenceOptions options, Expected expected,
             const ClueModel& clues = exact_clues);

  // Records what a cell shows now: a clue, no clue, an exploded mine, known safe, a flag or no
  // flag. `bound`: that of its clue (see ClueModel::bound).
  void see(std::int32_t cell, std::uint8_t state, std::int8_t bound = ClueModel::unbounded);
  // Records everything that a view shows; `bounds` by cell, or empty. Call after begin().
  void read(std::span<const std::uint8_t> states, std::span<const std::int8_t> bounds = {});
  // Records a cell that another reasoner deduced.
  void deduce(std::int32_t cell, bool mine, Rule rule);

  // Applies the rules to the fixpoint.
  void reason();
  // reason_locally() applies only the local rules, to the fixpoint; compare_pairs() compares pairs
  // of clues once and returns whether it deduced anything.
  void reason_locally();
  bool compare_pairs();

  [[nodiscard]] const Neighbourhood& board() const { return *neighbourhood_; }
  [[nodiscard]] Shape shape() const { return neighbourhood_->shape(); }
  [[nodiscard]] std::int32_t size() const { return neighbourhood_->size(); }
  [[nodiscard]] std::span<const std::uint8_t> states() const { return states_; }
  [[nodiscard]] std::uint8_t state(std::int32_t cell) const { return states_[cell]; }
  [[nodiscard]] Truth truth(std::int32_t cell) const { return cells_[cell].truth(); }
  [[nodiscard]] bool is_open(std::int32_t cell) const { return truth(cell) == Truth::open; }
  // Undecided and not flagged.
  [[nodiscard]] bool can_be_opened(std::int32_t cell) const {
    return is_open(cell) && states_[cell] != flagged;
  }
  // The rule that deduced a cell.
  [[nodiscard]] Rule rule(std::int32_t cell) const { return rules_[cell]; }
  [[nodiscard]] bool is_clue(std::int32_t cell) const { return mineproof::is_clue(states_[cell]); }
  // The directions from a cell to its undecided neighbours, and the number of these.
  [[nodiscard]] Directions ways_open(std::int32_t cell) const { return cells_[cell].open(); }
  [[nodiscard]] std::int32_t open_around(std::int32_t cell) const {
    return ways_in(ways_open(cell));
  }
  // Whether a cell is a clue with undecided neighbours.
  [[nodiscard]] bool is_unspent(std::int32_t cell) const {
    return is_clue(cell) && ways_open(cell) != 0;
  }
  // Mines around a clue that are not known yet: the least and the most. If clues contradict each
  // other, they may be negative.
  [[nodiscard]] std::int32_t least(std::int32_t clue) const { return cells_[clue].least(); }
  [[nodiscard]] std::int32_t most(std::int32_t clue) const { return cells_[clue].most(); }
  // Whether this clue appeared before that one.
  [[nodiscard]] bool is_older(std::int32_t clue, std::int32_t other) const {
    return places_[clue] < places_[other];
  }
  // The model by which the player reads clues, and whether these may contradict each other.
  [[nodiscard]] const ClueModel& clues() const { return *clues_; }
  [[nodiscard]] bool may_contradict() const { return !places_.empty(); }
  // The number of covered neighbours.
  [[nodiscard]] std::int32_t covered_around(std::int32_t cell) const;
  [[nodiscard]] std::int32_t covered() const { return covered_; }
  // The number of undecided cells.
  [[nodiscard]] std::int32_t open_cells() const { return covered_ - deduced_; }
  [[nodiscard]] const Expected& expected() const { return expected_; }
  // The number of mines that are not known yet, if the total is known.
  [[nodiscard]] std::optional<std::int32_t> mines_left() const;
  [[nodiscard]] View view() const;
  [[nodiscard]] Prior prior() const;
  // Changes whenever anything becomes known.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  // The first deduced cell, in board order, that is still to be played: a mine without a flag, or a
  // safe cell that is covered. -1 if there is none.
  std::int32_t next_to_flag();
  std::int32_t next_to_open();
  // Calls f(cell) once for every cell that is proved safe and still covered. Returns whether there
  // were any.
  template <class F>
  bool take_to_open(F&& f) {
    bool any = false;
    to_open_.take_all([&](std::int32_t cell) {
      if (!is_covered(states_[cell])) return;
      any = true;
      f(cell);
    });
    return any;
  }

  // Clues that changed since the last forget_changes(). Only with InferenceOptions::notes.
  [[nodiscard]] std::span<const std::int32_t> changes() const { return noted_; }
  void forget_changes();

 private:
  // Everything known about a cell, packed into one word: the cost of games is dominated by one read
  // and one write per neighbour of each cell that becomes known.
  class Known {
   public:
    static constexpr std::uint32_t is_clue = 1U << 18;
    static constexpr std::uint32_t waits = 1U << 19;    // queued for the local rules
    static constexpr std::uint32_t changed = 1U << 20;  // since pairs were last compared
    static constexpr std::uint32_t noted = 1U << 21;
    static constexpr std::uint32_t width_at = 22;

    Known() = default;
    explicit Known(Directions open) : bits_(open) {}
    [[nodiscard]] Directions open() const { return static_cast<Directions>(bits_); }
    [[nodiscard]] std::int32_t least() const {
      return static_cast<std::int32_t>(bits_ >> 12 & 15) -
             static_cast<std::int32_t>(bits_ >> 8 & 15);
    }
    [[nodiscard]] std::int32_t most() const {
      return least() + static_cast<std::int32_t>(bits_ >> width_at);
    }
    [[nodiscard]] Truth truth() const { return static_cast<Truth>(bits_ >> 16 & 3); }
    [[nodiscard]] bool has(std::uint32_t mark) const { return (bits_ & mark) != 0; }
    // A clue with undecided neighbours that is not queued yet.
    [[nodiscard]] bool can_wake() const {
      return (bits_ & (is_clue | waits)) == is_clue && open() != 0;
    }
    void set(std::uint32_t mark) { bits_ |= mark; }
    void clear(std::uint32_t mark) { bits_ &= ~mark; }
    void set_truth(Truth truth) {
      bits_ = (bits_ & ~(3U << 16)) | static_cast<std::uint32_t>(truth) << 16;
    }
    void set_clue(std::uint32_t least, std::uint32_t most) {
      bits_ |= least << 12 | is_clue | (most - least) << width_at;
    }
    // A neighbour thought to be safe is a mine, or the reverse.
    void correct(bool mine) { bits_ += mine ? 1U << 8 : ~0U << 8; }
    // The neighbour in this direction became known.
    void learn(Directions way, bool mine) {
      bits_ = (bits_ & ~std::uint32_t{way}) + (std::uint32_t{mine} << 8);
    }

   private:
    // Bits 0-7: directions to undecided neighbours; 8-11: known mines around; 12-15: the least
    // number of mines; 16-17: the truth; 18-21: the marks above; from 22 on: how many more mines
    // are possible.
    std::uint32_t bits_ = 0;
  };

  void learn(std::int32_t cell, bool mine);
  void correct(std::int32_t cell, bool mine);
  void read_clue(std::int32_t cell, std::int8_t bound);
  void wake(std::int32_t clue);
  void compare(std::int32_t clue);
  void pick_out(std::int32_t clue, Directions own, std::int32_t other, Directions others);

  SharedNeighbourhood neighbourhood_;
  InferenceOptions options_;
  Expected expected_;
  const ClueModel* clues_ = &exact_clues;
  ByCell<std::uint8_t> states_;
  ByCell<Known> cells_;
  ByCell<Rule> rules_;
  std::int32_t covered_ = 0, mines_known_ = 0, deduced_ = 0;
  std::uint64_t version_ = 0;
  CellQueue to_flag_, to_open_;
  // The clues that have the marks waits, changed and noted.
  std::vector<std::int32_t> waiting_, changed_, noted_;
  // Deductions from pairs.
  struct FromPair {
    std::int32_t cell;
    bool mine;
    std::int32_t clue, other;
  };
  std::vector<FromPair> compared_;
  std::vector<Override> overrides_;  // likelihoods of clues with bounds, ascending by cell
  ByCell<std::int32_t> places_;      // only if clues may contradict: the order of their appearance
  std::int32_t next_place_ = 0;
};

}  // namespace mineproof
