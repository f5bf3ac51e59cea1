// Conversions between Python values and the runtime's types.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/question.hpp"

namespace mineproof::python {

namespace nb = nanobind;
using namespace nb::literals;

// Cells with their own likelihoods: the cell, and the likelihood by count.
using Overrides = std::vector<std::pair<std::int32_t, std::vector<double>>>;

inline nb::bytes to_bytes(std::span<const std::uint8_t> cells) {
  return nb::bytes(reinterpret_cast<const char*>(cells.data()), cells.size());
}

inline Cells to_cells(const nb::bytes& cells) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(cells.c_str());
  return {begin, begin + cells.size()};
}

// nan becomes None.
inline std::optional<double> known(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

// The cells with this verdict, ascending.
std::vector<std::int32_t> cells_with(std::span<const Verdict> verdicts, Verdict wanted);

// Each name of an enumeration as text (see named_enum.hpp), with its number.
std::vector<std::pair<std::string, std::uint32_t>> enumerators(std::string_view names);

// The same enumeration in Python.
template <class Enum>
void bind_enum(nb::handle scope, const char* name, const char* about) {
  nb::enum_<Enum> bound(scope, name, about);
  for (const auto& [enumerator, number] : enumerators(names_of(Enum{})))
    bound.value(enumerator.c_str(), static_cast<Enum>(number));
}

// How to read views: everything but the view itself.
struct Reading {
  std::shared_ptr<const ClueModel> model;  // null for exact clues
  std::optional<double> density;
  bool trust_flags = false;
  std::size_t budget = state_budget;
  std::vector<std::int32_t> watched = {};
};
// The model that `model` points to; null stands for exact clues.
inline const ClueModel& or_exact(const ClueModel* model) {
  return model == nullptr ? exact_clues : *model;
}
// A copy of a clue model.
inline std::shared_ptr<const ClueModel> own(const ClueModel* model) {
  return model == nullptr ? nullptr : std::make_shared<const ClueModel>(*model);
}
// A query about a view. Copies everything, so Python may change its objects afterwards. A view has
// `grid` (with `rows` and `cols`), `states` and `mines`, each of which is read once; a `mines`
// argument takes precedence.
runtime::Question ask(nb::handle view, const Reading& reading, const Overrides& overrides,
                      std::optional<std::int32_t> mines = std::nullopt);

// Each registers its part of the module.
void bind_errors(nb::module_& m);
void bind_interrupt(nb::module_& m);
void bind_boards(nb::module_& m);
void bind_posterior(nb::module_& m);
void bind_games(nb::module_& m);
void bind_advice(nb::module_& m);
void bind_proofs(nb::module_& m);
void bind_generation(nb::module_& m);
void bind_vector_game(nb::module_& m);
void bind_positions(nb::module_& m);

}  // namespace mineproof::python
