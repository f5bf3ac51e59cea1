// Whole games: rules, agents, series as columns, one game with its moves.
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <map>
#include <string>

#include "convert.hpp"
#include "interrupt.hpp"
#include "runtime/answers.hpp"
#include "runtime/errors.hpp"
#include "runtime/series.hpp"

namespace mineproof::python {

namespace {

using runtime::Column;
using runtime::RecordedGame;
using runtime::Source;

struct Proved {
  std::vector<std::int32_t> safe, mined;
};

nb::dlpack::dtype dtype_of(Column::Type type) {
  switch (type) {
    case Column::Type::boolean:
      return nb::dtype<bool>();
    case Column::Type::int32:
      return nb::dtype<std::int32_t>();
    case Column::Type::uint64:
      return nb::dtype<std::uint64_t>();
    case Column::Type::float64:
      break;
  }
  return nb::dtype<double>();
}

const char* name_of(Column::Type type) {
  switch (type) {
    case Column::Type::boolean:
      return "bool";
    case Column::Type::int32:
      return "int32";
    case Column::Type::uint64:
      return "uint64";
    case Column::Type::float64:
      break;
  }
  return "float64";
}

std::string listed() {
  std::string names;
  for (const Column& column : runtime::all_columns())
    names += (names.empty() ? "" : ", ") + std::string(column.name);
  return names;
}

using Array = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The arrays to fill and their length. Holds references, so they stay alive whatever happens to the
// dict.
struct Targets {
  std::vector<Array> arrays;
  std::vector<runtime::Target> targets;
  std::size_t games = 0;
};

Targets targets_of(const nb::dict& columns) {
  Targets found;
  std::optional<std::size_t> games;
  for (const auto& [key, value] : columns) {
    const auto name = nb::cast<std::string>(key);
    const auto refuse = [&name](const std::string& why) {
      throw runtime::Invalid("column '" + name + "' " + why);
    };
    const Column* column = runtime::find_column(name);
    if (column == nullptr)
      throw runtime::Invalid("no column '" + name + "'; the columns are: " + listed());
    Array array;
    if (!nb::try_cast(value, array, false))
      refuse("must be a contiguous, writable one-dimensional array");
    if (array.dtype() != dtype_of(column->type))
      refuse(std::string("must be of type ") + name_of(column->type));
    if (games.value_or(array.size()) != array.size()) refuse("must be as long as the others");
    games = array.size();
    found.targets.push_back({column, array.data()});
    found.arrays.push_back(std::move(array));
  }
  found.games = games.value_or(0);
  return found;
}

using SeedPairs = nb::ndarray<const std::uint64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::optional<std::vector<Seeds>> seeds_of(const std::optional<SeedPairs>& pairs) {
  if (!pairs) return std::nullopt;
  std::vector<Seeds> seeds;
  seeds.reserve(pairs->shape(0));
  for (std::size_t i = 0; i < pairs->shape(0); ++i)
    seeds.emplace_back((*pairs)(i, 0), (*pairs)(i, 1));
  return seeds;
}

void bind_enums(nb::module_& m) {
  bind_enum<Opening>(m, "Opening", "What is guaranteed for the first cell.");
  bind_enum<Luck>(m, "Luck", "Whether the board is fixed, or every loss is a mistake.");
  bind_enum<Action>(m, "Action", "What a move does.");
  bind_enum<Rule>(m, "Rule", "The rule that proved a cell.");
  bind_enum<AdvancedRule>(m, "AdvancedRule",
                          "The reasoner that continues when the local rules find nothing more.");
  bind_enum<Guesser>(m, "Guesser", "How an agent guesses.");
  bind_enum<Fault>(m, "Fault", "Why a game did not end.");
}

void bind_setting(nb::module_& m) {
  nb::class_<GameRules>(m, "GameRules", "The rules of a compiled game.")
      .def(
          "__init__",
          [](GameRules* self, bool mine_ends, Opening opening, bool count_known, bool flood,
             std::optional<double> density, Luck luck) {
            new (self) GameRules{mine_ends, opening, count_known, flood, density, luck};
          },
          nb::kw_only(), "mine_ends"_a, "opening"_a, "count_known"_a, "flood"_a, "density"_a.none(),
          "luck"_a = Luck::dealt);

#define PARAMETER(type, name, ...) , type name
#define VALUE(type, name, ...) name,
#define ARGUMENT(type, name, ...) , nb::arg(#name)
  nb::class_<Budget>(m, "Budget", "The limits on the cost of one decision of the champion.")
      .def(
          "__init__",
          [](Budget* self BUDGET_FIELDS(PARAMETER)) { new (self) Budget{BUDGET_FIELDS(VALUE)}; },
          nb::kw_only() BUDGET_FIELDS(ARGUMENT));
#undef PARAMETER
#undef VALUE
#undef ARGUMENT

  nb::class_<Strategy>(m, "Strategy", "A compiled agent.")
      .def(
          "__init__",
          [](Strategy* self, bool local, bool pairs, AdvancedRule beyond, Guesser guesser,
             std::optional<std::int32_t> first, const Budget* budget, bool naive,
             std::optional<std::pair<bool, std::int32_t>> shares) {
            new (self) Strategy{
                local, pairs, beyond, guesser, first.value_or(-1), budget ? *budget : Budget{},
                naive};
            if (shares) self->shares = {shares->first, shares->second};
          },
          nb::kw_only(), "local"_a, "pairs"_a, "beyond"_a, "guesser"_a, "first"_a.none(),
          "budget"_a.none(), "naive"_a = false, "shares"_a.none() = nb::none(),
          "`first`: the cell that it opens first, if any. `naive`: whether it takes every clue for "
          "exact. `shares`: whether the guesser least_share uses the mine count, and the most "
          "cells of a component that it counts.");

  nb::class_<Source>(m, "GameSetup", "The source of boards: ready boards, or deals.")
      .def(
          "__init__",
          [](Source* self, std::int32_t rows, std::int32_t cols, std::int32_t mines,
             std::optional<std::uint64_t> threshold,
             const std::optional<std::vector<nb::bytes>>& boards) {
            std::optional<std::vector<Cells>> ready;
            if (boards) {
              ready.emplace();
              for (const nb::bytes& board : *boards) ready->push_back(to_cells(board));
            }
            new (self) Source({rows, cols}, mines, threshold, std::move(ready));
          },
          "rows"_a, "cols"_a, nb::kw_only(), "mines"_a = 0, "threshold"_a.none() = nb::none(),
          "boards"_a.none() = nb::none(),
          "Deals with a mine count, or with mine probability `threshold` / 2**53 per cell; or "
          "ready "
          "boards, one per game.");
}

void bind_results(nb::module_& m) {
  nb::class_<Move>(m, "Move")
      .def_ro("cell", &Move::cell)
      .def_ro("action", &Move::action)
      .def_ro("certain", &Move::certain)
      .def_ro("rule", &Move::rule)
      .def_ro("estimated", &Move::estimated)
      .def_prop_ro(
          "risk", [](const Move& self) { return known(self.risk); },
          "The mine probability; None if it was not computed.");

  nb::class_<RecordedGame>(m, "RecordedGame", "One finished game.")
      .def_prop_ro("won", [](const RecordedGame& self) { return self.played.won; })
      .def_prop_ro("mines", [](const RecordedGame& self) { return self.played.mines; })
      .def_prop_ro("right", [](const RecordedGame& self) { return self.played.right; })
      .def_prop_ro("wrong", [](const RecordedGame& self) { return self.played.wrong; })
      .def_prop_ro("exploded", [](const RecordedGame& self) { return self.played.exploded; })
      .def_prop_ro("guesses", [](const RecordedGame& self) { return self.played.guesses; })
      .def_prop_ro("estimates", [](const RecordedGame& self) { return self.played.estimates; })
      .def_ro("moves", &RecordedGame::moves);

  nb::class_<Proved>(m, "Proved", "Proved cells, by index.")
      .def_ro("safe", &Proved::safe)
      .def_ro("mined", &Proved::mined);
}

}  // namespace

void bind_games(nb::module_& m) {
  bind_enums(m);
  bind_setting(m);
  bind_results(m);

  m.def(
      "columns",
      [] {
        std::map<std::string, std::string> types;
        for (const Column& column : runtime::all_columns())
          types[std::string(column.name)] = name_of(column.type);
        return types;
      },
      "The columns that play_games fills in, with their types.");

  m.def(
      "play_games",
      [](const Source& ground, const GameRules& rules, const ClueModel* clues,
         const Strategy& strategy, std::int32_t start, std::uint64_t seed, std::uint64_t first,
         const nb::typed<nb::dict, nb::str, nb::any>& columns,
         const std::optional<SeedPairs>& seeds, const Flag* cancel) {
        Targets to_fill = targets_of(columns);
        runtime::Series series(ground, rules, or_exact(clues), strategy, start, seed, first,
                               to_fill.games, std::move(to_fill.targets), seeds_of(seeds));
        run(cancel, true, [&](Cancel asked) { series.play(asked); });
      },
      "ground"_a, "rules"_a, "clues"_a.none(), "strategy"_a, "start"_a, "seed"_a, "first"_a,
      "columns"_a, "seeds"_a.none() = nb::none(), "cancel"_a.none() = nb::none(),
      "Play the games `first`, `first` + 1, ... of the series `seed` and fill in the arrays, one "
      "element per game. `start`: the cell to open first, or -1. `seeds`: one row per game, with "
      "the seeds of the game and of its player, instead of seeds derived from `seed`. Raises "
      "BrokenOpening, Overflow, Cancelled.");

  m.def(
      "play",
      [](const Source& ground, const GameRules& rules, const ClueModel* clues,
         const Strategy& strategy, std::int32_t start, std::uint64_t seed, const Flag* cancel) {
        return run(cancel, true, [&](Cancel asked) {
          return record(ground, rules, or_exact(clues), strategy, start, seed, asked);
        });
      },
      "ground"_a, "rules"_a, "clues"_a.none(), "strategy"_a, "start"_a, "seed"_a,
      "cancel"_a.none() = nb::none(), "Play one game and return it with its moves.");

  m.def(
      "closure",
      [](nb::handle view, const GameRules& rules, const Strategy& strategy, const Flag* cancel) {
        const auto question = ask(view, {}, {});
        const auto verdicts = run(cancel, question.may_last(), [&](Cancel asked) {
          return runtime::closure(question, rules, strategy, asked);
        });
        return Proved{cells_with(verdicts, Verdict::safe), cells_with(verdicts, Verdict::mine)};
      },
      "view"_a, "rules"_a, "strategy"_a, "cancel"_a.none() = nb::none(),
      "Return the cells that the rules of this agent prove.");
}

}  // namespace mineproof::python
