// The posterior equals brute force wherever brute force can go; it draws only consistent
// configurations; reusing memory changes nothing; and no board is too large.
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <string>
#include <thread>

#include "check.hpp"
#include "mineproof/engine.hpp"

using namespace mineproof;

namespace {

constexpr std::size_t plenty = 1'000'000;

// A view that owns its states, with its prior.
struct Position {
  Shape shape{1, 1};
  Cells states;
  ClueModel model;
  std::vector<Override> overrides;
  bool trust_flags = false;
  Prior prior;

  [[nodiscard]] View view() const { return {shape, states, &model, overrides, trust_flags}; }
  [[nodiscard]] bool opened(std::int32_t cell) const { return is_opened(states[at(cell)]); }
  [[nodiscard]] bool unknown(std::int32_t cell) const {
    const std::uint8_t state = states[at(cell)];
    return state == hidden || (state == flagged && !trust_flags);
  }
  [[nodiscard]] bool mined(std::int32_t cell) const {
    const std::uint8_t state = states[at(cell)];
    return state == exploded || (state == flagged && trust_flags);
  }
};

const char* name_of(const Prior& prior) {
  return prior.knows_total() ? "count" : prior.is_independent() ? "density" : "uniform";
}

// In a form to paste into a bug report.
void print(const Position& position) {
  static const char letters[] = "012345678?s-*F";
  std::string text =
      std::to_string(position.shape.rows) + "x" + std::to_string(position.shape.cols);
  for (std::int32_t cell = 0; cell < position.shape.size(); ++cell) {
    if (cell % position.shape.cols == 0) text += cell == 0 ? ' ' : '/';
    text += letters[position.states[at(cell)]];
  }
  std::fprintf(stderr, "  in '%s', prior %s, %d mines, density %g, %s clues, %zu overrides%s\n",
               text.c_str(), name_of(position.prior), position.prior.mines(),
               position.prior.density(), position.model.exact ? "exact" : "noisy",
               position.overrides.size(), position.trust_flags ? ", flags trusted" : "");
}

// The truth about a small position: the weight of every configuration of its unknown cells.
struct Truth {
  std::vector<std::int32_t> cells;  // the unknown cells
  std::vector<long double> weight;  // by configuration, one bit per cell
  long double total = 0;
};

long double prior_weight(const Position& position, int unknown, int known, int mines) {
  const Prior& prior = position.prior;
  if (prior.knows_total()) return known + mines == prior.mines() ? 1 : 0;
  if (prior.is_independent()) {
    const long double p = prior.density();
    return std::pow(p, mines) * std::pow(1 - p, unknown - mines);
  }
  long double choose = 1;
  const int size = position.shape.size();
  for (int i = 0; i < known + mines; ++i) choose = choose * (size - i) / (i + 1);
  return 1 / (choose * (size + 1));
}

// The likelihood of what an opened cell shows, for every number of mines around it.
std::array<double, 9> likelihood(const Position& position, std::int32_t cell, int degree) {
  for (const Override& own : position.overrides)
    if (own.cell == cell) return own.table;
  const std::uint8_t state = position.states[at(cell)];
  const std::size_t shown = state == no_clue ? 9 : state;
  if (!position.model.exact) return position.model.table[shown][static_cast<std::size_t>(degree)];
  std::array<double, 9> table{};
  for (std::size_t k = 0; k < 9; ++k) table[k] = shown == 9 || shown == k;
  return table;
}

Truth brute_force(const Position& position) {
  Truth truth;
  std::vector<unsigned> bit(position.states.size(), 0);
  int known = 0;
  for (std::int32_t cell = 0; cell < position.shape.size(); ++cell) {
    known += position.mined(cell);
    if (!position.unknown(cell)) continue;
    bit[at(cell)] = 1U << truth.cells.size();
    truth.cells.push_back(cell);
  }
  struct ShownClue {
    unsigned around = 0;
    int mined = 0;
    std::array<double, 9> table{};
  };
  std::vector<ShownClue> shown;
  for (std::int32_t cell = 0; cell < position.shape.size(); ++cell) {
    if (!position.opened(cell)) continue;
    ShownClue one;
    int degree = 0;
    position.shape.each_neighbour(cell, [&](std::int32_t near) {
      one.around |= bit[at(near)];
      one.mined += position.mined(near);
      ++degree;
    });
    one.table = likelihood(position, cell, degree);
    shown.push_back(one);
  }
  const auto unknown = static_cast<int>(truth.cells.size());
  truth.weight.resize(std::size_t{1} << unknown);
  for (unsigned mines = 0; mines < truth.weight.size(); ++mines) {
    long double weight = prior_weight(position, unknown, known, std::popcount(mines));
    for (const ShownClue& one : shown)
      weight *= one.table[static_cast<std::size_t>(one.mined + std::popcount(one.around & mines))];
    truth.weight[mines] = weight;
    truth.total += weight;
  }
  return truth;
}

// Clue models: errors of at most one; never too high; arbitrary.
ClueModel noisy_model(Stream& stream) {
  ClueModel model;
  model.exact = false;
  const std::uint32_t kind = stream.below(3);
  for (std::size_t shown = 0; shown < 10; ++shown)
    for (std::size_t degree = 0; degree < 9; ++degree)
      for (std::size_t count = 0; count <= degree; ++count) {
        double& chance = model.table[shown][degree][count];
        if (kind == 0) {
          chance = shown == 9                                 ? 0.1
                   : shown == count                           ? 0.6
                   : shown + 1 == count || shown == count + 1 ? 0.15
                                                              : 0.0;
        } else if (kind == 1) {
          chance = shown <= count ? 1.0 / static_cast<double>(count + 1) : 0.0;
        } else {
          chance = stream.below(3) == 0 ? 0.0 : stream.uniform();
        }
      }
  return model;
}

// Deals a board, opens some of its cells, and sometimes changes a clue to an arbitrary one.
Position random_position(Stream& stream, std::int32_t most_cells) {
  Position position;
  Shape& shape = position.shape;
  do {
    shape = {1 + static_cast<std::int32_t>(stream.below(5)),
             1 + static_cast<std::int32_t>(stream.below(12))};
  } while (shape.size() > most_cells);
  if (stream.below(2)) position.model = noisy_model(stream);
  position.trust_flags = stream.below(2) == 0;
  const double density = stream.below(8) == 0 ? stream.below(2) : stream.uniform() * 0.6;
  const double open = stream.uniform();
  Cells mines(at(shape.size()));
  for (std::uint8_t& mine : mines) mine = stream.uniform() < density;
  const Cells counts = count_mines(shape, mines);
  const bool made_up = stream.below(6) == 0;
  for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
    const bool mine = mines[at(cell)];
    std::uint8_t state = hidden;
    if (stream.uniform() < open) {
      if (!mine)
        state = counts[at(cell)];
      else if (stream.below(3) == 0)
        state = exploded;
      if (!mine && made_up && stream.below(4) == 0)
        state = static_cast<std::uint8_t>(stream.below(5));
      if (!mine && stream.below(10) == 0) state = no_clue;
    } else if (stream.below(10) == 0) {
      state = stream.below(8) ? (mine ? flagged : known_safe) : flagged;
    }
    position.states.push_back(state);
    if (position.opened(cell) && stream.below(12) == 0) {
      Override own{cell, {}};
      for (double& chance : own.table) chance = stream.below(3) ? stream.uniform() : 0;
      position.overrides.push_back(own);
    }
  }
  std::int32_t total = 0;
  for (const std::uint8_t mine : mines) total += mine;
  if (made_up && total > 0 && stream.below(2)) --total;
  switch (stream.below(3)) {
    case 0:
      position.prior = Prior::count(total);
      break;
    case 1: {
      const double p = stream.below(8) ? stream.uniform() : stream.below(2);
      position.prior = Prior::density(p);
      break;
    }
    default:
      position.prior = Prior::uniform();
  }
  return position;
}

bool near(long double found, long double wanted, long double by) {
  return std::abs(found - wanted) <= by * std::max(std::abs(wanted), 1e-300L);
}

std::vector<double> risks(const Engine& engine, const Position& position) {
  std::vector<double> risk(position.states.size(), -1);
  engine.write_risk(risk);
  return risk;
}

void check_cells(const Engine& engine, const Position& position, const Truth& truth) {
  const std::vector<double> risk = risks(engine, position);
  const auto verdicts = engine.verdicts();
  for (std::int32_t cell = 0; cell < position.shape.size(); ++cell) {
    if (position.unknown(cell)) continue;
    const double found = risk[at(cell)];
    CHECK(verdicts[at(cell)] == Verdict::open);
    if (position.states[at(cell)] == known_safe)
      CHECK(found == 0);
    else if (position.states[at(cell)] == flagged)
      CHECK(found == 1);
    else
      CHECK(std::isnan(found));
  }
  for (std::size_t i = 0; i < truth.cells.size(); ++i) {
    long double mined = 0;
    for (std::size_t mines = 0; mines < truth.weight.size(); ++mines)
      if (mines >> i & 1) mined += truth.weight[mines];
    const std::size_t cell = at(truth.cells[i]);
    bool can_be_mined = false;
    bool can_be_safe = false;
    for (std::size_t mines = 0; mines < truth.weight.size(); ++mines)
      if (truth.weight[mines] > 0) (mines >> i & 1 ? can_be_mined : can_be_safe) = true;
    const Verdict wanted = !can_be_mined  ? Verdict::safe
                           : !can_be_safe ? Verdict::mine
                                          : Verdict::open;
    CHECK(near(risk[cell], mined / truth.total, 1e-12L));
    CHECK(verdicts[cell] == wanted);
  }
}

void equals_brute_force() {
  Stream stream(1, Purpose::board);
  Engine engine;
  int fitting = 0;
  int broken = 0;
  for (int i = 0; i < 4000; ++i) {
    const Position position = random_position(stream, i % 8 ? 12 : 20);
    std::int32_t unknown = 0;
    for (std::int32_t cell = 0; cell < position.shape.size(); ++cell)
      unknown += position.unknown(cell);
    if (unknown > 12) continue;
    const int before = failures;
    const Truth truth = brute_force(position);
    const Outcome outcome = engine.solve(position.view(), position.prior, plenty);
    CHECK(outcome == (truth.total > 0 ? Outcome::exact : Outcome::contradiction));
    ++(truth.total > 0 ? fitting : broken);
    if (truth.total > 0 && outcome == Outcome::exact) {
      check_cells(engine, position, truth);
      CHECK(engine.error() == 0);
      const long double wanted = std::log(truth.total);
      CHECK(std::abs(engine.log_weight() - wanted) <= 1e-12L * (1 + std::abs(wanted)));
    }
    if (failures > before) print(position);
    if (failures > 20) return;
  }
  CHECK(fitting > 2000 && broken > 100);
}

// Every consistent configuration is drawn with its probability, and no other is drawn.
void draws_by_weight() {
  Stream stream(2, Purpose::board);
  Engine engine;
  constexpr int draws = 2000;
  int positions = 0;
  for (int i = 0; positions < 120 && i < 1000; ++i) {
    const Position position = random_position(stream, 10);
    const Truth truth = brute_force(position);
    if (engine.solve(position.view(), position.prior, plenty) != Outcome::exact) continue;
    if (truth.cells.size() < 2) continue;
    ++positions;
    const int before = failures;
    std::map<std::size_t, int> seen;
    Cells mined(position.states.size());
    for (std::uint64_t n = 0; n < draws; ++n) {
      Stream chance(7, Purpose::playout, n);
      engine.draw(chance, mined);
      std::size_t mines = 0;
      for (std::size_t j = 0; j < truth.cells.size(); ++j)
        mines |= std::size_t{mined[at(truth.cells[j])]} << j;
      ++seen[mines];
      for (std::int32_t cell = 0; cell < position.shape.size(); ++cell)
        if (!position.unknown(cell)) CHECK(mined[at(cell)] == position.mined(cell));
    }
    for (std::size_t mines = 0; mines < truth.weight.size(); ++mines) {
      const auto share = static_cast<double>(truth.weight[mines] / truth.total);
      const int times = seen.contains(mines) ? seen[mines] : 0;
      if (share <= 0) CHECK(times == 0);
      CHECK(std::abs(times - draws * share) <= 5 * std::sqrt(draws * share * (1 - share)) + 4);
    }
    if (failures > before) print(position);
  }
  CHECK(positions == 120);
}

// Opens a cell and floods from it. Mines stay covered.
void open(Position& position, std::span<const std::uint8_t> mines,
          std::span<const std::uint8_t> counts, std::int32_t start) {
  std::vector<std::int32_t> stack{start};
  while (!stack.empty()) {
    const std::int32_t cell = stack.back();
    stack.pop_back();
    if (mines[at(cell)] || position.states[at(cell)] != hidden) continue;
    position.states[at(cell)] = counts[at(cell)];
    if (counts[at(cell)] == 0)
      position.shape.each_neighbour(cell, [&](std::int32_t near) { stack.push_back(near); });
  }
}

Position covered(Shape shape, std::int32_t mines) {
  Position position;
  position.shape = shape;
  position.states.assign(at(shape.size()), hidden);
  position.prior = Prior::count(mines);
  return position;
}

// Over the growing views of a game, an engine that remembers agrees with a fresh one.
void memory_changes_nothing() {
  std::size_t reused = 0;
  for (std::uint64_t game = 0; game < 24; ++game) {
    const bool noisy = game % 3 == 2;
    const Shape shape = noisy ? Shape{9, 9} : Shape{16, 30};
    const std::int32_t mine_count = noisy ? 12 : 99;
    const Cells mines = deal(shape, mine_count, {}, game);
    const Cells counts = count_mines(shape, mines);
    Position position = covered(shape, mine_count);
    Stream stream(game, Purpose::game);
    if (noisy) position.model = noisy_model(stream);
    if (game % 4 == 1) position.prior = Prior::density(0.2);
    if (game % 4 == 2) position.prior = Prior::uniform();
    Engine remembering(true);
    for (int step = 0; step < 60; ++step) {
      const auto cell =
          static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(shape.size())));
      if (mines[at(cell)] && step % 7 == 0)
        position.states[at(cell)] = exploded;
      else
        open(position, mines, counts, cell);
      Engine fresh;
      const Outcome outcome = fresh.solve(position.view(), position.prior, plenty);
      CHECK(remembering.solve(position.view(), position.prior, plenty) == outcome);
      if (outcome != Outcome::exact) break;
      reused += remembering.figures().reused;
      const int before = failures;
      CHECK(std::abs(fresh.log_weight() - remembering.log_weight()) <
            1e-9 * (1 + std::abs(fresh.log_weight())));
      const std::vector<double> once = risks(fresh, position);
      const std::vector<double> again = risks(remembering, position);
      for (std::size_t i = 0; i < once.size(); ++i) {
        if (position.unknown(static_cast<std::int32_t>(i)))
          CHECK(std::abs(once[i] - again[i]) < 1e-10);
        CHECK(fresh.verdicts()[i] == remembering.verdicts()[i]);
      }
      if (failures > before) {
        print(position);
        return;
      }
    }
  }
  CHECK(reused > 1000);
}

// Every fourth cell is opened, with clues that are correct or off by one: a wide component for its
// size.
Position wide_position(Shape shape, std::uint64_t seed, Cells& mines) {
  Position position = covered(shape, shape.size() / 5);
  mines = deal(shape, shape.size() / 5, {}, seed);
  const Cells counts = count_mines(shape, mines);
  Stream stream(seed, Purpose::noise);
  if (seed % 3 != 0) position.model = noisy_model(stream);
  for (std::int32_t cell = 0; cell < shape.size(); ++cell)
    if (!mines[at(cell)] && stream.below(4) == 0) position.states[at(cell)] = counts[at(cell)];
  return position;
}

// Beyond the budget: risks are valid probabilities, and only what is certain is reported as
// certain.
void estimates_are_sound() {
  int estimates = 0;
  int proved = 0;
  double apart = 0;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Cells mines;
    const Position position = wide_position(seed % 2 ? Shape{10, 10} : Shape{7, 12}, seed, mines);
    Engine exact;
    const Outcome truth = exact.solve(position.view(), position.prior, 200'000);
    const std::vector<double> right =
        truth == Outcome::contradiction ? std::vector<double>() : risks(exact, position);
    for (const std::size_t budget : {std::size_t{1}, std::size_t{50}, std::size_t{1000}}) {
      Engine engine;
      const Outcome outcome = engine.solve(position.view(), position.prior, budget);
      const int before = failures;
      if (truth != Outcome::contradiction) CHECK(outcome != Outcome::contradiction);
      if (outcome == Outcome::contradiction) continue;
      estimates += outcome == Outcome::estimate;
      const std::vector<double> risk = risks(engine, position);
      CHECK((engine.error() == 0) == (outcome == Outcome::exact));
      CHECK(engine.error() >= 0 && engine.error() <= 1);
      CHECK(std::isfinite(engine.log_error()) && std::isfinite(engine.log_weight()));
      for (std::int32_t cell = 0; cell < position.shape.size(); ++cell) {
        if (!position.unknown(cell)) continue;
        const double found = risk[at(cell)];
        CHECK(found >= 0 && found <= 1);
        const Verdict verdict = engine.verdicts()[at(cell)];
        if (truth == Outcome::exact) {
          apart += std::abs(found - right[at(cell)]);
          ++compared;
          if (verdict != Verdict::open) CHECK(verdict == exact.verdicts()[at(cell)]);
        }
        if (verdict == Verdict::open) continue;
        ++proved;
        CHECK(found == (verdict == Verdict::mine ? 1 : 0));
        if (position.model.exact) CHECK(mines[at(cell)] == (verdict == Verdict::mine));
      }
      if (failures > before) print(position);
    }
  }
  CHECK(estimates > 40 && proved > 20 && compared > 500);
  CHECK(apart < 0.02 * compared);
}

// A long strip with long polynomials: with little memory only some layers are stored and the others
// recomputed, with the same result.
void little_room_changes_nothing() {
  Position position = covered({3, 400}, 300);
  Stream noise(1, Purpose::noise);
  position.model = noisy_model(noise);
  Cells mines = deal(position.shape, 300, {}, 1);
  for (std::size_t cell = 400; cell < 800; cell += 2) mines[cell] = 0;
  const Cells counts = count_mines(position.shape, mines);
  for (std::size_t cell = 400; cell < 800; cell += 2) position.states[cell] = counts[cell];
  const View view = position.view();
  ConstraintGraph graph;
  CHECK(graph.read(view));
  const std::span<const std::int32_t> groups(graph.component_groups.data(),
                                             at(graph.component_begin[1]));
  CHECK(groups.size() > 100);
  Scratch scratch;
  Sweep planned;
  const std::size_t plenty_of_room = std::size_t{1} << 30;
  CHECK(planned.run(graph, groups, Weights(0.25), 20, plenty_of_room, 1e300, scratch, {}) ==
        Swept::over_budget);
  const auto estimated = [&](std::size_t room) {
    Sweep sweep;
    Stream stream(3, Purpose::playout);
    CHECK(sweep.estimate(planned, 4, room, stream, scratch, {}));
    CHECK(sweep.feasible());
    return sweep;
  };
  Sweep all = estimated(plenty_of_room);
  Sweep few = estimated(all.bytes() / 2);
  CHECK(few.bytes() < all.bytes() / 2);
  CHECK(few.low() == all.low() && few.total().size() == all.total().size());
  for (std::size_t i = 0; i < all.total().size(); ++i) CHECK(few.total()[i] == all.total()[i]);
  const std::vector<double> outside(all.total().size(), 1.0);
  for (int repeat = 0; repeat < 2; ++repeat) {
    CHECK(all.marginals(outside, {}) && few.marginals(outside, {}));
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto [mined, safe] = all.halves(i);
      const auto [again_mined, again_safe] = few.halves(i);
      CHECK(std::abs(mined / (mined + safe) - again_mined / (again_mined + again_safe)) < 1e-12);
    }
  }
}

// Any clue may show anything, but each wrong clue has only this likelihood.
ClueModel rarely_wrong(double chance) {
  ClueModel model;
  model.exact = false;
  for (std::size_t shown = 0; shown < 10; ++shown)
    for (std::size_t degree = 0; degree < 9; ++degree)
      for (std::size_t count = 0; count <= degree; ++count)
        model.table[shown][degree][count] = shown == count ? 1 : chance;
  return model;
}

// A consistent view is no contradiction, however unlikely: here at least half of the 2s are wrong.
void the_unlikely_is_possible() {
  Engine engine;
  Position position = covered({1, 401}, 100);
  position.model = rarely_wrong(1e-3);
  for (std::size_t i = 1; i < 401; i += 2) position.states[i] = 2;
  CHECK(engine.solve(position.view(), position.prior, plenty) == Outcome::exact);

  position = covered({1, 5}, 3);  // ?1?1?: every ? is a mine
  position.model = rarely_wrong(1e-160);
  position.states[1] = position.states[3] = 1;
  // 1e-320 is a denormal with few digits: what is certain is proved nevertheless.
  CHECK(engine.solve(position.view(), position.prior, plenty) != Outcome::contradiction);
  for (const std::size_t cell : {0U, 2U, 4U}) CHECK(engine.verdicts()[cell] == Verdict::mine);
}

// Optimistic clues with the smallest mine count that they allow, which is very unlikely.
void an_estimate_is_no_contradiction() {
  static const char rows[] =
      "?3??1?3??01?1?31?1?4?3?22???01??3??01???1???211?12?1??2??421??1?????3????32?3?"
      "1212??6?????????0???????5??????3323????2?????????3?0??32111????0?";
  Position position = covered({11, 13}, 33);
  for (std::size_t i = 0; i < position.states.size(); ++i)
    if (rows[i] != '?') position.states[i] = static_cast<std::uint8_t>(rows[i] - '0');
  position.model.exact = false;
  for (std::size_t shown = 0; shown < 9; ++shown)
    for (std::size_t degree = 0; degree < 9; ++degree)
      for (std::size_t count = shown; count <= degree; ++count)
        position.model.table[shown][degree][count] = 1.0 / static_cast<double>(count + 1);
  Engine engine;
  for (const std::size_t budget : {std::size_t{1}, std::size_t{3000}}) {
    const Outcome outcome = engine.solve(position.view(), position.prior, budget);
    CHECK(outcome == Outcome::estimate);
    if (outcome != Outcome::estimate) continue;
    const std::vector<double> risk = risks(engine, position);
    for (std::int32_t cell = 0; cell < position.shape.size(); ++cell)
      if (position.unknown(cell)) CHECK(risk[at(cell)] >= 0 && risk[at(cell)] <= 1);
  }
}

// An open 8 in a corner of a board full of mines, where `gaps` interior cells are safe. Every
// choice of these is listed, however many mines are left.
void lists_many_mines() {
  for (const std::int32_t gaps : {1, 2}) {
    const Shape shape{18, 18};
    Position position = covered(shape, shape.size() - 1 - gaps);
    position.states[at(shape.cols + 1)] = 8;
    Engine engine;
    CHECK(engine.solve(position.view(), position.prior, plenty) == Outcome::exact);
    const std::size_t rest = 18 * 18 - 9;
    const std::size_t ways = gaps == 1 ? rest : rest * (rest - 1) / 2;
    Arrangements found;
    CHECK(engine.list(60'000, found));
    CHECK(found.size() == ways && found.cells.size() == rest);
    CHECK(found.mined.size() == ways * rest);
    for (std::size_t i = 0; i < found.size(); ++i) {
      std::size_t mines = 0;
      for (std::size_t j = 0; j < rest; ++j) mines += found.mined[i * rest + j];
      CHECK(mines == rest - at(gaps));
    }
    CHECK(!engine.list(ways - 1, found));
  }
}

// If all weights underflow, the estimate is nevertheless bounded.
void an_estimate_of_nothing_is_bounded() {
  const Shape shape{16, 30};
  Position position = covered(shape, 99);
  Stream stream(8, Purpose::noise);
  position.model.exact = false;
  for (auto& shown : position.model.table)
    for (auto& degree : shown)
      for (double& chance : degree) chance = stream.below(4) ? 1e-150 * stream.uniform() : 0.0;
  for (std::uint8_t& state : position.states)
    if (stream.below(3) == 0) state = static_cast<std::uint8_t>(stream.below(3));
  Engine engine;
  CHECK(engine.solve(position.view(), position.prior, 100) != Outcome::exact);
  CHECK(engine.figures().states < 200'000);
}

// Every part of the work stops on request, and an engine that was stopped works as well as before.
void stops_when_asked() {
  const std::atomic<bool> asked = true;
  Cells mines;
  const Position wide = wide_position({16, 30}, 1, mines);
  const Position easy = wide_position({7, 12}, 0, mines);
  Engine fresh;
  CHECK(fresh.solve(easy.view(), easy.prior, plenty) == Outcome::exact);
  const std::vector<double> right = risks(fresh, easy);
  for (const bool remembers : {false, true}) {
    Engine engine(remembers);
    for (const Position& position : {wide, easy, wide}) {
      CHECK(engine.solve(position.view(), position.prior, plenty, Cancel(asked)) ==
            Outcome::cancelled);
      CHECK(engine.solve(easy.view(), easy.prior, plenty) == Outcome::exact);
      const std::vector<double> found = risks(engine, easy);
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i] == right[i] || (std::isnan(found[i]) && std::isnan(right[i])));
    }
    Stream stream(1, Purpose::playout);
    Cells board(easy.states.size());
    Arrangements all;
    CHECK(!engine.draw(stream, board, Cancel(asked)));
    CHECK(!engine.list(plenty, all, false, Cancel(asked)));
    CHECK(engine.draw(stream, board));
  }
}

// CPU time of this process, in milliseconds: hardly affected by other load on the machine.
double cpu_milliseconds() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Stops after at most milliseconds of work, at any point.
void stops_soon() {
#ifdef __OPTIMIZE__
  constexpr double most = 100;
#else
  constexpr double most = 3000;
#endif
  Cells mines;
  Position wide = wide_position({24, 40}, 1, mines);
  Position large = covered({1000, 1000}, 200'000);
  mines = deal(large.shape, 200'000, {}, 3);
  const Cells counts = count_mines(large.shape, mines);
  Stream stream(3, Purpose::game);
  for (int i = 0; i < 20'000; ++i)
    open(large, mines, counts, static_cast<std::int32_t>(stream.below(1'000'000)));
  int stopped = 0;
  for (const Position* position : {&wide, &large})
    for (const int after : {1, 10, 50, 150}) {
      Engine engine;
      std::atomic<bool> flag = false;
      double set = 0;
      std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(after));
        set = cpu_milliseconds();
        flag = true;
      });
      const Outcome outcome =
          engine.solve(position->view(), position->prior, 300'000, Cancel(flag));
      const double ended = cpu_milliseconds();
      other.join();
      if (outcome != Outcome::cancelled) continue;
      ++stopped;
      CHECK(ended - set < most);
      if (ended - set >= most) std::fprintf(stderr, "%g ms\n", ended - set);
    }
  CHECK(stopped > 0);
}

// The risks of a million cells add up to the number of mines, and the log weight is finite.
void a_million_cells() {
  const Shape shape{1000, 1000};
  constexpr std::int32_t mine_count = 200'000;
  const Cells mines = deal(shape, mine_count, {}, 3);
  const Cells counts = count_mines(shape, mines);
  Position position = covered(shape, mine_count);
  Stream stream(3, Purpose::game);
  for (int i = 0; i < 20'000; ++i)
    open(position, mines, counts, static_cast<std::int32_t>(stream.below(1'000'000)));
  Engine engine;
  for (const Prior& prior : {Prior::count(mine_count), Prior::density(0.2), Prior::uniform()}) {
    position.prior = prior;
    const Outcome outcome = engine.solve(position.view(), position.prior, plenty);
    CHECK(outcome == Outcome::exact);
    if (outcome == Outcome::contradiction) continue;
    CHECK(std::isfinite(engine.log_weight()));
    const std::vector<double> risk = risks(engine, position);
    double sum = 0;
    bool chances = true;
    bool right = true;
    for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
      if (!position.unknown(cell)) continue;
      sum += risk[at(cell)];
      chances &= risk[at(cell)] >= 0 && risk[at(cell)] <= 1;
      const Verdict verdict = engine.verdicts()[at(cell)];
      if (verdict != Verdict::open) right &= mines[at(cell)] == (verdict == Verdict::mine);
    }
    CHECK(chances && right && std::isfinite(sum));
    if (prior.knows_total()) CHECK(std::abs(sum - mine_count) < 1e-6 * mine_count);
  }
}

// With a density of 0 or 1 there is one configuration. It is listed with a weight, and its cells
// have the risks that were counted.
void lists_what_is_beyond_doubt() {
  for (const double density : {0.0, 1.0})
    for (const Shape shape : {Shape{1, 1}, Shape{2, 3}}) {
      const Cells states(at(shape.size()), hidden);
      Engine engine;
      const View view{shape, states, &exact_clues, {}, false};
      CHECK(engine.solve(view, Prior::density(density), plenty) == Outcome::exact);
      Arrangements found;
      CHECK(engine.list(60, found, true));
      CHECK(found.size() == 1 && found.all() == 1);
      for (const std::int32_t cell : found.cells) CHECK(found.risk(cell) == density);
    }
}

}  // namespace

int main() {
  equals_brute_force();
  draws_by_weight();
  memory_changes_nothing();
  estimates_are_sound();
  little_room_changes_nothing();
  the_unlikely_is_possible();
  an_estimate_is_no_contradiction();
  lists_many_mines();
  lists_what_is_beyond_doubt();
  an_estimate_of_nothing_is_bounded();
  stops_when_asked();
  stops_soon();
  a_million_cells();
  return exit_code();
}
