#include "mineproof/proof_statements.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "mineproof/cells.hpp"

namespace mineproof {

std::optional<Bounds> ProofConstraint::bounds(std::int32_t mines, std::int32_t undecided) const {
  const std::int32_t shift = base - mines;
  std::uint32_t possible = allowed;
  if (shift < 0) possible = shift > -32 ? possible >> -shift : 0;
  const std::int32_t first = std::max(shift, 0);
  if (undecided < first) return std::nullopt;
  if (undecided - first < 31) possible &= (2U << (undecided - first)) - 1;
  if (possible == 0) return std::nullopt;
  return Bounds{first + std::countr_zero(possible), first + 31 - std::countl_zero(possible)};
}

std::optional<Bounds> ProofConstraint::left(const Values& values,
                                            std::vector<std::int32_t>& undecided) const {
  undecided.clear();
  std::int32_t mines = 0;
  for (const std::int32_t cell : cells) {
    if (values[at(cell)] == Value::open) undecided.push_back(cell);
    mines += values[at(cell)] == Value::mine;
  }
  return bounds(mines, static_cast<std::int32_t>(undecided.size()));
}

bool ProofConstraint::deduces_all() const {
  const auto room = static_cast<std::int32_t>(cells.size());
  const auto possible = bounds(0, room);
  return possible && (possible->high == 0 || possible->low == room);
}

std::int32_t ProofConstraint::largest() const { return base + 31 - std::countl_zero(allowed); }

std::vector<RemainingConstraint> what_is_left(std::span<const ProofConstraint> statements,
                                              const Values& values) {
  std::vector<RemainingConstraint> found;
  std::vector<std::int32_t> open;
  for (const ProofConstraint& statement : statements) {
    const auto bounds = statement.left(values, open);
    if (bounds && !open.empty()) found.push_back({&statement, open, *bounds});
  }
  return found;
}

std::set<std::int32_t> sum_premises(std::span<const ProofConstraint* const> used,
                                    std::span<const std::int8_t> signs, const Values& values,
                                    bool full) {
  std::map<std::int32_t, std::int32_t> numbers;
  bool exact = true;
  for (std::size_t i = 0; i < used.size(); ++i) {
    exact = exact && used[i]->is_exact();
    for (const std::int32_t cell : used[i]->cells) numbers[cell] += signs[i];
  }
  std::set<std::int32_t> found;
  for (const auto& [cell, number] : numbers) {
    const Value value = values[at(cell)];
    const bool contradicted = number != 0 && value != value_of((number > 0) == full);
    if (value != Value::open && (!exact || contradicted)) found.insert(cell);
  }
  return found;
}

namespace {

// The true counts that a clue allows: bit n for n mines around it.
std::uint32_t possible_counts(const View& view, std::int32_t cell, std::int32_t degree,
                              const Override* own) {
  const std::uint8_t state = view.states[at(cell)];
  const std::uint8_t shown = state == no_clue ? 9 : state;
  if (own == nullptr && view.model->exact) return shown == 9 ? (2U << degree) - 1 : 1U << shown;
  const double* table =
      own != nullptr ? own->table.data() : view.model->table[shown][at(degree)].data();
  std::uint32_t possible = 0;
  for (std::int32_t count = 0; count <= degree; ++count)
    if (table[count] > 0) possible |= 1U << count;
  return possible;
}

}  // namespace

std::vector<ProofConstraint> gather_statements(const View& view) {
  std::vector<ProofConstraint> found;
  std::size_t next = 0;  // index into the overrides
  for (std::int32_t cell = 0; cell < view.shape.size(); ++cell) {
    while (next < view.overrides.size() && view.overrides[next].cell < cell) ++next;
    if (!is_opened(view.states[at(cell)])) continue;
    const bool has_own = next < view.overrides.size() && view.overrides[next].cell == cell;
    ProofConstraint statement{cell, {}, 0};
    std::int32_t degree = 0, mines = 0;
    view.shape.each_neighbour(cell, [&](std::int32_t near) {
      const std::uint8_t state = view.states[at(near)];
      ++degree;
      mines += view.is_known_mine(state);
      if (view.is_unknown(state)) statement.cells.push_back(near);
    });
    const std::uint32_t all = (2U << statement.cells.size()) - 1;
    const Override* own = has_own ? &view.overrides[next] : nullptr;
    statement.allowed = (possible_counts(view, cell, degree, own) >> mines) & all;
    if (!statement.cells.empty() && statement.allowed != all) found.push_back(std::move(statement));
  }
  return found;
}

}  // namespace mineproof
