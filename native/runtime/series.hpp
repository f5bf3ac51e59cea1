// Whole games of a series, as columns: one array per figure, one element per game.
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

// The boards of a series: given boards, or deals at the first move, by count or (with a threshold,
// see deal_each) cell by cell. Throws Invalid if they are not possible.
class Source {
 public:
  Source(Shape shape, std::int32_t mines, std::optional<std::uint64_t> threshold,
         std::optional<std::vector<Cells>> boards);

  [[nodiscard]] Shape shape() const { return shape_; }
  // The board of the game at this index of the series; refers to data of this source.
  [[nodiscard]] GameSetup ground(std::size_t place) const;
  // Throws Invalid if these games cannot be played: the mines do not fit, a cell is not on the
  // board, or the mine count is needed before the deal.
  void check(const GameRules& rules, const Strategy& strategy, std::int32_t start,
             std::size_t games) const;

 private:
  Shape shape_;
  std::int32_t mines_;
  std::optional<std::uint64_t> threshold_;
  std::optional<std::vector<Cells>> boards_;
};

// A finished game of a series.
struct Finished {
  std::uint64_t seed = 0;
  Played played;
  double cpu_seconds = 0;
};

// A figure of a finished game, with its name.
struct Column {
  enum class Type : std::uint8_t { boolean, int32, uint64, float64 };
  std::string_view name;
  Type type;
  void (*write)(const Finished& game, void* to);
};
[[nodiscard]] std::span<const Column> all_columns();
// Null if there is no column with this name.
[[nodiscard]] const Column* find_column(std::string_view name);
[[nodiscard]] std::size_t size_of(Column::Type type);

// An array to fill, with one element per game to play.
struct Target {
  const Column* column;
  void* values;
};

// Plays the games `first`, `first` + 1, ... of a series, one after the other on this thread, and
// fills the targets. Board i of a source with given boards belongs to game `first` + i. The seeds
// of the games derive from the series' seed, or are given, one per game.
//
// CPU time is measured over about a millisecond of games at a time, since reading that clock takes
// as long as a short game; it is divided among them in proportion to wall time. A game that takes
// longer is measured separately.
class Series {
 public:
  Series(const Source& source, const GameRules& rules, const ClueModel& clues,
         const Strategy& strategy, std::int32_t start, std::uint64_t seed, std::uint64_t first,
         std::size_t games, std::vector<Target> targets,
         std::optional<std::vector<Seeds>> seeds = std::nullopt);

  // Plays the remaining games. Throws BrokenOpening, Overflow, and Cancelled; after Cancelled,
  // another call resumes with the game that was interrupted.
  void play(Cancel cancel);

 private:
  [[nodiscard]] Seeds seeds_of(std::size_t place) const;
  void write(std::span<Finished> games);

  const Source& source_;
  GameRules rules_;
  ClueModel clues_;
  Strategy strategy_;
  std::int32_t start_;
  std::uint64_t seed_, first_;
  std::size_t games_;
  std::vector<Target> targets_;
  std::optional<std::vector<Seeds>> seeds_;
  std::size_t written_ = 0;
};

// One game with its moves.
struct RecordedGame {
  Played played;
  std::vector<Move> moves;
};
[[nodiscard]] RecordedGame record(const Source& source, const GameRules& rules,
                                  const ClueModel& clues, const Strategy& strategy,
                                  std::int32_t start, std::uint64_t seed, Cancel cancel);

}  // namespace mineproof::runtime
