// The referee of one game with exact clues. Python twin: game.py.
//
// Only the referee knows the mines. It deals, enforces the opening rule, opens and floods, accepts
// flags, and detects the end of the game. Players receive only the cells that changed and what they
// show.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

class Referee {
 public:
  // Starts a new game: nothing is dealt, nothing opened.
  void begin(SharedNeighbourhood neighbourhood, const GameRules& rules);
  // Starts a game at this view, in which cells may be open already.
  void begin_at(SharedNeighbourhood neighbourhood, const GameRules& rules,
                std::span<const std::uint8_t> states);

  // Deals the mines. `first` is the cell of the first move; it may be any value if the opening rule
  // guarantees nothing.
  void deal(const GameSetup& ground, std::int32_t first, std::uint64_t seed);
  void deal(std::span<const std::uint8_t> mined);
  [[nodiscard]] bool dealt() const { return dealt_; }
  // Whether there is a first cell for which the board keeps the opening rule. No game starts on
  // other boards, not even one that would be over at once.
  [[nodiscard]] bool has_start() const;
  // Reveals what the opening rule guarantees around the first cell. False if the board violates it.
  [[nodiscard]] bool promise(std::int32_t first);

  // Each of these clears changed() and records its own changes.
  void open(std::int32_t cell);
  void flag(std::int32_t cell);
  void unflag(std::int32_t cell);
  void stop() { ended_ = true; }
  // Ends the game if nothing is left to do.
  void finish();

  // The cells that the last action changed, in order.
  [[nodiscard]] std::span<const std::int32_t> changed() const { return changed_; }
  [[nodiscard]] std::uint8_t shows(std::int32_t cell) const { return states_[cell]; }
  [[nodiscard]] std::span<const std::uint8_t> states() const { return states_; }
  [[nodiscard]] bool is_mine(std::int32_t cell) const { return mined_[cell] != 0; }
  [[nodiscard]] std::span<const std::uint8_t> mines_here() const { return mined_; }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] bool won() const;
  [[nodiscard]] bool all_safe_open() const;
  [[nodiscard]] std::int32_t mines() const { return mines_; }
  [[nodiscard]] std::int32_t right() const { return right_; }           // flags on mines
  [[nodiscard]] std::int32_t wrong() const { return flags_ - right_; }  // flags on safe cells
  [[nodiscard]] std::int32_t exploded() const { return exploded_; }

 private:
  void show(std::int32_t cell);
  void flood_from(std::int32_t zero);

  SharedNeighbourhood neighbourhood_;
  GameRules rules_;
  ByCell<std::uint8_t> mined_, states_;
  bool dealt_ = false, ended_ = false;
  std::vector<std::int32_t> promised_;  // ascending
  std::int32_t mines_ = 0, opened_ = 0, flags_ = 0, right_ = 0, exploded_ = 0;
  std::vector<std::int32_t> changed_, zeros_;
};

}  // namespace mineproof
