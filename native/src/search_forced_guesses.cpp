// Finds 50/50s that no clue can ever resolve, before they stand alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "mineproof/lowest_risk.hpp"
#include "mineproof/search.hpp"

namespace mineproof {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int32_t off_board = -1;
// The weight of the games that 50/50s are expected to lose in the score, tuned by playouts
// (docs/lab/champion.md).
constexpr double load = 0.43;
constexpr double late_load = 0.85;
constexpr double slight = 0.003;  // 50/50s with a smaller probability are ignored
constexpr double same = 1e-6;  // relative difference up to which two probabilities count as equal

// Two adjacent cells: the cells next to only one of them lie beyond the two ends.
ForcedGuess pair_at(const auto& cell, std::int32_t r, std::int32_t c, bool across) {
  const auto at = [&](std::int32_t along, std::int32_t side) {
    return across ? cell(r + side, c + along) : cell(r + along, c + side);
  };
  return {{at(0, 0), at(0, 0)},
          {at(1, 0), at(1, 0)},
          {at(-1, -1), at(-1, 0), at(-1, 1), at(2, -1), at(2, 0), at(2, 1)},
          0};
}

// A square of four cells: any cell next to it is next to one cell of each diagonal, except for the
// cells at its corners.
ForcedGuess square_at(const auto& cell, std::int32_t r, std::int32_t c) {
  return {{cell(r, c), cell(r + 1, c + 1)},
          {cell(r, c + 1), cell(r + 1, c)},
          {cell(r - 1, c - 1), cell(r - 1, c + 2), cell(r + 2, c - 1), cell(r + 2, c + 2),
           off_board, off_board},
          0};
}

}  // namespace

// Lists the 50/50s that the position may turn out to contain, with their probabilities.
void Search::list_forced_guesses() {
  forced_guesses_.clear();
  const Shape shape = view_.shape;
  risk_.resize(states_.size());
  engine_.write_risk(risk_);
  const auto cell = [&](std::int32_t r, std::int32_t c) {
    return r < 0 || c < 0 || r >= shape.rows || c >= shape.cols ? off_board : r * shape.cols + c;
  };
  const auto look = [&](ForcedGuess guess, std::size_t most) {
    if (!can_be(guess, most)) return;
    guess.chance = chance_of(guess, -1);
    if (guess.chance > 0) forced_guesses_.push_back(guess);
  };
  for (std::int32_t r = 0; r < shape.rows; ++r)
    for (std::int32_t c = 0; c < shape.cols; ++c) {
      if (!is_open(cell(r, c))) continue;
      const bool right = c + 1 < shape.cols && is_open(cell(r, c + 1));
      const bool below = r + 1 < shape.rows && is_open(cell(r + 1, c));
      if (right) look(pair_at(cell, r, c, true), 1);
      if (below) look(pair_at(cell, r, c, false), 1);
      if (right && below && is_open(cell(r + 1, c + 1))) look(square_at(cell, r, c), 2);
    }
}

// Chooses cells that are safe, or half of a 50/50 that no clue can ever resolve. Whatever is opened
// before, such a cell must be opened at this risk eventually; taking it now gives information
// earlier. Ranked by the look-ahead, best first; false if there are none.
bool Search::take_forced_guess(const Budget& budget) {
  auto& found = advice_.candidates;
  for (const ForcedGuess& guess : forced_guesses_)
    for (const auto& set : {guess.first, guess.second})
      for (const std::int32_t one : set)
        if (std::abs(risk_[one] - guess.chance) < same * guess.chance &&
            std::none_of(found.begin(), found.end(),
                         [one](const Candidate& other) { return other.cell == one; }))
          found.push_back({one, risk_[one], 0, unknown, unknown});
  if (found.empty() || cancel_.stop_requested()) return false;
  rank_further(budget);
  advice_.method = Method::fifty_fifty;
  return true;
}

// Whether a cell is hidden and undecided.
bool Search::is_open(std::int32_t cell) const {
  return states_[cell] == hidden && engine_.verdicts()[at(cell)] == Verdict::open &&
         (apart_.empty() || !apart_[cell]);
}

// Whether two sets may turn out to be a 50/50, with at most `most` hidden cells beyond them;
// reduces guess.beyond to those.
bool Search::can_be(ForcedGuess& guess, std::size_t most) const {
  double largest = 1;  // an upper bound on its probability
  std::size_t count = 0;
  for (const std::int32_t one : guess.beyond) {
    if (one == off_board || states_[one] == exploded) continue;
    if (states_[one] != hidden) return false;
    if (engine_.verdicts()[at(one)] == Verdict::mine) continue;
    if (count == most) return false;
    largest = std::min(largest, risk_[one]);
    guess.beyond[count++] = one;
  }
  std::fill(guess.beyond.begin() + static_cast<std::ptrdiff_t>(count), guess.beyond.end(),
            off_board);
  bool touched = false;
  for (const auto& set : {guess.first, guess.second})
    for (const std::int32_t one : set) {
      largest = std::min({largest, risk_[one], 1 - risk_[one]});
      touched = touched || touches(one, is_opened);
    }
  return touched && largest > slight;
}

// The probability that the first set contains mines only, the second set is safe, and all hidden
// cells beyond are mines; with `safe`, a cell or -1, also that this cell is safe. By symmetry it
// equals the probability with the two sets exchanged.
double Search::chance_of(const ForcedGuess& guess, std::int32_t safe) {
  const auto set_all = [&](std::uint8_t mined, std::uint8_t opened) {
    for (const std::int32_t one : guess.first) states_[one] = mined;
    for (const std::int32_t one : guess.second) states_[one] = opened;
    for (const std::int32_t one : guess.beyond)
      if (one != off_board) states_[one] = mined;
    if (safe >= 0) states_[safe] = opened;
  };
  set_all(exploded, known_safe);
  const Outcome outcome = after_.solve(view_, prior_, most_states(), cancel_);
  set_all(hidden, hidden);
  if (outcome != Outcome::exact) return 0;
  return std::exp(after_.log_weight() - engine_.log_weight());
}

bool ForcedGuess::has(std::int32_t cell) const {
  const auto in = [cell](const auto& cells) {
    return std::find(cells.begin(), cells.end(), cell) != cells.end();
  };
  return in(first) || in(second) || in(beyond);
}

// The expected number of games lost to the remaining 50/50s once the candidate has turned out safe:
// each loses half of its games, and either of its sets may be the mined one. With `counted`,
// recomputes their probabilities given that the candidate is safe; otherwise uses the current ones.
double Search::load_after(const Candidate& candidate, bool counted) {
  double lost = 0;
  for (const ForcedGuess& guess : forced_guesses_) {
    if (guess.has(candidate.cell)) continue;
    lost += counted ? chance_of(guess, candidate.cell) / (1 - candidate.risk) : guess.chance;
  }
  return lost;
}

// Reduces scores by the 50/50s that a click leaves behind, which the look-ahead does not see. Uses
// recomputed probabilities for scores of at least `close`.
void Search::weigh_forced_guesses(double close) {
  if (forced_guesses_.empty()) return;
  const double counts = engine_.log_weight() < late ? late_load : is_sparse() ? 0 : load;
  for (Candidate& candidate : advice_.candidates)
    candidate.score *= std::exp(-counts * load_after(candidate, candidate.score >= close));
}

}  // namespace mineproof
