// Many games with exact clues at once, for learners: a step is one move in each of them.
//
// The twin of gym/play.py, move for move. What players see lies in arrays that every step writes
// in place: by game, one byte per cell, and one byte per move for the legal moves. Games know
// nothing of each other: any number of threads may each step games of its own.
//
// Game number n of a place with the seed s is the one that game_seed(s, n) names, so that it is
// game n of an arena with that seed. A board is dealt when its first cell is opened.
//
// Cost of a step: the cells that it changes; of a new game the cells of the board.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/neighbourhood.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

// A board to play on, and the cell that is opened when its game begins: -1 for none.
struct Ready {
  Cells mined;
  std::int32_t start;
};

// What all the games have in common. Boards are dealt, `mines` on each, or drawn from `boards`.
struct Terms {
  Shape shape;
  GameRules rules;
  std::int32_t mines = 0;
  std::int32_t start = -1;  // is opened when a game begins: -1 for none
  std::vector<Ready> boards;
  bool flags = false;      // whether moves from `cells` on put flags and take them back
  std::int64_t limit = 0;  // moves after which a game is cut short: 0 for none

  // How many moves there are, legal or not.
  [[nodiscard]] std::int32_t moves() const { return shape.size() * (flags ? 2 : 1); }
};

// When a game that has ended makes place for the next one.
enum class Renewal : std::uint8_t { next_step, same_step, never };

// What players see and what their last move did, one place a game.
struct Arrays {
  std::vector<std::uint8_t> states;        // by game, by cell: as in cells.hpp
  std::vector<std::int8_t> legal;          // by game, by move; all 1 where any will do
  std::vector<std::uint8_t> last_states;   // the same of games that this step ended and renewed:
  std::vector<std::int8_t> last_legal;     // only those are written
  std::vector<std::int32_t> opened;        // cells that were opened
  std::vector<std::int32_t> mines;         // on the board that this was
  std::vector<std::int32_t> exploded;      // mines that were hit: 0 or 1
  std::vector<std::int32_t> right, wrong;  // flags more on mines, and on other cells
  std::vector<std::uint8_t> won, over, cut, illegal, begun;  // 0 or 1; begun: a new game stands
};

class VectorGame {
 public:
  // Needs terms that can be played: mines that fit outside the cells that the opening rule keeps
  // free, a safe cell on each board, boards that keep the rule at their start.
  VectorGame(Terms terms, std::size_t games, Renewal renewal);

  // Memory that a thread brings along.
  struct Scratch {
    std::vector<std::int32_t> mined, zeros;
  };

  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] bool ended(std::size_t place) const { return places_[place].ended; }
  [[nodiscard]] Arrays& arrays() { return arrays_; }
  // The mines of a game that has been dealt: a byte a cell, as in Ready. For those who watch.
  [[nodiscard]] std::vector<std::uint8_t> mines_of(std::size_t place) const;
  [[nodiscard]] std::uint64_t seed_of(std::size_t place) const { return places_[place].game; }

  // The next reset begins with game 0 of this seed.
  void seed(std::size_t place, std::uint64_t seed);
  // False where game after game was over with its first cell.
  [[nodiscard]] bool reset(std::size_t place, Scratch& scratch);
  // `move` is below terms().moves(). False as above, for a game that this step began.
  [[nodiscard]] bool step(std::size_t place, std::int32_t move, Scratch& scratch);

 private:
  struct Place {
    std::uint64_t seed = 0, next = 0, game = 0;
    std::int64_t steps = 0;
    std::int32_t mines = 0, start = -1, opened = 0, exploded = 0, flags = 0, right = 0;
    std::int32_t board = -1;
    bool dealt = false, begun = false, over = false, ended = true;
  };

  [[nodiscard]] bool won(const Place& own) const;
  [[nodiscard]] std::uint8_t* states(std::size_t place);
  [[nodiscard]] std::int8_t* legal(std::size_t place);
  void clear(std::size_t place);
  void deal(std::size_t place, std::int32_t first, Scratch& scratch);
  void promise(std::size_t place, std::int32_t first);
  void play(std::size_t place, std::int32_t move, Scratch& scratch);
  void open(std::size_t place, std::int32_t cell, Scratch& scratch);
  void turn_flag(std::size_t place, std::int32_t cell, Scratch& scratch);
  void finish(std::size_t place);
  void keep_last(std::size_t place);

  Terms terms_;
  Renewal renewal_;
  SharedNeighbourhood neighbourhood_;
  std::vector<Place> places_;
  std::vector<std::uint8_t> truth_;  // by place, by cell: what it shows when it is opened
  Arrays arrays_;
};

}  // namespace mineproof
