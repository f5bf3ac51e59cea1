// How the champion decides, and best play on small boards.
#include <nanobind/stl/function.h>

#include "convert.hpp"
#include "interrupt.hpp"
#include "runtime/answers.hpp"
#include "runtime/optimum.hpp"

namespace mineproof::python {

namespace {

void bind_types(nb::module_& m) {
  nb::enum_<Method>(m, "Method", "How a decision was made.")
      .value("endgame", Method::endgame)
      .value("part", Method::part)
      .value("look_ahead", Method::look_ahead)
      .value("playouts", Method::playouts)
      .value("opening", Method::opening)
      .value("least_risk", Method::least_risk)
      .value("fifty_fifty", Method::fifty_fifty)
      .value("flags", Method::flags)
      .value("learned", Method::learned);

  nb::class_<Candidate>(m, "Candidate",
                        "A cell that was considered; None where there is no figure.")
      .def_ro("cell", &Candidate::cell)
      .def_ro("risk", &Candidate::risk)
      .def_prop_ro(
          "score", [](const Candidate& self) { return known(self.score); }, "By look-ahead.")
      .def_prop_ro(
          "win", [](const Candidate& self) { return known(self.win); }, "Its chance to win.")
      .def_prop_ro(
          "error", [](const Candidate& self) { return known(self.error); },
          "The standard error of that; 0 where it is exact.")
      .def_prop_ro(
          "loss", [](const Candidate& self) { return known(self.loss); },
          "The flags that it is expected to cost, where a mine does not end the game.");

  nb::class_<Advice>(m, "Advice", "By which method, and what was considered, the best first.")
      .def_ro("method", &Advice::method)
      .def_ro("candidates", &Advice::candidates);

  nb::class_<Chance>(m, "Chance", "A chance to win, and its standard error: 0 where it is exact.")
      .def_ro("win", &Chance::win)
      .def_ro("error", &Chance::error);

  nb::class_<Optimum>(m, "Optimum", "What best play wins.")
      .def_ro("wins", &Optimum::wins, "Boards won by best play,")
      .def_ro("boards", &Optimum::boards, "of so many.")
      .def_ro("first", &Optimum::first, "A best first cell; -1 where there is none to open.")
      .def_ro("states", &Optimum::states, "That were met.");
  nb::class_<OptimalScore>(m, "OptimalScore", "What best play loses of the mines.")
      .def_ro("loss", &OptimalScore::loss, "Mines and flags lost, summed over")
      .def_ro("boards", &OptimalScore::boards, "so many boards.")
      .def_ro("first", &OptimalScore::first, "A best first cell; -1 where none is to be opened.")
      .def_ro("states", &OptimalScore::states, "That were met.");
}

}  // namespace

void bind_advice(nb::module_& m) {
  bind_types(m);

  m.def(
      "advise",
      [](nb::handle view, const Model* model, const Overrides& overrides,
         std::optional<double> density, const GameRules& rules, const Budget& budget,
         const Flag* cancel) {
        const auto question = ask(view, {own(model), density}, overrides);
        return run(cancel, true,
                   [&](Cancel asked) { return runtime::advise(question, rules, budget, asked); });
      },
      "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "rules"_a, "budget"_a,
      "cancel"_a.none() = nb::none(), "How the champion decides.");

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
      "The chance to win a view with exact clues and a known count, by opening the cell `first` "
      "if one is given; else None.");

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
      "The flags that best play costs from here on, by opening the cell `first` if one is given, "
      "where a mine does not end the game; None where that is too much to search.");

  const auto define_optimum = [&m](const char* name, auto best, const char* about) {
    m.def(
        name,
        [best](std::int32_t rows, std::int32_t cols, std::int32_t mines, Opening opening,
               std::uint64_t most, const nb::typed<nb::callable, void(int)>& report,
               const Flag* cancel) {
          const auto tell = [&report](std::uint64_t states) {
            const nb::gil_scoped_acquire acquire;
            report(states);
          };
          return run(cancel, true, [&](Cancel asked) {
            return best(Shape{rows, cols}, mines, opening, most, tell, asked);
          });
        },
        "rows"_a, "cols"_a, "mines"_a, "opening"_a, "most"_a, "report"_a,
        "cancel"_a.none() = nb::none(), about);
  };
  define_optimum(
      "solve", &runtime::best_play,
      "Best play on a small board. Raises TooManyStates, and what `report` raises, which "
      "is called now and then with the number of states.");
  define_optimum("solve_score", &runtime::best_score, "The same for the score.");
}

}  // namespace mineproof::python
