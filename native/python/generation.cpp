// No-guess boards, and the difficulty of boards.
#include "runtime/generation.hpp"

#include <nanobind/stl/array.h>

#include "convert.hpp"
#include "interrupt.hpp"

namespace mineproof::python {

namespace {

void bind_types(nb::module_& m) {
  bind_enum<Reasoning>(m, "Reasoning", "A level of reasoning; each includes those before it.");

  nb::class_<DeductionResult>(m, "DeductionResult",
                              "How far a board can be played without guessing.")
      .def_ro("solved", &DeductionResult::solved, "Whether every safe cell was opened.")
      .def_ro("opened", &DeductionResult::opened)
      .def_ro("times", &DeductionResult::times,
              "By level: the number of positions that needed it to prove a cell safe.");

  nb::class_<BoardSpec>(m, "BoardSpec", "The specification of a board.")
      .def(
          "__init__",
          [](BoardSpec* self, std::int32_t rows, std::int32_t cols, std::int32_t mines,
             std::int32_t start, Opening opening, Reasoning reasoning, bool needed,
             std::uint64_t deals, std::int32_t moves) {
            new (self)
                BoardSpec{{rows, cols}, mines, start, opening, reasoning, needed, deals, moves};
          },
          nb::kw_only(), "rows"_a, "cols"_a, "mines"_a, "start"_a, "opening"_a, "reasoning"_a,
          "needed"_a, "deals"_a, "moves"_a);

  nb::class_<runtime::NoGuessSearch>(m, "NoGuessSearch",
                                     "The state of the search for one board of a series.")
      .def(
          "__init__",
          [](runtime::NoGuessSearch* self, std::uint64_t board, std::uint64_t tries, bool found,
             std::int32_t opened, const nb::bytes& mines, std::uint64_t seed) {
            new (self) runtime::NoGuessSearch{board, tries, found, opened, to_cells(mines), seed};
          },
          "board"_a, "tries"_a, "found"_a, "opened"_a, "mines"_a, "seed"_a)
      .def_ro("board", &runtime::NoGuessSearch::board, "The number of the board in the series.")
      .def_ro("tries", &runtime::NoGuessSearch::tries)
      .def_ro("found", &runtime::NoGuessSearch::found)
      .def_ro("opened", &runtime::NoGuessSearch::opened,
              "The number of safe cells that the best try opened.")
      .def_ro("seed", &runtime::NoGuessSearch::seed,
              "The seed of the deal from which the board was made.")
      .def_prop_ro("mines",
                   [](const runtime::NoGuessSearch& self) { return to_bytes(self.mines); });
}

}  // namespace

void bind_generation(nb::module_& m) {
  bind_types(m);

  m.def(
      "search_boards",
      [](const BoardSpec& wanted, std::uint64_t seed,
         const std::vector<runtime::NoGuessSearch>& searches, std::uint64_t most, double seconds,
         unsigned threads, const Flag* cancel) {
        return run(cancel, true, [&](Cancel asked) {
          auto going = searches;
          search_boards(wanted, seed, going, most, seconds, threads, asked);
          return going;
        });
      },
      "wanted"_a, "seed"_a, "searches"_a, "most"_a, "seconds"_a, "threads"_a,
      "cancel"_a.none() = nb::none(),
      "Continue searches until each has found its board or made `most` tries, or until `seconds` "
      "have passed, and return them.");

  m.def(
      "deduce",
      [](std::int32_t rows, std::int32_t cols, const nb::bytes& mines, std::int32_t start,
         Opening opening, Reasoning reasoning, const Flag* cancel) {
        const Cells cells = to_cells(mines);
        return run(cancel, true, [&](Cancel asked) {
          return runtime::deduce({rows, cols}, cells, start, opening, reasoning, asked);
        });
      },
      "rows"_a, "cols"_a, "mines"_a, "start"_a, "opening"_a, "reasoning"_a,
      "cancel"_a.none() = nb::none(),
      "Play a board with this level of reasoning, without guessing. Raises BrokenOpening, "
      "Overflow.");
}

}  // namespace mineproof::python
