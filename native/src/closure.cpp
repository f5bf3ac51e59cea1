#include "mineproof/closure.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mineproof {

namespace {

// Computes a * x - b * y. False if it overflows.
bool combine(std::int64_t a, std::int64_t x, std::int64_t b, std::int64_t y, std::int64_t& made) {
  std::int64_t ax = 0;
  std::int64_t by = 0;
  return !__builtin_mul_overflow(a, x, &ax) && !__builtin_mul_overflow(b, y, &by) &&
         !__builtin_sub_overflow(ax, by, &made);
}

}  // namespace

void Part::clear() {
  cells_.clear();
  equations_.clear();
  deduced_.clear();
  outside_.clear();
  counted_ = false;
  stand_in_ = -1;
}

void Part::add(std::int32_t clue, std::span<const std::int32_t> cells, std::int32_t least,
               std::int32_t most) {
  equations_.push_back({clue, {cells.begin(), cells.end()}, least, most, false});
  cells_.insert(cells_.end(), cells.begin(), cells.end());
}

void Part::add_count(std::span<const std::int32_t> outside, std::int32_t mines) {
  counted_ = true;
  count_mines_ = mines;
  outside_.assign(outside.begin(), outside.end());
  if (!outside.empty()) cells_.push_back(outside.front());
}

// Numbers the cells and replaces cells by their numbers in the equations.
void Part::number() {
  std::sort(cells_.begin(), cells_.end());
  cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
  const auto number_of = [this](std::int32_t cell) {
    const auto found = std::lower_bound(cells_.begin(), cells_.end(), cell);
    return static_cast<std::int32_t>(found - cells_.begin());
  };
  holding_.resize(std::max(holding_.size(), cells_.size()));
  for (std::size_t i = 0; i < cells_.size(); ++i) holding_[i].clear();
  for (std::size_t e = 0; e < equations_.size(); ++e)
    for (std::int32_t& cell : equations_[e].cells) {
      cell = number_of(cell);
      holding_[at(cell)].push_back(static_cast<std::int32_t>(e));
    }
  known_.assign(cells_.size(), 0);
  if (!outside_.empty()) stand_in_ = number_of(outside_.front());
}

// How many cells a number stands for.
std::int64_t Part::cells_of(std::int32_t number) const {
  return number == stand_in_ ? static_cast<std::int64_t>(outside_.size()) : 1;
}

// How many cells a column stands for.
std::int64_t Part::alike(std::int32_t column) const {
  if (loose_.empty() || column != loose_.front()) return 1;
  std::int64_t cells = 0;
  for (const std::int32_t number : loose_) cells += cells_of(number);
  return cells;
}

void Part::deduce(std::int32_t cell, bool mine, Rule rule) {
  if (known_[at(cell)]) return;
  known_[at(cell)] = 1;
  for (const std::int32_t e : holding_[at(cell)]) {
    Equation& equation = equations_[at(e)];
    std::erase(equation.cells, cell);
    equation.least -= mine;
    equation.most -= mine;
    if (!std::exchange(equation.waits, true)) waiting_.push_back(e);
  }
  if (cell == stand_in_) {
    count_mines_ -= mine ? static_cast<std::int32_t>(outside_.size()) : 0;
    for (const std::int32_t other : outside_) deduced_.push_back({other, mine, rule});
  } else {
    count_mines_ -= mine;
    deduced_.push_back({cells_[at(cell)], mine, rule});
  }
}

bool Part::close(bool subsets, Cancel cancel) {
  number();
  overflowed_ = cancelled_ = false;
  cancel_ = cancel;
  waiting_.resize(equations_.size());
  std::iota(waiting_.begin(), waiting_.end(), 0);
  for (Equation& equation : equations_) equation.waits = true;
  while (local() || count() || (subsets ? subset() : gauss()))
    if (stops()) break;
  return !overflowed_ && !cancelled_;
}

bool Part::local() {
  const std::size_t before = deduced_.size();
  for (std::size_t i = 0; i < waiting_.size(); ++i) {  // it grows meanwhile
    Equation& equation = equations_[at(waiting_[i])];
    equation.waits = false;
    const auto size = static_cast<std::int32_t>(equation.cells.size());
    if (size == 0 || (equation.most != 0 && equation.least != size)) continue;
    const bool mine = equation.most != 0;
    const std::vector<std::int32_t> cells = equation.cells;
    for (const std::int32_t cell : cells) deduce(cell, mine, Rule::local);
  }
  waiting_.clear();
  return deduced_.size() > before;
}

bool Part::count() {
  if (!counted_) return false;
  std::int64_t open = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (!known_[i]) open += cells_of(static_cast<std::int32_t>(i));
  if (open == 0 || (count_mines_ != 0 && count_mines_ != open)) return false;
  const bool mine = count_mines_ != 0;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    deduce(static_cast<std::int32_t>(i), mine, Rule::count);
  return true;
}

// Whether all equations are only lower bounds, or all only upper bounds.
bool Part::is_one_sided() const {
  bool only_least = true;
  bool only_most = true;
  for (const Equation& equation : equations_) {
    if (equation.cells.empty()) continue;
    only_least &= equation.most >= static_cast<std::int32_t>(equation.cells.size());
    only_most &= equation.least <= 0;
  }
  return only_least || only_most;
}

// Facts are sets of cells with the range of their numbers of mines. If one fact contains another,
// their difference is a fact, too. Nothing follows from differences if all ranges are open on the
// same side.
bool Part::subset() {
  if (is_one_sided()) return false;
  const std::size_t before = deduced_.size();
  facts_.clear();
  new_facts_.clear();
  facts_with_.resize(std::max(facts_with_.size(), cells_.size()));
  for (std::size_t i = 0; i < cells_.size(); ++i) facts_with_[i].clear();
  for (const Equation& equation : equations_) {
    Fact fact{{}, static_cast<std::int32_t>(equation.cells.size()), equation.least, equation.most};
    std::copy(equation.cells.begin(), equation.cells.end(), fact.cells.begin());
    add_fact(fact);
  }
  const auto by_cells = [this](std::int32_t a, std::int32_t b) {
    const auto here = facts_[at(a)].here();
    const auto there = facts_[at(b)].here();
    return std::lexicographical_compare(here.begin(), here.end(), there.begin(), there.end());
  };
  for (std::size_t i = 0; i < new_facts_.size(); ++i) {  // they become more meanwhile
    if (i % 64 == 0 && stops()) return false;
    const std::int32_t own = new_facts_[i];
    near_facts_.clear();
    for (const std::int32_t cell : facts_[at(own)].here())
      near_facts_.insert(near_facts_.end(), facts_with_[at(cell)].begin(),
                         facts_with_[at(cell)].end());
    std::sort(near_facts_.begin(), near_facts_.end(), by_cells);
    near_facts_.erase(std::unique(near_facts_.begin(), near_facts_.end()), near_facts_.end());
    for (const std::int32_t other : near_facts_) {
      const Fact here = facts_[at(own)];
      const Fact there = facts_[at(other)];
      if (there.size > here.size) take_away(there, here);
      if (there.size < here.size) take_away(here, there);
    }
  }
  near_facts_.clear();
  for (std::size_t i = 0; i < facts_.size(); ++i)
    if (facts_[i].most == 0 || facts_[i].least == facts_[i].size)
      near_facts_.push_back(static_cast<std::int32_t>(i));
  std::stable_sort(near_facts_.begin(), near_facts_.end(), [this](std::int32_t a, std::int32_t b) {
    return facts_[at(a)].cells[0] < facts_[at(b)].cells[0];
  });
  for (const std::int32_t i : near_facts_)
    for (const std::int32_t cell : facts_[at(i)].here())
      deduce(cell, facts_[at(i)].most != 0, Rule::subset);
  return deduced_.size() > before;
}

// Adds a fact unless it is empty, known, or contradicts what is known.
void Part::add_fact(Fact fact) {
  fact.least = std::max(fact.least, 0);
  fact.most = std::min(fact.most, fact.size);
  if (fact.size == 0 || fact.least > fact.most) return;
  for (const std::int32_t i : facts_with_[at(fact.cells[0])]) {
    Fact& known = facts_[at(i)];
    const std::span here = known.here(), there = fact.here();
    if (!std::equal(here.begin(), here.end(), there.begin(), there.end())) continue;
    const std::int32_t least = std::max(known.least, fact.least);
    const std::int32_t most = std::min(known.most, fact.most);
    if (least > most || (least == known.least && most == known.most)) return;
    known.least = least;
    known.most = most;
    return new_facts_.push_back(i);
  }
  const auto number = static_cast<std::int32_t>(facts_.size());
  for (const std::int32_t cell : fact.here()) facts_with_[at(cell)].push_back(number);
  facts_.push_back(fact);
  new_facts_.push_back(number);
}

void Part::take_away(const Fact& larger, const Fact& smaller) {
  Fact rest{{}, 0, larger.least - smaller.most, larger.most - smaller.least};
  std::int32_t common = 0;
  for (std::int32_t i = 0; i < larger.size; ++i) {
    if (common < smaller.size && smaller.cells[at(common)] == larger.cells[at(i)])
      ++common;
    else
      rest.cells[at(rest.size++)] = larger.cells[at(i)];
  }
  if (common == smaller.size) add_fact(rest);
}

bool Part::gauss() {
  const std::size_t before = deduced_.size();
  loose_.clear();
  if (counted_) find_loose();
  if (!reduce() || !reduce_back() || (counted_ && !reduce_count())) {
    overflowed_ = !cancelled_;
    return false;
  }
  // Collects the deductions of all rows before applying any, as applying one would change the other
  // rows.
  std::vector<std::pair<std::int32_t, bool>> found;
  for (const Row& row : done_) {
    std::int64_t most = 0;
    std::int64_t least = 0;
    for (const Term& term : row.terms) {
      const std::int64_t total = term.factor * alike(term.cell);
      (total > 0 ? most : least) += total;
    }
    if (row.value != most && row.value != least) continue;
    for (const Term& term : row.terms)
      found.emplace_back(term.cell, (term.factor > 0) == (row.value == most));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [column, mine] : found) {
    deduce(column, mine, Rule::gauss);
    if (alike(column) == 1) continue;
    for (const std::int32_t number : loose_) deduce(number, mine, Rule::gauss);
  }
  return deduced_.size() > before;
}

void Part::find_loose() {
  std::vector<std::uint8_t> exact(cells_.size(), 0);
  for (const Equation& equation : equations_)
    if (equation.is_exact())
      for (const std::int32_t cell : equation.cells) exact[at(cell)] = 1;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (!known_[i] && !exact[i]) loose_.push_back(static_cast<std::int32_t>(i));
}

// Computes the row echelon form, with columns in ascending order of cells. False, here and in the
// functions below, if it overflows or is cancelled.
bool Part::reduce() {
  rows_.clear();
  done_.clear();
  std::vector<const Equation*> exact;
  for (const Equation& equation : equations_)
    if (!equation.cells.empty() && equation.is_exact()) exact.push_back(&equation);
  std::sort(exact.begin(), exact.end(),
            [](const Equation* a, const Equation* b) { return a->clue < b->clue; });
  for (const Equation* equation : exact) {
    Row row{{}, equation->least};
    for (const std::int32_t cell : equation->cells) row.terms.push_back({cell, 1});
    rows_.push_back(std::move(row));
  }
  while (!rows_.empty()) {
    if (stops()) return false;
    // Finds the row whose first column is lowest, and all other rows that start in that column.
    std::size_t first = 0;
    for (std::size_t i = 1; i < rows_.size(); ++i)
      if (rows_[i].terms[0].cell < rows_[first].terms[0].cell) first = i;
    Row pivot = std::move(rows_[first]);
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(first));
    for (Row& row : rows_)
      if (row.terms[0].cell == pivot.terms[0].cell && !eliminate(row, pivot, 0)) return false;
    std::erase_if(rows_, [](const Row& row) { return row.terms.empty(); });
    done_.push_back(std::move(pivot));
  }
  return true;
}

// Continues to the reduced row echelon form, from the last row back.
bool Part::reduce_back() {
  for (std::size_t i = done_.size(); i-- > 0;) {
    if (stops()) return false;
    for (std::size_t j = 0; j < i; ++j) {
      Row& row = done_[j];
      const std::int32_t column = done_[i].terms[0].cell;
      const auto found =
          std::lower_bound(row.terms.begin(), row.terms.end(), column,
                           [](const Term& term, std::int32_t cell) { return term.cell < cell; });
      if (found == row.terms.end() || found->cell != column) continue;
      if (!eliminate(row, done_[i], static_cast<std::size_t>(found - row.terms.begin())))
        return false;
    }
  }
  for (Row& row : done_) make_primitive(row);
  return true;
}

// Adds the mine count as one more row over all undecided cells, and keeps what remains of it after
// elimination by the other rows.
bool Part::reduce_count() {
  Row count{{}, count_mines_};
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (!known_[i] && !std::binary_search(loose_.begin() + !loose_.empty(), loose_.end(),
                                          static_cast<std::int32_t>(i)))
      count.terms.push_back({static_cast<std::int32_t>(i), 1});
  const auto place = [](const Row& row, std::int32_t column) {
    for (std::size_t i = 0; i < row.terms.size(); ++i)
      if (row.terms[i].cell == column) return i;
    return row.terms.size();
  };
  for (const Row& pivot : done_) {
    if (stops()) return false;
    const std::size_t i = place(count, pivot.terms[0].cell);
    if (i < count.terms.size() && !eliminate(count, pivot, i)) return false;
  }
  if (count.terms.empty()) return true;
  make_primitive(count);
  for (Row& row : done_) {
    if (stops()) return false;
    const std::size_t i = place(row, count.terms[0].cell);
    if (i == row.terms.size()) continue;
    if (!eliminate(row, count, i)) return false;
    make_primitive(row);
  }
  done_.push_back(std::move(count));
  return true;
}

// Eliminates the pivot's first column, which is term `i` of the row, from the row. False if it
// overflows.
bool Part::eliminate(Row& row, const Row& pivot, std::size_t i) {
  std::int64_t keep = pivot.terms[0].factor;
  std::int64_t take = row.terms[i].factor;
  const std::int64_t common = std::gcd(keep, take) * (keep < 0 ? -1 : 1);
  keep /= common;
  take /= common;
  std::vector<Term> made;
  made.reserve(row.terms.size() + pivot.terms.size());
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < row.terms.size() || b < pivot.terms.size()) {
    const bool from_row = b == pivot.terms.size() ||
                          (a < row.terms.size() && row.terms[a].cell <= pivot.terms[b].cell);
    const bool from_pivot = a == row.terms.size() ||
                            (b < pivot.terms.size() && pivot.terms[b].cell <= row.terms[a].cell);
    Term term{from_row ? row.terms[a].cell : pivot.terms[b].cell, 0};
    const std::int64_t of_row = from_row ? row.terms[a++].factor : 0;
    const std::int64_t of_pivot = from_pivot ? pivot.terms[b++].factor : 0;
    if (!combine(keep, of_row, take, of_pivot, term.factor)) return false;
    if (term.factor != 0) made.push_back(term);
  }
  if (!combine(keep, row.value, take, pivot.value, row.value)) return false;
  row.terms = std::move(made);
  if (!row.terms.empty()) make_primitive(row);
  return true;
}

// Divides the row by its greatest common divisor and makes the first coefficient positive.
void Part::make_primitive(Row& row) {
  std::int64_t common = row.value;
  for (const Term& term : row.terms) common = std::gcd(common, term.factor);
  if (row.terms[0].factor < 0) common = -common;
  if (common == 1 || common == 0) return;
  for (Term& term : row.terms) term.factor /= common;
  row.value /= common;
}

}  // namespace mineproof
