// The table of columns: a new figure per game is one line here.
#include <algorithm>
#include <type_traits>

#include "runtime/series.hpp"

namespace mineproof::runtime {

namespace {

template <class Value>
constexpr Column::Type type_of() {
  if constexpr (std::is_same_v<Value, bool>)
    return Column::Type::boolean;
  else if constexpr (std::is_same_v<Value, std::int32_t>)
    return Column::Type::int32;
  else if constexpr (std::is_same_v<Value, std::uint64_t>)
    return Column::Type::uint64;
  else
    return Column::Type::float64;
}

// A column has the type that `Get` returns.
template <class Get>
constexpr Column column(std::string_view name, Get) {
  using Value = std::invoke_result_t<Get, const Finished&>;
  return {name, type_of<Value>(),
          [](const Finished& game, void* to) { *static_cast<Value*>(to) = Get{}(game); }};
}

// The number of moves that a rule proved.
template <Rule rule>
constexpr Column proved(std::string_view name) {
  return column(name, [](const Finished& game) {
    return game.played.by_rule[static_cast<std::size_t>(rule)];
  });
}

constexpr std::array columns{
    column("seed", [](const Finished& game) { return game.seed; }),
    column("won", [](const Finished& game) { return game.played.won; }),
    column("mines", [](const Finished& game) { return game.played.mines; }),
    column("right", [](const Finished& game) { return game.played.right; }),
    column("wrong", [](const Finished& game) { return game.played.wrong; }),
    column("exploded", [](const Finished& game) { return game.played.exploded; }),
    column("guesses", [](const Finished& game) { return game.played.guesses; }),
    column("moves", [](const Finished& game) { return game.played.moves; }),
    column("estimates", [](const Finished& game) { return game.played.estimates; }),
    column("expected_flags", [](const Finished& game) { return game.played.expected_flags; }),
    proved<Rule::opening>("proved_opening"),
    proved<Rule::local>("proved_local"),
    proved<Rule::count>("proved_count"),
    proved<Rule::subset>("proved_subset"),
    proved<Rule::gauss>("proved_gauss"),
    proved<Rule::exact>("proved_exact"),
    proved<Rule::pairs>("proved_pairs"),
    proved<Rule::arrangements>("proved_arrangements"),
    column("cpu_seconds", [](const Finished& game) { return game.cpu_seconds; }),
};

}  // namespace

std::span<const Column> all_columns() { return columns; }

const Column* find_column(std::string_view name) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& one) { return one.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

std::size_t size_of(Column::Type type) {
  switch (type) {
    case Column::Type::boolean:
      return sizeof(bool);
    case Column::Type::int32:
      return sizeof(std::int32_t);
    case Column::Type::uint64:
      return sizeof(std::uint64_t);
    case Column::Type::float64:
      break;
  }
  return sizeof(double);
}

}  // namespace mineproof::runtime
