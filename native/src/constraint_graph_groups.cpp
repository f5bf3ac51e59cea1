// Groups: unknown cells with the same clues.
#include "mineproof/constraint_graph.hpp"
#include "mineproof/simd.hpp"

namespace mineproof {

using namespace lanes;

// Builds clues and groups. The cells of a group have the same first clue, so it suffices to compare
// the cells around each clue.
void ConstraintGraph::form_groups(const View& view) {
  for (std::size_t first = 0; first < places_; first += width) {
    const Bytes left = take(&live_clues_[first]) & ~equal(take(&sums_[first]) & all(15), 0);
    put(&live_clues_[first], left);
    each_bit(bits_of(left), [&](int bit) {
      const std::size_t place = first + at(bit);
      clue_id_[place] = static_cast<std::int32_t>(clues.size());
      clues.push_back({.cell = static_cast<std::int32_t>(place),
                       .cells = 0,
                       .low = 0,
                       .high = 0,
                       .table = nullptr,
                       .group_count = 0,
                       .groups = {}});
    });
  }
  for (Clue& clue : clues) {
    const std::size_t place = at(clue.cell);
    clue.cell = cell_at_[place];
    clue.cells = sums_[place] & 15;
    range(view, place, clue.cells, sums_[place] >> 4, clue.low, clue.high, clue.table);
    if (is_watched(place)) clue.watch = watch_at_[place] - 1;
    group_around(place);
  }
  watched_mines.clear();
  for (const std::int32_t cell : view.watched) watched_mines.push_back(sums_[place_of(cell)] >> 4);
}

// Divides the cells around a clue that are in no group yet into groups, by the set of their clues:
// places in the 5x5 square around this clue.
void ConstraintGraph::group_around(std::size_t middle) {
  const auto here = static_cast<std::int32_t>(middle);
  std::array<std::uint32_t, 8> signs{};
  const std::size_t first = groups.size();
  const std::uint8_t* const known = &known_[middle];
  each_bit(square_bits(known, stride_, 0) & ~square_bits(known, stride_, 1), [&](int bit) {
    const std::int32_t place = here + step_[at(bit)];
    known_[at(place)] |= is_grouped;
    const std::uint32_t near = square_bits(&live_clues_[at(place)], stride_, 0);
    const std::uint32_t sign = ((near & 7) | (near & 56) << 2 | (near & 448) << 4)
                               << (bit / 3 * 5 + bit % 3);
    std::size_t group = first;
    while (group < groups.size() && signs[group - first] != sign) ++group;
    if (group == groups.size()) {
      signs[group - first] = sign;
      groups.emplace_back();
      CellGroup& made = groups.back();
      made.size = made.clue_count = 0;
      each_bit(near, [&](int other) {
        const std::int32_t id = clue_id_[at(place + step_[at(other)])];
        Clue& clue = clues[at(id)];
        clue.groups[at(clue.group_count++)] = static_cast<std::int32_t>(group);
        made.clues[at(made.clue_count++)] = id;
      });
    }
    CellGroup& chosen = groups[group];
    chosen.cells[at(chosen.size++)] = cell_at_[at(place)];
  });
}

}  // namespace mineproof
