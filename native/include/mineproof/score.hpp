// Chooses what to open or flag when a mine does not end the game and the score counts: correct
// flags minus wrong flags.
//
// Opening a mine costs its flag; a cell with risk q that is neither opened nor proved eventually
// costs min(q, 1 - q). With few configurations left, play is perfect (endgame.hpp). Otherwise the
// cost of a candidate is its risk plus the expected loss after everything it may show, estimated
// from mine probabilities (docs/play.md). A first cell that the opening rule makes safe costs
// nothing, and the other cells that the rule makes safe are taken into account. A decision is a
// function of the view, the rules and the budget.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mineproof/look_ahead.hpp"

namespace mineproof {

// The expected loss in flags: mines that will have none plus safe cells that will have one.
struct Cost {
  double flags = 0;
  bool cancelled = false;  // then `flags` is meaningless
};

// Reuses its memory between calls; one thread at a time.
class ScoreSearch : LookAhead {
 public:
  ScoreSearch() : LookAhead(true) {}
  // Returns within milliseconds of a request to stop, except while one count or one endgame is in
  // progress. If flagging is worth more than opening any cell, the method is `flags` and the
  // candidates are the cells to flag.
  const Advice& advise(const Position& position, const Budget& budget, Cancel cancel = {});
  // The expected loss in flags from here to the end of the game under best play; with `first`, a
  // covered cell, after opening that cell. std::nullopt if clues are uncertain, the mine count is
  // unknown, or there are too many configurations for perfect play.
  std::optional<Cost> cost(const Position& position, const Budget& budget, Cancel cancel = {},
                           std::int32_t first = the_best);
  [[nodiscard]] std::size_t bytes() const { return engine_.bytes() + after_.bytes(); }

 private:
  // The best first cells of an empty board with an opening rule, cached with everything they depend
  // on: a series of games needs them again and again.
  struct Openings {
    Shape shape;
    Prior prior;
    Opening opening;
    Budget budget;
    std::vector<Candidate> candidates;
  };

  void first(const Position& position, const Budget& budget);
  bool rank_first(const Position& position, const Budget& budget);
  [[nodiscard]] bool is_known_first(const Position& position, const Budget& budget) const;
  void corner(const Position& position);
  bool think(const Budget& budget);
  bool finish(const Budget& budget);
  void rank();
  void flag();
  [[nodiscard]] bool plays_on(double risk) const;
  double loss_of(const Candidate& candidate, double enough, bool is_last);
  double after(std::uint8_t state, std::int32_t cell, bool is_last, double& loss);
  [[nodiscard]] static double doubt(Engine& engine);
  [[nodiscard]] std::size_t most_states() const;
  [[nodiscard]] bool can_look_ahead(Outcome outcome) const;

  bool has_outside_ = false;  // whether there are interior candidates
  double density_ = 0;        // mine probability before anything is opened
  bool is_first_ = false;     // whether nothing is opened or known
  std::optional<Openings> openings_;
};

}  // namespace mineproof
