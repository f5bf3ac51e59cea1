// Vector games equal those of the referee, and restart when they end.
#include <vector>

#include "check.hpp"
#include "mineproof/referee.hpp"
#include "runtime/errors.hpp"
#include "runtime/positions.hpp"
#include "runtime/vector_game.hpp"

using namespace mineproof;
using namespace mineproof::runtime;

namespace {

EnvConfig terms(Opening opening, const ClueModel& clues = exact_clues) {
  EnvConfig found{{6, 7}, {}, clues, 8, -1, {}, false, 0};
  found.rules.opening = opening;
  return found;
}

template <class Work>
bool is_refused(Work&& work) {
  try {
    work();
  } catch (const Invalid&) {
    return true;
  }
  return false;
}

// Plays the same moves with a referee and compares what both show.
void games_are_those_of_the_referee(const ClueModel& clues) {
  for (const Opening opening : {Opening::any, Opening::safe, Opening::clear})
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      VectorGame games(terms(opening, clues), 1, Autoreset::never);
      games.seed(0, seed);
      CHECK(games.reset(0));
      const EnvConfig& played = games.terms();
      Referee referee;
      referee.begin(std::make_shared<const Neighbourhood>(played.shape), played.rules, clues,
                    games.seed_of(0));
      Stream moves(seed, Purpose::ties);
      for (bool first = true; !referee.ended(); first = false) {
        const auto cell =
            static_cast<std::int32_t>(moves.below(static_cast<std::uint32_t>(played.shape.size())));
        const bool legal = games.arrays().legal[at(cell)] != 0;
        CHECK(legal == (is_covered(referee.shows(cell))));
        CHECK(games.step(0, cell));
        CHECK(games.arrays().illegal[0] == !legal);
        if (!legal) continue;
        if (first) {
          referee.deal({played.shape, {}, played.mines, {}}, cell);
          CHECK(referee.promise(cell));
        }
        referee.open(cell);
        for (std::int32_t i = 0; i < played.shape.size(); ++i)
          CHECK(games.arrays().states[at(i)] == referee.shows(i));
        CHECK((games.arrays().over[0] != 0) == referee.ended());
        CHECK((games.arrays().won[0] != 0) == (referee.ended() && referee.won()));
      }
    }
}

void seeds_name_games() {
  VectorGames games(terms(Opening::safe), 3, Autoreset::next_step, 2);
  const std::vector<std::int64_t> all{0, 1, 2};
  const std::vector<std::uint64_t> seeds{5, 6, 7};
  games.reset(all, seeds);
  for (std::size_t i = 0; i < 3; ++i) CHECK(games.games().seed_of(i) == game_seed(seeds[i], 0));
  games.reset(std::vector<std::int64_t>{1}, {});
  CHECK(games.games().seed_of(0) == game_seed(5, 0));
  CHECK(games.games().seed_of(1) == game_seed(6, 1));
}

void what_cannot_be_played_is_refused() {
  const auto make = [](auto&& change) {
    EnvConfig wrong = terms(Opening::safe);
    change(wrong);
    return is_refused([&] { (void)VectorGames(wrong, 2, Autoreset::next_step, 1); });
  };
  CHECK(!make([](EnvConfig&) {}));
  CHECK(make([](EnvConfig& wrong) { wrong.shape = {0, 7}; }));
  CHECK(make([](EnvConfig& wrong) { wrong.mines = 42; }));
  CHECK(make([](EnvConfig& wrong) { wrong.mines = -1; }));
  CHECK(make([](EnvConfig& wrong) { wrong.start = 42; }));
  CHECK(make([](EnvConfig& wrong) { wrong.limit = -1; }));
  CHECK(make([](EnvConfig& wrong) { wrong.clues = ClueModel::sometimes(0.5, true); }));
  CHECK(make([](EnvConfig& wrong) { wrong.boards.push_back({Cells(5, 0), 0}); }));
  CHECK(make([](EnvConfig& wrong) { wrong.boards.push_back({Cells(42, 2), 0}); }));
  CHECK(make([](EnvConfig& wrong) { wrong.boards.push_back({Cells(42, 1), 0}); }));
  CHECK(make([](EnvConfig& wrong) { wrong.boards.push_back({Cells(42, 0), -1}); }));
  CHECK(make([](EnvConfig& wrong) {
    Cells mined(42, 0);
    mined[0] = 1;
    wrong.boards.push_back({mined, 0});
  }));
  CHECK(is_refused([] { (void)VectorGames(terms(Opening::safe), 0, Autoreset::never, 1); }));
  VectorGames games(terms(Opening::safe), 2, Autoreset::next_step, 1);
  CHECK(is_refused([&] { games.step(std::vector<std::int64_t>{0}); }));
  CHECK(is_refused([&] { games.step(std::vector<std::int64_t>{0, 42}); }));
  CHECK(is_refused([&] { games.step(std::vector<std::int64_t>{0, -1}); }));
  CHECK(is_refused([&] { games.reset(std::vector<std::int64_t>{2}, {}); }));
  CHECK(is_refused([&] { games.reset(std::vector<std::int64_t>{1, 0}, {}); }));
  CHECK(is_refused(
      [&] { games.reset(std::vector<std::int64_t>{0, 1}, std::vector<std::uint64_t>{1}); }));
}

// Every board is won with its first cell, so no game can start.
void games_that_end_at_once_are_shown() {
  EnvConfig at_once{{2, 2}, {}, exact_clues, 0, -1, {}, false, 0};
  at_once.boards.push_back({Cells{0, 0, 0, 0}, 0});
  VectorGames games(at_once, 1, Autoreset::next_step, 1);
  CHECK(is_refused(
      [&] { games.reset(std::vector<std::int64_t>{0}, std::vector<std::uint64_t>{1}); }));
}

void positions_are_those_before_each_cell() {
  const Shape shape{5, 5};
  const Source source(shape, 4, std::nullopt, std::nullopt);
  GameRules rules;
  rules.opening = Opening::safe;
  const Positions found =
      positions_of(source, rules, exact_clues, {}, -1, 1, 0, 20, state_budget, {});
  const std::size_t rows = found.cell.size();
  CHECK(rows > 20);
  CHECK(found.states.size() == rows * 25 && found.risk.size() == rows * 25);
  for (std::size_t row = 0; row < rows; ++row) {
    CHECK(is_covered(found.states[row * 25 + at(found.cell[row])]));
    CHECK(found.exact[row] == 1);
    double mines = 0;
    for (std::size_t i = 0; i < 25; ++i)
      if (is_covered(found.states[row * 25 + i])) mines += found.risk[row * 25 + i];
    CHECK(mines > 3.999 && mines < 4.001);
  }
  rules.mine_ends = false;
  CHECK(is_refused(
      [&] { (void)positions_of(source, rules, exact_clues, {}, -1, 1, 0, 1, state_budget, {}); }));
}

}  // namespace

int main() {
  for (const ClueModel& clues : {exact_clues, ClueModel::sometimes(0.5, false),
                                 ClueModel::optimistic(true), ClueModel::cautious(false)})
    games_are_those_of_the_referee(clues);
  seeds_name_games();
  what_cannot_be_played_is_refused();
  games_that_end_at_once_are_shown();
  positions_are_those_before_each_cell();
  return exit_code();
}
