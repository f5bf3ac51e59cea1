#include "mineproof/proof_derivation.hpp"

#include <algorithm>

#include "mineproof/cells.hpp"

namespace mineproof {

namespace {

constexpr std::size_t most_terms = 10;  // for up to this number of statements, all sums are tried

// The derivation of one cell. Cells are renumbered in ascending order, so that values need no more
// memory than the statements.
class Derivation {
 public:
  Derivation(Shape shape, std::span<const ProofConstraint> statements, Allowance& allowance);
  std::vector<Inference> run(std::int32_t cell, bool mine);

 private:
  std::optional<Inference> next();
  std::optional<Inference> single(std::span<const RemainingConstraint> left);
  std::optional<Inference> difference(std::span<const RemainingConstraint> left, bool subset);
  std::optional<Inference> sums(std::vector<RemainingConstraint> left, std::size_t fewest);
  std::optional<Inference> sum(std::span<const RemainingConstraint* const> chosen,
                               std::span<const std::int8_t>);
  Inference by_cases(std::int32_t cell, bool mine);
  std::vector<Inference> needed(std::vector<Inference> steps, std::int32_t cell);
  std::set<std::int32_t> premises(const Inference& step);
  void deduce(const Inference& step);
  void rename(Inference& step) const;

  Shape shape_;
  Allowance& allowance_;
  std::vector<std::int32_t> cells_;  // by number
  std::vector<ProofConstraint> statements_;
  std::size_t clues_;  // number of statements other than the count
  Values values_;
  std::vector<std::int32_t> coefficients_;
};

Derivation::Derivation(Shape shape, std::span<const ProofConstraint> statements,
                       Allowance& allowance)
    : shape_(shape), allowance_(allowance), statements_(statements.begin(), statements.end()) {
  for (const ProofConstraint& statement : statements_)
    cells_.insert(cells_.end(), statement.cells.begin(), statement.cells.end());
  std::sort(cells_.begin(), cells_.end());
  cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
  for (ProofConstraint& statement : statements_)
    for (std::int32_t& cell : statement.cells)
      cell = static_cast<std::int32_t>(std::lower_bound(cells_.begin(), cells_.end(), cell) -
                                       cells_.begin());
  const bool counted = !statements_.empty() && statements_.back().clue == the_count;
  clues_ = statements_.size() - (counted ? 1 : 0);
  values_.assign(cells_.size(), Value::open);
  coefficients_.assign(cells_.size(), 0);
}

std::vector<Inference> Derivation::run(std::int32_t cell, bool mine) {
  const auto own = static_cast<std::int32_t>(std::lower_bound(cells_.begin(), cells_.end(), cell) -
                                             cells_.begin());
  std::vector<Inference> steps;
  while (values_[at(own)] == Value::open) {
    auto step = next();
    if (allowance_.stops()) return {};
    steps.push_back(step ? std::move(*step) : by_cases(own, mine));
    if (allowance_.stops() || steps.back().clues.empty()) return {};
    deduce(steps.back());
  }
  steps = needed(std::move(steps), own);
  for (Inference& step : steps) rename(step);
  return steps;
}

// The easiest inference that is possible now.
std::optional<Inference> Derivation::next() {
  const std::span all(statements_);
  allowance_.spend(cells_in(all));
  const std::vector<RemainingConstraint> left = what_is_left(all.first(clues_), values_);
  if (auto step = single(left)) return step;
  if (auto step = find_pattern(shape_, left, cells_)) return step;
  if (auto step = difference(left, true)) return step;
  if (auto step = difference(left, false)) return step;
  if (auto step = sums(left, 3)) return step;
  if (clues_ == all.size()) return std::nullopt;
  if (auto step = single(what_is_left(all.last(1), values_))) return step;
  return sums(what_is_left(all, values_), 2);
}

std::optional<Inference> Derivation::single(std::span<const RemainingConstraint> left) {
  for (const auto& [statement, cells, bounds] : left) {
    if (bounds.high != 0 && at(bounds.low) != cells.size()) continue;
    const InferenceKind kind =
        statement->clue == the_count ? InferenceKind::count : InferenceKind::clue;
    Inference step{kind, {statement->clue}, {1}, {}, {}};
    for (const std::int32_t cell : cells) step.deduced.push_back({cell, bounds.high != 0});
    return step;
  }
  return std::nullopt;
}

// Two clues: if the difference between them needs all cells that only one of them has, those are
// mines.
std::optional<Inference> Derivation::difference(std::span<const RemainingConstraint> left,
                                                bool subset) {
  allowance_.spend(clues_ * clues_);
  std::vector<std::int32_t> mines, safe;
  for (const RemainingConstraint& one : left) {
    if (allowance_.stops()) return std::nullopt;
    for (const RemainingConstraint& two : left) {
      mines.clear();
      safe.clear();
      std::set_difference(one.cells.begin(), one.cells.end(), two.cells.begin(), two.cells.end(),
                          std::back_inserter(mines));
      std::set_difference(two.cells.begin(), two.cells.end(), one.cells.begin(), one.cells.end(),
                          std::back_inserter(safe));
      const bool apart = mines.size() == one.cells.size();
      if (&one == &two || apart || (mines.empty() && safe.empty())) continue;
      if (subset != (mines.empty() || safe.empty())) continue;
      if (one.bounds.low - two.bounds.high != static_cast<std::int32_t>(mines.size())) continue;
      Inference step{subset ? InferenceKind::subset : InferenceKind::pair,
                     {one.statement->clue, two.statement->clue},
                     {1, -1},
                     {},
                     {}};
      for (const std::int32_t cell : mines) step.deduced.push_back({cell, true});
      for (const std::int32_t cell : safe) step.deduced.push_back({cell, false});
      std::sort(step.deduced.begin(), step.deduced.end(),
                [](const Deduced& a, const Deduced& b) { return a.cell < b.cell; });
      return step;
    }
  }
  return std::nullopt;
}

// Signed sums of statements, until the cells that remain have all the mines they can have, or none.
// If the mine count (the last statement) is present, only sums that include it.
std::optional<Inference> Derivation::sums(std::vector<RemainingConstraint> left,
                                          std::size_t fewest) {
  const bool counted = !left.empty() && left.back().statement->clue == the_count;
  if (fewest == 2 && !counted) return std::nullopt;
  const std::size_t n = left.size();
  const bool too_many = n > most_terms;
  if (too_many && !counted) return std::nullopt;
  std::vector<const RemainingConstraint*> chosen;
  if (too_many) {  // only the sum of all clues against the count
    for (const RemainingConstraint& one : left) chosen.push_back(&one);
    std::vector<std::int8_t> signs(n, 1);
    signs.back() = -1;
    return sum(chosen, signs);
  }
  std::optional<Inference> step;
  each_sum(n, fewest, n, [&](auto places, auto signs) {
    if (counted && places.back() != n - 1) return false;
    chosen.clear();
    for (const std::size_t place : places) chosen.push_back(&left[place]);
    step = sum(chosen, signs);
    return step.has_value() || allowance_.stops();
  });
  return step;
}

std::optional<Inference> Derivation::sum(std::span<const RemainingConstraint* const> chosen,
                                         std::span<const std::int8_t> signs) {
  std::int32_t least = 0, most = 0, above = 0, below = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    allowance_.spend(chosen[i]->cells.size());
    const Bounds bounds = chosen[i]->bounds;
    least += signs[i] > 0 ? bounds.low : -bounds.high;
    most += signs[i] > 0 ? bounds.high : -bounds.low;
    for (const std::int32_t cell : chosen[i]->cells) {
      std::int32_t& number = coefficients_[at(cell)];
      (number > 0 ? above : below) -= number;
      number += signs[i];
      (number > 0 ? above : below) += number;
    }
  }
  std::optional<Inference> step;
  if ((above != 0 || below != 0) && (least == above || most == below)) {
    step.emplace(Inference{InferenceKind::sum, {}, {signs.begin(), signs.end()}, {}, {}});
    for (std::int32_t cell = 0; at(cell) < coefficients_.size(); ++cell)
      if (const std::int32_t number = coefficients_[at(cell)]; number != 0)
        step->deduced.push_back({cell, (number > 0) == (least == above)});
    for (const RemainingConstraint* one : chosen) step->clues.push_back(one->statement->clue);
    if (step->clues.back() == the_count) {
      step->kind = InferenceKind::count;
      if (signs.back() < 0)
        for (std::int8_t& sign : step->signs) sign = static_cast<std::int8_t>(-sign);
    }
  }
  for (const RemainingConstraint* one : chosen)
    for (const std::int32_t cell : one->cells) coefficients_[at(cell)] = 0;
  return step;
}

Inference Derivation::by_cases(std::int32_t cell, bool mine) {
  Inference step{InferenceKind::cases,
                 {},
                 {},
                 {{cell, mine}},
                 refute(statements_, values_, cell, !mine, allowance_)};
  for (const ProofConstraint& statement : statements_) {
    const bool named = std::any_of(step.lines.begin(), step.lines.end(), [&](const CaseLine& line) {
      return std::find(line.clues.begin(), line.clues.end(), statement.clue) != line.clues.end();
    });
    if (!named) continue;
    step.clues.push_back(statement.clue);
    step.signs.push_back(1);
  }
  return step;
}

void Derivation::deduce(const Inference& step) {
  for (const auto& [cell, mine] : step.deduced) values_[at(cell)] = value_of(mine);
}

// The steps that the cell depends on, each reduced to the deductions that are used.
std::vector<Inference> Derivation::needed(std::vector<Inference> steps, std::int32_t cell) {
  std::set<std::int32_t> wanted{cell};
  std::vector<Inference> kept;
  for (; !steps.empty(); steps.pop_back()) {
    Inference step = std::move(steps.back());
    for (const Deduced& one : step.deduced) values_[at(one.cell)] = Value::open;
    std::vector<Deduced> used;
    for (const Deduced& one : step.deduced)
      if (wanted.contains(one.cell)) used.push_back(one);
    if (used.empty()) continue;
    for (const Deduced& one : step.deduced) wanted.erase(one.cell);
    step.deduced = std::move(used);
    wanted.merge(premises(step));
    kept.push_back(std::move(step));
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

// The previously proved cells that a step depends on.
std::set<std::int32_t> Derivation::premises(const Inference& step) {
  if (step.kind == InferenceKind::cases) return case_premises(statements_, values_, step.lines);
  std::vector<const ProofConstraint*> used;
  std::int32_t number = 0;  // coefficient of the first deduced cell in the sum
  std::set<std::int32_t> touched;
  for (std::size_t i = 0; i < step.clues.size(); ++i) {
    used.push_back(
        &*std::find_if(statements_.begin(), statements_.end(),
                       [&](const ProofConstraint& s) { return s.clue == step.clues[i]; }));
    for (const std::int32_t cell : used.back()->cells) {
      if (cell == step.deduced[0].cell) number += step.signs[i];
      if (values_[at(cell)] != Value::open) touched.insert(cell);
    }
  }
  if (step.kind == InferenceKind::pattern) return touched;
  return sum_premises(used, step.signs, values_, (number > 0) == step.deduced[0].mine);
}

// Converts cell numbers back to cells.
void Derivation::rename(Inference& step) const {
  for (Deduced& one : step.deduced) one.cell = cells_[at(one.cell)];
  for (CaseLine& line : step.lines)
    for (std::int32_t& cell : line.cells) cell = cells_[at(cell)];
}

}  // namespace

std::vector<Inference> derive(Shape shape, std::span<const ProofConstraint> statements,
                              std::int32_t cell, bool mine, Allowance& allowance) {
  return Derivation(shape, statements, allowance).run(cell, mine);
}

}  // namespace mineproof
