// Cells: what one may show, asked in one place, and arrays indexed by cell.
//
// A cell is its index, row by row: a std::int32_t. The twin of the states in view.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mineproof/named_enum.hpp"

namespace mineproof {

// What a cell of a view shows; 0 to 8 is a clue. The same numbers as in view.py.
NAMED_ENUM(enum, State, std::uint8_t, hidden = 9, told_safe, no_clue, exploded, flagged)

constexpr std::uint8_t largest_clue = 8;

[[nodiscard]] constexpr bool is_clue(std::uint8_t state) { return state <= largest_clue; }
// Neither opened nor exploded.
[[nodiscard]] constexpr bool is_covered(std::uint8_t state) {
  return state == hidden || state == told_safe || state == flagged;
}
// Opened, with a clue or without.
[[nodiscard]] constexpr bool is_opened(std::uint8_t state) {
  return is_clue(state) || state == no_clue;
}

// The array index of a cell (or of anything else that is numbered from 0).
[[nodiscard]] constexpr std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// Something for every cell: a vector that takes a cell as it is.
template <class T>
struct ByCell : std::vector<T> {
  using std::vector<T>::vector;
  [[nodiscard]] T& operator[](std::int32_t cell) { return this->begin()[cell]; }
  [[nodiscard]] const T& operator[](std::int32_t cell) const { return this->begin()[cell]; }
  [[nodiscard]] T& operator[](std::size_t i) { return std::vector<T>::operator[](i); }
  [[nodiscard]] const T& operator[](std::size_t i) const { return std::vector<T>::operator[](i); }
};

}  // namespace mineproof
