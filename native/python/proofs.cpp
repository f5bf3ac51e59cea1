// Why cells are certain.
#include <nanobind/stl/variant.h>

#include "convert.hpp"
#include "interrupt.hpp"
#include "runtime/answers.hpp"
#include "runtime/clashes.hpp"

namespace mineproof::python {

namespace {

void bind_types(nb::module_& m) {
  nb::class_<Line> line(m, "Line", "A line of an argument by cases.");
  nb::enum_<Line::What>(line, "What", "What a line does.")
      .value("assume", Line::What::assume)
      .value("force", Line::What::force)
      .value("clash", Line::What::clash);
  line.def_ro("what", &Line::what)
      .def_ro("depth", &Line::depth)
      .def_ro("clues", &Line::clues, "The cells of the clues; -1 is the mine count.")
      .def_ro("signs", &Line::signs, "Of each clue: 1 added, -1 taken away.")
      .def_ro("cells", &Line::cells)
      .def_ro("mine", &Line::mine);

  nb::class_<Settled>(m, "Settled", "A cell, and whether it is a mine.")
      .def_ro("cell", &Settled::cell)
      .def_ro("mine", &Settled::mine);

  nb::class_<Inference> inference(m, "Inference", "A step of a proof.");
  nb::enum_<Kind>(inference, "Kind", "How a step is made, the easiest first.")
      .value("clue", Kind::clue)
      .value("pattern", Kind::pattern)
      .value("subset", Kind::subset)
      .value("pair", Kind::pair)
      .value("sum", Kind::sum)
      .value("count", Kind::count)
      .value("cases", Kind::cases);
  inference.def_ro("kind", &Inference::kind)
      .def_ro("clues", &Inference::clues, "The cells of the clues; -1 is the mine count.")
      .def_ro("signs", &Inference::signs, "Of each clue: 1 added, -1 taken away.")
      .def_ro("settled", &Inference::settled, "Of what it settles, what is used.")
      .def_ro("lines", &Inference::lines, "Of an argument by cases.");

  nb::class_<Proof>(m, "Proof", "Why a cell is certain.")
      .def_ro("cell", &Proof::cell)
      .def_ro("mine", &Proof::mine)
      .def_ro("clues", &Proof::clues, "The cells whose clues it rests on, rising.")
      .def_ro("count_used", &Proof::count_used)
      .def_ro("least", &Proof::least, "Whether no smaller set of clues does.")
      .def_ro("irreducible", &Proof::irreducible, "Whether none of them can be left out.")
      .def_ro("steps", &Proof::steps);
}

}  // namespace

void bind_proofs(nb::module_& m) {
  bind_types(m);

  m.def(
      "prove",
      [](nb::handle view, const Model* model, const Overrides& overrides,
         std::optional<double> density, bool trust_flags, std::size_t budget,
         std::optional<std::int32_t> mines, const std::vector<std::int32_t>& cells,
         std::int64_t questions, const Flag* cancel) {
        const auto question =
            ask(view, {own(model), density, trust_flags, budget}, overrides, mines);
        return run(cancel, true,
                   [&](Cancel asked) { return runtime::prove(question, cells, questions, asked); });
      },
      "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a, "budget"_a,
      "mines"_a.none(), "cells"_a, "questions"_a, "cancel"_a.none() = nb::none(),
      "Proofs of those of the cells that are certain; each asks so many questions about clues.");

  m.def(
      "explain",
      [](nb::handle view, const Model* model, const Overrides& overrides,
         std::optional<double> density, bool trust_flags, std::size_t budget,
         std::optional<std::int32_t> mines, std::int32_t cell, std::int64_t questions,
         const Flag* cancel) {
        const auto question =
            ask(view, {own(model), density, trust_flags, budget}, overrides, mines);
        return run(cancel, true, [&](Cancel asked) {
          return runtime::explain(question, cell, questions, asked);
        });
      },
      "view"_a, "model"_a.none(), "overrides"_a, "density"_a.none(), "trust_flags"_a, "budget"_a,
      "mines"_a.none(), "cell"_a, "questions"_a, "cancel"_a.none() = nb::none(),
      "The proof of a cell that is certain; the odds of all cells where it is not.");

  using runtime::Clashes;
  nb::class_<Clashes>(m, "Consistency", "Which clues can hold together.")
      .def(nb::init<const std::vector<Clashes::Said>&, std::int32_t>(), "clues"_a, "cells"_a,
           "Clues by their cells and the numbers of mines that they allow, a bit each; of so many "
           "cells.")
      .def(
          "clash",
          [](Clashes& self, const std::vector<std::int32_t>& chosen) { return self.clash(chosen); },
          "chosen"_a, "Whether clues, by place, cannot hold together; False if it was given up.")
      .def_prop_ro("gave_up", &Clashes::gave_up, "Whether a question was given up.")
      .def_prop_ro("nodes", &Clashes::nodes, "Numbers tried for boxes in the last question.");
}

}  // namespace mineproof::python
