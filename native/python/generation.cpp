// Boards that need no guess, and what a board takes.
#include "runtime/generation.hpp"

#include <nanobind/stl/array.h>

#include "convert.hpp"
#include "interrupt.hpp"

namespace mineproof::python {

namespace {

void bind_types(nb::module_& m) {
  nb::enum_<Reasoning>(m, "Reasoning", "How one reasons; each level has all before it.")
      .value("local", Reasoning::local)
      .value("pairs", Reasoning::pairs)
      .value("subset", Reasoning::subset)
      .value("gauss", Reasoning::gauss)
      .value("exact", Reasoning::exact);

  nb::class_<Deduced>(m, "Deduced", "A board played by what is certain.")
      .def_ro("solved", &Deduced::solved, "Whether every safe cell was opened.")
      .def_ro("opened", &Deduced::opened)
      .def_ro("times", &Deduced::times,
              "By level: positions at which no level before it proved a cell safe, and it did.");

  nb::class_<Wanted>(m, "Wanted", "What kind of board is wanted.")
      .def(
          "__init__",
          [](Wanted* self, std::int32_t rows, std::int32_t cols, std::int32_t mines,
             std::int32_t start, Opening opening, Reasoning reasoning, bool needed,
             std::uint64_t deals, std::int32_t moves) {
            new (self) Wanted{{rows, cols}, mines, start, opening, reasoning, needed, deals, moves};
          },
          nb::kw_only(), "rows"_a, "cols"_a, "mines"_a, "start"_a, "opening"_a, "reasoning"_a,
          "needed"_a, "deals"_a, "moves"_a);

  nb::class_<runtime::Search>(m, "Search", "Of one board of a series: how far its search came.")
      .def(
          "__init__",
          [](runtime::Search* self, std::uint64_t board, std::uint64_t tries, bool found,
             std::int32_t opened, const nb::bytes& mines, std::uint64_t seed) {
            new (self) runtime::Search{board, tries, found, opened, to_cells(mines), seed};
          },
          "board"_a, "tries"_a, "found"_a, "opened"_a, "mines"_a, "seed"_a)
      .def_ro("board", &runtime::Search::board, "Its number in the series.")
      .def_ro("tries", &runtime::Search::tries)
      .def_ro("found", &runtime::Search::found)
      .def_ro("opened", &runtime::Search::opened, "Safe cells that the best try opened.")
      .def_ro("seed", &runtime::Search::seed, "Of the deal that the board is or was made from.")
      .def_prop_ro("mines", [](const runtime::Search& self) { return to_bytes(self.mines); });
}

}  // namespace

void bind_generation(nb::module_& m) {
  bind_types(m);

  m.def(
      "search_boards",
      [](const Wanted& wanted, std::uint64_t seed, const std::vector<runtime::Search>& searches,
         std::uint64_t most, double seconds, unsigned threads, const Flag* cancel) {
        return run(cancel, true, [&](Cancel asked) {
          auto going = searches;
          search_boards(wanted, seed, going, most, seconds, threads, asked);
          return going;
        });
      },
      "wanted"_a, "seed"_a, "searches"_a, "most"_a, "seconds"_a, "threads"_a,
      "cancel"_a.none() = nb::none(),
      "Goes on with searches, and returns them: until each has found its board or made `most` "
      "tries, or so many seconds have passed.");

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
      "A board played by what is certain to this reasoning. Raises BrokenOpening, Overflow.");
}

}  // namespace mineproof::python
