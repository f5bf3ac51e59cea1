// Many games in lockstep, for reinforcement learning: a step makes one move in each. Each slot has
// a referee, which knows the rules; this adds numbered moves, arrays, and what follows a game.
//
// Python twin: gym/episodes.py, move for move. Observations are arrays that each step updates in
// place: one byte per game and cell, and one byte per game and move for the mask of legal moves.
// Games are independent: several threads may each step different games concurrently.
//
// A slot (`place`) plays one game after another. With seed s its n-th game has the seed
// game_seed(s, n), so it is game n of an arena with seed s. If the opening rule promises anything,
// boards are dealt when their first cell is opened.
//
// Cost of a step: proportional to the cells that change; a new game costs a pass over its board.
// Memory: about 300 bytes per game, and 8 per cell, or 13 with uncertain clues; more with flags and
// with Autoreset::same_step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/clues.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/referee.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

// A board to play on, and the cell to open when its game starts (-1 for none).
struct StartBoard {
  Cells mined;
  std::int32_t start;
};

// The configuration that all games share. Boards are dealt with `mines` mines each, or drawn from
// `boards`.
struct EnvConfig {
  Shape shape;
  GameRules rules;
  ClueModel clues;
  std::int32_t mines = 0;
  std::int32_t start = -1;  // opened when a game starts; -1 for none
  std::vector<StartBoard> boards;
  bool flags = false;      // whether moves from `cells` on toggle flags
  std::int64_t limit = 0;  // moves after which a game is truncated; 0 for no limit

  // The number of moves, legal or not.
  [[nodiscard]] std::int32_t moves() const { return shape.size() * (flags ? 2 : 1); }
};

// When a new game replaces one that has ended.
NAMED_ENUM(enum class, Autoreset, std::uint8_t, next_step, same_step, never)

// Observations, and the effects of the last move, by game.
struct Arrays {
  std::vector<std::uint8_t> states;        // by game, by cell: see cells.hpp
  std::vector<std::int8_t> legal;          // by game, by move; all 1 if every move is allowed
  std::vector<std::uint8_t> last_states;   // final observations of games that this step replaced;
  std::vector<std::int8_t> last_legal;     // other entries keep their old content
  std::vector<std::int32_t> opened;        // number of cells opened
  std::vector<std::int32_t> mines;         // on the board of this move
  std::vector<std::int32_t> exploded;      // mines that were hit: 0 or 1
  std::vector<std::int32_t> right, wrong;  // changes of flags on mines, and on safe cells
  // 0 or 1; begun: a new game was started
  std::vector<std::uint8_t> won, over, cut, illegal, begun;
};

class VectorGame {
 public:
  // Requires playable terms: the mines fit outside the cells that the opening rule protects, each
  // board has a safe cell, and each board keeps the opening rule at its start; clues are not
  // redrawn, as no move asks for them.
  VectorGame(EnvConfig terms, std::size_t games, Autoreset renewal);
  VectorGame(const VectorGame&) = delete;  // the referees refer to `terms_`
  VectorGame& operator=(const VectorGame&) = delete;

  [[nodiscard]] const EnvConfig& terms() const { return terms_; }
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] bool ended(std::size_t place) const { return places_[place].ended; }
  [[nodiscard]] Arrays& arrays() { return arrays_; }
  [[nodiscard]] const Referee& referee(std::size_t place) const { return places_[place].referee; }
  [[nodiscard]] std::uint64_t seed_of(std::size_t place) const { return places_[place].game; }

  // The next reset starts game 0 of this seed.
  void seed(std::size_t place, std::uint64_t seed);
  // Starts the next game. False if game after game ended with its first cell.
  [[nodiscard]] bool reset(std::size_t place);
  // `move` must be below terms().moves(). False as for reset(), if this step starts a new game.
  [[nodiscard]] bool step(std::size_t place, std::int32_t move);

 private:
  struct Place {
    Referee referee;
    std::uint64_t seed = 0, next = 0, game = 0;
    std::int64_t steps = 0;
    bool ended = true;
  };

  [[nodiscard]] std::uint8_t* states(std::size_t place);
  [[nodiscard]] std::int8_t* legal(std::size_t place);
  [[nodiscard]] std::int32_t mines(std::size_t place) const;
  [[nodiscard]] bool begin_playable(std::size_t place);
  void begin(std::size_t place);
  void clear(std::size_t place);
  void play(std::size_t place, std::int32_t move);
  void open(std::size_t place, std::int32_t cell);
  void toggle_flag(std::size_t place, std::int32_t cell);
  void show_changes(std::size_t place);
  void keep_last(std::size_t place);

  EnvConfig terms_;
  Autoreset renewal_;
  std::vector<Place> places_;
  Arrays arrays_;
};

}  // namespace mineproof
