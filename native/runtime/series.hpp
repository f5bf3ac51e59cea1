// Whole games of a series, as columns: one array a figure, one place a game.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/play.hpp"

namespace mineproof::runtime {

// Where the boards of a series come from: ready ones, or dealt at the first move, by count or
// (with a threshold, see deal_each) cell by cell. Throws Invalid where that cannot be.
class Source {
 public:
  Source(Shape shape, std::int32_t mines, std::optional<std::uint64_t> threshold,
         std::optional<std::vector<Cells>> boards);

  [[nodiscard]] Shape shape() const { return shape_; }
  // Of the game with this place in the series; it points into this source.
  [[nodiscard]] Ground ground(std::size_t place) const;
  // Throws Invalid where so many games cannot be played here: mines that do not fit, cells that
  // are not there, a count that shall be told before there is one.
  void check(const GameRules& rules, const Strategy& strategy, std::int32_t start,
             std::size_t games) const;

 private:
  Shape shape_;
  std::int32_t mines_;
  std::optional<std::uint64_t> threshold_;
  std::optional<std::vector<Cells>> boards_;
};

// A game of a series that came to its end.
struct Finished {
  std::uint64_t seed = 0;
  Played played;
  double cpu_seconds = 0;
};

// A figure of a finished game, by its name.
struct Column {
  enum class Type : std::uint8_t { boolean, int32, uint64, float64 };
  std::string_view name;
  Type type;
  void (*write)(const Finished& game, void* to);
};
[[nodiscard]] std::span<const Column> all_columns();
// Null where there is none of this name.
[[nodiscard]] const Column* find_column(std::string_view name);
[[nodiscard]] std::size_t size_of(Column::Type type);

// An array to fill: as many values as games are played.
struct Target {
  const Column* column;
  void* values;
};

// Plays the games `first`, `first` + 1, ... of a series and fills the targets; the board of a
// ready source with place i belongs to game `first` + i. One after the other, on this thread.
// The seeds of the games follow from the series' seed, or are given: then as many as games.
//
// CPU time is measured over about a millisecond of games at once, for the system takes as long
// to tell it as a short game takes; within that it is shared out by the wall clock. A game that
// takes longer is measured by itself.
class Series {
 public:
  Series(const Source& source, const GameRules& rules, const Strategy& strategy, std::int32_t start,
         std::uint64_t seed, std::uint64_t first, std::size_t games, std::vector<Target> targets,
         std::optional<std::vector<Seeds>> seeds = std::nullopt);

  // Plays on to the end. Throws Cancelled (calling it again goes on with the game that was cut
  // short), BrokenOpening, Overflow.
  void play(Cancel cancel);

 private:
  [[nodiscard]] Seeds seeds_of(std::size_t place) const;
  void write(std::span<Finished> games);

  const Source& source_;
  GameRules rules_;
  Strategy strategy_;
  std::int32_t start_;
  std::uint64_t seed_, first_;
  std::size_t games_;
  std::vector<Target> targets_;
  std::optional<std::vector<Seeds>> seeds_;
  std::size_t written_ = 0;
};

// One game and its moves.
struct Recorded {
  Played played;
  std::vector<Move> moves;
};
[[nodiscard]] Recorded record(const Source& source, const GameRules& rules,
                              const Strategy& strategy, std::int32_t start, std::uint64_t seed,
                              Cancel cancel);

}  // namespace mineproof::runtime
