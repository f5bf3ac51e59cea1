// Many games at once, for learners: arrays that every step writes in place.
#include "runtime/vector_game.hpp"

#include <nanobind/ndarray.h>

#include <string>

#include "convert.hpp"
#include "runtime/errors.hpp"

namespace mineproof::python {

namespace {

using runtime::VectorGames;

using Whole = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Seeds64 = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Boards = std::vector<std::pair<nb::bytes, std::int32_t>>;

template <class T>
std::span<const T> span_of(
    const nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>& a) {
  return {a.data(), a.size()};
}

// An array of ours, by game and by what is in it: it lives as long as Python needs it.
template <class T, class... Sides>
nb::ndarray<nb::numpy, T> shown(nb::handle self, std::vector<T>& values, Sides... sides) {
  return nb::ndarray<nb::numpy, T>(values.data(), {static_cast<std::size_t>(sides)...}, self);
}

VectorGames& of(nb::handle self) { return nb::cast<VectorGames&>(self); }

template <class Column>
void bind_column(nb::class_<VectorGames>& games, const char* name, Column column,
                 const char* what) {
  games.def_prop_ro(
      name,
      [column](nb::handle self) {
        auto& values = of(self).games().arrays().*column;
        return shown(self, values, values.size());
      },
      what);
}

Terms terms_of(std::int32_t rows, std::int32_t cols, std::int32_t mines, const GameRules& rules,
               std::int32_t start, const Boards& boards, bool flags, std::int64_t limit) {
  Terms terms{{rows, cols}, rules, mines, start, {}, flags, limit};
  for (const auto& [mined, first] : boards) terms.boards.push_back({to_cells(mined), first});
  return terms;
}

}  // namespace

void bind_vector_game(nb::module_& m) {
  nb::enum_<Renewal>(m, "Renewal", "When a game that has ended makes place for the next one.")
      .value("next_step", Renewal::next_step)
      .value("same_step", Renewal::same_step)
      .value("never", Renewal::never);

  nb::class_<VectorGames> games(m, "VectorGame", "Many games at once: a step is a move in each.");
  games
      .def(
          "__init__",
          [](VectorGames* self, std::int32_t rows, std::int32_t cols, std::size_t size,
             const GameRules& rules, std::int32_t mines, std::int32_t start, const Boards& boards,
             bool flags, std::int64_t limit, Renewal renewal, unsigned threads) {
            new (self) VectorGames(terms_of(rows, cols, mines, rules, start, boards, flags, limit),
                                   size, renewal, threads);
          },
          "rows"_a, "cols"_a, "size"_a, nb::kw_only(), "rules"_a, "mines"_a = 0, "start"_a = -1,
          "boards"_a = Boards{}, "flags"_a = false, "limit"_a = 0, "renewal"_a = Renewal::next_step,
          "threads"_a = 1, "`boards`: mines and start of each, in place of deals.")
      .def(
          "reset",
          [](VectorGames& self, const Whole& places, const std::optional<Seeds64>& seeds) {
            const nb::gil_scoped_release release;
            self.reset(span_of(places), seeds ? span_of(*seeds) : std::span<const std::uint64_t>{});
          },
          "places"_a, "seeds"_a.none() = nb::none(), "New games in these places.")
      .def(
          "step",
          [](VectorGames& self, const Whole& moves) {
            const nb::gil_scoped_release release;
            self.step(span_of(moves));
          },
          "moves"_a, "A move in each game.")
      .def(
          "mines_of",
          [](const VectorGames& self, std::size_t place) {
            if (place >= self.games().size()) throw runtime::Invalid("there is no such game");
            return to_bytes(self.games().mines_of(place));
          },
          "place"_a, "A byte a cell: the mines, as far as they are dealt.")
      .def(
          "seed_of",
          [](const VectorGames& self, std::size_t place) {
            if (place >= self.games().size()) throw runtime::Invalid("there is no such game");
            return self.games().seed_of(place);
          },
          "place"_a, "The seed of the game that stands there.")
      .def_prop_ro(
          "states",
          [](nb::handle self) {
            const Shape shape = of(self).games().terms().shape;
            return shown(self, of(self).games().arrays().states, of(self).games().size(),
                         shape.rows, shape.cols);
          },
          "What the cells show, by game, row and column.")
      .def_prop_ro(
          "legal",
          [](nb::handle self) {
            return shown(self, of(self).games().arrays().legal, of(self).games().size(),
                         of(self).games().terms().moves());
          },
          "1 where a move is legal, by game and move; all 1 where any will do.")
      .def_prop_ro(
          "last_states",
          [](nb::handle self) {
            const Shape shape = of(self).games().terms().shape;
            auto& values = of(self).games().arrays().last_states;
            return shown(self, values, values.size() / at(shape.size()), shape.rows, shape.cols);
          },
          "Of games that the last step ended and renewed: what their cells showed.")
      .def_prop_ro(
          "last_legal",
          [](nb::handle self) {
            const auto moves = at(of(self).games().terms().moves());
            auto& values = of(self).games().arrays().last_legal;
            return shown(self, values, values.size() / moves, moves);
          },
          "The same of the moves.");
  bind_column(games, "opened", &Arrays::opened, "Cells that the last move opened.");
  bind_column(games, "mines", &Arrays::mines, "Mines on the board that it was.");
  bind_column(games, "exploded", &Arrays::exploded, "Mines that it hit.");
  bind_column(games, "right", &Arrays::right, "Flags more on mines.");
  bind_column(games, "wrong", &Arrays::wrong, "Flags more on other cells.");
  bind_column(games, "won", &Arrays::won, "1 where it won.");
  bind_column(games, "over", &Arrays::over, "1 where it ended the game.");
  bind_column(games, "cut", &Arrays::cut, "1 where the limit ended it.");
  bind_column(games, "illegal", &Arrays::illegal, "1 where it was illegal, and changed nothing.");
  bind_column(games, "begun", &Arrays::begun, "1 where a new game began instead.");
}

}  // namespace mineproof::python
