// The rule without luck: decides whether an opening hits a mine, by what the player could know.
//
// The board is evidence, not fate. Opening a cell that is not certain is fatal if another cell was
// provably safe; otherwise it is a forced guess, and the cell is safe. In both cases the board is
// drawn again from the posterior, given the decision: after a fatal opening only if the present
// board has no mine there, after a guess always. Certain cells stay as they are. What is shown is
// consistent with every board drawn.
//
// If the exact count exceeds the budget, the judge is kind: the opening counts as a guess, and the
// board changes only if it has a mine there, as near to the cell as possible.
//
// A judge reuses its memory between calls and must be used by one thread at a time. Results depend
// only on the arguments.
#pragma once

#include <cstdint>
#include <span>

#include "mineproof/cancel.hpp"
#include "mineproof/cells.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/neighbourhood.hpp"
#include "mineproof/player_knowledge.hpp"
#include "mineproof/prior.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

// An opening that is to be judged, with exact clues, and what the player knows before it.
struct JudgedOpening {
  Shape shape;
  std::span<const std::uint8_t> states;  // flags are not trusted
  Prior prior;
  std::int32_t cell;                    // covered and not flagged
  std::span<const std::uint8_t> mined;  // the present board
  // The mines of the board as it was dealt: boards that are drawn have as many if the clues allow.
  std::int32_t usual_mines;
  std::uint64_t seed;  // of the game
  std::uint64_t move;  // the number of moves before this one
};

class FairJudge {
 public:
  struct Ruling {
    bool drawn = false;      // whether board() replaces the present board
    bool kind = false;       // whether the count exceeded the budget
    bool cancelled = false;  // if so, nothing was decided
  };

  // Decides an opening. `budget` as in Engine.
  Ruling judge(const JudgedOpening& opening, std::size_t budget = state_budget, Cancel cancel = {});
  // The board that was drawn, one byte per cell. Valid until the next call.
  [[nodiscard]] std::span<const std::uint8_t> board() const { return board_; }

  // Approximate memory use in bytes.
  [[nodiscard]] std::size_t bytes() const { return engine_.bytes(); }

 private:
  Outcome draw(const JudgedOpening& opening, std::size_t budget, Cancel cancel);
  Ruling be_kind(const JudgedOpening& opening, std::size_t budget, Cancel cancel);
  void fix_frontier_beyond(const JudgedOpening& opening, std::int32_t radius);

  Engine engine_;
  ByCell<std::uint8_t> states_;  // the player's, with some cells decided
  Cells board_;
};

// Judges the openings of one game. It follows what the player knows, so that cells that follow from
// one or two clues, as most do, need no count.
class GameJudge {
 public:
  // Begins a game with a board of `mines` mines.
  void begin(SharedNeighbourhood neighbourhood, const GameRules& rules, std::int32_t mines,
             std::uint64_t seed);
  // Records what a cell shows now, and moves that were made.
  void see(std::int32_t cell, std::uint8_t state) { knowledge_.see(cell, state); }
  void count(std::uint64_t moves) { moves_ += moves; }
  // Whether an opening of this cell must be judged: one or two clues do not decide it.
  [[nodiscard]] bool is_in_doubt(std::int32_t cell);
  // The board that replaces `mined` before this cell, which is in doubt, is opened; empty if it
  // stays as it is, or if cancelled. Valid until the next call.
  [[nodiscard]] std::span<const std::uint8_t> judge(std::int32_t cell,
                                                    std::span<const std::uint8_t> states,
                                                    std::span<const std::uint8_t> mined,
                                                    Cancel cancel);
  // The last ruling, and the number of moves so far.
  [[nodiscard]] const FairJudge::Ruling& ruling() const { return ruling_; }
  [[nodiscard]] std::uint64_t moves() const { return moves_; }

 private:
  FairJudge judge_;
  FairJudge::Ruling ruling_;
  PlayerKnowledge knowledge_;
  std::int32_t usual_mines_ = 0;
  std::uint64_t seed_ = 0, moves_ = 0;
};

}  // namespace mineproof
