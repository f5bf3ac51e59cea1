// The rules of a game, and the reasons why a game can fail to finish.
#pragma once

#include <cstdint>
#include <optional>

#include "mineproof/named_enum.hpp"

namespace mineproof {

// What the first move guarantees: nothing; that its cell is safe; that its neighbours are safe,
// too.
NAMED_ENUM(enum class, Opening, std::uint8_t, any, safe, clear)

// Whether the board is fixed when it is dealt, or every loss is a mistake (see fair.hpp).
NAMED_ENUM(enum class, Luck, std::uint8_t, dealt, fair)

struct GameRules {
  bool mine_ends = true;
  Opening opening = Opening::any;
  bool count_known = true;
  bool flood = true;
  std::optional<double> density;
  Luck luck = Luck::dealt;  // fair only if mine_ends
};

// Why a game or a query about a view has no result.
NAMED_ENUM(enum class, Fault, std::uint8_t, none,
           broken_opening,  // the board does not keep what the opening rule promises
           overflow,        // a coefficient left the range of 64 bits
           contradiction,   // no configuration is consistent with the clues
           nowhere,         // more moves than any game needs
           cancelled)

}  // namespace mineproof
