// Arguments by cases. Single clues force cells, all that are possible in each round. When that ends
// without a contradiction, and no sum of a few clues is contradictory either, some cell is assumed
// to be a mine, then to be safe. Only the lines that the contradictions depend on are kept.
#include <algorithm>
#include <optional>
#include <tuple>

#include "mineproof/cells.hpp"
#include "mineproof/proof_derivation.hpp"

namespace mineproof {

namespace {

using CellSet = std::set<std::int32_t>;

// A statement, given by its index, forces its undecided cells to be all mines or all safe.
struct Forced {
  std::size_t place;
  std::vector<std::int32_t> cells;
  bool mine;
  std::vector<std::int32_t> premises;
};

struct Refutation {
  std::vector<CaseLine> lines;
  CellSet used;  // the previously decided cells that this depends on
};

template <class F>
void clash_premises(const ProofConstraint& statement, const Values& values, F&& f) {
  std::int32_t mines = 0;
  for (const std::int32_t cell : statement.cells) mines += values[at(cell)] == Value::mine;
  statement.premises(values, mines > statement.largest(), f);
}

// Collects what single clues force, round by round. Returns the first statement that cannot be
// satisfied, if any.
std::optional<std::size_t> propagate(std::span<const ProofConstraint> statements, Values& known,
                                     std::vector<Forced>& trail, Allowance& allowance) {
  trail.clear();
  std::vector<std::int32_t> open;
  const std::size_t cells = cells_in(statements);
  while (true) {
    allowance.spend(cells);
    if (allowance.stops()) return std::nullopt;
    const std::size_t before = trail.size();
    Values after = known;
    for (std::size_t place = 0; place < statements.size(); ++place) {
      const ProofConstraint& statement = statements[place];
      const auto bounds = statement.left(known, open);
      if (!bounds) return place;
      const auto size = static_cast<std::int32_t>(open.size());
      if (open.empty() || (bounds->high != 0 && bounds->low != size)) continue;
      const bool mine = bounds->high != 0;
      std::erase_if(open, [&](std::int32_t cell) { return after[at(cell)] != Value::open; });
      if (open.empty()) continue;
      for (const std::int32_t cell : open) after[at(cell)] = value_of(mine);
      trail.push_back({place, open, mine, {}});
      auto& premises = trail.back().premises;
      statement.premises(known, !mine, [&](std::int32_t cell) { premises.push_back(cell); });
    }
    if (trail.size() == before) return std::nullopt;
    known.swap(after);
  }
}

// The lines of the trail that `end` depends on, followed by its own.
Refutation slice(std::span<const ProofConstraint> statements, const std::vector<Forced>& trail,
                 Refutation end, std::int32_t depth) {
  std::vector<CaseLine> lines;
  for (auto forced = trail.rbegin(); forced != trail.rend(); ++forced) {
    std::vector<std::int32_t> cells;
    for (const std::int32_t cell : forced->cells)
      if (end.used.contains(cell)) cells.push_back(cell);
    if (cells.empty()) continue;
    const std::int32_t clue = statements[forced->place].clue;
    lines.push_back({CaseLineKind::force, depth, {clue}, {1}, cells, forced->mine});
    for (const std::int32_t cell : forced->cells) end.used.erase(cell);
    end.used.insert(forced->premises.begin(), forced->premises.end());
  }
  std::reverse(lines.begin(), lines.end());
  lines.insert(lines.end(), end.lines.begin(), end.lines.end());
  return {std::move(lines), std::move(end.used)};
}

struct Together {
  std::vector<const ProofConstraint*> used;
  std::vector<std::int8_t> signs;
  bool full;  // true: the rest would need more mines than it has cells; false: fewer than none
};

// Statements whose signed sum cannot be satisfied.
std::optional<Together> sum_clash(std::span<const ProofConstraint> statements, const Values& values,
                                  Allowance& allowance) {
  const std::vector<RemainingConstraint> left = what_is_left(statements, values);
  std::vector<std::int32_t> numbers(values.size(), 0);
  std::optional<Together> found;
  const std::size_t most_terms = left.size() <= 10 ? 5 : left.size() <= 24 ? 3 : 1;
  const auto clashes = [&](std::span<const std::size_t> places,
                           std::span<const std::int8_t> signs) {
    std::int32_t least = 0, most = 0, above = 0, below = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto& [statement, cells, bounds] = left[places[i]];
      allowance.spend(cells.size());
      least += signs[i] > 0 ? bounds.low : -bounds.high;
      most += signs[i] > 0 ? bounds.high : -bounds.low;
      for (const std::int32_t cell : cells) {
        std::int32_t& number = numbers[at(cell)];
        (number > 0 ? above : below) -= number;
        number += signs[i];
        (number > 0 ? above : below) += number;
      }
    }
    for (const std::size_t place : places)
      for (const std::int32_t cell : left[place].cells) numbers[at(cell)] = 0;
    if (least <= above && most >= below) return allowance.stops();
    found = Together{{}, {signs.begin(), signs.end()}, least > above};
    for (const std::size_t place : places) found->used.push_back(left[place].statement);
    return true;
  };
  each_sum(left.size(), 2, most_terms, clashes);
  return found;
}

// The cell to split on: preferably one that soon leads to contradictions both ways, then one way,
// else at all. -1 if no cell is undecided.
std::int32_t split(std::span<const ProofConstraint> statements, const Values& values,
                   Allowance& allowance) {
  CellSet cells;
  for (const ProofConstraint& statement : statements)
    for (const std::int32_t cell : statement.cells)
      if (values[at(cell)] == Value::open) cells.insert(cell);
  std::tuple<int, std::size_t, std::int32_t> best{3, 0, -1};
  std::vector<Forced> trail;
  for (const std::int32_t cell : cells) {
    if (allowance.stops()) break;
    int clashes = 0;
    std::size_t length = 0;
    for (const bool mine : {true, false}) {
      Values tried = values;
      tried[at(cell)] = value_of(mine);
      if (!propagate(statements, tried, trail, allowance)) continue;
      ++clashes;
      length += trail.size();
    }
    best = std::min(best, {2 - clashes, length, cell});
  }
  return std::get<2>(best);
}

// std::nullopt if the allowance is exceeded.
std::optional<Refutation> refutation(std::span<const ProofConstraint> statements, Values values,
                                     std::int32_t depth, Allowance& allowance) {
  if (allowance.stops()) return std::nullopt;
  std::vector<Forced> trail;
  Refutation found;
  if (const auto clash = propagate(statements, values, trail, allowance)) {
    const ProofConstraint& statement = statements[*clash];
    found.lines.push_back({CaseLineKind::clash, depth, {statement.clue}, {1}, {}, false});
    clash_premises(statement, values, [&](std::int32_t cell) { found.used.insert(cell); });
    return slice(statements, trail, std::move(found), depth);
  }
  if (const auto together = sum_clash(statements, values, allowance)) {
    CaseLine line{CaseLineKind::clash, depth, {}, together->signs, {}, together->full};
    for (const ProofConstraint* statement : together->used) line.clues.push_back(statement->clue);
    found.used = sum_premises(together->used, together->signs, values, together->full);
    found.lines.push_back(std::move(line));
    return slice(statements, trail, std::move(found), depth);
  }
  const std::int32_t cell = split(statements, values, allowance);
  if (allowance.stops()) return std::nullopt;
  if (cell < 0) return found;  // the caller guarantees a refutation, but there is none
  for (const bool mine : {true, false}) {
    values[at(cell)] = value_of(mine);
    auto side = refutation(statements, values, depth + 1, allowance);
    if (!side) return std::nullopt;
    if (!side->used.contains(cell)) {  // contradictory whatever the cell is
      for (CaseLine& line : side->lines) --line.depth;
      return slice(statements, trail, std::move(*side), depth);
    }
    found.lines.push_back({CaseLineKind::assume, depth, {}, {}, {cell}, mine});
    found.lines.insert(found.lines.end(), side->lines.begin(), side->lines.end());
    side->used.erase(cell);
    found.used.insert(side->used.begin(), side->used.end());
  }
  return slice(statements, trail, std::move(found), depth);
}

}  // namespace

std::size_t cells_in(std::span<const ProofConstraint> statements) {
  std::size_t cells = 0;
  for (const ProofConstraint& statement : statements) cells += statement.cells.size();
  return cells;
}

std::vector<CaseLine> refute(std::span<const ProofConstraint> statements, const Values& deduced,
                             std::int32_t cell, bool mine, Allowance& allowance) {
  Values values = deduced;
  values[at(cell)] = value_of(mine);
  std::vector<CaseLine> lines{{CaseLineKind::assume, 0, {}, {}, {cell}, mine}};
  const auto found = refutation(statements, std::move(values), 1, allowance);
  if (!found) return {};
  lines.insert(lines.end(), found->lines.begin(), found->lines.end());
  return lines;
}

CellSet case_premises(std::span<const ProofConstraint> statements, const Values& deduced,
                      std::span<const CaseLine> lines) {
  CellSet used;
  std::vector<Values> values{deduced};
  for (const CaseLine& line : lines) {
    values.resize(std::min(values.size(), at(line.depth) + 1));
    if (line.what == CaseLineKind::assume) {
      values.push_back(values.back());
      values.back()[at(line.cells[0])] = value_of(line.mine);
      continue;
    }
    std::vector<const ProofConstraint*> named;
    for (const std::int32_t clue : line.clues)
      named.push_back(&*std::find_if(statements.begin(), statements.end(),
                                     [&](const ProofConstraint& s) { return s.clue == clue; }));
    const auto use = [&](std::int32_t cell) {
      if (deduced[at(cell)] != Value::open) used.insert(cell);
    };
    if (line.what == CaseLineKind::force) {
      named[0]->premises(values.back(), !line.mine, use);
      for (const std::int32_t cell : line.cells) values.back()[at(cell)] = value_of(line.mine);
    } else if (named.size() == 1) {
      clash_premises(*named[0], values.back(), use);
    } else {
      for (const std::int32_t cell : sum_premises(named, line.signs, values.back(), line.mine))
        use(cell);
    }
  }
  return used;
}

}  // namespace mineproof
