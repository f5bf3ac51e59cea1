// The referee of one game with exact clues: the twin of game.py.
//
// It alone holds the mines. It deals, keeps what the opening rule promises, opens and floods,
// takes flags, and knows when the game is over. Players receive only the cells that changed and
// what they show.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/neighbourhood.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

// Where mines come from: a board, or a deal at the first move.
struct Ground {
  Shape shape;
  std::span<const std::uint8_t> mined;          // a ready board, or empty
  std::int32_t mines = 0;                       // of a deal by count
  std::optional<std::uint64_t> each_threshold;  // of a deal cell by cell (see deal_each)
};

// The cells that the opening rule promises to be free of mines, rising.
[[nodiscard]] std::vector<std::int32_t> cells_promised(Shape shape, Opening opening,
                                                       std::int32_t start);
// How many these are; the most that they can be where no start is given (-1).
[[nodiscard]] std::int32_t count_promised(Shape shape, Opening opening, std::int32_t start);

class Referee {
 public:
  // A new game: nothing is dealt, nothing opened.
  void begin(SharedNeighbourhood neighbourhood, const GameRules& rules);
  // A game at this view, of which some cells may be opened.
  void begin_at(SharedNeighbourhood neighbourhood, const GameRules& rules,
                std::span<const std::uint8_t> states);

  // `first` is the cell of the first move; any where the opening rule promises nothing.
  void deal(const Ground& ground, std::int32_t first, std::uint64_t seed);
  void deal(std::span<const std::uint8_t> mined);
  [[nodiscard]] bool dealt() const { return dealt_; }
  // Whether the board that was dealt keeps the opening rule somewhere. No game begins on one that
  // does not, not even one that is over at once.
  [[nodiscard]] bool has_start() const;
  // Tells what the opening rule promises around the first cell. False if the board breaks it.
  [[nodiscard]] bool promise(std::int32_t first);

  // Each forgets the last changes and notes its own.
  void open(std::int32_t cell);
  void flag(std::int32_t cell);
  void unflag(std::int32_t cell);
  void stop() { ended_ = true; }
  // Ends the game where nothing is left to do.
  void finish();

  // The cells that changed since the last action, in order.
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
  [[nodiscard]] std::int32_t wrong() const { return flags_ - right_; }  // and on other cells
  [[nodiscard]] std::int32_t exploded() const { return exploded_; }

 private:
  void show(std::int32_t cell);
  void flood_from(std::int32_t zero);

  SharedNeighbourhood neighbourhood_;
  GameRules rules_;
  ByCell<std::uint8_t> mined_, states_;
  bool dealt_ = false, ended_ = false;
  std::vector<std::int32_t> promised_;  // rising
  std::int32_t mines_ = 0, opened_ = 0, flags_ = 0, right_ = 0, exploded_ = 0;
  std::vector<std::int32_t> changed_, zeros_;
};

}  // namespace mineproof
