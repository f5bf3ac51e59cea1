// Enumerations that cross the border to Python and to the page: their names are typed once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

// Defines an enumeration, `Kind` being `enum` or `enum class`. Its enumerators as text are
// `names_of(Name{})`: `a, b = 3, c`.
#define NAMED_ENUM(Kind, Name, Type, ...) \
  Kind Name : Type{__VA_ARGS__};          \
  [[nodiscard]] constexpr std::string_view names_of(Name) { return #__VA_ARGS__; }

namespace mineproof {

// The number of its enumerators.
template <class Enum>
constexpr std::size_t count_of = [] {
  const std::string_view names = names_of(Enum{});
  return static_cast<std::size_t>(std::count(names.begin(), names.end(), ',')) + 1;
}();

}  // namespace mineproof
