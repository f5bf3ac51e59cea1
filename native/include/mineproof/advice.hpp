// The input and output of a search for the next move.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "mineproof/budget.def"
#include "mineproof/cells.hpp"
#include "mineproof/constraint_graph.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/prior.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

// Limits on the cost of a decision, counted in operations and not in time, so that decisions are
// reproducible on any machine.
struct Budget {
#define MEMBER(type, name, usual, least, most) type name = usual;
  BUDGET_FIELDS(MEMBER)
#undef MEMBER
  bool operator==(const Budget&) const = default;
};

// Calls `visit(name, member, least, most)` for every field of a budget.
template <class Visit>
void for_each_budget_field(Visit&& visit) {
#define CALL(type, name, usual, least, most) visit(#name, &Budget::name, type{least}, type{most});
  BUDGET_FIELDS(CALL)
#undef CALL
}

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
NAMED_ENUM(enum class, Method, std::uint8_t, endgame, part, look_ahead, playouts, opening,
           least_risk, fifty_fifty, flags, learned)

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
