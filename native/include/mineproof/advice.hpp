// What a search is asked and what it answers.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "mineproof/budget.def"
#include "mineproof/cells.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/network.hpp"
#include "mineproof/prior.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

// How much a decision may cost: counted in what is done, so it repeats on any machine.
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
  double score;  // of the look-ahead, the higher the better; nan where there was none
  double win;    // the chance to win by opening it; nan where there is no estimate
  double error;  // its standard error; 0 where it is exact, given best play after it
  // Where a mine does not end the game: the flags that it is expected to cost, mines that will have
  // none and safe cells that will have one. To the end of the game by the methods endgame and
  // opening, otherwise over this step and the next. Else nan.
  double loss = std::numeric_limits<double>::quiet_NaN();
};

// How a decision was made.
// `least_risk`: by the odds alone, where a look-ahead would take too long. `fifty_fifty`: safe, or
// half of a 50/50 that no clue can ever decide. `flags`: no cell is worth opening; the
// candidates are to be flagged. `learned`: by the look-ahead, and by what games played out taught.
NAMED_ENUM(enum class, Method, std::uint8_t, endgame, part, look_ahead, playouts, opening,
           least_risk, fifty_fifty, flags, learned)

struct Advice {
  Method method = Method::look_ahead;
  std::vector<Candidate> candidates;  // the best first; none where no cell can be opened
  bool cancelled = false;             // on request: then there are none
};

// What is asked: a view without a cell that is known to be safe, or one with nothing opened, of
// which the opening rule promises the first cell.
struct Position {
  View view;
  Prior prior;
  bool mine_ends = true;  // otherwise the score counts
  Opening opening = Opening::any;
};

}  // namespace mineproof
