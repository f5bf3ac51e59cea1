// Whole games: sound players never put a wrong flag, every game ends as it should, the same seed
// plays the same game, and closures contain only what the engine proves.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>

#include "check.hpp"
#include "mineproof/play.hpp"

using namespace mineproof;

namespace {

constexpr std::array<AdvancedRule, 6> all_beyond = {
    AdvancedRule::none,  AdvancedRule::subset,      AdvancedRule::subset_until_found,
    AdvancedRule::gauss, AdvancedRule::gauss_count, AdvancedRule::exact};
constexpr std::array<Guesser, 6> all_guessers = {Guesser::in_order,    Guesser::clue_ratio,
                                                 Guesser::clue_sum,    Guesser::local_probability,
                                                 Guesser::least_exact, Guesser::least_share};
constexpr std::array<Opening, 3> all_openings = {Opening::any, Opening::safe, Opening::clear};

bool same(const Played& a, const Played& b) {
  return a.won == b.won && a.right == b.right && a.wrong == b.wrong && a.exploded == b.exploded &&
         a.guesses == b.guesses && a.moves == b.moves && a.by_rule == b.by_rule;
}

void check_game(Match& match, const GameSetup& ground, const GameRules& rules,
                const Strategy& strategy, std::int32_t start, std::uint64_t seed) {
  const Played played = match.play(ground, rules, exact_clues, strategy, start, seed, true);
  CHECK(played.fault == Fault::none);
  CHECK(played.wrong == 0);
  CHECK(static_cast<std::int32_t>(match.moves().size()) == played.moves);
  CHECK(std::accumulate(played.by_rule.begin(), played.by_rule.end(), 0) == played.moves);
  if (rules.mine_ends) {
    CHECK(played.won == (played.exploded == 0));
    CHECK(played.exploded <= 1);
  } else {
    CHECK(played.right + played.exploded <= played.mines);
  }
  for (const Move& move : match.moves()) {
    CHECK(move.cell >= 0 && move.cell < ground.shape.size());
    CHECK(!move.certain || move.risk == 0);
  }
  Match fresh;
  CHECK(same(fresh.play(ground, rules, exact_clues, strategy, start, seed), played));
}

void test_games() {
  Match match;
  std::uint64_t seed = 0;
  for (const Shape shape : {Shape{1, 1}, Shape{1, 9}, Shape{5, 4}, Shape{9, 9}, Shape{12, 17}})
    for (const AdvancedRule beyond : all_beyond)
      for (const Guesser guesser : all_guessers)
        for (const Opening opening : all_openings)
          for (const bool ends : {true, false}) {
            ++seed;
            const std::int32_t room = std::max(0, shape.size() - 9);
            const GameSetup ground{shape, {}, room / 5, std::nullopt};
            const GameRules rules{ends, opening, seed % 3 != 0, seed % 4 != 0, std::nullopt};
            const std::int32_t start =
                seed % 2
                    ? static_cast<std::int32_t>(seed % static_cast<std::uint64_t>(shape.size()))
                    : -1;
            const Strategy strategy{seed % 7 != 0, seed % 5 != 0, beyond, guesser, -1};
            check_game(match, ground, rules, strategy, start, seed);
          }
}

void test_full_and_empty_boards() {
  Match match;
  for (const std::int32_t mines : {0, 12})
    for (const AdvancedRule beyond : all_beyond)
      for (const bool pairs : {false, true}) {
        const GameSetup ground{{3, 4}, {}, mines, std::nullopt};
        check_game(match, ground, {false, Opening::any, true, true, std::nullopt},
                   {true, pairs, beyond, Guesser::in_order, 0}, -1, 7);
      }
}

// Every closure is a subset of what the exact engine proves, and the one by Beyond::exact is all of
// it.
void test_closures() {
  Closure closure;
  Closure judge;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Shape shape{7, 8};
    const Cells mined = deal(shape, 12, {}, seed);
    const Cells counts = count_mines(shape, mined);
    Cells states(mined.size(), hidden);
    Stream stream(seed, Purpose::ties);
    for (std::size_t i = 0; i < states.size(); ++i)
      if (stream.uniform() < 0.4)
        states[i] = mined[i] ? static_cast<std::uint8_t>(exploded) : counts[i];
    std::vector<Verdict> all(states.size());
    std::vector<Verdict> some(states.size());
    CHECK(judge.close(shape, states, {12, {}}, {true, false, false}, AdvancedRule::exact, all) ==
          Fault::none);
    for (const AdvancedRule beyond : all_beyond)
      for (const bool pairs : {false, true}) {
        const Strategy strategy{true, pairs, beyond, Guesser::in_order, -1};
        CHECK(closure.close(shape, states, {12, {}}, strategy.inference_options(), beyond, some) ==
              Fault::none);
        CHECK(beyond != AdvancedRule::exact || some == all);
        for (std::size_t i = 0; i < some.size(); ++i) {
          if (some[i] == Verdict::open) continue;
          CHECK(some[i] == all[i]);
          CHECK((some[i] == Verdict::mine) == (mined[i] != 0));
        }
      }
  }
}

// Hidden cells along a wall, with clues below: what each pair of clues deduces.
void check_row(const Cells& clues, const std::vector<Verdict>& expected) {
  const auto cols = static_cast<std::int32_t>(clues.size());
  Cells states(clues.size(), hidden);
  states.insert(states.end(), clues.begin(), clues.end());
  std::vector<Verdict> found(states.size());
  CHECK(Closure().close({2, cols}, states, {}, {true, true, false}, AdvancedRule::none, found) ==
        Fault::none);
  found.resize(clues.size());
  CHECK(found == expected);
}

void test_pairs() {
  constexpr auto open = Verdict::open, safe = Verdict::safe, mine = Verdict::mine;
  check_row({1, 1, no_clue, no_clue}, {open, open, safe, open});
  check_row({1, 2, no_clue, no_clue}, {open, open, mine, open});
  check_row({no_clue, 1, 2, no_clue}, {safe, open, open, mine});
  check_row({no_clue, 1, 1, no_clue}, {open, open, open, open});
  check_row({1, 2, 1, no_clue}, {mine, safe, mine, safe});  // and then the local rules
}

// Problems of a game are reported as values, never thrown.
void test_faults() {
  Match match;
  const Strategy exact{true, true, AdvancedRule::exact, Guesser::least_exact, -1};
  const Cells mined = {1, 0, 0, 0, 0, 0, 0, 0, 0};
  const GameSetup ground{{3, 3}, mined, 1, std::nullopt};
  const GameRules safe{true, Opening::safe, true, true, std::nullopt};
  const GameRules clear{true, Opening::clear, true, true, std::nullopt};
  CHECK(match.play(ground, safe, exact_clues, exact, 0, 1).fault == Fault::broken_opening);
  CHECK(match.play(ground, clear, exact_clues, exact, 4, 1).fault == Fault::broken_opening);
  CHECK(match.play(ground, clear, exact_clues, exact, 8, 1).fault == Fault::none);
  // A mine count that is too high.
  const Cells states = {hidden, 1, 0, hidden, 1, 0};
  std::vector<Verdict> verdicts(states.size());
  CHECK(Closure().close({2, 3}, states, {2, {}}, {}, AdvancedRule::exact, verdicts) ==
        Fault::contradiction);
  CHECK(Closure().close({2, 3}, states, {1, {}}, {}, AdvancedRule::exact, verdicts) == Fault::none);
  std::atomic<bool> stop = true;
  CHECK(match.play(ground, clear, exact_clues, exact, -1, 1, false, Cancel(stop)).fault ==
        Fault::cancelled);
}

// Flags and their removal are reported like opened cells, and counted separately on mines and on
// safe cells.
void test_flags() {
  Referee referee;
  GameRules rules;
  rules.mine_ends = false;
  referee.begin(std::make_shared<const Neighbourhood>(Shape{1, 4}), rules);
  referee.deal(Cells{1, 0, 0, 1});
  const auto only = [&](std::int32_t cell, std::uint8_t state) {
    return referee.changed().size() == 1 && referee.changed()[0] == cell &&
           referee.shows(cell) == state;
  };
  referee.flag(0);
  CHECK(only(0, flagged) && referee.right() == 1 && referee.wrong() == 0);
  referee.flag(1);
  CHECK(only(1, flagged) && referee.right() == 1 && referee.wrong() == 1);
  referee.unflag(0);
  CHECK(only(0, hidden) && referee.right() == 0 && referee.wrong() == 1);
  referee.unflag(1);
  CHECK(only(1, hidden) && referee.wrong() == 0 && !referee.ended());
}

// Copies of PlayerKnowledge are independent, and reason alike.
void test_copies() {
  const Shape shape{9, 9};
  const auto neighbourhood = std::make_shared<const Neighbourhood>(shape);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Cells mined = deal(shape, 10, {}, seed);
    Referee referee;
    referee.begin(neighbourhood, {});
    referee.deal(mined);
    PlayerKnowledge first;
    first.begin(neighbourhood, {true, true, false}, {10, {}});
    PlayerKnowledge copy = first;
    const auto play = [&](PlayerKnowledge& knowledge) {
      referee.begin(neighbourhood, {});
      referee.deal(mined);
      for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
        if (mined[at(cell)] || !is_covered(knowledge.state(cell))) continue;
        referee.open(cell);
        for (const std::int32_t one : referee.changed()) knowledge.see(one, referee.shows(one));
        knowledge.reason();
      }
    };
    play(first);
    CHECK(copy.covered() == shape.size());
    play(copy);
    CHECK(std::ranges::equal(first.states(), copy.states()));
    CHECK(first.version() == copy.version() && first.mines_left() == copy.mines_left());
    CHECK(first.covered() == 10);
  }
}

// A single position gets the same move as in the game that it is from.
void test_decisions_out_of_the_blue() {
  const Shape shape{8, 9};
  const GameSetup ground{shape, {}, 12, {}};
  const auto neighbourhood = std::make_shared<const Neighbourhood>(shape);
  Match game, other;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Strategy strategy;
    strategy.beyond = all_beyond[seed % all_beyond.size()];
    strategy.guesser = all_guessers[seed % all_guessers.size()];
    GameRules rules;
    rules.opening = all_openings[seed % 3];
    rules.mine_ends = seed % 2 == 0;
    CHECK(game.play(ground, rules, exact_clues, strategy, -1, seed, true).fault == Fault::none);
    Referee referee;
    referee.begin(neighbourhood, rules, exact_clues, seed);
    bool begun = false;
    for (const Move& made : game.moves()) {
      Move move{};
      other.begin_at(shape, referee.states(), {}, 12, rules, exact_clues, strategy,
                     Seeds(seed).player);
      const Fault fault = other.decide(rules, exact_clues, strategy, move);
      CHECK(fault == Fault::none);
      CHECK(move.cell == made.cell && move.action == made.action);
      CHECK(move.certain == made.certain && move.rule == made.rule);
      if (!begun) {
        referee.deal(ground, made.cell);
        CHECK(referee.promise(made.cell));
        begun = true;
      }
      if (made.action == Action::open) referee.open(made.cell);
      if (made.action == Action::flag) referee.flag(made.cell);
      if (made.action == Action::unflag) referee.unflag(made.cell);
    }
  }
}

// Removing a flag from a cell that the opening rule protects leaves it known to be safe.
void test_flags_on_promised_cells() {
  const Shape shape{2, 3};
  const Cells mined = {0, 0, 1, 0, 0, 0};
  Referee referee;
  GameRules rules;
  rules.opening = Opening::clear;
  referee.begin(std::make_shared<const Neighbourhood>(shape), rules);
  referee.deal(mined);
  referee.flag(1);
  CHECK(referee.promise(3));
  referee.unflag(1);
  CHECK(referee.shows(1) == known_safe);
  referee.flag(2);
  referee.unflag(2);
  CHECK(referee.shows(2) == hidden);
}

// A player that flags mines knows the same as one that does not: at their fixpoints, both have
// opened the same cells, no flag is wrong, and the engine agrees on the remaining cells.
void test_flags_of_the_player() {
  const Shape shape{9, 9};
  const auto neighbourhood = neighbourhood_of(shape, nullptr);
  std::int32_t flags = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    PlayerKnowledge plain;
    PlayerKnowledge flagging;
    PlayerKnowledge::InferenceOptions options;
    options.pairs = true;
    plain.begin(neighbourhood, options, {12, std::nullopt});
    options.flags = true;
    flagging.begin(neighbourhood, options, {12, std::nullopt});
    Referee referee;
    referee.begin(neighbourhood, {});
    const Cells board = deal(shape, 12, cells_promised(shape, Opening::clear, 30), seed);
    referee.deal(board);
    const auto open = [&](std::int32_t cell) {
      referee.open(cell);
      for (const std::int32_t changed : referee.changed()) {
        plain.see(changed, referee.shows(changed));
        flagging.see(changed, referee.shows(changed));
      }
    };
    open(30);
    for (bool any = true; any;) {
      plain.reason();
      flagging.reason();
      std::vector<std::int32_t> safe;
      any = flagging.take_to_open([&](std::int32_t cell) { safe.push_back(cell); });
      CHECK(any == !safe.empty());
      CHECK(std::is_sorted(safe.begin(), safe.end()));
      for (const std::int32_t cell : safe) {
        if (referee.shows(cell) != hidden) continue;  // opened by a flood meanwhile
        CHECK(plain.truth(cell) == PlayerKnowledge::Truth::safe);
        open(cell);
      }
    }
    CHECK(plain.next_to_open() < 0);
    Engine engine;
    std::array<std::vector<double>, 2> risks;
    for (std::size_t i = 0; i < 2; ++i) {
      const PlayerKnowledge& knowledge = i == 0 ? plain : flagging;
      CHECK(engine.solve(knowledge.view(), knowledge.prior(), state_budget) == Outcome::exact);
      risks[i].resize(at(shape.size()));
      engine.write_risk(risks[i]);
    }
    for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
      CHECK(plain.truth(cell) == flagging.truth(cell));
      CHECK((flagging.state(cell) == flagged) ==
            (plain.truth(cell) == PlayerKnowledge::Truth::mine));
      if (flagging.state(cell) == flagged) CHECK(referee.is_mine(cell));
      flags += flagging.state(cell) == flagged;
      if (plain.is_open(cell)) CHECK(std::abs(risks[0][at(cell)] - risks[1][at(cell)]) < 1e-12);
    }
  }
  CHECK(flags > 200);
}

}  // namespace

int main() {
  test_faults();
  test_flags();
  test_flags_of_the_player();
  test_flags_on_promised_cells();
  test_decisions_out_of_the_blue();
  test_copies();
  test_games();
  test_full_and_empty_boards();
  test_closures();
  test_pairs();
  return failures != 0;
}
