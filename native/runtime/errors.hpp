// Errors above the kernel. The kernel returns values; here they become exceptions, and the
// bindings give each its own type in Python.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "mineproof/rules.hpp"

namespace mineproof::runtime {

// An invalid argument: inconsistent sizes, cells outside the board.
struct Invalid : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// The call was cancelled; discard its results.
struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

struct TooManyStates : std::runtime_error {
  TooManyStates() : std::runtime_error("the search needs more states than allowed") {}
};

// A ready board has a mine where the opening rule allows none.
struct BrokenOpening : std::runtime_error {
  explicit BrokenOpening(std::uint64_t number)
      : std::runtime_error("the board breaks the opening rule"), game(number) {}
  std::uint64_t game;
};

// A bug in mineproof: something impossible happened.
struct Impossible : std::logic_error {
  using std::logic_error::logic_error;
};

// A coefficient of a row exceeds 64 bits; Python's integers are unlimited.
struct Overflow : std::runtime_error {
  Overflow() : std::runtime_error("a coefficient exceeds 64 bits") {}
};

// Throws the fault that the kernel returned as a value, if any, in the game number `game`.
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
      throw Invalid("no configuration of mines is consistent with the view");
    case Fault::nowhere:
      throw Impossible("the agent made too many moves without finishing the game");
  }
}

}  // namespace mineproof::runtime
