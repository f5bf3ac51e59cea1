// The endgame against the plain definition of best play; the search on all kinds of positions:
// legal, the same again, and its playouts unbiased where the truth is known.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "check.hpp"
#include "mineproof/runner.hpp"
#include "mineproof/search.hpp"

using namespace mineproof;

namespace {

const Model exact_clues;

// A view of a random board with some safe cells opened.
Cells position(Shape shape, std::int32_t mines, std::int32_t opened, std::uint64_t seed) {
  const Cells mined = deal(shape, mines, {}, seed);
  const Cells counts = count_mines(shape, mined);
  Cells states(mined.size(), hidden);
  Stream stream(seed, Purpose::ties);
  for (std::int32_t i = 0; i < opened; ++i) {
    const std::size_t cell = stream.below(static_cast<std::uint32_t>(shape.size()));
    if (!mined[cell]) states[cell] = counts[cell];
  }
  return states;
}

// Best play by its plain definition: boards won, of these, with these cells opened.
using Boards = std::vector<std::vector<bool>>;
std::size_t wins(Shape shape, const Boards& boards, std::set<std::int32_t> opened) {
  if (boards.size() <= 1) return boards.size();
  std::size_t best = 0;
  for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
    if (opened.contains(cell)) continue;
    std::map<int, Boards> outcomes;
    std::size_t safe = 0;
    for (const auto& board : boards) {
      if (board[at(cell)]) continue;
      int shows = 0;
      shape.around(cell, [&](std::int32_t near) { shows += board[at(near)]; });
      outcomes[shows].push_back(board);
      ++safe;
    }
    if (safe <= best || (safe == boards.size() && outcomes.size() == 1)) continue;
    auto then = opened;
    then.insert(cell);
    std::size_t sum = 0;
    for (const auto& [shows, group] : outcomes) sum += wins(shape, group, then);
    best = std::max(best, sum);
  }
  return best;
}

void test_endgame() {
  Engine engine;
  Endgame endgame;
  Arrangements found;
  int solved = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Shape shape{3, static_cast<std::int32_t>(3 + seed % 3)};
    const auto mines = static_cast<std::int32_t>(2 + seed % 4);
    const Cells states = position(shape, mines, 5, seed);
    const View view{shape, states, &exact_clues, {}, false};
    CHECK(engine.solve(view, Prior::count(mines), 1'000'000) == Outcome::exact);
    if (!engine.list(60, found, true)) continue;
    CHECK(std::abs(std::log(static_cast<double>(found.size())) - engine.log_weight()) < 1e-9);
    Boards boards;
    std::set<std::int32_t> opened;
    for (std::int32_t cell = 0; cell < shape.size(); ++cell)
      if (std::find(found.cells.begin(), found.cells.end(), cell) == found.cells.end())
        opened.insert(cell);
    const auto verdicts = engine.verdicts();
    for (std::size_t i = 0; i < found.size(); ++i) {
      auto& board = boards.emplace_back(states.size());
      for (std::size_t cell = 0; cell < states.size(); ++cell)
        board[cell] = verdicts[cell] == Verdict::mine;
      for (std::size_t j = 0; j < found.cells.size(); ++j)
        board[at(found.cells[j])] = found.mined[i * found.cells.size() + j];
    }
    const auto best = endgame.solve(shape, found, 100'000'000);
    CHECK(best.has_value());
    CHECK(best->worth == static_cast<double>(wins(shape, boards, opened)));
    CHECK(!endgame.solve(shape, found, 0) || found.size() == 1);
    ++solved;
  }
  CHECK(solved > 100);
}

// Arrangements have numbers of sixteen bits: more are refused, never confused.
void test_too_many() {
  Arrangements many;
  for (std::int32_t cell = 0; cell < 17; ++cell) many.cells.push_back(cell);
  for (std::uint32_t set = 0; set < 1U << 17; ++set) {
    for (int bit = 0; bit < 17; ++bit) many.mined.push_back(set >> bit & 1);
    many.weights.push_back(1);
  }
  CHECK(!Endgame().solve({1, 17}, many, 1'000'000'000));
}

bool alike(const Advice& a, const Advice& b) {
  return a.method == b.method && a.candidates.size() == b.candidates.size() &&
         std::equal(a.candidates.begin(), a.candidates.end(), b.candidates.begin(),
                    [](const Candidate& x, const Candidate& y) { return x.cell == y.cell; });
}

void test_advice() {
  Search search;
  std::uint64_t seed = 1000;
  for (const Shape shape : {Shape{1, 1}, Shape{1, 12}, Shape{4, 4}, Shape{9, 9}, Shape{16, 30}})
    for (const std::int32_t opened : {0, 1, 8, 60})
      for (const Budget budget :
           {Budget{}, Budget{100, 100'000, 50, 8, 0.1, 50, 40}, Budget{0, 0, 0, 1, 0, 0, 0}})
        for (const bool ends : {true, false})
          for (const auto& prior :
               {Prior::count(shape.size() / 5), Prior::density(0.2), Prior::uniform()}) {
            const std::int32_t mines = shape.size() / 5;
            const Cells states = position(shape, mines, opened, ++seed);
            const Position asked{{shape, states, &exact_clues, {}, false},
                                 prior,
                                 ends,
                                 static_cast<Opening>(seed % 3)};
            const Advice advice = search.advise(asked, budget);
            for (const Candidate& one : advice.candidates) {
              CHECK(states[at(one.cell)] == hidden);
              CHECK(one.risk >= 0 && one.risk <= 1);
              CHECK(std::isnan(one.win) || (one.win >= 0 && one.win <= 1 + 1e-12));
            }
            Search fresh;
            CHECK(alike(fresh.advise(asked, budget), advice));
          }
}

// A position the endgame knows: the mean of games played out by a player who plays it
// perfectly, too, is its worth.
void test_playouts() {
  Runner runner;
  Engine engine;
  Endgame endgame;
  Arrangements found;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Shape shape{4, 4};
    const Cells states = position(shape, 4, 6, seed);
    const View view{shape, states, &exact_clues, {}, false};
    CHECK(engine.solve(view, Prior::count(4), 1'000'000) == Outcome::exact);
    if (engine.any_safe() || !engine.list(40, found) || found.size() < 2) continue;
    const auto best = endgame.solve(shape, found, 1'000'000);
    CHECK(best.has_value());
    runner.set_up(shape, states, 4);
    double sum = 0;
    int games = 0;
    Cells board(states.size());
    for (std::uint64_t i = 0; i < 2000; ++i) {
      Stream stream(seed, Purpose::playout, i);
      engine.draw(stream, board);
      ++games;
      if (!board[at(best->cell)]) sum += runner.play_out(best->cell, board, stream);
    }
    CHECK(std::abs(sum / games - best->worth / found.all()) < 0.06);
  }
}

// A search that is asked to stop says so, within a tenth of a second, and remembers nothing.
void test_cancel() {
  Search search;
  std::atomic<bool> stop = false;
  Budget endless;
  endless.playouts = 100'000'000;
  const Cells states = position({16, 30}, 99, 60, 3);
  const Position asked{
      {{16, 30}, states, &exact_clues, {}, false}, Prior::count(99), true, Opening::any};
  const auto stopped_after = [&](auto&& ask) {
    stop = false;
    std::chrono::steady_clock::time_point begun;
    std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      begun = std::chrono::steady_clock::now();
      stop = true;
    });
    CHECK(ask());
    const auto ended = std::chrono::steady_clock::now();
    other.join();
    return ended - begun;
  };
  constexpr auto soon = std::chrono::milliseconds(100);
  CHECK(stopped_after([&] {
          const auto found = search.chance(asked, endless, 2'000'000'000, Cancel(stop));
          return found && found->cancelled;
        }) < soon);
  const Cells nothing(36, hidden);
  const Position first{
      {{6, 6}, nothing, &exact_clues, {}, false}, Prior::count(7), true, Opening::any};
  CHECK(stopped_after([&] {
          const Advice& found = search.advise(first, endless, Cancel(stop));
          return found.cancelled && found.candidates.empty();
        }) < soon);
  const Advice again = search.advise(first, Budget{}, Cancel(stop));
  CHECK(again.cancelled);
  stop = false;
  CHECK(!search.advise(first, Budget{}, Cancel(stop)).cancelled);
  CHECK(alike(search.advise(first, Budget{}), Search().advise(first, Budget{})));
}

}  // namespace

int main() {
  test_cancel();
  test_endgame();
  test_too_many();
  test_advice();
  test_playouts();
  return failures != 0;
}
