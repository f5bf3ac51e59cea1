#include "runtime/positions.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "mineproof/engine.hpp"
#include "runtime/errors.hpp"
#include "runtime/question.hpp"
#include "runtime/reused_engines.hpp"

namespace mineproof::runtime {

namespace {

constexpr std::size_t most_games = 100'000;  // per call, as the result must fit in memory

struct Seat {
  Match match;
  Referee referee;
  PlayerKnowledge knowledge;  // of the view, without any reasoning
  Engine engine;
  SharedNeighbourhood neighbourhood;
  std::vector<double> risk;

  [[nodiscard]] std::size_t bytes() const { return engine.bytes(); }
  void inform() {
    for (const std::int32_t cell : referee.changed())
      knowledge.see(cell, referee.shows(cell), referee.bound(cell));
  }
};

// Records the current view, without flags, and its mine probabilities.
void see(Seat& seat, std::size_t budget, Positions& found, Cancel cancel) {
  const std::span<const std::uint8_t> states = seat.referee.states();
  for (const std::uint8_t state : states)
    found.states.push_back(state == flagged ? std::uint8_t{hidden} : state);
  const Outcome outcome =
      seat.engine.solve(seat.knowledge.view(), seat.knowledge.prior(), budget, cancel);
  if (outcome == Outcome::cancelled) throw Cancelled();
  if (outcome == Outcome::contradiction)
    throw Impossible("no configuration is consistent with the referee's clues");
  seat.risk.resize(states.size());
  seat.engine.write_risk(seat.risk);
  const std::size_t begin = found.risk.size();
  found.risk.resize(begin + states.size());
  std::transform(seat.risk.begin(), seat.risk.end(), found.risk.data() + begin,
                 [](double risk) { return static_cast<float>(risk); });
  found.exact.push_back(outcome == Outcome::exact);
}

void add_game(Seat& seat, const GameSetup& ground, const GameRules& rules, const ClueModel& clues,
              const Strategy& strategy, std::int32_t start, std::uint64_t number, Seeds seeds,
              std::size_t budget, Positions& found, Cancel cancel) {
  const Played played = seat.match.play(ground, rules, clues, strategy, start, seeds, true, cancel);
  check(played.fault, number);
  seat.neighbourhood = neighbourhood_of(ground.shape, seat.neighbourhood);
  Referee& referee = seat.referee;
  referee.begin(seat.neighbourhood, rules, clues, seeds.game);
  std::optional<std::int32_t> mines;
  if (rules.count_known) mines = played.mines;
  seat.knowledge.begin(seat.neighbourhood, {.local = false}, {mines, rules.density}, clues);
  std::int32_t opened = 0;
  for (const Move& move : seat.match.moves()) {
    if (move.action == Action::open) see(seat, budget, found, cancel);
    if (!referee.dealt()) referee.deal(ground, move.cell);
    switch (move.action) {
      case Action::open:
        if (opened == 0) {
          if (!referee.promise(move.cell)) throw BrokenOpening(number);
          seat.inform();
        }
        referee.open(move.cell);
        found.game.push_back(number);
        found.seed.push_back(seeds.game);
        found.move.push_back(opened++);
        found.cell.push_back(move.cell);
        found.won.push_back(played.won);
        found.mines.push_back(played.mines);
        break;
      case Action::flag:
        referee.flag(move.cell);
        break;
      case Action::unflag:
        referee.unflag(move.cell);
        break;
      case Action::ask:
        referee.ask();
        break;
      case Action::stop:
        return;
    }
    seat.inform();
  }
}

}  // namespace

Positions positions_of(const Source& source, const GameRules& rules, const ClueModel& clues,
                       const Strategy& strategy, std::int32_t start, std::uint64_t seed,
                       std::uint64_t first, std::size_t games, std::size_t budget, Cancel cancel) {
  if (games > most_games)
    throw Invalid("the number of games must be at most " + std::to_string(most_games));
  source.check(rules, strategy, start, games);
  check_model(clues);
  if (rules.luck != Luck::dealt) throw Invalid("positions need boards that are fixed when dealt");
  if (!rules.mine_ends) throw Invalid("positions need rules under which a mine ends the game");
  Positions found;
  with_own<Seat>([&](Seat& seat) {
    for (std::size_t place = 0; place < games; ++place) {
      if (cancel.stop_requested()) throw Cancelled();
      const std::uint64_t number = first + place;
      add_game(seat, source.ground(place), rules, clues, strategy, start, number,
               Seeds(game_seed(seed, number)), budget, found, cancel);
    }
    return true;
  });
  return found;
}

}  // namespace mineproof::runtime
