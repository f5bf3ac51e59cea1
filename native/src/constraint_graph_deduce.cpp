// The deductions from single clues.
#include <algorithm>
#include <bit>
#include <cmath>

#include "mineproof/constraint_graph.hpp"
#include "mineproof/simd.hpp"

namespace mineproof {

using namespace lanes;

// The numbers of mines among the unknown neighbours that the clue allows, and their weights. False
// if there are none.
bool ConstraintGraph::range(const View& view, std::size_t place, int unknown_around,
                            int mines_around, int& low, int& high, const double*& table) const {
  const bool overridden = !override_at_.empty() && override_at_[place] != 0;
  const int shows = shown_[place] == no_clue ? 9 : shown_[place];
  if (view.model->exact && !overridden) {
    table = nullptr;
    if (shows == 9) {
      low = 0;
      high = unknown_around;
    } else {
      low = high = shows - mines_around;
    }
    return low >= 0 && low <= unknown_around;
  }
  if (overridden) {
    table = view.overrides[at(override_at_[place] - 1)].table.data();
  } else {
    const auto along = static_cast<std::int32_t>(place) - 2;
    const std::int32_t row = along / stride_ - 2;
    const std::int32_t col = along % stride_;
    const int height = 1 + (row > 0) + (row < view.shape.rows - 1);
    const int across = 1 + (col > 0) + (col < view.shape.cols - 1);
    table = view.model->table[at(shows)][at(height * across - 1)].data();
  }
  table += mines_around;
  low = 0;
  high = unknown_around;
  while (low <= high && table[low] <= 0) ++low;
  while (high >= low && table[high] <= 0) --high;
  return low <= high;
}

// Applies single clues to the fixpoint: a clue whose mines are all known makes its other neighbours
// safe; one that needs all its unknown neighbours makes them mines. Processes blocks of places
// until nothing near them changes. In the end `live_clues_` marks the clues that still constrain
// something.
bool ConstraintGraph::deduce(const View& view) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < dirty_.size(); ++i) {
      if (!dirty_[i]) continue;
      dirty_[i] = 0;
      changed = true;
      const std::size_t first = i * block;
      for (std::uint64_t bits = ready(first); bits; bits &= bits - 1)
        if (!deduce_clue(view, first + at(std::countr_zero(bits)))) return false;
    }
  }
  return true;
}

// The clues of a block that allow a deduction or cannot be satisfied; all clues if tables are used.
std::uint64_t ConstraintGraph::ready(std::size_t first) const {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < block; i += width) {
    Bytes is_ready = take(&live_clues_[first + i]);
    if (simple_) {
      const Bytes state = take(&shown_[first + i]);
      const Bytes sum = take(&sums_[first + i]);
      const Bytes mines = high_nibbles(sum);
      const Bytes at_most = mines + (sum & all(15));
      const Bytes done = Bytes(sum == Bytes(Shorts(state) << 4));
      is_ready &= (Bytes(mines >= state) | Bytes(at_most <= state)) & ~done;
    }
    found |= std::uint64_t{bits_of(is_ready)} << i;
  }
  return found;
}

bool ConstraintGraph::deduce_clue(const View& view, std::size_t place) {
  const int count = sums_[place] & 15;
  const int mined = sums_[place] >> 4;
  if (simple_) {  // as the clue was ready, all cells are mines or all are safe
    const int missing = shown_[place] - mined;
    if (missing < 0 || missing > count) broken = cell_at_[place];
    if (count > 0) deduce_around(place, missing > 0);
    return broken < 0;
  }
  int low = 0;
  int high = 0;
  const double* table = nullptr;
  if (!range(view, place, count, mined, low, high, table)) {
    broken = cell_at_[place];
    return false;
  }
  if (low != count && high != 0) {
    bool constrains = table == nullptr && low == high;
    if (table != nullptr)
      for (int k = 1; k <= count; ++k) constrains |= table[k] != table[0];
    if (constrains || is_watched(place)) return true;
    if (table != nullptr) log_constant += std::log(table[0]);
    live_clues_[place] = 0;
    return true;
  }
  // This clue decides all of its unknown neighbours.
  live_clues_[place] = 0;
  if (table != nullptr) log_constant += std::log(table[low == count ? count : 0]);
  if (count) deduce_around(place, low == count);
  return true;
}

void ConstraintGraph::deduce_around(std::size_t middle, bool mine) {
  const int count = sums_[middle] & 15;
  const int change = mine ? is_mine - is_unknown : -is_unknown;
  const auto here = static_cast<std::int32_t>(middle);
  each_bit(square_bits(&known_[middle], stride_, 0), [&](int bit) {
    const std::size_t place = at(here + step_[at(bit)]);
    known_[place] = mine ? is_mine : 0;
    std::uint8_t* const sums = sums_.data() + place - 1;
    add_to_three(sums - stride_, change);
    add_to_three(sums, change);
    add_to_three(sums + stride_, change);
    const std::int32_t cell = cell_at_[place];
    verdicts[at(cell)] = mine ? Verdict::mine : Verdict::safe;
    deduced.push_back(cell);
  });
  (mine ? deduced_mines : deduced_safe) += count;
  // Five rows around the cell: block by block, or row by row if rows are long.
  const std::int32_t step = std::max(stride_, static_cast<std::int32_t>(block));
  for (std::int32_t near = here - 2 * stride_; near < here + 2 * stride_; near += step)
    dirty_[block_of(near - 2)] = dirty_[block_of(near + 2)] = 1;
  dirty_[block_of(here + 2 * stride_ - 2)] = dirty_[block_of(here + 2 * stride_ + 2)] = 1;
}

}  // namespace mineproof
