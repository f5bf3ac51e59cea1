// What to open when nothing is proved safe: the twin of guessers.py.
//
// A guesser looks at a mind, never changes it, and gives a cell; its memory is its own.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mineproof/beyond.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/mind.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/search.hpp"

namespace mineproof {

NAMED_ENUM(enum class, Guesser, std::uint8_t, in_order, clue_ratio, clue_sum, local_probability,
           least_exact, champion)

constexpr double no_risk_given = std::numeric_limits<double>::quiet_NaN();

struct Guess {
  std::int32_t cell = -1;  // -1: nothing can be opened
  double risk = no_risk_given;
  bool flag = false;       // to be flagged, not opened
  std::int32_t clue = -1;  // the clue by which it was chosen, if it was a single one
};

// The order of cells in which players of one game choose among equals: it belongs to the
// players' seed. Comparing two cells is cheap; the full order is computed on demand.
class SharedOrder {
 public:
  void begin(std::int32_t size, std::uint64_t player_seed);
  [[nodiscard]] bool is_before(std::int32_t a, std::int32_t b) const;
  // The first cell that can be opened, or -1; where asked, one that touches no clue.
  [[nodiscard]] std::int32_t first_open(const Mind& mind, bool away_from_clues);

 private:
  [[nodiscard]] std::uint64_t key(std::int32_t cell) const;
  void sort_all();

  std::int32_t size_ = 0;
  std::uint64_t seed_ = 0;
  std::vector<std::uint64_t> keys_;  // of all cells, or of none
  std::vector<std::int32_t> order_;  // all cells, or none
  std::size_t passed_ = 0;           // the number of them that are deduced
};

class Guessing {
 public:
  void begin(std::int32_t size, std::uint64_t player_seed) { order_.begin(size, player_seed); }
  // `counted` is the posterior of this mind. A fault if there is no configuration, or on request.
  [[nodiscard]] Fault guess(Guesser guesser, const Mind& mind, MindPosterior& counted,
                            const GameRules& rules, const Budget& budget, Cancel cancel,
                            Guess& found);

 private:
  Guess in_order(const Mind& mind);
  Guess clue_ratio(const Mind& mind);
  Guess clue_sum(const Mind& mind);
  Guess local_probability(const Mind& mind);
  [[nodiscard]] Fault least_exact(const Mind& mind, MindPosterior& counted, Guess& found);
  [[nodiscard]] Fault champion(const Mind& mind, const GameRules& rules, const Budget& budget,
                               Cancel cancel, Guess& found);

  SharedOrder order_;
  Search search_;
  ByCell<double> risks_;
};

}  // namespace mineproof
