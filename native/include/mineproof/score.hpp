// What to open, or to flag, where a mine does not end the game and correct flags minus wrong ones
// count.
//
// A mine that is opened costs its flag; a cell with risk q that is neither opened nor proved costs
// min(q, 1 - q) in the end. With few configurations left, play is perfect (endgame.hpp).
// Otherwise each candidate costs its risk and the expected loss after everything it may show,
// estimated from the odds (docs/play.md). A first cell that is safe by the opening rule costs
// nothing, and the other cells that the rule makes safe count, too. A decision is a function of the
// view, the rules and the budget.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mineproof/look_ahead.hpp"

namespace mineproof {

// Flags that are lost on average: mines that will have none, and safe cells that will have one.
struct Cost {
  double flags = 0;
  bool cancelled = false;  // on request: then the number means nothing
};

// Memory is kept between calls; one thread at a time.
class ScoreSearch : LookAhead {
 public:
  ScoreSearch() : LookAhead(true) {}
  // Ends within milliseconds when it is asked to, but for what one count or one endgame takes.
  // Where flags are worth more than any cell, the method is `flags` and candidates are the cells to
  // flag.
  const Advice& advise(const Position& position, const Budget& budget, Cancel cancel = {});
  // The flags that best play costs from here to the end of the game; with `first`, a covered cell,
  // by opening that first. Nothing where clues are uncertain, the count is not known, or there are
  // too many configurations for perfect play.
  std::optional<Cost> cost(const Position& position, const Budget& budget, Cancel cancel = {},
                           std::int32_t first = the_best);
  [[nodiscard]] std::size_t bytes() const { return engine_.bytes() + after_.bytes(); }

 private:
  // The first cells of an empty board where the opening rule promises something, and what they
  // depend on: a series of games asks for them again and again.
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

  bool has_outside_ = false;  // whether candidates are among what no clue touches
  double density_ = 0;        // of mines, before anything is opened
  bool is_first_ = false;     // whether nothing is opened or known
  std::optional<Openings> openings_;
};

}  // namespace mineproof
