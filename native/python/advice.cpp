// The champion's decisions, and best play on small boards.
#include <nanobind/stl/function.h>

#include "convert.hpp"
#include "interrupt.hpp"
#include "runtime/answers.hpp"
#include "runtime/optimum.hpp"

namespace mineproof::python {

namespace {

void bind_types(nb::module_& m) {
  bind_enum<Method>(m, "Method", "The method of a decision.");

  nb::class_<Candidate>(m, "Candidate", "A cell that was considered; missing values are None.")
      .def_ro("cell", &Candidate::cell)
      .def_ro("risk", &Candidate::risk)
      .def_prop_ro(
          "score", [](const Candidate& self) { return known(self.score); },
          "The score by look-ahead.")
      .def_prop_ro(
          "win", [](const Candidate& self) { return known(self.win); }, "The win probability.")
      .def_prop_ro(
          "error", [](const Candidate& self) { return known(self.error); },
          "The standard error of the win probability; 0 if it is exact.")
      .def_prop_ro(
          "loss", [](const Candidate& self) { return known(self.loss); },
          "The expected cost in flags, if a mine does not end the game.");

  nb::class_<Advice>(m, "Advice", "The method and the candidates, the best first.")
      .def_ro("method", &Advice::method)
      .def_ro("candidates", &Advice::candidates);

  nb::class_<Chance>(m, "Chance",
                     "A win probability and its standard error, which is 0 if it is exact.")
      .def_ro("win", &Chance::win)
      .def_ro("error", &Chance::error);

  nb::class_<Optimum>(m, "Optimum", "The result of best play.")
      .def_ro("wins", &Optimum::wins, "The number of boards that best play wins.")
      .def_ro("boards", &Optimum::boards, "The number of all boards.")
      .def_ro("first", &Optimum::first, "A best first cell; -1 if there is none to open.")
      .def_ro("states", &Optimum::states, "The number of states met.");
  nb::class_<OptimalScore>(m, "OptimalScore", "The result of best play for the score.")
      .def_ro("loss", &OptimalScore::loss, "The mines and flags lost, summed over all boards.")
      .def_ro("boards", &OptimalScore::boards, "The number of boards.")
      .def_ro("first", &OptimalScore::first, "A best first cell; -1 if it is best to open none.")
      .def_ro("states", &OptimalScore::states, "The number of states met.");
}

}  // namespace

void bind_advice(nb::module_& m) {
  bind_types(m);

  m.def(
      "advise",
      [](nb::handle view, const ClueModel* model, const Overrides& overrides,
         std::optional<double> density, const GameRules& rules, const Budget& budget,
         const Flag* cancel) {
        const auto question = ask(view, {own(model), density}, overrides);
        return run(cancel, true,
                   [&](Cancel asked) { return runtime::advise(question, rules, budget, asked); });
      },
      "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "rules"_a, "budget"_a,
      "cancel"_a.none() = nb::none(), "Return the champion's advice.");

  m.def(
      "win_chance",
      [](nb::handle view, const GameRules& rules, const Budget& budget, std::int32_t games,
         const Flag* cancel, std::optional<std::int32_t> first) {
        const auto question = ask(view, {}, {});
        return run(cancel, true, [&](Cancel asked) {
          return runtime::win_chance(question, rules, budget, games, asked, first);
        });
      },
      "view"_a, "rules"_a, "budget"_a, "games"_a, "cancel"_a.none() = nb::none(),
      "first"_a.none() = nb::none(),
      "Return the win probability of a view with exact clues and a known count, or None if it is "
      "not available; with `first`, by opening this cell first.");

  m.def(
      "score_cost",
      [](nb::handle view, const GameRules& rules, const Budget& budget, const Flag* cancel,
         std::optional<std::int32_t> first) {
        const auto question = ask(view, {}, {});
        return run(cancel, true, [&](Cancel asked) {
          return runtime::score_cost(question, rules, budget, asked, first);
        });
      },
      "view"_a, "rules"_a, "budget"_a, "cancel"_a.none() = nb::none(),
      "first"_a.none() = nb::none(),
      "Return the expected cost of best play in flags if a mine does not end the game, or None if "
      "there is too much to search; with `first`, by opening this cell first.");

  const auto define_optimum = [&m](const char* name, auto best, const char* about) {
    m.def(
        name,
        [best](std::int32_t rows, std::int32_t cols, std::int32_t mines, Opening opening,
               std::uint64_t most, const nb::typed<nb::callable, void(int)>& report,
               const Flag* cancel) {
          const auto forward = [&report](std::uint64_t states) {
            const nb::gil_scoped_acquire acquire;
            report(states);
          };
          return run(cancel, true, [&](Cancel asked) {
            return best(Shape{rows, cols}, mines, opening, most, forward, asked);
          });
        },
        "rows"_a, "cols"_a, "mines"_a, "opening"_a, "most"_a, "report"_a,
        "cancel"_a.none() = nb::none(), about);
  };
  define_optimum(
      "solve", &runtime::best_play,
      "Return best play on a small board. `report` is called from time to time with the number of "
      "states. Raises TooManyStates, and any exception of `report`.");
  define_optimum("solve_score", &runtime::best_score, "The same for the score.");
}

}  // namespace mineproof::python
