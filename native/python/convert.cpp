#include "convert.hpp"

#include <algorithm>
#include <string>

#include "runtime/errors.hpp"

namespace mineproof::python {

namespace {

// An attribute of a Python object, its name made once.
#define ATTRIBUTE(object, name)                                         \
  ([&] {                                                                \
    static PyObject* const interned = PyUnicode_InternFromString(name); \
    return nb::steal(nb::detail::getattr((object).ptr(), interned));    \
  }())

}  // namespace

std::vector<std::int32_t> cells_with(std::span<const Verdict> verdicts, Verdict wanted) {
  std::vector<std::int32_t> cells;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (verdicts[i] == wanted) cells.push_back(static_cast<std::int32_t>(i));
  return cells;
}

Asking ask(nb::handle view, const Reading& reading, const Overrides& overrides,
           std::optional<std::int32_t> mines) {
  runtime::Asked asked;
  const nb::object grid = ATTRIBUTE(view, "grid");
  asked.shape = {nb::cast<std::int32_t>(ATTRIBUTE(grid, "rows")),
                 nb::cast<std::int32_t>(ATTRIBUTE(grid, "cols"))};
  auto states = nb::cast<nb::bytes>(ATTRIBUTE(view, "states"));
  asked.states = {reinterpret_cast<const std::uint8_t*>(states.c_str()), states.size()};
  asked.mines = mines;
  if (!mines) asked.mines = nb::cast<std::optional<std::int32_t>>(ATTRIBUTE(view, "mines"));
  for (const auto& [cell, table] : overrides) {
    Override own{cell, {}};
    if (table.size() > own.table.size())
      throw runtime::Invalid("a likelihood has at most 9 numbers, got " +
                             std::to_string(table.size()));
    std::copy(table.begin(), table.end(), own.table.begin());
    asked.overrides.push_back(own);
  }
  asked.model = reading.model;
  asked.density = reading.density;
  asked.trust_flags = reading.trust_flags;
  asked.budget = reading.budget;
  return {std::move(states), runtime::Question(std::move(asked))};
}

}  // namespace mineproof::python
