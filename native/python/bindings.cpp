// The border between Python and the native library: converts, and does nothing else.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <ctime>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/play.hpp"
#include "mineproof/posterior.hpp"
#include "mineproof/solve.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mineproof;

namespace {

nb::bytes to_bytes(const Cells& cells) {
  return nb::bytes(reinterpret_cast<const char*>(cells.data()), cells.size());
}

std::span<const std::uint8_t> from_bytes(const nb::bytes& cells) {
  return {reinterpret_cast<const std::uint8_t*>(cells.c_str()), cells.size()};
}

using Table = nb::ndarray<const double, nb::shape<10, 9, 9>, nb::c_contig, nb::device::cpu>;
using Overrides = std::vector<std::pair<std::int32_t, std::vector<double>>>;

Model to_model(const Table& table) {
  Model model;
  model.exact = false;
  std::copy_n(table.data(), 810, &model.table[0][0][0]);
  return model;
}

// An attribute of a Python object, its name made once.
#define ATTRIBUTE(object, name)                                         \
  ([&] {                                                                \
    static PyObject* const interned = PyUnicode_InternFromString(name); \
    return nb::steal(nb::detail::getattr((object).ptr(), interned));    \
  }())

// What is asked of the engine, apart from the interpreter.
struct Question {
  std::vector<Override> overrides;
  View view;
  Prior prior;
  std::size_t budget;

  Question(nb::handle seen, const Model* model, const Overrides& own, std::optional<double> density,
           bool trust_flags, std::size_t states_allowed, std::optional<std::int32_t> mines)
      : budget(states_allowed) {
    static const Model exact;
    const nb::object grid = ATTRIBUTE(seen, "grid");
    const Shape shape{nb::cast<std::int32_t>(ATTRIBUTE(grid, "rows")),
                      nb::cast<std::int32_t>(ATTRIBUTE(grid, "cols"))};
    const auto states = nb::cast<nb::bytes>(ATTRIBUTE(seen, "states"));
    if (states.size() != static_cast<std::size_t>(shape.size()))
      throw nb::value_error("the states do not fill the shape");
    for (const auto& [cell, table] : own) {
      Override one{cell, {}};
      std::copy_n(table.begin(), std::min<std::size_t>(9, table.size()), one.table.begin());
      overrides.push_back(one);
    }
    view = {shape, from_bytes(states), model ? model : &exact, {}, trust_flags};
    const nb::object count = ATTRIBUTE(seen, "mines");
    if (!mines && !count.is_none()) mines = nb::cast<std::int32_t>(count);
    prior = {mines     ? Prior::Kind::count
             : density ? Prior::Kind::density
                       : Prior::Kind::uniform,
             mines.value_or(0), density.value_or(0)};
  }
};

Engine& own_engine() {
  static thread_local Engine own;
  return own;
}

Search& own_search() {
  static thread_local Search own;
  return own;
}

Position position_of(const Question& question, const GameRules& rules) {
  Position position{question.view, question.prior, rules.mine_ends, rules.opening};
  position.view.overrides = question.overrides;
  return position;
}

struct Solution {
  Outcome outcome{};
  std::size_t size = 0;
  std::unique_ptr<double[]> risk;
  std::unique_ptr<Verdict[]> verdicts;
  double log_weight = 0, error = 0;
  Engine::Figures figures{};
};

Solution solve(Engine& engine, const Question& question) {
  View view = question.view;
  view.overrides = question.overrides;
  Solution found;
  found.outcome = engine.solve(view, question.prior, question.budget);
  if (found.outcome == Outcome::contradiction) return found;
  found.size = view.states.size();
  found.risk = std::make_unique_for_overwrite<double[]>(found.size);
  engine.write_risk({found.risk.get(), found.size});
  found.verdicts = std::make_unique_for_overwrite<Verdict[]>(found.size);
  std::copy_n(engine.verdicts().begin(), found.size, found.verdicts.get());
  found.log_weight = engine.log_weight();
  found.error = engine.error();
  found.figures = engine.figures();
  return found;
}

// Many at once: threads take the next question until none is left.
std::vector<Solution> solve_all(const std::vector<Question>& questions, unsigned threads) {
  std::vector<Solution> found(questions.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < questions.size(); i = next++)
      found[i] = solve(own_engine(), questions[i]);
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads && i < questions.size(); ++i) others.emplace_back(work);
  work();
  others.clear();
  return found;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A game as Python takes it: what came out, and the moves if they were asked for.
using Outcomes =
    std::tuple<bool, int, int, int, int, int, int, std::array<int, rule_count>, double>;
using Moves = std::vector<std::tuple<int, int, bool, int, std::optional<double>>>;

Moves moves_of(const Match& match) {
  Moves moves;
  for (const Move& move : match.moves())
    moves.emplace_back(move.cell, static_cast<int>(move.action), move.certain,
                       static_cast<int>(move.rule),
                       std::isnan(move.risk) ? std::nullopt : std::optional(move.risk));
  return moves;
}

// What the kernel tells as a value is an exception in Python.
void check(Fault fault) {
  switch (fault) {
    case Fault::none:
      return;
    case Fault::broken_opening:
      throw std::invalid_argument("the board breaks the opening rule");
    case Fault::overflow:
      throw std::overflow_error("a coefficient is too large");
    case Fault::contradiction:
      throw std::invalid_argument("no arrangement fits");
    case Fault::nowhere:
      throw std::logic_error("a player gets nowhere");
    case Fault::cancelled:
      throw std::runtime_error("cancelled");
  }
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The native twins of what must be fast; the same results as the Python code.";

  m.def(
      "deal",
      [](std::int32_t rows, std::int32_t cols, std::int32_t mines,
         const std::vector<std::int32_t>& free, std::uint64_t seed) {
        Cells cells;
        {
          nb::gil_scoped_release release;
          cells = deal({rows, cols}, mines, free, seed);
        }
        return to_bytes(cells);
      },
      "rows"_a, "cols"_a, "mines"_a, "free"_a, "seed"_a,
      "Mines by count, uniform among the boards in which the cells `free` have none.");

  m.def(
      "deal_each",
      [](std::int32_t rows, std::int32_t cols, std::uint64_t threshold,
         const std::vector<std::int32_t>& free, std::uint64_t seed) {
        Cells cells;
        {
          nb::gil_scoped_release release;
          cells = deal_each({rows, cols}, threshold, free, seed);
        }
        return to_bytes(cells);
      },
      "rows"_a, "cols"_a, "threshold"_a, "free"_a, "seed"_a,
      "Each cell mined by itself with chance `threshold` / 2**53.");

  m.def(
      "order_keys",
      [](std::int32_t size, std::uint64_t seed) {
        std::vector<std::uint64_t> keys;
        {
          nb::gil_scoped_release release;
          keys = order_keys(size, seed);
        }
        return nb::bytes(reinterpret_cast<const char*>(keys.data()), keys.size() * sizeof keys[0]);
      },
      "size"_a, "seed"_a, "The 64-bit keys of the shared order, cell by cell.");

  m.def(
      "words",
      [](std::uint64_t seed, std::uint32_t purpose, std::uint64_t index, std::size_t count) {
        std::vector<std::uint32_t> words(count);
        Stream stream(seed, static_cast<Purpose>(purpose), index);
        for (auto& word : words) word = stream.next();
        return words;
      },
      "seed"_a, "purpose"_a, "index"_a, "count"_a, "The first 32-bit words of a stream.");

  m.def(
      "count_mines",
      [](std::int32_t rows, std::int32_t cols, const nb::bytes& mines) {
        const auto span = from_bytes(mines);
        Cells counts;
        {
          nb::gil_scoped_release release;
          counts = count_mines({rows, cols}, span);
        }
        return to_bytes(counts);
      },
      "rows"_a, "cols"_a, "mines"_a, "Mines around every cell.");

  m.def(
      "figures",
      [](std::int32_t rows, std::int32_t cols, const nb::bytes& mines) {
        const auto span = from_bytes(mines);
        Figures found{};
        {
          nb::gil_scoped_release release;
          found = figures({rows, cols}, span);
        }
        return std::make_tuple(found.openings, found.islands, found.bbbv);
      },
      "rows"_a, "cols"_a, "mines"_a, "Openings, islands and 3BV of a board.");

  nb::class_<Model>(m, "Model", "The likelihoods of a clue model: [shown][degree][count].")
      .def(
          "__init__", [](Model* self, const Table& table) { new (self) Model(to_model(table)); },
          "table"_a);

  nb::class_<Solution>(m, "Solution", "The posterior of one view.")
      .def_prop_ro(
          "outcome", [](const Solution& self) { return static_cast<int>(self.outcome); },
          "0 exact, 1 an estimate, 2 a contradiction.")
      .def_prop_ro(
          "risk", [](const Solution& self) { return nb::bytes(self.risk.get(), 8 * self.size); },
          "The chance of a mine in each cell, as doubles.")
      .def_prop_ro(
          "verdicts",
          [](const Solution& self) { return nb::bytes(self.verdicts.get(), self.size); },
          "By cell: 0 open, 1 proved safe, 2 proved mined.")
      .def_ro("log_weight", &Solution::log_weight)
      .def_ro("error", &Solution::error)
      .def_prop_ro(
          "figures",
          [](const Solution& self) {
            const auto& f = self.figures;
            return std::make_tuple(f.components, f.largest_component, f.widest, f.states,
                                   f.most_open, f.reused);
          },
          "Components, boxes of the largest, widest layer, states, open clues, taken over.");

  nb::class_<Engine>(m, "Engine", "An engine that remembers the components of the last view.")
      .def("__init__", [](Engine* self) { new (self) Engine(true); })
      .def(
          "posterior",
          [](Engine& self, nb::handle view, const Model* model, const Overrides& overrides,
             std::optional<double> density, bool trust_flags, std::size_t budget,
             std::optional<std::int32_t> mines) {
            const Question question(view, model, overrides, density, trust_flags, budget, mines);
            nb::gil_scoped_release release;
            return solve(self, question);
          },
          "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a,
          "budget"_a, "mines"_a.none(),
          "The posterior; components that did not change are taken over.");

  m.def(
      "posterior",
      [](nb::handle view, const Model* model, const Overrides& overrides,
         std::optional<double> density, bool trust_flags, std::size_t budget,
         std::optional<std::int32_t> mines) {
        const Question question(view, model, overrides, density, trust_flags, budget, mines);
        nb::gil_scoped_release release;
        return solve(own_engine(), question);
      },
      "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a, "budget"_a,
      "mines"_a.none(), "The exact posterior of a view.");

  m.def(
      "posteriors",
      [](const nb::typed<nb::list, nb::any>& views, const Model* model,
         const std::vector<Overrides>& overrides, std::optional<double> density, bool trust_flags,
         std::size_t budget, unsigned threads) {
        std::vector<Question> questions;
        questions.reserve(views.size());
        for (std::size_t i = 0; i < views.size(); ++i)
          questions.emplace_back(views[i], model, i < overrides.size() ? overrides[i] : Overrides{},
                                 density, trust_flags, budget, std::nullopt);
        nb::gil_scoped_release release;
        return solve_all(questions, threads);
      },
      "views"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a, "budget"_a,
      "threads"_a, "The posteriors of many views; overrides of none of them, or of each.");

  m.def(
      "sample",
      [](nb::handle view, const Model* model, const Overrides& overrides,
         std::optional<double> density, bool trust_flags, std::size_t budget,
         std::optional<std::int32_t> mines, std::int32_t count, std::uint64_t seed) {
        const Question question(view, model, overrides, density, trust_flags, budget, mines);
        std::vector<Cells> boards;
        Outcome outcome{};
        {
          nb::gil_scoped_release release;
          Engine& engine = own_engine();
          View seen = question.view;
          seen.overrides = question.overrides;
          outcome = engine.solve(seen, question.prior, question.budget);
          if (outcome == Outcome::exact)
            for (std::int32_t i = 0; i < count; ++i) {
              Stream stream(seed, Purpose::playout, static_cast<std::uint64_t>(i));
              boards.emplace_back(seen.states.size());
              engine.draw(stream, boards.back());
            }
        }
        std::vector<nb::bytes> made;
        for (const Cells& board : boards) made.push_back(to_bytes(board));
        return std::make_pair(static_cast<int>(outcome), std::move(made));
      },
      "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a, "budget"_a,
      "mines"_a.none(), "count"_a, "seed"_a, "Boards drawn exactly from the posterior.");

  nb::class_<GameRules>(m, "GameRules", "The rules of games that are played natively.")
      .def(
          "__init__",
          [](GameRules* self, bool mine_ends, int opening, bool count_known, bool flood,
             std::optional<double> density) {
            new (self)
                GameRules{mine_ends, static_cast<Opening>(opening), count_known, flood, density};
          },
          "mine_ends"_a, "opening"_a, "count_known"_a, "flood"_a, "density"_a.none());

  nb::class_<Budget>(m, "Budget", "How much a decision of the champion may cost.")
      .def(
          "__init__",
          [](Budget* self, std::int32_t arrangements, std::int64_t work, std::int32_t parts,
             std::int32_t candidates, double premium, std::int32_t leaves, std::int32_t playouts) {
            new (self) Budget{arrangements, work, parts, candidates, premium, leaves, playouts};
          },
          "arrangements"_a, "work"_a, "parts"_a, "candidates"_a, "premium"_a, "leaves"_a,
          "playouts"_a);

  nb::class_<Strategy>(m, "Strategy", "An agent that can play natively.")
      .def(
          "__init__",
          [](Strategy* self, bool local, bool pairs, int beyond, int guesser, std::int32_t first,
             const Budget* budget) {
            new (self) Strategy{local,
                                pairs,
                                static_cast<Beyond>(beyond),
                                static_cast<Guesser>(guesser),
                                first,
                                budget ? *budget : Budget{}};
          },
          "local"_a, "pairs"_a, "beyond"_a, "guesser"_a, "first"_a, "budget"_a.none());

  m.def(
      "advise",
      [](nb::handle view, const Model* model, const Overrides& overrides,
         std::optional<double> density, const GameRules& rules, const Budget& budget) {
        const Question question(view, model, overrides, density, false, 0, std::nullopt);
        Advice advice;
        {
          nb::gil_scoped_release release;
          advice = own_search().advise(position_of(question, rules), budget);
        }
        std::vector<std::tuple<int, double, std::optional<double>, std::optional<double>,
                               std::optional<double>>>
            candidates;
        const auto known = [](double number) {
          return std::isnan(number) ? std::nullopt : std::optional(number);
        };
        for (const Candidate& one : advice.candidates)
          candidates.emplace_back(one.cell, one.risk, known(one.score), known(one.win),
                                  known(one.error));
        return std::make_pair(static_cast<int>(advice.method), std::move(candidates));
      },
      "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "rules"_a, "budget"_a,
      "How the champion decides: by which method, and for every cell that it considered, the best "
      "first, its risk, its score by look-ahead, its chance to win and the error of that.");

  m.def(
      "win_chance",
      [](nb::handle view, const GameRules& rules, const Budget& budget,
         std::int32_t games) -> std::optional<std::pair<double, double>> {
        const Question question(view, nullptr, {}, std::nullopt, false, 0, std::nullopt);
        nb::gil_scoped_release release;
        const auto chance = own_search().chance(position_of(question, rules), budget, games);
        if (!chance) return std::nullopt;
        return std::make_pair(chance->win, chance->error);
      },
      "view"_a, "rules"_a, "budget"_a, "games"_a,
      "The chance to win a view with exact clues and a known count, and its standard error.");

  m.def(
      "play",
      [](std::int32_t rows, std::int32_t cols, const std::vector<nb::bytes>& boards,
         std::int32_t mines, std::optional<std::uint64_t> threshold, const GameRules& rules,
         const Strategy& strategy, std::int32_t start, const std::vector<std::uint64_t>& seeds,
         bool record) {
        std::vector<std::span<const std::uint8_t>> ready;
        for (const nb::bytes& board : boards) ready.push_back(from_bytes(board));
        std::vector<Outcomes> outcomes;
        std::vector<Moves> moves;
        {
          nb::gil_scoped_release release;
          static thread_local Match match;
          double checked = cpu_seconds();
          for (std::size_t i = 0; i < seeds.size(); ++i) {
            const double begun = cpu_seconds();
            if (begun - checked > 0.2) {  // Ctrl-C ends between games
              nb::gil_scoped_acquire acquire;
              if (PyErr_CheckSignals() != 0) throw nb::python_error();
              checked = begun;
            }
            const Ground ground{{rows, cols},
                                i < ready.size() ? ready[i] : std::span<const std::uint8_t>{},
                                mines,
                                threshold};
            const Played played = match.play(ground, rules, strategy, start, seeds[i], record);
            check(played.fault);
            std::array<int, rule_count> by_rule{};
            std::copy(played.by_rule.begin(), played.by_rule.end(), by_rule.begin());
            outcomes.emplace_back(played.won, played.mines, played.right, played.wrong,
                                  played.exploded, played.guesses, played.moves, by_rule,
                                  cpu_seconds() - begun);
            if (record) moves.push_back(moves_of(match));
          }
        }
        return std::make_pair(std::move(outcomes), std::move(moves));
      },
      "rows"_a, "cols"_a, "boards"_a, "mines"_a, "threshold"_a.none(), "rules"_a, "strategy"_a,
      "start"_a, "seeds"_a, "record"_a,
      "Games on boards, or dealt by count or cell by cell: won, mines, right, wrong, exploded, "
      "guesses, moves, moves by rule, CPU seconds; and their moves if they are asked for.");

  m.def(
      "closure",
      [](nb::handle view, const GameRules& rules, const Strategy& strategy) {
        const Question question(view, nullptr, {}, std::nullopt, false, 0, std::nullopt);
        std::vector<Verdict> verdicts(question.view.states.size());
        std::optional<std::int32_t> mines;
        if (question.prior.kind == Prior::Kind::count) mines = question.prior.mines;
        static thread_local Closure closure;
        check(closure.close(question.view.shape, question.view.states, {mines, rules.density},
                            strategy.habits(), strategy.beyond, verdicts));
        return nb::bytes(verdicts.data(), verdicts.size());
      },
      "view"_a, "rules"_a, "strategy"_a,
      "By cell: 0 open, 1 proved safe, 2 proved mined, by the rules of this agent.");

  m.def(
      "solve",
      [](std::int32_t rows, std::int32_t cols, std::int32_t mines, int free, std::uint64_t most,
         const nb::typed<nb::callable, void(int)>& told) {
        // Now and then the interpreter may speak: Ctrl-C ends the search.
        const auto tell = [&told](std::uint64_t states) {
          nb::gil_scoped_acquire acquire;
          if (PyErr_CheckSignals() != 0) throw nb::python_error();
          told(states);
        };
        nb::gil_scoped_release release;
        const Optimum found = Optimal({rows, cols}, mines, most, tell).solve(free);
        return std::make_tuple(found.wins, found.boards, found.first, found.states);
      },
      "rows"_a, "cols"_a, "mines"_a, "free"_a, "most"_a, "told"_a,
      "Boards won by best play, boards dealt, a best first cell, states met.");

  m.def(
      "timings",
      [](const nb::typed<nb::list, nb::any>& views, std::size_t budget, int repeats) {
        std::vector<Question> questions;
        for (const nb::handle view : views)
          questions.emplace_back(view, nullptr, Overrides{}, std::nullopt, false, budget,
                                 std::nullopt);
        std::vector<double> best(questions.size(), 1e9);
        std::vector<double> risk;
        for (int repeat = 0; repeat < repeats; ++repeat)
          for (std::size_t i = 0; i < questions.size(); ++i) {
            const Question& question = questions[i];
            View view = question.view;
            view.overrides = question.overrides;
            risk.resize(view.states.size());
            const double begun = cpu_seconds();
            own_engine().solve(view, question.prior, question.budget);
            own_engine().write_risk(risk);
            best[i] = std::min(best[i], cpu_seconds() - begun);
          }
        return best;
      },
      "views"_a, "budget"_a, "repeats"_a,
      "CPU seconds of each view with exact clues in the kernel, the least of some repeats.");
}
