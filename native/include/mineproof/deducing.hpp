// A board played from its start by certain moves only: how far that gets, and
// which reasoning it takes. The twin of boards/deducing.py.
//
// Levels add up: each reasons with all before it. At every position the lowest level that proves
// some covered cell safe is asked, and all that it proves safe is opened; what was proved to be a
// mine stays known. So the answer depends on the board, the start and the levels, and not on any
// order.
//
// Cost: that of a game; an expert board takes some 0.1 ms where `subset` and `gauss` are left out,
// which changes nothing below `exact` but what it took. Memory is kept; one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/beyond.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/mind.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/referee.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

NAMED_ENUM(enum class, Reasoning, std::uint8_t, local, pairs, subset, gauss, exact)
constexpr std::size_t reasoning_count = count_of<Reasoning>;

// Which levels are asked, a bit for each.
using Levels = std::uint8_t;
[[nodiscard]] constexpr Levels only(Reasoning level) {
  return static_cast<Levels>(1U << static_cast<unsigned>(level));
}
// A level and all before it.
[[nodiscard]] constexpr Levels up_to(Reasoning level) {
  return static_cast<Levels>((2U << static_cast<unsigned>(level)) - 1);
}
// The fewest that open the same cells as up_to(): `exact` proves all that the others do.
[[nodiscard]] constexpr Levels quickest(Reasoning level) {
  if (level != Reasoning::exact) return up_to(level);
  return only(Reasoning::local) | only(Reasoning::pairs) | only(Reasoning::exact);
}

struct Deduced {
  Fault fault = Fault::none;  // otherwise nothing below is valid
  bool solved = false;        // every safe cell was opened
  std::int32_t opened = 0;    // safe cells that were
  // By level: positions at which no level before it proved a covered cell safe, and it did.
  std::array<std::int32_t, reasoning_count> times{};

  // The highest level that was needed; local where none was.
  [[nodiscard]] Reasoning highest() const;
};

class Deducer {
 public:
  // A fault where the board breaks the opening rule at the start, where a row left the range of
  // 64 bits, or on request. The count is known.
  Deduced play(Shape shape, std::span<const std::uint8_t> mined, std::int32_t start,
               Opening opening, Levels levels, Cancel cancel = {});

  // After play(): what was seen and known at its end.
  [[nodiscard]] const Mind& mind() const { return mind_; }

 private:
  [[nodiscard]] Fault begin(Shape shape, std::span<const std::uint8_t> mined, std::int32_t start,
                            Opening opening, Cancel cancel);
  // Reasons with these levels, of which `level` is the highest, until no more follows.
  [[nodiscard]] Fault close(Reasoning level, Levels levels);
  [[nodiscard]] Fault find(Reasoning level);
  void note_changes();
  void settle(const Findings& findings);
  void open_all();

  Referee referee_;
  Mind mind_;
  MindPosterior counted_;
  Findings by_subset_, by_gauss_, by_counting_;
  // Clues that changed since the components were asked.
  std::vector<std::int32_t> for_subset_, for_gauss_;
  SharedNeighbourhood neighbourhood_;
};

}  // namespace mineproof
