// The input and output of a search for the next move.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "mineproof/cells.hpp"
#include "mineproof/network.hpp"
#include "mineproof/prior.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

// Limits on the cost of a decision, counted in operations and not in time, so that decisions are
// reproducible on any machine.
struct Budget {
  std::int32_t arrangements = 500;  // perfect play with at most this many configurations
  std::int64_t work = 1'000'000;    // and at most this much work (see Endgame)
  std::int32_t parts = 200;         // parts with at most this many are solved separately
  std::int32_t candidates = 18;     // cells to evaluate
  double premium = 0.1;             // what safe cells after the next step are worth
  std::int32_t leaves = 0;    // an outcome is solved if it has at most this many configurations
  std::int32_t playouts = 0;  // playouts, for all candidates together
  std::int32_t fifties = 1;   // whether forced 50/50s are guessed at once
  std::int32_t further = 1;   // look one step further if there are no playouts
  std::int32_t learned = 1;   // rank close candidates by `appraise`
  bool operator==(const Budget&) const = default;
};

struct Candidate {
  std::int32_t cell;
  double risk;
  double score;  // of the look-ahead, higher is better; nan without a look-ahead
  double win;    // win probability if it is opened; nan without an estimate
  double error;  // standard error of `win`; 0 if exact, given best play afterwards
  // If a mine does not end the game: the expected loss in flags (mines that will have none plus
  // safe cells that will have one); to the end of the game for the methods `endgame` and `opening`,
  // otherwise over this step and the next. Otherwise nan.
  double loss = std::numeric_limits<double>::quiet_NaN();
};

// How a decision was made. `least_risk`: by mine probabilities alone, where a look-ahead would take
// too long. `fifty_fifty`: the cell is safe, or half of a 50/50 that no clue can ever resolve.
// `flags`: no cell is worth opening; flag the candidates. `learned`: by the look-ahead and by a
// network trained on playouts.
enum class Method : std::uint8_t {
  endgame,
  part,
  look_ahead,
  playouts,
  opening,
  least_risk,
  fifty_fifty,
  flags,
  learned
};

struct Advice {
  Method method = Method::look_ahead;
  std::vector<Candidate> candidates;  // best first; empty if no cell can be opened
  bool cancelled = false;             // then there are no candidates
};

// The input: a view without a cell that is known to be safe; or a view with nothing opened, whose
// first cell the opening rule protects.
struct Position {
  View view;
  Prior prior;
  bool mine_ends = true;  // otherwise the objective is the score
  Opening opening = Opening::any;
};

}  // namespace mineproof
