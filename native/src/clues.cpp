#include "mineproof/clues.hpp"

#include <algorithm>
#include <numeric>

namespace mineproof {

const ClueModel exact_clues;

namespace {

// Writes the likelihoods of clues without a bound.
void fill(ClueModel& model) {
  for (std::uint8_t shown = 0; shown <= largest_clue; ++shown)
    for (std::int32_t degree = 0; degree <= largest_clue; ++degree)
      model.table[shown][at(degree)] = model.likelihood(shown, degree, ClueModel::unbounded);
}

ClueModel uniform(ClueDraw drawn, bool known) {
  ClueModel model;
  model.exact = false;
  model.drawn = drawn;
  model.known = known;
  fill(model);
  return model;
}

struct Range {
  std::int32_t low, high;
};

// What a cell with this count may show, if clues are uniform.
Range range(ClueDraw drawn, std::int32_t count, std::int32_t degree, std::int8_t bound) {
  if (drawn == ClueDraw::at_most)
    return {std::min<std::int32_t>(std::max(bound, std::int8_t{0}), count), count};
  return {count, std::max(bound == ClueModel::unbounded ? degree : bound, count)};
}

// Whether a cell with this count may show this clue.
bool can_show(const ClueModel& model, std::uint8_t clue, std::int32_t count, std::int32_t degree,
              std::int8_t bound) {
  if (model.drawn == ClueDraw::count || model.drawn == ClueDraw::likelihood)
    return model.table[clue][at(degree)][at(count)] > 0;
  const auto [low, high] = range(model.drawn, count, degree, bound);
  return low <= clue && clue <= high;
}

}  // namespace

ClueModel ClueModel::sometimes(double p, bool redraw) {
  ClueModel model;
  model.exact = false;
  model.drawn = ClueDraw::likelihood;
  model.redraw = redraw;
  for (std::size_t degree = 0; degree <= largest_clue; ++degree)
    for (std::size_t count = 0; count <= degree; ++count) {
      model.table[count][degree][count] = p;
      model.table[nothing][degree][count] = 1 - p;
    }
  return model;
}

ClueModel ClueModel::optimistic(bool known) { return uniform(ClueDraw::at_most, known); }

ClueModel ClueModel::cautious(bool known) { return uniform(ClueDraw::at_least, known); }

ClueModel ClueModel::by_rows(const std::array<std::array<double, 10>, 9>& rows) {
  ClueModel model;
  model.exact = false;
  model.drawn = ClueDraw::likelihood;
  for (std::size_t degree = 0; degree <= largest_clue; ++degree)
    for (std::size_t count = 0; count <= degree; ++count) {
      std::array<double, 10> row = rows[count];
      std::fill(row.begin() + static_cast<std::ptrdiff_t>(degree) + 1, row.begin() + nothing, 0.0);
      const double all = std::accumulate(row.begin(), row.end(), 0.0);
      for (std::size_t shown = 0; shown <= nothing; ++shown)
        model.table[shown][degree][count] = all > 0 ? row[shown] / all : 0;
    }
  return model;
}

std::int8_t ClueModel::bound(std::int32_t mines, std::int32_t covered) const {
  if (!known) return unbounded;
  return static_cast<std::int8_t>(drawn == ClueDraw::at_most ? mines : mines + covered);
}

std::uint8_t ClueModel::draw(std::int32_t count, std::int32_t degree, std::int8_t bound,
                             Stream& stream) const {
  if (drawn == ClueDraw::count) return static_cast<std::uint8_t>(count);
  if (drawn != ClueDraw::likelihood) {
    const auto [low, high] = range(drawn, count, degree, bound);
    const std::uint32_t above = stream.below(static_cast<std::uint32_t>(high - low + 1));
    return static_cast<std::uint8_t>(low + static_cast<std::int32_t>(above));
  }
  double point = stream.uniform();
  std::size_t last = nothing;
  for (std::size_t shown = 0; shown <= nothing; ++shown) {
    const double chance = table[shown][at(degree)][at(count)];
    if (chance <= 0) continue;
    last = shown;
    point -= chance;
    if (point < 0) break;
  }
  return last == nothing ? std::uint8_t{no_clue} : static_cast<std::uint8_t>(last);
}

ClueModel::Likelihood ClueModel::likelihood(std::uint8_t shown, std::int32_t degree,
                                            std::int8_t bound) const {
  if (drawn == ClueDraw::count || drawn == ClueDraw::likelihood)
    return table[row_of(shown)][at(degree)];
  Likelihood chances{};
  if (!is_clue(shown)) return chances;
  for (std::int32_t count = 0; count <= degree; ++count) {
    const auto [low, high] = range(drawn, count, degree, bound);
    if (low <= shown && shown <= high) chances[at(count)] = 1.0 / (high - low + 1);
  }
  return chances;
}

bool ClueModel::opens_around(std::uint8_t shown, std::int32_t degree, std::int8_t bound) const {
  if (exact) return shown == 0;
  if (!is_clue(shown)) return false;
  for (std::int32_t count = 1; count <= degree; ++count)
    if (can_show(*this, shown, count, degree, bound)) return false;
  return true;
}

bool ClueModel::can_be_missing() const {
  if (exact) return false;
  const auto& rows = table[nothing];
  return std::any_of(rows.begin(), rows.end(), [](const Likelihood& row) {
    return std::any_of(row.begin(), row.end(), [](double chance) { return chance > 0; });
  });
}

}  // namespace mineproof
