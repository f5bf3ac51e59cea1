// Posteriors of views.
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>

#include <algorithm>

#include "convert.hpp"
#include "interrupt.hpp"
#include "runtime/answers.hpp"

namespace mineproof::python {

namespace {

using runtime::Memory;
using runtime::Question;
using runtime::Solution;
using Table = nb::ndarray<const double, nb::shape<10, 9, 9>, nb::c_contig, nb::device::cpu>;
using Views = nb::typed<nb::list, nb::any>;

std::span<const Verdict> verdicts_of(const Solution& solution) {
  return {solution.verdicts.get(), solution.size};
}

std::vector<Question> ask_all(const Views& views, const Reading& reading,
                              const std::vector<Overrides>& overrides) {
  std::vector<Question> questions;
  for (std::size_t i = 0; i < views.size(); ++i)
    questions.push_back(ask(views[i], reading, i < overrides.size() ? overrides[i] : Overrides{}));
  return questions;
}

void bind_types(nb::module_& m) {
  bind_enum<Outcome>(m, "Outcome", "The kind of a posterior.");
  bind_enum<Verdict>(m, "Verdict", "What is proved of a cell.");

  bind_enum<ClueDraw>(m, "ClueDraw", "How a clue is drawn.");
  nb::class_<ClueModel>(m, "ClueModel", "A clue model, by its likelihoods: [shown][degree][count].")
      .def(
          "__init__",
          [](ClueModel* self, const Table& table, ClueDraw drawn, bool redraw, bool known) {
            auto* model = new (self) ClueModel;
            model->exact = false;
            model->drawn = drawn;
            model->redraw = redraw;
            model->known = known;
            std::copy_n(table.data(), 810, &model->table[0][0][0]);
          },
          "table"_a, "drawn"_a = ClueDraw::likelihood, "redraw"_a = false, "known"_a = false);

  nb::class_<Engine::Figures>(m, "Effort", "The effort of counting a posterior.")
      .def_ro("components", &Engine::Figures::components)
      .def_ro("largest_component", &Engine::Figures::largest_component,
              "Its size in groups of cells.")
      .def_ro("widest", &Engine::Figures::widest, "The number of states of the widest layer.")
      .def_ro("states", &Engine::Figures::states)
      .def_ro("most_open", &Engine::Figures::most_open,
              "The largest number of open clues at a time.")
      .def_ro("reused", &Engine::Figures::reused, "Components reused from the last view.");

  nb::class_<Engine::CountOdds>(m, "CountOdds",
                                "The distribution of the number of mines around a cell.")
      .def_ro("chance", &Engine::CountOdds::chance, "The probability of every number of mines.")
      .def_ro("error", &Engine::CountOdds::error, "The largest standard error of a probability.");

  nb::class_<Solution>(m, "Solution", "The posterior of one view.")
      .def_ro("outcome", &Solution::outcome)
      .def_prop_ro(
          "exact", [](const Solution& self) { return self.outcome == Outcome::exact; },
          "Whether the result was counted, not estimated.")
      .def_prop_ro(
          "fits", [](const Solution& self) { return self.outcome != Outcome::contradiction; },
          "Whether any configuration is possible.")
      .def_prop_ro(
          "risk", [](const Solution& self) { return nb::bytes(self.risk.get(), 8 * self.size); },
          "The mine probability of each cell, as doubles.")
      .def_prop_ro(
          "safe", [](const Solution& self) { return cells_with(verdicts_of(self), Verdict::safe); },
          "The cells that are proved safe.")
      .def_prop_ro(
          "mined",
          [](const Solution& self) { return cells_with(verdicts_of(self), Verdict::mine); },
          "The cells that are proved mines.")
      .def_ro("log_weight", &Solution::log_weight)
      .def_ro("error", &Solution::error)
      .def_ro("log_error", &Solution::log_error, "The standard error of log_weight.")
      .def_ro("count_odds", &Solution::count_odds, "The result for each watched cell.")
      .def_ro("effort", &Solution::figures);
}

}  // namespace

void bind_posterior(nb::module_& m) {
  bind_types(m);

  nb::class_<Memory>(m, "Engine", "An engine that keeps the components of the last view.")
      .def(nb::init<>())
      .def(
          "posterior",
          [](Memory& self, nb::handle view, const ClueModel* model, const Overrides& overrides,
             std::optional<double> density, bool trust_flags, std::size_t budget,
             std::optional<std::int32_t> mines, const Flag* cancel) {
            const auto question =
                ask(view, {own(model), density, trust_flags, budget}, overrides, mines);
            return run(cancel, question.may_last(),
                       [&](Cancel asked) { return self.solve(question, asked); });
          },
          "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a,
          "budget"_a, "mines"_a.none(), "cancel"_a.none() = nb::none(),
          "Return the posterior; unchanged components are reused.");

  m.def(
      "posterior",
      [](nb::handle view, const ClueModel* model, const Overrides& overrides,
         std::optional<double> density, bool trust_flags, std::size_t budget,
         std::optional<std::int32_t> mines, const std::vector<std::int32_t>& watched,
         const Flag* cancel) {
        const auto question =
            ask(view, {own(model), density, trust_flags, budget, watched}, overrides, mines);
        return run(cancel, question.may_last(),
                   [&](Cancel asked) { return runtime::solve(question, asked); });
      },
      "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a, "budget"_a,
      "mines"_a.none(), "watched"_a = std::vector<std::int32_t>{}, "cancel"_a.none() = nb::none(),
      "Return the exact posterior of a view.");

  m.def(
      "posteriors",
      [](const Views& views, const ClueModel* model, const std::vector<Overrides>& overrides,
         std::optional<double> density, bool trust_flags, std::size_t budget, unsigned threads,
         const Flag* cancel) {
        const auto questions =
            ask_all(views, {own(model), density, trust_flags, budget}, overrides);
        return run(cancel, true,
                   [&](Cancel asked) { return solve_all(questions, threads, asked); });
      },
      "views"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a, "budget"_a,
      "threads"_a, "cancel"_a.none() = nb::none(),
      "Return the posteriors of many views; `overrides` is empty or has one entry per view.");

  m.def(
      "sample",
      [](nb::handle view, const ClueModel* model, const Overrides& overrides,
         std::optional<double> density, bool trust_flags, std::size_t budget,
         std::optional<std::int32_t> mines, std::int32_t count, std::uint64_t seed,
         const Flag* cancel) {
        const auto question =
            ask(view, {own(model), density, trust_flags, budget}, overrides, mines);
        return run(cancel, true,
                   [&](Cancel asked) { return runtime::sample(question, count, seed, asked); });
      },
      "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a, "budget"_a,
      "mines"_a.none(), "count"_a, "seed"_a, "cancel"_a.none() = nb::none(),
      "Draw boards from the exact posterior.");

  nb::class_<runtime::Sample>(m, "Sample", "The boards drawn; empty unless the outcome is exact.")
      .def_ro("outcome", &runtime::Sample::outcome)
      .def_prop_ro("boards", [](const runtime::Sample& self) {
        std::vector<nb::bytes> boards;
        for (const Cells& board : self.boards) boards.push_back(to_bytes(board));
        return boards;
      });

  m.def(
      "judge_opening",
      [](nb::handle view, std::optional<double> density, std::int32_t cell, const nb::bytes& mined,
         std::int32_t dealt_mines, std::uint64_t seed, std::uint64_t move, std::size_t budget,
         const Flag* cancel) {
        const auto question = ask(view, {nullptr, density, false, budget}, {});
        const Cells board = to_cells(mined);
        const auto judged = run(cancel, question.may_last(), [&](Cancel asked) {
          return runtime::judge_opening(question, cell, board, dealt_mines, seed, move, asked);
        });
        std::optional<nb::bytes> drawn;
        if (judged.drawn) drawn = to_bytes(*judged.drawn);
        return std::pair(drawn, judged.kind);
      },
      "view"_a, "density"_a.none(), "cell"_a, "mined"_a, "dealt_mines"_a, "seed"_a, "move"_a,
      "budget"_a = state_budget, "cancel"_a.none() = nb::none(),
      "Judge an opening by the rule without luck: return the board that was drawn, or None if the "
      "board stays, and whether there was too much to count. `move`: the number of moves before.");

  m.def(
      "timings",
      [](const Views& views, std::size_t budget, int repeats, const Flag* cancel) {
        const auto questions = ask_all(views, {{}, std::nullopt, false, budget}, {});
        return run(cancel, true,
                   [&](Cancel asked) { return runtime::timings(questions, repeats, asked); });
      },
      "views"_a, "budget"_a, "repeats"_a, "cancel"_a.none() = nb::none(),
      "Return the CPU seconds per view with exact clues in the kernel, the minimum of the "
      "repeats.");
}

}  // namespace mineproof::python
