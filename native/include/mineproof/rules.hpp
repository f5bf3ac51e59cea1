// The rules of a game with exact clues, and what can stop one before its end.
#pragma once

#include <cstdint>
#include <optional>

#include "mineproof/named_enum.hpp"

namespace mineproof {

// What the first move is promised: nothing, that it is safe, that its neighbours are, too.
NAMED_ENUM(enum class, Opening, std::uint8_t, any, safe, clear)

struct GameRules {
  bool mine_ends = true;
  Opening opening = Opening::any;
  bool count_known = true;
  bool flood = true;
  std::optional<double> density;
};

// Why a game, or what is asked of a view, came to no end.
NAMED_ENUM(enum class, Fault, std::uint8_t, none,
           broken_opening,  // the board does not keep what the opening rule promises
           overflow,        // a coefficient left the range of 64 bits
           contradiction,   // no configuration is consistent with the clues
           nowhere,         // more moves than any game needs
           cancelled)

}  // namespace mineproof
