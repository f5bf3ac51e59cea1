// What follows, for one player, from what was shown: by the local rules and by pairs of clues.
//
// The twin of knowledge.py for exact clues. A mind knows only what cells show:
// no member reveals a mine that does not follow from that. It is copied by assignment, a
// few flat buffers, of seven bytes a cell in all: playouts do that for every game.
//
// Cost: a cell that comes to be known wakes the clues around it; nothing scans the board.
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

class Mind {
 public:
  enum class Truth : std::uint8_t { open, safe, mine, seen };  // as the mind knows it
  struct Habits {
    bool local = true;   // one clue at a time
    bool pairs = false;  // and two that share cells
    bool notes = false;  // remembers which clues changed, for who asks beyond these
    bool flags = false;  // shows a mine as flagged as soon as it is known: its view trusts flags
  };
  // What is known of the number of mines before anything is shown.
  struct Expected {
    std::optional<std::int32_t> mines;
    std::optional<double> density;
  };

  // Forgets everything: nothing of this board is opened.
  void begin(SharedNeighbourhood neighbourhood, Habits habits, Expected expected);

  // What a cell shows now: a clue, none, a mine, a promise that it is safe, a flag or no flag.
  void see(std::int32_t cell, std::uint8_t state);
  // All that a view shows, after begin().
  void read(std::span<const std::uint8_t> states);
  // Somebody proved what a cell is.
  void settle(std::int32_t cell, bool mine, Rule rule);

  // The rules until nothing follows.
  void reason();
  // The local rules alone; then pairs, once: whether that deduced anything.
  void reason_locally();
  bool compare_pairs();

  [[nodiscard]] const Neighbourhood& board() const { return *neighbourhood_; }
  [[nodiscard]] Shape shape() const { return neighbourhood_->shape(); }
  [[nodiscard]] std::int32_t size() const { return neighbourhood_->size(); }
  [[nodiscard]] std::span<const std::uint8_t> states() const { return states_; }
  [[nodiscard]] std::uint8_t state(std::int32_t cell) const { return states_[cell]; }
  [[nodiscard]] Truth truth(std::int32_t cell) const { return cells_[cell].truth(); }
  [[nodiscard]] bool is_open(std::int32_t cell) const { return truth(cell) == Truth::open; }
  // Its truth is open, and no flag is on it.
  [[nodiscard]] bool can_be_opened(std::int32_t cell) const {
    return is_open(cell) && states_[cell] != flagged;
  }
  // The rule that deduced a cell.
  [[nodiscard]] Rule rule(std::int32_t cell) const { return rules_[cell]; }
  [[nodiscard]] bool is_clue(std::int32_t cell) const { return mineproof::is_clue(states_[cell]); }
  // Directions from a cell to neighbours whose truth is open, and how many these are.
  [[nodiscard]] Directions ways_open(std::int32_t cell) const { return cells_[cell].open(); }
  [[nodiscard]] std::int32_t open_around(std::int32_t cell) const {
    return ways_in(ways_open(cell));
  }
  // A clue around which some truth is open.
  [[nodiscard]] bool is_unspent(std::int32_t cell) const {
    return is_clue(cell) && ways_open(cell) != 0;
  }
  // Mines around a clue that are not known.
  [[nodiscard]] std::int32_t missing(std::int32_t clue) const { return cells_[clue].missing(); }
  // How many neighbours are covered.
  [[nodiscard]] std::int32_t covered_around(std::int32_t cell) const;
  [[nodiscard]] std::int32_t covered() const { return covered_; }
  // Cells whose truth is open.
  [[nodiscard]] std::int32_t open_cells() const { return covered_ - settled_; }
  [[nodiscard]] const Expected& expected() const { return expected_; }
  // The mines that are not known, if the count is.
  [[nodiscard]] std::optional<std::int32_t> mines_left() const;
  [[nodiscard]] View view() const;
  [[nodiscard]] Prior prior() const;
  // Another number whenever something came to be known.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  // The first deduced cell on the board that is still to be played: a mine without a flag, a
  // safe cell that is covered. -1 if there is none.
  std::int32_t next_to_flag();
  std::int32_t next_to_open();
  // Calls f(cell) once for every cell that is proved safe and still covered. Returns whether
  // there was any.
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

  // Clues that changed since they were forgotten. Only with the habit.
  [[nodiscard]] std::span<const std::int32_t> changes() const { return noted_; }
  void forget_changes();

 private:
  // What is known of a cell, in one word: a read and a write for every neighbour of a cell that
  // comes to be known is what games cost.
  class Known {
   public:
    static constexpr std::uint32_t is_clue = 1U << 18;
    static constexpr std::uint32_t waits = 1U << 19;    // for the local rules
    static constexpr std::uint32_t changed = 1U << 20;  // since pairs were compared
    static constexpr std::uint32_t noted = 1U << 21;

    Known() = default;
    explicit Known(Directions open) : bits_(open) {}
    [[nodiscard]] Directions open() const { return static_cast<Directions>(bits_); }
    [[nodiscard]] std::int32_t missing() const {
      return static_cast<std::int32_t>(bits_ >> 12 & 15) -
             static_cast<std::int32_t>(bits_ >> 8 & 15);
    }
    [[nodiscard]] Truth truth() const { return static_cast<Truth>(bits_ >> 16 & 3); }
    [[nodiscard]] bool has(std::uint32_t mark) const { return (bits_ & mark) != 0; }
    // A clue with open cells around it that does not wait.
    [[nodiscard]] bool can_wake() const {
      return (bits_ & (is_clue | waits)) == is_clue && open() != 0;
    }
    void set(std::uint32_t mark) { bits_ |= mark; }
    void clear(std::uint32_t mark) { bits_ &= ~mark; }
    void set_truth(Truth truth) {
      bits_ = (bits_ & ~(3U << 16)) | static_cast<std::uint32_t>(truth) << 16;
    }
    void set_clue(std::uint8_t clue) { bits_ |= std::uint32_t{clue} << 12 | is_clue; }
    // The neighbour over there came to be known.
    void learn(Directions way, bool mine) {
      bits_ = (bits_ & ~std::uint32_t{way}) + (std::uint32_t{mine} << 8);
    }

   private:
    // Eight bits of directions to open neighbours, four of the mines known around, four of the
    // clue, two of the truth, then marks.
    std::uint32_t bits_ = 0;
  };

  void learn(std::int32_t cell, bool mine);
  void wake(std::int32_t clue);
  void compare(std::int32_t clue);
  void pick_out(std::int32_t clue, Directions ways, bool mine);

  SharedNeighbourhood neighbourhood_;
  Habits habits_;
  Expected expected_;
  ByCell<std::uint8_t> states_;
  ByCell<Known> cells_;
  ByCell<Rule> rules_;
  std::int32_t covered_ = 0, mines_known_ = 0, settled_ = 0;
  std::uint64_t version_ = 0;
  CellQueue to_flag_, to_open_;
  // Empty when nothing more follows.
  std::vector<std::int32_t> waiting_, changed_, noted_;  // clues; see the marks
  std::vector<std::pair<std::int32_t, bool>> compared_;  // what pairs deduce: cell, mine
};

}  // namespace mineproof
