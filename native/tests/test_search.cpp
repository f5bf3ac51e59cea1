// The endgame equals a direct definition of best play. On all kinds of positions the search's
// advice is legal and reproducible, and its playouts are unbiased where the truth is known.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "check.hpp"
#include "mineproof/playout.hpp"
#include "mineproof/search.hpp"

using namespace mineproof;

namespace {

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

// Best play by direct definition: how many of these boards it wins, with these cells opened.
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
      shape.each_neighbour(cell, [&](std::int32_t near) { shows += board[at(near)]; });
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

// Configurations are numbered with 16 bits: larger sets are refused, never mixed up.
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

struct Sampled {
  double mean, error;
};

// The mean of playouts from a cell, given that it is safe, on boards drawn from a position that was
// solved.
Sampled played_out(Playout& runner, Engine& engine, std::int32_t cell, int games,
                   std::uint64_t seed) {
  double sum = 0;
  double squares = 0;
  Cells board(engine.verdicts().size());
  for (int i = 0; i < games; ++i) {
    Stream stream(seed, Purpose::playout, static_cast<std::uint64_t>(i));
    engine.draw(stream, board);
    runner.deal(cell, board, stream);
    const double win = runner.play_out(cell, stream);
    sum += win;
    squares += win * win;
  }
  const double mean = sum / games;
  return {mean, std::sqrt(std::max(squares / games - mean * mean, 0.0) / games)};
}

// In positions within the endgame's reach, the mean of playouts by a player who plays perfectly
// equals the value of the position.
void test_playouts() {
  Playout runner;
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
    runner.set_up(shape, states, 4, Resample::all);
    const double mean = played_out(runner, engine, best->cell, 2000, seed).mean;
    const double safe = 1 - found.risk(best->cell);
    CHECK(std::abs(safe * mean - best->worth / found.all()) < 0.06);
  }
}

// Playouts with Resample::near give the same win probabilities, within noise, when a tenth of the
// board is opened and the mine count hardly matters. With few interior cells they are the very same
// playouts.
void test_redraws() {
  Playout runner;
  Engine engine;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const bool small = seed % 6 == 0;
    const Shape shape = small ? Shape{4, 4} : Shape{12, 12};
    const std::int32_t mines = small ? 4 : 22;
    const Cells states = position(shape, mines, shape.size() / 3, seed);
    const View view{shape, states, &exact_clues, {}, false};
    CHECK(engine.solve(view, Prior::count(mines), 1'000'000) == Outcome::exact);
    std::int32_t cell = -1;
    engine.each_group([&](std::span<const std::int32_t> group, double) { cell = group[0]; });
    if (cell < 0) continue;
    runner.set_up(shape, states, mines, Resample::all);
    const Sampled all = played_out(runner, engine, cell, 300, seed);
    runner.set_up(shape, states, mines, Resample::near);
    const Sampled near = played_out(runner, engine, cell, 300, seed);
    const double apart = near.mean - all.mean;
    if (small) CHECK(apart == 0);
    CHECK(std::abs(apart) <= 5 * std::hypot(all.error, near.error) + 1e-9);
    sum += apart;
    squares += all.error * all.error + near.error * near.error;
  }
  CHECK(squares > 0);
  CHECK(std::abs(sum) < 4 * std::sqrt(squares));
}

// The given guesser is called in recurring views and in no others. If it returns no cell, the
// playout ends there.
void test_playouts_of_another() {
  Playout runner;
  Engine engine;
  int asked = 0;
  double lost = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Shape shape{7, 7};
    const Cells states = position(shape, 16, 20, seed);
    const View view{shape, states, &exact_clues, {}, false};
    CHECK(engine.solve(view, Prior::count(16), 1'000'000) == Outcome::exact);
    std::int32_t cell = -1;
    engine.each_group([&](std::span<const std::int32_t> group, double) { cell = group[0]; });
    if (cell < 0) continue;
    runner.set_up(shape, states, 16, Resample::all);
    const double alone = played_out(runner, engine, cell, 400, seed).mean;
    const int before = asked;
    runner.set_up(shape, states, 16, Resample::all, {},
                  [&](const PlayerKnowledge&) { return ++asked, LowestRisk{}; });
    (void)played_out(runner, engine, cell, 15, seed);
    CHECK(asked == before);
    const double left = played_out(runner, engine, cell, 400, seed).mean;
    CHECK(asked == before ? left == alone : left < alone);
    lost += alone - left;
  }
  CHECK(asked > 24);
  CHECK(lost > 0.5);
}

// A search that is asked to stop reports it within a tenth of a second, and caches nothing.
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

// A candidate's variance is the true one without the effect that a board has on all candidates.
void test_race() {
  constexpr int boards = 4000;
  Stream stream(5, Purpose::ties);
  const auto chance = [&] { return stream.below(1'000'000) / 1e6; };
  for (const std::size_t arms : {2U, 3U, 6U}) {
    Race race(1e6, 0);  // the look-ahead counts for nothing
    for (std::size_t i = 0; i < arms; ++i) {
      Race::Arm& one = race.arms.emplace_back();
      one.open = 0.8;
      one.prior_score = 1;
    }
    for (int board = 0; board < boards; ++board) {
      const double common = chance();
      for (Race::Arm& one : race.arms) one.played.push_back(0.7 * common + 0.3 * chance());
    }
    race.judge();
    const double truth = 0.8 * 0.8 * 0.3 * 0.3 / 12 / boards;  // variance of uniform numbers
    for (const Race::Arm& one : race.arms) CHECK(std::abs(one.spread / truth - 1) < 0.1);
  }
}

// The network gives every candidate a finite value that does not depend on the others, except the
// first.
void test_ranking() {
  Stream stream(6, Purpose::ties);
  const auto chance = [&](double most) { return most * stream.below(1'000'001) / 1e6; };
  const auto draw = [&](double far) {
    CandidateFeatures features;
    features.log_score = -chance(0.5 * far);
    features.log_value = features.log_score + chance(0.1);
    features.log_safe = -chance(0.3 * far);
    features.goes_on = chance(1);
    features.entropy = chance(2 * far);
    features.doubt = chance(50 * far);
    features.covered = chance(8);
    for (OutcomeFeatures& one : features.outcomes) one.chance = one.doubt = chance(far);
    for (std::uint8_t& cell : features.square.cells)
      cell = static_cast<std::uint8_t>(stream.below(256));
    return features;
  };
  int apart = 0;
  for (int i = 0; i < 200; ++i) {
    const double far = i % 2 ? 1 : 1e6;
    PositionFeatures position;
    position.log_weight = chance(300 * far);
    position.rest = chance(200 * far);
    const std::vector<CandidateFeatures> all = {draw(far), draw(far), draw(far), draw(far)};
    const std::vector<double> logs = rank_by_network(all, position);
    CHECK(std::all_of(logs.begin(), logs.end(), [](double log) { return std::isfinite(log); }));
    const std::vector<double> two =
        rank_by_network(std::vector<CandidateFeatures>{all[0], all[3]}, position);
    CHECK(two[0] == logs[0] && two[1] == logs[3]);
    apart += std::abs(logs[0] - logs[1]) > 1e-6;
  }
  CHECK(apart > 150);
  CHECK(rank_by_network({}, {}).empty());
}

// A square has the same normal form in all orientations, unless two sides have equally much doubt.
void test_square() {
  CHECK(Square::with_risk(0) == Square::risky && Square::with_risk(1) == 255);
  CHECK(Square::with_risk(2) == 255 && Square::with_risk(-1) == Square::risky);
  Stream stream(7, Purpose::ties);
  const auto mirrored = [](const Square& square) {
    Square found;
    for (std::size_t i = 0; i < Square::size; ++i)
      found.cells[i / Square::side * Square::side + Square::side - 1 - i % Square::side] =
          square.cells[i];
    return found;
  };
  const auto transposed = [](const Square& square) {
    Square found;
    for (std::size_t i = 0; i < Square::size; ++i)
      found.cells[i % Square::side * Square::side + i / Square::side] = square.cells[i];
    return found;
  };
  int compared = 0;
  for (int i = 0; i < 300; ++i) {
    Square square;
    std::array<int, 4> doubt{};  // above, below, left, right
    for (std::size_t c = 0; c < Square::size; ++c) {
      square.cells[c] = static_cast<std::uint8_t>(stream.below(40));
      const int in_doubt = Square::is_in_doubt(square.cells[c]);
      const std::size_t row = c / Square::side;
      const std::size_t col = c % Square::side;
      doubt[0] += row < Square::reach ? in_doubt : 0;
      doubt[1] += row > Square::reach ? in_doubt : 0;
      doubt[2] += col < Square::reach ? in_doubt : 0;
      doubt[3] += col > Square::reach ? in_doubt : 0;
    }
    if (doubt[0] == doubt[1] || doubt[2] == doubt[3] ||
        std::max(doubt[0], doubt[1]) == std::max(doubt[2], doubt[3]))
      continue;
    ++compared;
    Square turned = square;
    turned.turn();
    Square image = square;
    for (int way = 0; way < 8; ++way) {  // a reflection and a transposition generate all eight
      image = way % 2 ? mirrored(image) : transposed(image);
      Square seen = image;
      seen.turn();
      CHECK(seen.cells == turned.cells);
    }
  }
  CHECK(compared > 100);
}

// A board with 28 mines on 144 cells, 60 of these opened: most such positions have close
// candidates.
constexpr Shape contested_shape{12, 12};
constexpr std::int32_t contested_mines = 28;

Cells contested_position(std::uint64_t seed) {
  return position(contested_shape, contested_mines, 60, seed);
}

Position contested_question(const Cells& states) {
  return {{contested_shape, states, &exact_clues, {}, false},
          Prior::count(contested_mines),
          true,
          Opening::any};
}

// The network reorders the close candidates of contested positions, and leaves the others behind
// them.
void test_learned_order() {
  Search search;
  int contested = 0;
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Cells states = contested_position(seed);
    const Position asked = contested_question(states);
    Budget plain;
    plain.arrangements = plain.parts = 0;
    plain.learned = false;
    Budget learned = plain;
    learned.learned = true;
    const auto looked = search.look(asked, learned);
    if (looked.candidates.size() < 2) continue;
    ++contested;
    const Advice before = search.advise(asked, plain);
    const Advice after = search.advise(asked, learned);
    if (after.method != Method::learned) continue;
    CHECK(alike(after, Search().advise(asked, learned)));
    CHECK(after.candidates.size() == before.candidates.size());
    const auto is_close = [&](const Candidate& one) {
      return std::any_of(looked.candidates.begin(), looked.candidates.end(),
                         [&](const Candidate& other) { return other.cell == one.cell; });
    };
    for (std::size_t i = 0; i < after.candidates.size(); ++i)
      CHECK(is_close(after.candidates[i]) == (i < looked.candidates.size()));
    changed += after.candidates[0].cell != before.candidates[0].cell;
  }
  CHECK(contested >= 20);
  CHECK(changed >= 2);
}

// A candidate that is eliminated after very few playouts has no reported win probability; the best
// one always has.
void test_vague_chances() {
  Search search;
  int precise = 0;
  int vague = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Cells states = contested_position(seed);
    Budget budget;
    budget.arrangements = budget.parts = 0;
    budget.playouts = 2000;
    const Advice advice = search.advise(contested_question(states), budget);
    if (advice.method != Method::playouts) continue;
    CHECK(std::isfinite(advice.candidates[0].win));
    for (const Candidate& one : advice.candidates) {
      CHECK(std::isnan(one.win) == std::isnan(one.error));
      if (!std::isnan(one.win) && &one != &advice.candidates[0]) CHECK(one.error <= 0.04);
      ++(std::isnan(one.win) ? vague : precise);
    }
  }
  CHECK(precise > 20 && vague > 5);
}

// If a mine does not end the game, perfect play has a loss and no win probability; cells that the
// opening rule protects cost nothing.
void test_loss() {
  Search search;
  const auto ask = [&](Shape shape, std::int32_t mines, Opening opening) {
    const Cells states(at(shape.size()), hidden);
    const View view{shape, states, &exact_clues, {}, false};
    return search.advise({view, Prior::count(mines), false, opening}, {});
  };
  const auto is_near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  for (int i = 0; i < 2; ++i) {  // the second time from the cache
    const Advice any = ask({2, 2}, 1, Opening::any);
    CHECK(any.method == Method::endgame && any.candidates.size() == 1);
    CHECK(std::isnan(any.candidates[0].win) && std::isnan(any.candidates[0].score));
    CHECK(is_near(any.candidates[0].risk, 0.25) && is_near(any.candidates[0].loss, 0.75));
    const Advice safe = ask({2, 2}, 1, Opening::safe);
    CHECK(safe.method == Method::opening && safe.candidates.size() == 1);
    CHECK(safe.candidates[0].risk == 0 && is_near(safe.candidates[0].loss, 2.0 / 3));
    const Advice clear = ask({2, 3}, 1, Opening::clear);
    CHECK(clear.candidates.size() == 1 && clear.candidates[0].cell == 0);
    CHECK(is_near(clear.candidates[0].loss, 0.5));
  }
  CHECK(ask({7, 1}, 1, Opening::any).candidates[0].loss > 0);
  // Flagging is worth more than opening any cell, and without a safe cell the opening rule cannot
  // be kept.
  CHECK(ask({2, 2}, 3, Opening::any).method == Method::flags);
  CHECK(ask({2, 2}, 4, Opening::any).candidates.size() == 4);
  CHECK(ask({2, 2}, 4, Opening::safe).candidates.empty());
  CHECK(ask({2, 2}, 1, Opening::clear).candidates.empty());
  CHECK(ask({16, 30}, 480, Opening::safe).candidates.empty());
}

// No cell is advised if none can be safe, or if none can keep the opening rule.
void test_nothing_to_open() {
  Search search;
  for (const Shape shape : {Shape{2, 2}, Shape{16, 30}})
    for (const Opening opening : {Opening::any, Opening::safe, Opening::clear}) {
      const Cells states(at(shape.size()), hidden);
      const View view{shape, states, &exact_clues, {}, false};
      const Position full{view, Prior::count(shape.size()), true, opening};
      CHECK(search.advise(full, {}).candidates.empty());
      const Position nearly{view, Prior::count(shape.size() - 1), true, opening};
      CHECK(search.advise(nearly, {}).candidates.empty() == (opening == Opening::clear));
    }
}

// The win probability before the first cell is opened takes the opening rule into account.
void test_promised_chance() {
  Search search;
  const Cells states(4, hidden);
  const View view{{2, 2}, states, &exact_clues, {}, false};
  const auto chance = [&](Opening opening) {
    return search.chance({view, Prior::count(1), true, opening}, {}, 100);
  };
  CHECK(std::abs(chance(Opening::any)->win - 0.25) < 1e-9);
  CHECK(std::abs(chance(Opening::safe)->win - 1.0 / 3) < 1e-9);
}

// Evaluating each cell separately: the best value is that of the position, for winning and for the
// score.
void test_given_cells() {
  Search search;
  Budget ample;
  ample.arrangements = 5'000;
  ample.work = 1'000'000'000;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Shape shape{3, 4};
    const Cells states = position(shape, 4, 3, seed);
    const View view{shape, states, &exact_clues, {}, false};
    const Position to_win{view, Prior::count(4), true, Opening::any};
    const Position for_score{view, Prior::count(4), false, Opening::any};
    const auto best = search.chance(to_win, ample, 10);
    const auto least = search.cost(for_score, ample);
    CHECK(best && best->error == 0 && least);
    double won = 0;
    double lost = std::numeric_limits<double>::infinity();
    for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
      if (states[at(cell)] != hidden) continue;
      const auto win = search.chance(to_win, ample, 10, {}, cell);
      const auto cost = search.cost(for_score, ample, {}, cell);
      CHECK(win && win->error == 0 && cost);
      won = std::max(won, win->win);
      lost = std::min(lost, cost->flags);
    }
    CHECK(std::abs(won - best->win) < 1e-9);
    CHECK(lost >= least->flags - 1e-9);  // opening nothing may be best
  }
}

}  // namespace

int main() {
  test_race();
  test_ranking();
  test_square();
  test_learned_order();
  test_vague_chances();
  test_cancel();
  test_endgame();
  test_too_many();
  test_advice();
  test_loss();
  test_nothing_to_open();
  test_promised_chance();
  test_given_cells();
  test_playouts();
  test_redraws();
  test_playouts_of_another();
  return failures != 0;
}
