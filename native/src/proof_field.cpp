// The clues that a proof of a cell may use, nearest first.
#include <algorithm>
#include <numeric>
#include <utility>

#include "mineproof/cells.hpp"
#include "mineproof/proof.hpp"

namespace mineproof {

// The clues linked to a cell through shared cells, in rings by the number of links, until there are
// more than `most`.
Prover::ClueOrder Prover::linked_to(std::int32_t cell, std::size_t most) const {
  ClueOrder field;
  std::vector<std::int32_t> ring, next;
  if (const std::int32_t group = consistency_.group_of(cell); group >= 0)
    ring = consistency_.statements_of[at(group)];
  std::vector<std::int32_t> place(statements_.size(), -1);
  std::vector<std::uint8_t> seen(statements_.size(), 0);
  for (const std::int32_t t : ring) seen[at(t)] = 1;
  field.rings.push_back(0);
  while (!ring.empty() && field.order.size() <= most) {
    sort_by_distance(ring, cell);
    next.clear();
    for (const std::int32_t t : ring) {
      place[at(t)] = static_cast<std::int32_t>(field.order.size());
      field.order.push_back(t);
      for (const std::int32_t group : consistency_.groups_of[at(t)])
        for (const std::int32_t other : consistency_.statements_of[at(group)])
          if (!seen[at(other)]) {
            seen[at(other)] = 1;
            next.push_back(other);
          }
    }
    field.rings.push_back(static_cast<std::int32_t>(field.order.size()));
    ring.swap(next);
  }
  field.is_whole = ring.empty();
  field.near = ClueSet::first(
      std::min<std::int32_t>(field.rings.size() > 1 ? field.rings[1] : 0, most_clues));
  const std::size_t looked_at = std::min(field.order.size(), most_clues);
  field.linked.resize(looked_at);
  for (std::size_t i = 0; i < looked_at; ++i)
    for (const std::int32_t group : consistency_.groups_of[at(field.order[i])])
      for (const std::int32_t other : consistency_.statements_of[at(group)])
        if (const std::int32_t p = place[at(other)]; p >= 0 && at(p) < looked_at)
          field.linked[i].add(p);
  if (field.is_whole)
    field.rings.resize(std::max(field.rings.size(), field.order.size() + 1),
                       static_cast<std::int32_t>(field.order.size()));
  return field;
}

// All clues, because with the mine count any clue may matter.
Prover::ClueOrder Prover::everything(std::int32_t cell) const {
  ClueOrder field;
  field.counted = true;
  field.order.resize(statements_.size());
  std::iota(field.order.begin(), field.order.end(), 0);
  sort_by_distance(field.order, cell);
  field.rings.assign(field.order.size() + 1, static_cast<std::int32_t>(field.order.size()));
  return field;
}

// Sorts statements by distance, then by index.
void Prover::sort_by_distance(std::vector<std::int32_t>& statements, std::int32_t cell) const {
  std::vector<std::pair<std::int32_t, std::int32_t>> ranked;
  ranked.reserve(statements.size());
  for (const std::int32_t t : statements) ranked.emplace_back(distance(t, cell), t);
  std::sort(ranked.begin(), ranked.end());
  for (std::size_t i = 0; i < ranked.size(); ++i) statements[i] = ranked[i].second;
}

// The king-move distance of a statement's clue from a cell.
std::int32_t Prover::distance(std::int32_t statement, std::int32_t cell) const {
  const std::int32_t clue = statements_[at(statement)].clue, cols = view_.shape.cols;
  return std::max(std::abs(clue / cols - cell / cols), std::abs(clue % cols - cell % cols));
}

}  // namespace mineproof
