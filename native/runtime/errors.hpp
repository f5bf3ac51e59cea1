// What can go wrong above the kernel. The kernel returns values; here they become exceptions,
// and the bindings give each its own type in Python.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "mineproof/rules.hpp"

namespace mineproof::runtime {

// Something that no caller may ask: sizes that do not go together, cells outside the board.
struct Invalid : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Somebody asked to stop; what was found is worth nothing.
struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

struct TooManyStates : std::runtime_error {
  TooManyStates() : std::runtime_error("more states than allowed") {}
};

// A ready board has a mine where the opening rule promises none.
struct BrokenOpening : std::runtime_error {
  explicit BrokenOpening(std::uint64_t number)
      : std::runtime_error("the board breaks the opening rule"), game(number) {}
  std::uint64_t game;
};

// Something that never is: a fault of ours.
struct Impossible : std::logic_error {
  using std::logic_error::logic_error;
};

// A coefficient of a row left the range of 64 bits: Python's whole numbers have none.
struct Overflow : std::runtime_error {
  Overflow() : std::runtime_error("a coefficient leaves the range of 64 bits") {}
};

// What the kernel tells as a value, thrown; `game` is the number of the game it happened in.
inline void check(Fault fault, std::uint64_t game = 0) {
  switch (fault) {
    case Fault::none:
      return;
    case Fault::broken_opening:
      throw BrokenOpening(game);
    case Fault::overflow:
      throw Overflow();
    case Fault::cancelled:
      throw Cancelled();
    case Fault::contradiction:
      throw Invalid("no arrangement of mines fits the view");
    case Fault::nowhere:
      throw Impossible("a player gets nowhere");
  }
}

}  // namespace mineproof::runtime
