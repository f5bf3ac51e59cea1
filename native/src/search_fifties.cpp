// 50/50s that nothing will ever tell apart, seen before they stand alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "mineproof/least.hpp"
#include "mineproof/search.hpp"

namespace mineproof {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int32_t off_board = -1;
constexpr double same = 1e-6;  // two chances that are one, by how far they are apart

// Two sets of hidden cells of which one is mined and the other safe, or the reverse: no cell near
// them sees the one set and not the other, but for the `beyond`.
struct Fifty {
  std::array<std::int32_t, 2> first, second;  // a set of one cell has it twice
  std::array<std::int32_t, 6> beyond;
  std::size_t most;  // of those beyond that may be hidden
};

// Side by side: the cells that touch one and not the other are beyond the two ends.
Fifty pair_at(const auto& cell, std::int32_t r, std::int32_t c, bool across) {
  const auto at = [&](std::int32_t along, std::int32_t side) {
    return across ? cell(r + side, c + along) : cell(r + along, c + side);
  };
  return {{at(0, 0), at(0, 0)},
          {at(1, 0), at(1, 0)},
          {at(-1, -1), at(-1, 0), at(-1, 1), at(2, -1), at(2, 0), at(2, 1)},
          1};
}

// A square of four: what touches it touches one cell of either diagonal, but for its corners.
Fifty square_at(const auto& cell, std::int32_t r, std::int32_t c) {
  return {{cell(r, c), cell(r + 1, c + 1)},
          {cell(r, c + 1), cell(r + 1, c)},
          {cell(r - 1, c - 1), cell(r - 1, c + 2), cell(r + 2, c - 1), cell(r + 2, c + 2),
           off_board, off_board},
          2};
}

}  // namespace

// Cells that are safe, or half of a 50/50 that nothing will ever tell apart: whatever is opened
// before, they will have to be opened at this risk. So it is taken now, and what they show helps.
// The best first, by the look-ahead; false if there is none.
bool Search::find_fifties(const Budget& budget) {
  if (!budget.fifties) return false;
  const Shape shape = view_.shape;
  risk_.resize(states_.size());
  engine_.write_risk(risk_);
  const auto cell = [&](std::int32_t r, std::int32_t c) {
    return r < 0 || c < 0 || r >= shape.rows || c >= shape.cols ? off_board : r * shape.cols + c;
  };
  std::vector<std::int32_t> found;
  const auto look = [&](const Fifty& sets) {
    const double chance = chance_of_fifty(sets.first, sets.second, sets.beyond, sets.most);
    for (const auto& set : {sets.first, sets.second})
      for (const std::int32_t one : set)
        if (std::abs(risk_[one] - chance) < same * chance &&
            std::find(found.begin(), found.end(), one) == found.end())
          found.push_back(one);
  };
  for (std::int32_t r = 0; r < shape.rows; ++r)
    for (std::int32_t c = 0; c < shape.cols; ++c) {
      if (!is_open(cell(r, c))) continue;
      const bool right = c + 1 < shape.cols && is_open(cell(r, c + 1));
      const bool below = r + 1 < shape.rows && is_open(cell(r + 1, c));
      if (right) look(pair_at(cell, r, c, true));
      if (below) look(pair_at(cell, r, c, false));
      if (right && below && is_open(cell(r + 1, c + 1))) look(square_at(cell, r, c));
    }
  if (found.empty() || cancel_.asked()) return false;
  for (const std::int32_t one : found)
    advice_.candidates.push_back({one, risk_[one], 0, unknown, unknown});
  rank(budget);
  advice_.method = Method::fifty_fifty;
  return true;
}

// Hidden, and not settled.
bool Search::is_open(std::int32_t cell) const {
  return states_[cell] == hidden && engine_.verdicts()[at(cell)] == Verdict::open &&
         (apart_.empty() || !apart_[cell]);
}

// The chance that the first set is mined, the second safe, and what is hidden beyond mined: so
// much of the board is a 50/50 of these two sets. 0 where that cannot be all of a cell's risk.
double Search::chance_of_fifty(std::span<const std::int32_t> first,
                               std::span<const std::int32_t> second,
                               std::span<const std::int32_t> beyond, std::size_t most) {
  double least = 1;  // risk of a cell in the sets: it is to be all of that chance
  bool touched = false;
  for (const auto& set : {first, second})
    for (const std::int32_t one : set) {
      least = std::min(least, risk_[one]);
      touched = touched || touches_clue(one);
    }
  if (!touched || least > 0.5 + tie) return 0;
  std::array<std::int32_t, 2> hidden_beyond{};
  std::size_t count = 0;
  for (const std::int32_t one : beyond) {
    if (one == off_board || states_[one] == exploded) continue;
    if (states_[one] != hidden) return 0;
    if (engine_.verdicts()[at(one)] == Verdict::mine) continue;
    if (count == most || risk_[one] < least - tie) return 0;
    hidden_beyond[count++] = one;
  }
  const auto set_all = [&](std::uint8_t mined, std::uint8_t safe) {
    for (const std::int32_t one : first) states_[one] = mined;
    for (const std::int32_t one : second) states_[one] = safe;
    for (std::size_t i = 0; i < count; ++i) states_[hidden_beyond[i]] = mined;
  };
  set_all(exploded, told_safe);
  const Outcome outcome = after_.solve(view_, prior_, most_states(), cancel_);
  set_all(hidden, hidden);
  if (outcome != Outcome::exact) return 0;
  return std::exp(after_.log_weight() - engine_.log_weight());
}

}  // namespace mineproof
