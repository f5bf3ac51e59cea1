// Whole games of the champion that continue after a mine (see immortal_games.cpp).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/measuring.hpp"
#include "mineproof/chance.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/player_knowledge.hpp"
#include "mineproof/referee.hpp"
#include "mineproof/search.hpp"

namespace mineproof {

// The first arguments of every program here: ROWS COLS MINES safe|clear START.
struct Setting {
  Shape shape;
  std::int32_t mines;
  Opening opening;
  std::int32_t start;

  explicit Setting(char** words)
      : shape{number(words[1]), number(words[2])},
        mines(number(words[3])),
        opening(std::string_view(words[4]) == "clear" ? Opening::clear : Opening::safe),
        start(number(words[5])) {}
};

// Parses `option=number` of a budget. False if there is no such option.
inline bool set_option(Budget& budget, std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) return false;
  const double value = std::atof(word.data() + equals + 1);
  bool found = false;
  for_each_budget_field([&](std::string_view name, auto member, auto least, auto) {
    if (name != word.substr(0, equals)) return;
    budget.*member = static_cast<decltype(least)>(value);
    found = true;
  });
  return found;
}

struct Ended {
  double chance = 1;
  bool won = true;
  std::int32_t guesses = 0;
  double lost_at = 0;  // CPU seconds
};

class Immortal {
 public:
  Immortal(const Setting& setting, const Budget& budget)
      : mines_(setting.mines), opening_(setting.opening), budget_(budget) {
    neighbourhood_ = neighbourhood_of(setting.shape, nullptr);
  }

  // Calls `guesses(knowledge, advice)` for every position in which nothing is certain, before the
  // best cell is opened.
  template <class Guesses>
  Ended play(const Cells& board, std::int32_t start, std::uint64_t seed, Guesses&& guesses) {
    PlayerKnowledge::InferenceOptions options;
    options.pairs = true;
    knowledge_.begin(neighbourhood_, options, {mines_, std::nullopt});
    GameRules rules;
    rules.opening = opening_;
    referee_.begin(neighbourhood_, rules);
    referee_.deal(board);
    Ended game;
    (void)referee_.promise(start);
    inform();
    open(start);
    while (deduce(), !referee_.all_safe_open()) {
      const Position position{knowledge_.view(), knowledge_.prior(), true, opening_};
      const Advice& advice = search_.advise(position, budget_);
      guesses(std::as_const(knowledge_), advice);
      const Candidate best = advice.candidates.at(0);
      game.chance *= 1 - best.risk;
      ++game.guesses;
      if (referee_.is_mine(best.cell)) {
        if (std::exchange(game.won, false)) game.lost_at = cpu_seconds();
        draw_without(best.cell,
                     Stream(seed, Purpose::playout, at(1000 * game.guesses + best.cell)));
      }
      open(best.cell);
    }
    return game;
  }

 private:
  void inform() {
    for (const std::int32_t changed : referee_.changed())
      knowledge_.see(changed, referee_.shows(changed));
  }
  void open(std::int32_t cell) {
    referee_.open(cell);
    inform();
  }
  // Opens everything that is certain.
  void deduce() {
    for (;;) {
      knowledge_.reason();
      std::int32_t cell = knowledge_.next_to_open();
      if (cell >= 0) {
        for (; cell >= 0; cell = knowledge_.next_to_open()) open(cell);
        continue;
      }
      if (referee_.all_safe_open()) return;
      engine_.solve(knowledge_.view(), knowledge_.prior(), state_budget);
      if (!engine_.any_safe()) return;
      const auto verdicts = engine_.verdicts();
      for (std::int32_t one = 0; one < knowledge_.size(); ++one)
        if (verdicts[at(one)] != Verdict::open && knowledge_.is_open(one))
          knowledge_.deduce(one, verdicts[at(one)] == Verdict::mine, Rule::exact);
    }
  }
  void draw_without(std::int32_t cell, Stream stream) {
    states_.assign(knowledge_.states().begin(), knowledge_.states().end());
    states_[at(cell)] = known_safe;
    View view = knowledge_.view();
    view.states = states_;
    engine_.solve(view, knowledge_.prior(), state_budget);
    drawn_.resize(states_.size());
    engine_.draw(stream, drawn_);
    referee_.deal(drawn_);
  }

  std::int32_t mines_;
  Opening opening_;
  Budget budget_;
  SharedNeighbourhood neighbourhood_;
  PlayerKnowledge knowledge_;
  Referee referee_;
  Engine engine_;
  Search search_;
  std::vector<std::uint8_t> states_, drawn_;
};

}  // namespace mineproof
