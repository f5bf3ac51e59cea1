// Vector games for reinforcement learning: arrays that every step updates in place.
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

// Wraps one of our arrays, by game and further dimensions, without copying; it keeps the games
// alive.
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

EnvConfig terms_of(std::int32_t rows, std::int32_t cols, const GameRules& rules,
                   const ClueModel* clues, std::int32_t mines, std::int32_t start,
                   const Boards& boards, bool flags, std::int64_t limit) {
  EnvConfig terms{{rows, cols}, rules, or_exact(clues), mines, start, {}, flags, limit};
  for (const auto& [mined, first] : boards) terms.boards.push_back({to_cells(mined), first});
  return terms;
}

std::vector<std::pair<std::int32_t, std::int8_t>> bounds_of(const Referee& game) {
  std::vector<std::pair<std::int32_t, std::int8_t>> found;
  for (std::int32_t cell = 0; cell < std::ssize(game.states()); ++cell)
    if (game.bound(cell) != ClueModel::unbounded) found.emplace_back(cell, game.bound(cell));
  return found;
}

}  // namespace

void bind_vector_game(nb::module_& m) {
  bind_enum<Autoreset>(m, "Autoreset", "When a finished game is replaced by the next one.");

  nb::class_<VectorGames> games(m, "VectorGame",
                                "Many games at once; a step makes a move in each of them.");
  games
      .def(
          "__init__",
          [](VectorGames* self, std::int32_t rows, std::int32_t cols, std::size_t size,
             const GameRules& rules, const ClueModel* clues, std::int32_t mines, std::int32_t start,
             const Boards& boards, bool flags, std::int64_t limit, Autoreset renewal,
             unsigned threads) {
            new (self)
                VectorGames(terms_of(rows, cols, rules, clues, mines, start, boards, flags, limit),
                            size, renewal, threads);
          },
          "rows"_a, "cols"_a, "size"_a, nb::kw_only(), "rules"_a, "clues"_a.none() = nb::none(),
          "mines"_a = 0, "start"_a = -1, "boards"_a = Boards{}, "flags"_a = false, "limit"_a = 0,
          "renewal"_a = Autoreset::next_step, "threads"_a = 1,
          "`boards`: mines and start of each, instead of dealing boards.")
      .def(
          "reset",
          [](VectorGames& self, const Whole& places, const std::optional<Seeds64>& seeds) {
            const nb::gil_scoped_release release;
            self.reset(span_of(places), seeds ? span_of(*seeds) : std::span<const std::uint64_t>{});
          },
          "places"_a, "seeds"_a.none() = nb::none(), "Start new games at these indices.")
      .def(
          "step",
          [](VectorGames& self, const Whole& moves) {
            const nb::gil_scoped_release release;
            self.step(span_of(moves));
          },
          "moves"_a, "Make a move in each game.")
      .def(
          "bounds_of",
          [](const VectorGames& self, std::size_t place) {
            if (place >= self.games().size())
              throw runtime::Invalid("there is no game at this index");
            return bounds_of(self.games().referee(place));
          },
          "place"_a, "The cells whose clues have a bound, each with its bound.")
      .def(
          "seed_of",
          [](const VectorGames& self, std::size_t place) {
            if (place >= self.games().size())
              throw runtime::Invalid("there is no game at this index");
            return self.games().seed_of(place);
          },
          "place"_a, "The seed of the current game at this index.")
      .def_prop_ro(
          "states",
          [](nb::handle self) {
            const Shape shape = of(self).games().terms().shape;
            return shown(self, of(self).games().arrays().states, of(self).games().size(),
                         shape.rows, shape.cols);
          },
          "The states of the cells, by game, row and column.")
      .def_prop_ro(
          "legal",
          [](nb::handle self) {
            return shown(self, of(self).games().arrays().legal, of(self).games().size(),
                         of(self).games().terms().moves());
          },
          "1 for legal moves, by game and move; all 1 once a game is over.")
      .def_prop_ro(
          "last_states",
          [](nb::handle self) {
            const Shape shape = of(self).games().terms().shape;
            auto& values = of(self).games().arrays().last_states;
            return shown(self, values, values.size() / at(shape.size()), shape.rows, shape.cols);
          },
          "The final states of games that the last step ended and replaced.")
      .def_prop_ro(
          "last_legal",
          [](nb::handle self) {
            const auto moves = at(of(self).games().terms().moves());
            auto& values = of(self).games().arrays().last_legal;
            return shown(self, values, values.size() / moves, moves);
          },
          "The final legal moves of these games.");
  bind_column(games, "opened", &Arrays::opened, "The number of cells that the last move opened.");
  bind_column(games, "mines", &Arrays::mines, "The number of mines on its board.");
  bind_column(games, "exploded", &Arrays::exploded, "The number of mines that it hit.");
  bind_column(games, "right", &Arrays::right, "The change in the number of correct flags.");
  bind_column(games, "wrong", &Arrays::wrong, "The change in the number of wrong flags.");
  bind_column(games, "won", &Arrays::won, "1 if it won the game.");
  bind_column(games, "over", &Arrays::over, "1 if it ended the game.");
  bind_column(games, "cut", &Arrays::cut, "1 if the limit of moves ended the game.");
  bind_column(games, "illegal", &Arrays::illegal, "1 if it was illegal and changed nothing.");
  bind_column(games, "begun", &Arrays::begun, "1 if a new game started instead.");
}

}  // namespace mineproof::python
