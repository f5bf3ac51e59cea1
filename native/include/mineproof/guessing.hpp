// Chooses a cell to open when none is proved safe. Python twin: agents/guessers.
//
// A guesser reads PlayerKnowledge, never changes it, and returns a cell; it owns its memory.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "mineproof/advanced_rules.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/least_share.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/player_knowledge.hpp"
#include "mineproof/search.hpp"

namespace mineproof {

NAMED_ENUM(enum class, Guesser, std::uint8_t, in_order, clue_ratio, clue_sum, local_probability,
           least_exact, champion, least_share)

constexpr double no_risk_given = std::numeric_limits<double>::quiet_NaN();

NAMED_ENUM(enum class, Action, std::uint8_t, open, flag, unflag, stop, ask)

struct Guess {
  std::int32_t cell = -1;  // -1: no cell can be opened
  double risk = no_risk_given;
  Action action = Action::open;
  std::int32_t clue = -1;  // the clue that determined the choice, if it was a single one
  bool estimated = false;  // the risk is an estimate
  Rule rule = Rule::none;  // the rule that proves the cell safe, if it is certain
};

// The order of cells by which the players of one game break ties; it is derived from the players'
// seed. Comparing two cells is cheap; the full order is computed on demand.
class SharedOrder {
 public:
  void begin(std::int32_t size, std::uint64_t player_seed);
  [[nodiscard]] bool is_before(std::int32_t a, std::int32_t b) const;
  // The first cell in this order that can be opened and for which wanted(cell) is true; -1 if there
  // is none.
  template <class Wanted>
  [[nodiscard]] std::int32_t first_open(const PlayerKnowledge& knowledge, Wanted&& wanted) {
    if (order_.empty()) sort_all();
    while (passed_ < order_.size() && !knowledge.is_open(order_[passed_])) ++passed_;
    for (std::size_t i = passed_; i < order_.size(); ++i)
      if (knowledge.can_be_opened(order_[i]) && wanted(order_[i])) return order_[i];
    return -1;
  }

 private:
  [[nodiscard]] std::uint64_t key(std::int32_t cell) const;
  void sort_all();

  std::int32_t size_ = 0;
  std::uint64_t seed_ = 0;
  std::vector<std::uint64_t> keys_;  // of all cells, or empty
  std::vector<std::int32_t> order_;  // all cells, or empty
  std::size_t passed_ = 0;  // how many cells at the front of order_ are known to be deduced
};

class Guessing {
 public:
  void begin(std::int32_t size, std::uint64_t player_seed);
  // `counted` must be the posterior of this `knowledge`. Returns a fault if there is no
  // configuration or if cancelled.
  [[nodiscard]] Fault guess(Guesser guesser, const PlayerKnowledge& knowledge,
                            KnowledgePosterior& counted, const GameRules& rules,
                            const Budget& budget, const ShareOptions& shares, Cancel cancel,
                            Guess& found);

 private:
  Guess in_order(const PlayerKnowledge& knowledge);
  Guess clue_ratio(const PlayerKnowledge& knowledge);
  Guess clue_sum(const PlayerKnowledge& knowledge);
  Guess local_probability(const PlayerKnowledge& knowledge);
  [[nodiscard]] Fault least_share(const PlayerKnowledge& knowledge, const ShareOptions& shares,
                                  Cancel cancel, Guess& found);
  [[nodiscard]] Fault least_exact(const PlayerKnowledge& knowledge, KnowledgePosterior& counted,
                                  const GameRules& rules, Guess& found);
  [[nodiscard]] Guess by_lowest_risk(const PlayerKnowledge& knowledge, Engine& engine);
  [[nodiscard]] Guess flag_by_odds(const PlayerKnowledge& knowledge) const;
  [[nodiscard]] Fault champion(const PlayerKnowledge& knowledge, KnowledgePosterior& counted,
                               const GameRules& rules, const Budget& budget, Cancel cancel,
                               Guess& found);
  [[nodiscard]] Fault look_ahead(const PlayerKnowledge& knowledge, KnowledgePosterior& counted,
                                 const GameRules& rules, const Budget& budget, Cancel cancel,
                                 Guess& found);

  SharedOrder order_;
  Search search_;
  SmallComponents components_;
  ByCell<double> risks_;
};

}  // namespace mineproof
