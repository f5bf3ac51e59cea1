// Chooses a cell when none is certain: to win the game, not just to survive the click.
//
// With few configurations left, play is perfect (endgame.hpp). Otherwise a look-ahead over
// everything a cell may show ranks the candidates; if some are close together and the budget allows
// it, they are compared by playouts on boards drawn from the posterior. A decision is a function of
// the view, the rules and the budget: random numbers are seeded by the position.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/advice.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/cells.hpp"
#include "mineproof/endgame.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/playout.hpp"
#include "mineproof/race.hpp"
#include "mineproof/ranking_network.hpp"
#include "mineproof/rules.hpp"
#include "mineproof/score.hpp"

namespace mineproof {

// Candidates are compared by playouts if their scores are at least this fraction of the best.
constexpr double close_by = 0.88;

// Candidates with at least this fraction of the best score are evaluated again with 50/50s taken
// into account; without playouts, they are also searched one step deeper.
constexpr double near_the_best = 0.97;

// The late phase of a game: the log of the number of configurations is below this.
constexpr double late = 30;

// A win probability and its standard error, which is 0 if it is exact.
struct Chance {
  double win = 0;
  double error = 0;
  bool cancelled = false;  // then the numbers are meaningless
};

// A potential 50/50: two sets of hidden cells, one of mines and one of safe cells or the reverse,
// such that no cell near them, except for `beyond`, is next to only one of the sets.
struct ForcedGuess {
  std::array<std::int32_t, 2> first, second;  // a set of one cell holds it twice
  std::array<std::int32_t, 6> beyond;         // hidden, or -1
  double chance;  // the probability that it is one with the mines in `first`; the same for `second`

  [[nodiscard]] bool has(std::int32_t cell) const;
};

// Reuses its memory between calls; one thread at a time.
class Search : LookAhead {
 public:
  Search() : LookAhead(false) {}
  // All calls that take a Cancel return within milliseconds of a request to stop, except while one
  // count or one endgame is in progress, and report the cancellation.
  const Advice& advise(const Position& position, const Budget& budget, Cancel cancel = {});
  // The cell to open by the look-ahead alone, for callers that handle endgames themselves; no cell
  // if cancelled.
  [[nodiscard]] LowestRisk guess(const PlayerKnowledge& knowledge, Cancel cancel = {});
  // The close candidates in a position whose candidates would be compared by playouts, best first
  // by the look-ahead, with their features: the training data of `rank_by_network`. Empty for other
  // positions.
  struct Looked {
    std::vector<Candidate> candidates;
    std::vector<CandidateFeatures> features;
    PositionFeatures position;
  };
  Looked look(const Position& position, const Budget& budget);
  // The win probability of a position: exact if the endgame search reaches it, otherwise estimated
  // by `games` playouts after the recommended cell. std::nullopt if clues are uncertain, the mine
  // count is unknown or a mine does not end the game. With `first`, a covered cell: the win
  // probability after opening it, with best play (or the playouts' play) afterwards.
  std::optional<Chance> chance(const Position& position, const Budget& budget, std::int32_t games,
                               Cancel cancel = {}, std::int32_t first = the_best);
  // If a mine does not end the game: see ScoreSearch.
  std::optional<Cost> cost(const Position& position, const Budget& budget, Cancel cancel = {},
                           std::int32_t first = the_best) {
    return score_.cost(position, budget, cancel, first);
  }
  // Approximate memory use in bytes.
  [[nodiscard]] std::size_t bytes() const {
    return engine_.bytes() + after_.bytes() + score_.bytes() + (player_ ? player_->bytes() : 0);
  }

 private:
  // What is known about a candidate from the outcomes of opening it: the exact win probability for
  // each clue (negative if unknown); `sure`, the sum of these weighted by probability; `open`, the
  // probability of all other clues.
  struct Outcomes {
    std::array<double, 9> exact;
    double sure = 0, open = 0;
  };

  // A clue that a cell may show, and the value of the resulting position.
  struct Shown {
    std::int32_t cell;
    std::uint8_t state;
    double chance, worth;
    bool stuck;            // no safe cell: another guess follows
    double least, second;  // lowest and second lowest risk
    double many;           // measure of the number of safe cells: 0 for one, 1 for many
    double doubt;          // see Engine::doubt
  };

  void begin(const Position& position);
  [[nodiscard]] std::vector<std::int64_t> key_of(const Position& position,
                                                 const Budget& budget) const;
  [[nodiscard]] std::size_t most_states() const;
  void think(const Budget& budget, bool is_early);
  bool finish(const Budget& budget);
  void gather_candidates(const Budget& budget);
  void list_forced_guesses();
  bool take_forced_guess(const Budget& budget);
  [[nodiscard]] bool is_open(std::int32_t cell) const;
  bool can_be(ForcedGuess& guess, std::size_t most) const;
  double chance_of(const ForcedGuess& guess, std::int32_t safe);
  double load_after(const Candidate& candidate, bool counted);
  void weigh_forced_guesses(double close);
  void rank(const Budget& budget, double share);
  void sort_by_score(std::size_t count);
  [[nodiscard]] double premium_of(const Budget& budget) const;
  [[nodiscard]] bool can_look_further(const Budget& budget) const;
  void rank_further(const Budget& budget);
  void look_further(const Budget& budget);
  double further(const Candidate& candidate, double needed, const Budget& budget);
  std::optional<double> next_score(std::int32_t cell, std::uint8_t state, const Budget& budget);
  [[nodiscard]] bool can_rank_by_network(const Budget& budget, bool is_early) const;
  void rank_by_features(const Budget& budget);
  CandidateFeatures features_of(const Candidate& candidate, const Budget& budget);
  void look_around(std::int32_t cell, CandidateFeatures& features) const;
  [[nodiscard]] Square square_around(std::int32_t cell) const;
  [[nodiscard]] std::uint8_t seen_in_square(std::int32_t cell) const;
  [[nodiscard]] PositionFeatures position_features() const;
  [[nodiscard]] bool is_sparse() const;
  [[nodiscard]] std::size_t affordable() const;
  [[nodiscard]] std::int32_t affordable_playouts(const Budget& budget, bool is_early) const;
  double look_ahead(const Candidate& candidate, double needed, double premium);
  Shown after(std::uint8_t state, std::int32_t cell, double premium);
  [[nodiscard]] std::vector<Shown> all_shown(const Candidate& candidate, double premium);
  [[nodiscard]] std::uint64_t name() const;

  // Playouts.
  void play_out(const Budget& budget, std::int32_t playouts, bool is_early, bool learned);
  [[nodiscard]] std::size_t close_candidates() const;
  Outcomes outcomes(const Candidate& candidate, const Budget& budget);
  void compete(Race& race, std::span<const Outcomes> known, std::int32_t playouts);
  std::int32_t play_board(Race& race, std::span<const Outcomes> known, const Stream& stream);
  void order_by_wins(const Race& race);
  void set_up_playout(Resample resample);
  Search& player();

  // Win probabilities, and the first cell.
  std::optional<Chance> find_chance(const Position& position, const Budget& budget,
                                    std::int32_t games, std::int32_t first);
  std::optional<Chance> chance_by(std::int32_t cell, const Budget& budget, std::int32_t games);
  Chance sample(std::int32_t cell, std::int32_t games);
  void first(const Position& position, const Budget& budget);
  Chance first_chance(const Position& position, std::int32_t cell, std::int32_t games,
                      const Budget& budget);

  std::vector<Shown> shown_;                 // of the candidates evaluated so far
  ByCell<double> risk_;                      // for finding 50/50s
  std::vector<ForcedGuess> forced_guesses_;  // that may arise
  Playout playout_;
  std::unique_ptr<Search> player_;  // for playouts and for evaluating outcomes
  ScoreSearch score_;               // used if a mine does not end the game
  ByCell<std::uint8_t> board_;
  std::map<std::vector<std::int64_t>, Advice> openings_;  // cache: few positions start many games
};

}  // namespace mineproof
