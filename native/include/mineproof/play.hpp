// Whole games with exact clues: the referee and the players of recipes.py, in one.
//
// The twin of game.py, knowledge.py, recipes.py and guessers.py for the agents that are
// built from the local rules, subsets, linear algebra and the exact posterior: the same
// moves in the same order. A player is used for one game after the other and keeps its
// memory; any number of players may play at once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/closure.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/queue.hpp"
#include "mineproof/search.hpp"

namespace mineproof {

enum class Guesser : std::uint8_t {
  in_order,
  clue_ratio,
  clue_sum,
  local_probability,
  least_exact,
  champion
};
enum class Action : std::uint8_t { open, flag, unflag, stop };

struct GameRules {
  bool mine_ends = true;
  Opening opening = Opening::any;
  bool count_known = true;
  bool flood = true;
  std::optional<double> density;
};

// An agent: whether it has the local rules and compares pairs of clues, what it asks beyond,
// how it guesses, and the cell it opens first if it names one (else -1).
struct Strategy {
  bool local = true;
  bool pairs = false;
  Beyond beyond = Beyond::none;
  Guesser guesser = Guesser::in_order;
  std::int32_t first = -1;
  Budget budget{};
};

struct Move {
  std::int32_t cell;
  Action action;
  bool certain;
  Rule rule;
  double risk;  // nan where no estimate was made
};

struct Played {
  bool won = false;
  std::int32_t mines = 0, right = 0, wrong = 0, exploded = 0, guesses = 0, moves = 0;
  std::array<std::int32_t, rule_count> by_rule{};
};

// Where mines come from: a board, or a deal at the first move.
struct Ground {
  Shape shape;
  std::span<const std::uint8_t> mined;          // a ready board, or empty
  std::int32_t mines = 0;                       // of a deal by count
  std::optional<std::uint64_t> each_threshold;  // of a deal cell by cell (see deal_each)
};

class Player {
 public:
  // Plays a game; `start` is the cell to open first, or -1. With `record`, moves() tells all.
  Played play(const Ground& ground, const GameRules& rules, const Strategy& strategy,
              std::int32_t start, std::uint64_t seed, bool record = false);
  [[nodiscard]] std::span<const Move> moves() const { return moves_; }

  // What follows from a view with exact clues, by cell. Flags count for nothing.
  void closure(Shape shape, std::span<const std::uint8_t> states, std::optional<std::int32_t> mines,
               const GameRules& rules, const Strategy& strategy, std::span<Verdict> verdicts);

  // Reads a position with exact clues and a known count, to play games out from it.
  void set_up(Shape shape, std::span<const std::uint8_t> states, std::optional<std::int32_t> mines);
  // The chance to win a position, estimated by one game on a board that fits: opens `first`,
  // which is safe there, then what is certain, then the least risk. A guess does not end the
  // game: its survival is a factor, and a board on which it would be a mine is drawn anew
  // from those on which it is not. So the mean is the chance that this way of playing wins.
  double play_out(const Player& position, std::int32_t first, std::span<const std::uint8_t> mined,
                  Stream& stream);

 private:
  // The truth of a cell, as the player knows it.
  enum class Truth : std::uint8_t { open, safe, mine, seen };

  void sit_down(Shape shape, const GameRules& rules, const Strategy& strategy);
  void neighbours();
  [[nodiscard]] std::span<const std::int32_t> around(std::int32_t cell) const;

  // The referee.
  void deal(const Ground& ground, std::int32_t first, std::uint64_t seed);
  void promise(std::int32_t first);
  void open(std::int32_t cell);
  void show(std::int32_t cell);
  void flag(std::int32_t cell);
  void finish();

  // The knowledge.
  void read(std::span<const std::uint8_t> states);
  void learn(std::int32_t cell, bool mine);
  void see(std::int32_t cell, bool mine);
  void settle(std::int32_t cell, bool mine, Rule rule);
  void touch(std::int32_t clue);
  void reason();
  void reason_locally();
  bool compare_pairs();
  void pick_out(std::int32_t clue, std::uint8_t directions, bool mine);
  [[nodiscard]] bool can_be_opened(std::int32_t cell) const;
  [[nodiscard]] std::int32_t missing(std::int32_t clue) const;
  [[nodiscard]] std::int32_t open_around(std::int32_t clue) const;

  // Beyond the local rules.
  void find_beyond();
  void find_by_component();
  void find_with_count();
  void find_exact();
  void find_rest();
  void add_to_part(std::int32_t clue);
  void keep(std::span<const Part::Settled> settled);
  void solve();

  // Decisions.
  Move decide();
  std::optional<Move> certain();
  std::optional<Move> beyond();
  Move guess();
  Move open_certain(std::int32_t cell, Rule rule) const;
  void make(const Move& move, const Ground& ground, std::uint64_t seed);
  void know_keys();
  [[nodiscard]] std::int32_t in_order(bool away_from_clues);
  [[nodiscard]] std::int32_t first_of(std::span<const std::int32_t> cells) const;
  Move guess_clue_ratio();
  Move guess_clue_sum();
  Move guess_local_probability();
  Move guess_exact();
  Move guess_champion();
  [[nodiscard]] Prior prior() const;
  [[nodiscard]] Move ordered();
  void forget_played();
  void resume(const Player& other);
  void open_all_certain();
  bool open_settled();
  Move least_risk();

  GameRules rules_;
  Strategy strategy_;
  Shape shape_{0, 0};
  std::vector<std::array<std::int32_t, 8>> around_;
  std::vector<std::array<std::uint8_t, 8>> back_;  // by neighbour: the bit that this cell is to it
  std::vector<std::uint8_t> degree_, directions_;

  Cells mined_, counts_;
  bool dealt_ = false, begun_ = false, ended_ = false;
  std::int32_t mines_ = 0, opened_ = 0, flags_ = 0, right_ = 0, exploded_ = 0;
  std::optional<std::int32_t> told_mines_;  // the count, if it is known

  Cells states_;
  std::vector<Truth> truth_;
  std::vector<std::uint8_t> open_, mines_around_;  // open_: the neighbours whose truth is open,
                                                   // a bit for each direction
  std::vector<Rule> rule_;                         // by cell: what settled it
  std::int32_t covered_ = 0, mines_known_ = 0, settled_ = 0;
  std::vector<std::int32_t> waiting_;  // clues to look at
  std::vector<std::uint8_t> queued_;
  std::vector<std::int32_t> changed_;  // clues to compare with those near
  std::vector<std::uint8_t> is_changed_;
  std::vector<std::pair<std::int32_t, bool>> compared_;  // what pairs settle: cell, mine
  CellQueue to_flag_, to_open_;

  std::vector<std::int32_t> fresh_;  // clues that changed since beyond was asked
  std::vector<std::uint8_t> is_fresh_;
  std::vector<Verdict> found_;  // by cell: what follows beyond
  std::vector<Rule> found_rule_;
  std::vector<std::int32_t> found_cells_;  // where something was found; some no more
  std::uint64_t version_ = 0, beyond_version_ = ~std::uint64_t{0};
  std::uint64_t solved_version_ = ~std::uint64_t{0};
  Part part_;
  Engine engine_;
  Endgame endgame_;
  Arrangements arrangements_;
  std::unique_ptr<Search> search_;
  std::vector<double> risk_;
  std::vector<std::int32_t> walk_, cells_;
  std::vector<std::uint32_t> seen_;  // by cell: the walk that met it
  std::uint32_t walks_ = 0;

  std::vector<std::uint64_t> keys_;
  std::vector<std::int32_t> order_;
  std::size_t passed_ = 0;
  std::uint64_t player_seed_ = 0;
  bool ordered_ = false;
  std::vector<Move> moves_;
  bool record_ = false;
};

}  // namespace mineproof
