// Proofs that cells are certain.
#include <nanobind/stl/variant.h>

#include "convert.hpp"
#include "interrupt.hpp"
#include "runtime/answers.hpp"
#include "runtime/contradictions.hpp"

namespace mineproof::python {

namespace {

void bind_types(nb::module_& m) {
  nb::class_<CaseLine> line(m, "Line", "A line of an argument by cases.");
  bind_enum<CaseLineKind>(line, "What", "The kind of a line.");
  line.def_ro("what", &CaseLine::what)
      .def_ro("depth", &CaseLine::depth)
      .def_ro("clues", &CaseLine::clues, "The cells of the clues; -1 is the mine count.")
      .def_ro("signs", &CaseLine::signs, "For each clue: 1 if added, -1 if subtracted.")
      .def_ro("cells", &CaseLine::cells)
      .def_ro("mine", &CaseLine::mine);

  nb::class_<Deduced>(m, "Settled", "A cell, and whether it is a mine.")
      .def_ro("cell", &Deduced::cell)
      .def_ro("mine", &Deduced::mine);

  nb::class_<Inference> inference(m, "Inference", "A step of a proof.");
  bind_enum<InferenceKind>(inference, "Kind", "The kind of a step, from easy to hard.");
  inference.def_ro("kind", &Inference::kind)
      .def_ro("clues", &Inference::clues, "The cells of the clues; -1 is the mine count.")
      .def_ro("signs", &Inference::signs, "For each clue: 1 if added, -1 if subtracted.")
      .def_ro("settled", &Inference::deduced, "The deduced cells that are used later.")
      .def_ro("lines", &Inference::lines, "The lines of an argument by cases.");

  nb::class_<Proof>(m, "Proof", "Why a cell is certain.")
      .def_ro("cell", &Proof::cell)
      .def_ro("mine", &Proof::mine)
      .def_ro("clues", &Proof::clues, "The cells whose clues it uses, in increasing order.")
      .def_ro("count_used", &Proof::count_used)
      .def_ro("least", &Proof::least, "Whether no smaller set of clues proves it.")
      .def_ro("irreducible", &Proof::irreducible, "Whether none of the clues can be left out.")
      .def_ro("steps", &Proof::steps);
}

}  // namespace

void bind_proofs(nb::module_& m) {
  bind_types(m);

  m.def(
      "prove",
      [](nb::handle view, const ClueModel* model, const Overrides& overrides,
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
      "Return proofs of the certain ones among the cells; `questions` limits the checks per cell.");

  m.def(
      "explain",
      [](nb::handle view, const ClueModel* model, const Overrides& overrides,
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
      "Return the proof of a cell if it is certain, otherwise the posterior.");

  using runtime::Clashes;
  nb::class_<Clashes>(m, "Consistency", "Checks whether clues are consistent.")
      .def(nb::init<const std::vector<Clashes::Said>&, std::int32_t>(), "clues"_a, "cells"_a,
           "Clues as their cells and a bit set of the numbers of mines that they allow, and the "
           "number of cells of the board.")
      .def(
          "clash",
          [](Clashes& self, const std::vector<std::int32_t>& chosen) { return self.clash(chosen); },
          "chosen"_a,
          "Whether clues, given by place, contradict each other; False if the check was given up.")
      .def_prop_ro("gave_up", &Clashes::gave_up, "Whether a check was given up.")
      .def_prop_ro("nodes", &Clashes::nodes,
                   "Numbers tried for groups of cells in the last check.");
}

}  // namespace mineproof::python
