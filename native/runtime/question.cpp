#include "runtime/question.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "mineproof/cells.hpp"
#include "runtime/errors.hpp"

namespace mineproof::runtime {

namespace {

constexpr std::int32_t longest_side = 1000;  // the same as in geometry.py
constexpr std::int32_t few_cells = 500;      // smaller views take less than 0.1 s, as far as known

// Not owned.
const std::shared_ptr<const ClueModel> no_noise(std::shared_ptr<const ClueModel>(), &exact_clues);

// Checks eight bytes at a time: a byte has its highest bit set, or gets it by adding 127 minus the
// last state, if and only if it exceeds the last state. Worth it because short views are queried
// thousands of times.
bool are_states(std::span<const std::uint8_t> states) {
  constexpr std::uint64_t each = 0x0101010101010101U;
  std::size_t i = 0;
  for (; i + 8 <= states.size(); i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, states.data() + i, 8);
    if ((eight | (eight + each * (0x7F - flagged))) & each * 0x80) return false;
  }
  return std::all_of(states.begin() + static_cast<std::ptrdiff_t>(i), states.end(),
                     [](std::uint8_t state) { return state <= flagged; });
}

// Rounding may make a probability slightly exceed 1.
bool is_likelihood(double chance) { return chance >= 0 && chance <= 1 + 1e-9; }

void check_likelihoods(std::span<const double> table) {
  if (!std::all_of(table.begin(), table.end(), is_likelihood))
    throw Invalid("a likelihood must be from 0 to 1");
}

}  // namespace

void check_shape(Shape shape) {
  for (const std::int32_t side : {shape.rows, shape.cols})
    if (side < 1 || side > longest_side)
      throw Invalid("a side of a board must be from 1 to " + std::to_string(longest_side) +
                    ", got " + std::to_string(side));
}

void check_density(std::optional<double> density) {
  if (density && !(*density >= 0 && *density <= 1)) throw Invalid("a density must be from 0 to 1");
}

void check_model(const ClueModel& model) {
  for (const auto& shown : model.table)
    for (const auto& chances : shown) check_likelihoods(chances);
}

void check_luck(const GameRules& rules, const ClueModel& clues) {
  if (rules.luck == Luck::fair && !(rules.mine_ends && clues.exact))
    throw Invalid("games without luck need exact clues, and end when a mine is opened");
}

void check_budget(const Budget& budget) {
  for_each_budget_field([&](const char* name, auto member, auto least, auto most) {
    if (!(budget.*member >= least && budget.*member <= most))
      throw Invalid("a budget's " + std::string(name) + " must be from " + std::to_string(least) +
                    " to " + std::to_string(most));
  });
}

Question::Question(Asked asked) : asked_(std::move(asked)) {
  check();
  if (asked_.model == nullptr) asked_.model = no_noise;
  if (asked_.mines)
    prior_ = Prior::count(*asked_.mines);
  else
    prior_ = asked_.density ? Prior::density(*asked_.density) : Prior::uniform();
}

void Question::check() const {
  const auto& [shape, states, mines, model, overrides, density, trust_flags, budget, watched] =
      asked_;
  check_shape(shape);
  if (states.size() != at(shape.size())) throw Invalid("expected one state per cell of the shape");
  if (!are_states(states)) throw Invalid("a cell has an invalid state");
  const auto check_clue = [&, &shown = states](std::int32_t row, std::int32_t col) {
    const std::uint8_t state = shown[at(row * shape.cols + col)];
    if (!is_clue(state) || state == 0) return;
    const std::int32_t height = std::min(row + 2, shape.rows) - std::max(row - 1, 0);
    const std::int32_t width = std::min(col + 2, shape.cols) - std::max(col - 1, 0);
    if (state > height * width - 1) throw Invalid("a clue is larger than the number of neighbours");
  };
  for (std::int32_t col = 0; col < shape.cols; ++col) {
    check_clue(0, col);
    check_clue(shape.rows - 1, col);
  }
  for (std::int32_t row = 1; row < shape.rows - 1; ++row) {
    check_clue(row, 0);
    check_clue(row, shape.cols - 1);
  }
  if (mines && (*mines < 0 || *mines > shape.size()))
    throw Invalid("no board of this shape has " + std::to_string(*mines) + " mines");
  check_density(density);
  if (model != nullptr) check_model(*model);
  std::set<std::int32_t> once;
  for (const Override& own : overrides) {
    if (own.cell < 0 || own.cell >= shape.size() || !is_opened(states[at(own.cell)]))
      throw Invalid("a likelihood must be for an open cell");
    if (!once.insert(own.cell).second) throw Invalid("a cell has two likelihoods");
    check_likelihoods(own.table);
  }
  once.clear();
  for (const std::int32_t cell : watched)
    if (cell < 0 || cell >= shape.size() || !is_opened(states[at(cell)]) ||
        !once.insert(cell).second)
      throw Invalid("the watched cells must be open and distinct");
}

View Question::view() const {
  return {asked_.shape,     asked_.states,      asked_.model.get(),
          asked_.overrides, asked_.trust_flags, asked_.watched};
}

bool Question::may_last() const {
  return asked_.states.size() > at(few_cells) || !asked_.model->exact ||
         !asked_.overrides.empty() || !asked_.watched.empty();
}

}  // namespace mineproof::runtime
