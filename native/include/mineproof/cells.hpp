// Cell states, predicates on them, and arrays indexed by cell.
//
// A cell is identified by its index, row * cols + col, as a std::int32_t. The state values are
// those of view.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mineproof/named_enum.hpp"

namespace mineproof {

// The state of a cell in a view; 0 to 8 is a clue. The numbers match view.py.
NAMED_ENUM(enum, State, std::uint8_t, hidden = 9, known_safe, no_clue, exploded, flagged)

constexpr std::uint8_t largest_clue = 8;

[[nodiscard]] constexpr bool is_clue(std::uint8_t state) { return state <= largest_clue; }
// Neither opened nor exploded.
[[nodiscard]] constexpr bool is_covered(std::uint8_t state) {
  return state == hidden || state == known_safe || state == flagged;
}
// Opened, with a clue or without.
[[nodiscard]] constexpr bool is_opened(std::uint8_t state) {
  return is_clue(state) || state == no_clue;
}

// Converts a cell (or any other index counted from 0) to an array index.
[[nodiscard]] constexpr std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// A vector with one element per cell, indexed by cell without a cast.
template <class T>
struct ByCell : std::vector<T> {
  using std::vector<T>::vector;
  [[nodiscard]] T& operator[](std::int32_t cell) { return this->begin()[cell]; }
  [[nodiscard]] const T& operator[](std::int32_t cell) const { return this->begin()[cell]; }
  [[nodiscard]] T& operator[](std::size_t i) { return std::vector<T>::operator[](i); }
  [[nodiscard]] const T& operator[](std::size_t i) const { return std::vector<T>::operator[](i); }
};

}  // namespace mineproof
