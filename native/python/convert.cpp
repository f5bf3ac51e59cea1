#include "convert.hpp"

#include <algorithm>
#include <string>

#include "runtime/errors.hpp"

namespace mineproof::python {

namespace {

// An attribute of a Python object; the name is interned once.
#define ATTRIBUTE(object, name)                                         \
  ([&] {                                                                \
    static PyObject* const interned = PyUnicode_InternFromString(name); \
    return nb::steal(nb::detail::getattr((object).ptr(), interned));    \
  }())

// A Python value converted to T.
template <class T>
T as(const nb::object& value, const char* expected) {
  T found{};
  if (!nb::try_cast(value, found)) throw runtime::Invalid(std::string("a view's ") + expected);
  return found;
}

}  // namespace

std::vector<std::pair<std::string, std::uint32_t>> enumerators(std::string_view names) {
  std::vector<std::pair<std::string, std::uint32_t>> found;
  std::uint32_t number = 0;
  for (std::string name; const char letter : std::string(names) + ',') {
    if (letter == ',') {
      if (const auto equals = name.find('='); equals != std::string::npos) {
        number = static_cast<std::uint32_t>(std::stoul(name.substr(equals + 1)));
        name.resize(equals);
      }
      found.emplace_back(std::move(name), number++);
      name.clear();
    } else if (letter != ' ') {
      name += letter;
    }
  }
  return found;
}

std::vector<std::int32_t> cells_with(std::span<const Verdict> verdicts, Verdict wanted) {
  std::vector<std::int32_t> cells;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (verdicts[i] == wanted) cells.push_back(static_cast<std::int32_t>(i));
  return cells;
}

runtime::Question ask(nb::handle view, const Reading& reading, const Overrides& overrides,
                      std::optional<std::int32_t> mines) {
  runtime::Asked asked;
  const nb::object grid = ATTRIBUTE(view, "grid");
  asked.shape = {as<std::int32_t>(ATTRIBUTE(grid, "rows"), "rows must be a whole number"),
                 as<std::int32_t>(ATTRIBUTE(grid, "cols"), "cols must be a whole number")};
  asked.states = to_cells(as<nb::bytes>(ATTRIBUTE(view, "states"), "states must be bytes"));
  asked.mines = mines;
  if (!mines)
    asked.mines = as<std::optional<std::int32_t>>(ATTRIBUTE(view, "mines"),
                                                  "mines must be a whole number or None");
  for (const auto& [cell, table] : overrides) {
    Override own{cell, {}};
    if (table.size() > own.table.size())
      throw runtime::Invalid("a likelihood must have at most 9 numbers, got " +
                             std::to_string(table.size()));
    std::copy(table.begin(), table.end(), own.table.begin());
    asked.overrides.push_back(own);
  }
  asked.model = reading.model;
  asked.density = reading.density;
  asked.trust_flags = reading.trust_flags;
  asked.budget = reading.budget;
  asked.watched = reading.watched;
  return runtime::Question(std::move(asked));
}

}  // namespace mineproof::python
