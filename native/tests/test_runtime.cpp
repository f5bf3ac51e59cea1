// Above the kernel: queries are validated, exceptions in threads reach the caller, and series fill
// their columns with the same games that a single player plays.
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <new>
#include <string>
#include <thread>

#include "check.hpp"
#include "mineproof/cells.hpp"
#include "runtime/answers.hpp"
#include "runtime/errors.hpp"
#include "runtime/pool.hpp"
#include "runtime/reused_engines.hpp"
#include "runtime/series.hpp"

using namespace mineproof;
using namespace mineproof::runtime;

namespace {

template <class Error, class Work>
bool throws(Work&& work) {
  try {
    work();
  } catch (const Error&) {
    return true;
  }
  return false;
}

void failures_reach_the_caller() {
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<int> done = 0;
    CHECK(throws<std::bad_alloc>([&] {
      for_each(1000, threads, [&](std::size_t i) {
        if (i == 7) throw std::bad_alloc();
        ++done;
      });
    }));
    CHECK(done < 1000);
    for_each(1000, threads, [&](std::size_t) { ++done; });
    CHECK(done >= 1000);
  }
}

const Cells corner{1, 9, 9, 9, 9, 9};

Asked simple() {
  Asked asked;
  asked.shape = {2, 3};
  asked.states = corner;
  asked.mines = 1;
  return asked;
}

bool is_refused(const Cells& states) {
  Asked asked = simple();
  asked.states = states;
  return throws<Invalid>([&] { (void)Question(asked); });
}

void questions_are_checked() {
  const auto refused = [](auto&& change) {
    Asked asked = simple();
    change(asked);
    return throws<Invalid>([&] { (void)Question(asked); });
  };
  CHECK(!refused([](Asked&) {}));
  CHECK(refused([](Asked& asked) { asked.shape = {0, 6}; }));
  CHECK(refused([](Asked& asked) { asked.shape = {1 << 16, 1 << 16}; }));
  CHECK(is_refused({1, 9, 9, 9, 9}));
  CHECK(is_refused({1, 9, 9, 14, 9, 9}));
  CHECK(is_refused({4, 9, 9, 9, 9, 9}));  // a corner has 3 neighbours
  CHECK(is_refused({1, 6, 9, 9, 9, 9}));
  for (const std::size_t place : {0U, 7U, 8U, 15U, 16U, 18U})
    for (int state = 0; state < 256; ++state) {
      Cells states(19, hidden);
      states[place] = static_cast<std::uint8_t>(state);
      Asked asked;
      asked.shape = {1, 19};
      asked.states = states;
      const bool fits = state <= flagged && (state > 8 || state <= (place % 18 == 0 ? 1 : 2));
      CHECK(throws<Invalid>([&] { (void)Question(asked); }) == !fits);
    }
  CHECK(refused([](Asked& asked) { asked.mines = 7; }));
  CHECK(refused([](Asked& asked) { asked.mines = -1; }));
  CHECK(refused([](Asked& asked) { asked.density = 1.5; }));
  CHECK(refused([](Asked& asked) { asked.overrides = {{6, {}}}; }));
  CHECK(refused([](Asked& asked) { asked.overrides = {{1, {}}}; }));  // not opened
  CHECK(refused([](Asked& asked) { asked.overrides = {{0, {-1.0}}}; }));
  CHECK(refused([](Asked& asked) { asked.overrides = {{0, {1.5}}}; }));
  CHECK(refused([](Asked& asked) { asked.overrides = {{-9, {1.0}}}; }));
  CHECK(!refused([](Asked& asked) { asked.overrides = {{0, {0.0, 1.0}}}; }));
  CHECK(refused([](Asked& asked) { asked.overrides = {{0, {0.0, 1.0}}, {0, {1.0, 1.0}}}; }));
  for (const double chance : {-0.5, 2.0, std::nan(""), HUGE_VAL})
    CHECK(refused([chance](Asked& asked) {
      auto model = std::make_shared<ClueModel>();
      model->exact = false;
      model->table[9][8][8] = chance;
      asked.model = std::move(model);
    }));
}

void a_question_owns_what_it_is_made_of() {
  auto asked = std::make_unique<Asked>(simple());
  asked->model = std::make_shared<ClueModel>();
  const Question question(*asked);
  asked->states.assign(6, 255);
  asked.reset();
  CHECK(question.view().states[0] == 1 && question.view().model->exact);
  CHECK(solve(question, {}).outcome == Outcome::exact);
}

void budgets_and_numbers_are_checked() {
  const Question question(simple());
  for (const auto& [budget, fits] : {std::pair{Budget{}, true},
                                     {Budget{-1}, false},
                                     {Budget{1, -1}, false},
                                     {Budget{1, 1, 1, 0}, false},
                                     {Budget{1, 1, 1, 1, std::nan("")}, false},
                                     {Budget{1, 1, 1, 1, 0, 0, 1 << 30}, false}}) {
    CHECK(throws<Invalid>([&] { (void)advise(question, {}, budget, {}); }) == !fits);
    CHECK(throws<Invalid>([&] { (void)win_chance(question, {}, budget, 1, {}); }) == !fits);
  }
  for (const std::int32_t games : {0, -1, 1 << 30})
    CHECK(throws<Invalid>([&] { (void)win_chance(question, {}, {}, games, {}); }));
  for (const std::int32_t boards : {-1, 1 << 30})
    CHECK(throws<Invalid>([&] { (void)sample(question, boards, 1, {}); }));
  GameRules rules;
  rules.density = 7.5;
  CHECK(throws<Invalid>([&] { (void)closure(question, rules, {}, {}); }));
}

// An instance that ran out of memory half-way is not reused.
void memory_that_ran_out_is_made_again() {
  struct Kept {
    int begun = 0;
  };
  auto kept = std::make_unique<Kept>();
  CHECK(throws<std::bad_alloc>([&] {
    with_kept(kept, [](Kept& one) -> int {
      ++one.begun;
      throw std::bad_alloc();
    });
  }));
  CHECK(kept == nullptr);
  CHECK(with_own<Kept>([](Kept& one) { return ++one.begun; }) == 1);
  CHECK(with_own<Kept>([](Kept& one) { return ++one.begun; }) == 2);
  CHECK(
      throws<std::bad_alloc>([] { with_own<Kept>([](Kept&) -> int { throw std::bad_alloc(); }); }));
  CHECK(with_own<Kept>([](Kept& one) { return ++one.begun; }) == 1);
}

void many_questions_are_answered_on_some_threads() {
  const std::vector<Question> questions(20, Question(simple()));
  for (const Solution& one : solve_all(questions, 3, {})) {
    CHECK(one.outcome == Outcome::exact);
    CHECK(one.size == 6);
  }
}

void what_is_cancelled_says_so() {
  const Question question(simple());
  const std::atomic<bool> stop = true;
  const Cancel cancel(stop);
  CHECK(throws<Cancelled>([&] { (void)solve(question, cancel); }));
  CHECK(throws<Cancelled>([&] { (void)sample(question, 3, 1, cancel); }));
  CHECK(throws<Cancelled>([&] { (void)advise(question, {}, {}, cancel); }));
  CHECK(throws<Cancelled>([&] { (void)win_chance(question, {}, {}, 10, cancel); }));
  CHECK(throws<Cancelled>([&] { (void)closure(question, {}, {}, cancel); }));
  CHECK(throws<Cancelled>([&] { (void)prove(question, std::array{5}, 100, cancel); }));
}

void proofs_are_of_unknown_cells() {
  const Question question(simple());
  const auto proofs = prove(question, std::array{1, 5}, 100, {});
  CHECK(proofs.size() == 1);  // cell 1 is not certain
  CHECK(proofs[0].cell == 5 && !proofs[0].mine && proofs[0].count_used);
  for (const std::int32_t cell : {-1, 0, 6})
    CHECK(throws<Invalid>([&] { (void)prove(question, std::array{cell}, 100, {}); }));
}

void series_play_the_games_of_their_seeds() {
  constexpr std::size_t games = 50;
  const Source source({9, 9}, 10, std::nullopt, std::nullopt);
  const GameRules rules{true, Opening::safe, true, true, std::nullopt};
  std::array<std::uint64_t, games> seeds{};
  std::array<bool, games> won{};
  std::array<std::int32_t, games> moves{}, local{};
  std::array<double, games> seconds{};
  Series series(source, rules, exact_clues, {}, -1, 5, 1000, games,
                {{find_column("seed"), seeds.data()},
                 {find_column("won"), won.data()},
                 {find_column("moves"), moves.data()},
                 {find_column("proved_local"), local.data()},
                 {find_column("cpu_seconds"), seconds.data()}});
  std::atomic<bool> stop = true;
  CHECK(throws<Cancelled>([&] { series.play(Cancel(stop)); }));
  stop = false;
  series.play(Cancel(stop));
  for (std::size_t i = 0; i < games; ++i) {
    CHECK(seeds[i] == game_seed(5, 1000 + i));
    const RecordedGame one = record(source, rules, exact_clues, {}, -1, seeds[i], {});
    CHECK(one.played.won == won[i]);
    CHECK(one.played.moves == moves[i]);
    CHECK(one.played.by_rule[static_cast<std::size_t>(Rule::local)] == local[i]);
    CHECK(seconds[i] > 0 && seconds[i] < 10);
  }
}

void series_can_be_given_their_seeds() {
  constexpr std::size_t games = 20;
  const Source source({9, 9}, 10, std::nullopt, std::nullopt);
  const GameRules rules{true, Opening::any, true, true, std::nullopt};
  std::vector<Seeds> own, others;
  for (std::uint64_t i = 0; i < games; ++i) {
    own.emplace_back(game_seed(5, i));
    others.emplace_back(own.back().game, i);
  }
  std::array<std::array<std::int32_t, games>, 3> moves{};
  const auto play = [&](std::size_t place, std::optional<std::vector<Seeds>> seeds) {
    Series series(source, rules, exact_clues, {}, -1, 5, 0, games,
                  {{find_column("moves"), moves[place].data()}}, std::move(seeds));
    series.play({});
  };
  play(0, std::nullopt);
  play(1, own);
  play(2, others);
  CHECK(moves[0] == moves[1]);
  CHECK(moves[0] != moves[2]);  // the same boards, another shared order
  own.pop_back();
  CHECK(throws<Invalid>([&] { play(0, own); }));
}

void impossible_series_are_refused() {
  const Source full({3, 3}, 9, std::nullopt, std::nullopt);
  const GameRules safe{true, Opening::safe, true, true, std::nullopt};
  const auto play = [](const Source& source, const GameRules& rules, std::int32_t start) {
    (void)record(source, rules, exact_clues, {}, start, 1, {});
  };
  CHECK(throws<Invalid>([&] { play(full, safe, -1); }));
  CHECK(throws<Invalid>([&] { play(full, {}, 9); }));
  const Source each({3, 3}, 0, std::uint64_t{1} << 51, std::nullopt);
  CHECK(throws<Invalid>([&] { play(each, safe, -1); }));
  CHECK(!throws<Invalid>([&] { play(each, safe, 0); }));
  const Source mined({1, 3}, 0, std::nullopt, std::vector<Cells>{{1, 0, 0}});
  CHECK(throws<BrokenOpening>([&] { play(mined, safe, 0); }));
  CHECK(throws<Invalid>([&] { Source({1, 3}, 4, std::nullopt, std::nullopt); }));
  CHECK(throws<Invalid>([&] { Source({1, 3}, 0, std::nullopt, std::vector<Cells>{{1, 0}}); }));
  CHECK(throws<Invalid>([&] { Source({1, 3}, 0, std::nullopt, std::vector<Cells>{{1, 0, 2}}); }));
}

}  // namespace

int main() {
  failures_reach_the_caller();
  questions_are_checked();
  a_question_owns_what_it_is_made_of();
  budgets_and_numbers_are_checked();
  memory_that_ran_out_is_made_again();
  many_questions_are_answered_on_some_threads();
  what_is_cancelled_says_so();
  proofs_are_of_unknown_cells();
  series_play_the_games_of_their_seeds();
  series_can_be_given_their_seeds();
  impossible_series_are_refused();
  return failures == 0 ? 0 : 1;
}
