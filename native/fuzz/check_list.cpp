// Listed configurations are consistent with the view and distinct, and their total weight is the
// one that was counted.
#include <algorithm>
#include <cmath>
#include <string>

#include "case.hpp"

using namespace mineproof;

namespace fuzz {

namespace {

constexpr std::size_t most = 500;  // more than a byte can count

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

// The log of the prior weight of a board, as defined in evidence.py.
double log_prior(const Case& made, std::int32_t mines) {
  const double size = made.shape.size();
  if (made.prior.knows_total()) return 0;
  if (!made.prior.is_independent()) return -std::log(size + 1) - log_choose(size, mines);
  const double p = made.prior.density();
  const auto [known, unknown] = made.mines();
  const int mined = mines - known;
  const int safe = unknown - mined;
  return (mined ? mined * std::log(p) : 0) + (safe ? safe * std::log1p(-p) : 0);
}

// The board of the i-th configuration; cells that are not listed are certain.
Cells board_of(const Case& made, const Engine& engine, const Arrangements& found, std::size_t i) {
  Cells mined(made.states.size());
  for (std::size_t cell = 0; cell < mined.size(); ++cell)
    mined[cell] = made.is_mine(cell) || engine.verdicts()[cell] == Verdict::mine;
  for (std::size_t j = 0; j < found.cells.size(); ++j)
    mined[at(found.cells[j])] = found.mined[i * found.cells.size() + j];
  return mined;
}

double check_board(const Case& made, const Cells& mined) {
  const Cells counts = count_mines(made.shape, mined);
  std::int32_t mines = 0;
  for (std::size_t cell = 0; cell < mined.size(); ++cell) {
    mines += mined[cell];
    if (is_clue(made.states[cell]) && counts[cell] != made.states[cell])
      fail("a configuration that violates a clue", made, cell, counts[cell]);
    if (mined[cell] && !made.is_mine(cell) && !made.is_unknown(cell))
      fail("a mine in a cell that is safe", made, cell, 1);
  }
  if (made.prior.knows_total() && mines != made.prior.mines())
    fail("a configuration with a wrong number of mines", made, 0, mines);
  return log_prior(made, mines);
}

void check_risks(const Case& made, const Engine& engine, const Arrangements& found) {
  std::vector<double> risk(made.states.size());
  engine.write_risk(risk);
  for (const std::int32_t cell : found.cells) {
    if (!made.is_unknown(at(cell))) continue;  // known to be safe
    const double listed = found.risk(cell);
    if (!(std::abs(listed - risk[at(cell)]) < 1e-6))
      fail("a risk that differs from counting", made, at(cell), listed);
  }
}

void check_components(const Case& made, Engine& engine) {
  Arrangements found;
  for (std::size_t c = 0; c < engine.components(); ++c) {
    if (!engine.is_closed(c) || !engine.list_component(c, most, found)) continue;
    if (found.size() == 0) fail("a component without a configuration", made, c, 0);
    check_risks(made, engine, found);
  }
}

}  // namespace

bool check_list(const Case& made, Engine& engine) {
  Arrangements found;
  const bool all = made.states.size() % 2;
  if (!engine.list(most, found, all)) {
    // With interior cells only, nothing but a large number of configurations can prevent listing.
    const bool is_plain = made.model.exact && made.overrides.empty() && engine.components() == 0;
    const bool are_few = engine.log_weight() < std::log(static_cast<double>(most));
    if (made.prior.knows_total() && is_plain && are_few)
      fail("few configurations, but none listed", made, 0, engine.log_weight());
    return false;
  }
  if (found.size() == 0) fail("nothing listed", made, 0, engine.log_weight());
  std::vector<Cells> boards;
  std::vector<double> weights;
  for (std::size_t i = 0; i < found.size(); ++i) {
    boards.push_back(board_of(made, engine, found, i));
    weights.push_back(check_board(made, boards.back()));
  }
  const double top = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (const double weight : weights) sum += std::exp(weight - top);
  if (!(std::abs(top + std::log(sum) - engine.log_weight()) < 1e-6))
    fail("a weight that differs from counting", made, found.size(), top + std::log(sum));
  std::sort(boards.begin(), boards.end());
  if (std::adjacent_find(boards.begin(), boards.end()) != boards.end())
    fail("listed twice", made, found.size(), 0);
  check_risks(made, engine, found);
  check_components(made, engine);
  return true;
}

}  // namespace fuzz
