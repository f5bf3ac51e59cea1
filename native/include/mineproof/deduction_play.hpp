// Plays a board from its start by certain moves only, and reports how far that gets and which
// levels of reasoning it takes. Python twin: boards/deduction_play.py.
//
// Levels are cumulative: each includes those before it. In every position the lowest level that
// proves some covered cell safe is used; everything that it proves safe is opened, and proved mines
// are remembered. So the result depends on the board, the start and the levels, but not on the
// order of moves.
//
// Cost: about that of a game, 0.1 ms for an expert board without `subset` and `gauss`. Leaving
// those two out does not change what is opened at `exact`, only which levels it is attributed to.
// Reuses its memory; one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/advanced_rules.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/player_knowledge.hpp"
#include "mineproof/referee.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

NAMED_ENUM(enum class, Reasoning, std::uint8_t, local, pairs, subset, gauss, exact)
constexpr std::size_t reasoning_count = count_of<Reasoning>;

// A set of levels, one bit each.
using Levels = std::uint8_t;
[[nodiscard]] constexpr Levels only(Reasoning level) {
  return static_cast<Levels>(1U << static_cast<unsigned>(level));
}
// A level and all before it.
[[nodiscard]] constexpr Levels up_to(Reasoning level) {
  return static_cast<Levels>((2U << static_cast<unsigned>(level)) - 1);
}
// The smallest set that opens the same cells as up_to(): `exact` subsumes `subset` and `gauss`.
[[nodiscard]] constexpr Levels quickest(Reasoning level) {
  if (level != Reasoning::exact) return up_to(level);
  return only(Reasoning::local) | only(Reasoning::pairs) | only(Reasoning::exact);
}

struct DeductionResult {
  Fault fault = Fault::none;  // unless none, nothing below is valid
  bool solved = false;        // every safe cell was opened
  std::int32_t opened = 0;    // safe cells that were opened
  // By level: the number of positions in which it proved a covered cell safe and no lower level
  // did.
  std::array<std::int32_t, reasoning_count> times{};
};

class DeductionPlayer {
 public:
  // The mine count is known. Returns a fault if the board violates the opening rule at the start,
  // if a row overflowed 64 bits, or if cancelled.
  DeductionResult play(Shape shape, std::span<const std::uint8_t> mined, std::int32_t start,
                       Opening opening, Levels levels, Cancel cancel = {});

  // After play(): what was seen and deduced by its end.
  [[nodiscard]] const PlayerKnowledge& knowledge() const { return knowledge_; }

 private:
  [[nodiscard]] Fault begin(Shape shape, std::span<const std::uint8_t> mined, std::int32_t start,
                            Opening opening, Cancel cancel);
  // Reasons with these levels, the highest of which is `level`, to the fixpoint.
  [[nodiscard]] Fault close(Reasoning level, Levels levels);
  [[nodiscard]] Fault find(Reasoning level);
  void note_changes();
  void deduce(const Deductions& findings);
  void open_all();

  Referee referee_;
  PlayerKnowledge knowledge_;
  KnowledgePosterior counted_;
  Deductions by_subset_, by_gauss_, by_counting_;
  // Clues that changed since the reasoner was last applied to their components.
  std::vector<std::int32_t> for_subset_, for_gauss_;
  SharedNeighbourhood neighbourhood_;
};

}  // namespace mineproof
