// The referee of one game, for every clue model. Python twin: game.py.
//
// Only the referee knows the mines. It deals, enforces the opening rule, opens and floods, draws
// clues, accepts flags, and detects the end of the game. Players receive only the cells that
// changed and what they show.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/clues.hpp"
#include "mineproof/neighbourhood.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

// Where the mines come from: a given board, or a deal at the first move.
struct GameSetup {
  Shape shape;
  std::span<const std::uint8_t> mined;          // a given board, or empty
  std::int32_t mines = 0;                       // for a deal by count
  std::optional<std::uint64_t> each_threshold;  // for a deal cell by cell (see deal_each)
};

// The cells that the opening rule guarantees to be free of mines, ascending.
[[nodiscard]] std::vector<std::int32_t> cells_promised(Shape shape, Opening opening,
                                                       std::int32_t start);
// How many these are; the most that they can be where no start is given (-1).
[[nodiscard]] std::int32_t count_promised(Shape shape, Opening opening, std::int32_t start);

class GameJudge;

// A game without luck must not be copied while it is played: both would share its judge.
class Referee {
 public:
  // Starts a new game: nothing is dealt, nothing opened. `seed` determines the deal and the noise
  // of the clues; `clues` must stay alive.
  void begin(SharedNeighbourhood neighbourhood, const GameRules& rules,
             const ClueModel& clues = exact_clues, std::uint64_t seed = 0);
  // Starts another game on a board of the same shape, with the same rules and clues.
  void begin(std::uint64_t seed);
  // Starts a game with exact clues at this view, in which cells may be open already.
  void begin_at(SharedNeighbourhood neighbourhood, const GameRules& rules,
                std::span<const std::uint8_t> states);

  // Deals the mines, and clears changed(). `first` is the cell of the first move; it may be any
  // value if the opening rule guarantees nothing.
  void deal(const GameSetup& ground, std::int32_t first);
  void deal(std::span<const std::uint8_t> mined);
  [[nodiscard]] bool dealt() const { return dealt_; }
  // Whether there is a first cell for which the board keeps the opening rule. No game starts on
  // other boards, not even one that would be over at once.
  [[nodiscard]] bool has_start() const;
  // Reveals what the opening rule guarantees around the first cell. False if the board violates it.
  [[nodiscard]] bool promise(std::int32_t first);

  // Each of these clears changed() and records its own changes. Without luck, an opening may draw
  // the board again (see fair.hpp); if it is cancelled, discard the game.
  void open(std::int32_t cell, Cancel cancel = {});
  void flag(std::int32_t cell);
  void unflag(std::int32_t cell);
  // Asks every opened cell without a clue again, in ascending order.
  void ask();
  void stop() { ended_ = true; }
  // Ends the game if nothing is left to do.
  void finish();

  // The cells that the last action changed, in order.
  [[nodiscard]] std::span<const std::int32_t> changed() const {
    return std::span(changed_).first(at(changes_));
  }
  [[nodiscard]] std::uint8_t shows(std::int32_t cell) const { return states_[cell]; }
  // The bound with which a cell's clue was drawn (see ClueModel::bound).
  [[nodiscard]] std::int8_t bound(std::int32_t cell) const {
    return bounds_.empty() ? ClueModel::unbounded : bounds_[cell];
  }
  [[nodiscard]] std::span<const std::uint8_t> states() const { return states_; }
  [[nodiscard]] bool is_mine(std::int32_t cell) const { return truth_[cell] >= mine; }
  // A copy of the board, one byte per cell: 1 for a mine.
  [[nodiscard]] Cells board() const;
  // The judge of a game without luck, otherwise null.
  [[nodiscard]] const GameJudge* judge() const { return judge_.get(); }
  // Whether any opened cell without a clue can be asked again.
  [[nodiscard]] bool unanswered() const { return clues_->redraw && silent_ > 0; }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] bool won() const;
  [[nodiscard]] bool all_safe_open() const;
  [[nodiscard]] std::int32_t mines() const { return mines_; }
  [[nodiscard]] std::int32_t opened() const { return opened_; }
  [[nodiscard]] std::int32_t flags() const { return flags_; }
  [[nodiscard]] std::int32_t right() const { return right_; }           // flags on mines
  [[nodiscard]] std::int32_t wrong() const { return flags_ - right_; }  // flags on safe cells
  [[nodiscard]] std::int32_t exploded() const { return exploded_; }

 private:
  static constexpr std::uint8_t mine = 128;

  void place(std::span<const std::uint8_t> mined);
  void count_mines(std::int32_t mines);
  void begin_judge();
  void draw_again(std::int32_t cell, Cancel cancel);
  void inform_judge(std::uint64_t moves);
  void note(std::int32_t cell) { changed_[changes_++] = cell; }
  void show(std::int32_t cell);
  [[nodiscard]] std::uint8_t draw(std::int32_t cell);
  void flood();
  [[nodiscard]] bool floods(std::int32_t cell) const;
  [[nodiscard]] bool is_promised(std::int32_t cell) const;

  SharedNeighbourhood neighbourhood_;
  GameRules rules_;
  const ClueModel* clues_ = &exact_clues;
  std::uint64_t seed_ = 0;
  ByCell<std::uint8_t> truth_;  // the number of mines around a cell, plus `mine` if it is one
  ByCell<std::uint8_t> states_;
  ByCell<std::uint32_t> asked_;  // how often a clue was drawn; only for uncertain clues
  ByCell<std::int8_t> bounds_;   // only for clues with bounds
  bool dealt_ = false, ended_ = false;
  std::int32_t first_ = -1;  // the cell around which the opening rule promises safe cells
  std::int32_t mines_ = 0, opened_ = 0, flags_ = 0, right_ = 0, exploded_ = 0, silent_ = 0;
  ByCell<std::int32_t> changed_;  // the first `changes_` are valid
  std::int32_t changes_ = 0;
  std::shared_ptr<GameJudge> judge_;  // only for games without luck
};

}  // namespace mineproof
