// Plays whole games, for agents built from the local rules, subsets, linear algebra, the exact
// posterior and the search.
//
// Python twins: recipes.py and match.py, with the same moves in the same order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/advanced_rules.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/guessing.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/player_knowledge.hpp"
#include "mineproof/referee.hpp"
#include "mineproof/rules.hpp"
#include "mineproof/search.hpp"

namespace mineproof {

// An agent: whether it uses the local rules and compares pairs of clues, its reasoner beyond these,
// its guesser, and a fixed cell to open first (-1 for none). A naive agent takes every clue for
// exact. `shares` is for Guesser::least_share.
struct Strategy {
  bool local = true;
  bool pairs = false;
  AdvancedRule beyond = AdvancedRule::none;
  Guesser guesser = Guesser::in_order;
  std::int32_t first = -1;
  Budget budget{};
  bool naive = false;
  ShareOptions shares{};

  [[nodiscard]] PlayerKnowledge::InferenceOptions inference_options() const;
};

struct Move {
  std::int32_t cell;
  Action action;
  bool certain;
  Rule rule;
  double risk;             // nan if none was estimated
  std::int32_t clue = -1;  // of a guess: the clue that determined it, if it was a single one
  bool estimated = false;  // the risk is an estimate
};

struct Played {
  Fault fault = Fault::none;  // unless none, the game did not end and nothing below is valid
  bool won = false;
  std::int32_t mines = 0, right = 0, wrong = 0, exploded = 0, guesses = 0, moves = 0;
  std::int32_t estimates = 0;  // moves whose risk is an estimate
  // The correct minus the wrong flags that the player expected from their risks.
  double expected_flags = 0;
  std::array<std::int32_t, rule_count> by_rule{};
};

// Plays games one after the other: a referee, and an agent with its knowledge. Reuses its memory;
// any number of matches may run concurrently.
class Match {
 public:
  // Plays a game. `start` is the cell to open first, or -1. With `record`, moves() returns all
  // moves.
  Played play(const GameSetup& ground, const GameRules& rules, const ClueModel& clues,
              const Strategy& strategy, std::int32_t start, Seeds seeds, bool record = false,
              Cancel cancel = {});
  [[nodiscard]] std::span<const Move> moves() const { return moves_; }

  // Decides without a game of its own. Starts at a position; `mines` is the mine count, if known,
  // `bounds` those of clues, by cell, if the model has any; `clues` must stay alive.
  void begin_at(Shape shape, std::span<const std::uint8_t> states,
                std::span<const std::int8_t> bounds, std::optional<std::int32_t> mines,
                const GameRules& rules, const ClueModel& clues, const Strategy& strategy,
                std::uint64_t player_seed, Cancel cancel = {});
  // Naive agents, whose decisions also depend on the order of play: reasons as for a decision, but
  // makes none; sees a cell change.
  void reason() { knowledge_.reason(); }
  void see(std::int32_t cell, std::uint8_t state, std::int8_t bound) {
    knowledge_.see(cell, state, bound);
  }
  // The move that play() would make there. Returns a fault if there is no configuration or if
  // cancelled.
  [[nodiscard]] Fault decide(const GameRules& rules, const ClueModel& clues,
                             const Strategy& strategy, Move& move, Cancel cancel = {});

 private:
  // The parameters of one game.
  struct Table {
    const GameSetup& ground;
    const GameRules& rules;
    const ClueModel& clues;
    const Strategy& strategy;
    std::int32_t start;
    Seeds seeds;
    Cancel cancel;
  };

  [[nodiscard]] Fault begin(const Table& table);
  void begin_player(const Table& table, std::optional<std::int32_t> mines);
  [[nodiscard]] Fault decide(const Table& table, Move& move);
  [[nodiscard]] std::optional<Move> certain();
  [[nodiscard]] std::optional<Move> found() const;
  [[nodiscard]] bool knows_nothing() const;
  [[nodiscard]] Fault guess(const Table& table, Move& move);
  [[nodiscard]] Move open_certain(std::int32_t cell, Rule rule) const;
  [[nodiscard]] Fault make(const Move& move, const Table& table);
  void inform();

  Referee referee_;
  PlayerKnowledge knowledge_;
  KnowledgePosterior counted_;
  Deductions findings_;
  Guessing guessing_;
  SharedNeighbourhood neighbourhood_;
  bool begun_ = false;
  std::vector<Move> moves_;
};

}  // namespace mineproof
