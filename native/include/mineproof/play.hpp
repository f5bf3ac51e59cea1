// Whole games with exact clues, played by the agents that are built from the local rules,
// subsets, linear algebra, the exact posterior and the search.
//
// The twin of recipes.py and of match.py: the same moves in the same order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/beyond.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/guessing.hpp"
#include "mineproof/mind.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/referee.hpp"
#include "mineproof/rules.hpp"
#include "mineproof/search.hpp"

namespace mineproof {

NAMED_ENUM(enum class, Action, std::uint8_t, open, flag, unflag, stop)

// An agent: whether it has the local rules and compares pairs of clues, what it asks beyond,
// how it guesses, and the cell it opens first if it names one (otherwise -1).
struct Strategy {
  bool local = true;
  bool pairs = false;
  Beyond beyond = Beyond::none;
  Guesser guesser = Guesser::in_order;
  std::int32_t first = -1;
  Budget budget{};

  [[nodiscard]] Mind::Habits habits() const;
};

struct Move {
  std::int32_t cell;
  Action action;
  bool certain;
  Rule rule;
  double risk;             // nan where no estimate was made
  std::int32_t clue = -1;  // of a guess: the clue by which it was chosen, if it was a single one
};

struct Played {
  Fault fault = Fault::none;  // otherwise the game did not end, and nothing below is valid
  bool won = false;
  std::int32_t mines = 0, right = 0, wrong = 0, exploded = 0, guesses = 0, moves = 0;
  std::array<std::int32_t, rule_count> by_rule{};
};

// A seat at which agents play, one game after the other: a referee, and an agent with its
// mind. Memory is kept; any number of matches may go on at once.
class Match {
 public:
  // Plays a game; `start` is the cell to open first, or -1. With `record`, moves() has all moves.
  Played play(const Ground& ground, const GameRules& rules, const Strategy& strategy,
              std::int32_t start, Seeds seeds, bool record = false, Cancel cancel = {});
  [[nodiscard]] std::span<const Move> moves() const { return moves_; }

  // The move in a view out of the blue: the one that play() makes where a game shows it. `mines`
  // where the count is known; a fault if there is no configuration, or on request.
  [[nodiscard]] Fault decide_at(Shape shape, std::span<const std::uint8_t> states,
                                std::optional<std::int32_t> mines, const GameRules& rules,
                                const Strategy& strategy, std::uint64_t player_seed, Move& move,
                                Cancel cancel = {});

 private:
  // What one game is about, from its begin to its end.
  struct Table {
    const Ground& ground;
    const GameRules& rules;
    const Strategy& strategy;
    std::int32_t start;
    Seeds seeds;
    Cancel cancel;
  };

  [[nodiscard]] Fault begin(const Table& table);
  [[nodiscard]] Fault decide(const Table& table, Move& move);
  [[nodiscard]] std::optional<Move> certain();
  [[nodiscard]] std::optional<Move> found() const;
  [[nodiscard]] bool knows_nothing() const;
  [[nodiscard]] Fault guess(const Table& table, Move& move);
  [[nodiscard]] Move open_certain(std::int32_t cell, Rule rule) const;
  [[nodiscard]] Fault make(const Move& move, const Table& table);
  void tell();

  Referee referee_;
  Mind mind_;
  MindPosterior counted_;
  Findings findings_;
  Guessing guessing_;
  SharedNeighbourhood neighbourhood_;
  bool begun_ = false;
  std::vector<Move> moves_;
};

}  // namespace mineproof
