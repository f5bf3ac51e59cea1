// The wire format between a page and the kernel: rows of numbers.
//
// A request is one row, read from the start; the response is another. Every number is a double,
// which represents cells, counts and states exactly; a 64-bit seed is two halves, the high one
// first. A list is its length followed by its elements. This file only converts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mineproof/cells.hpp"
#include "mineproof/clues.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/rules.hpp"

#define EXPORT(name) extern "C" __attribute__((export_name(name)))

namespace mineproof::wasm {

// Reads the current request. Beyond its end every number is 0.
class Reader {
 public:
  double number();
  std::int32_t whole() { return static_cast<std::int32_t>(number()); }
  bool truth() { return number() != 0; }
  std::uint64_t seed();
  // An optional number; -1 if it is missing.
  std::optional<std::int32_t> maybe_whole();
  std::optional<double> maybe_number();
  Cells bytes(std::int32_t count);
  std::vector<std::int32_t> list();

 private:
  std::size_t next_ = 0;
};

// Writes the response from its start. `done` returns its length, which is what an exported function
// returns.
class Writer {
 public:
  Writer();
  void number(double value);
  template <class List>
  void list(const List& values) {
    number(static_cast<double>(values.size()));
    for (const auto value : values) number(static_cast<double>(value));
  }
  [[nodiscard]] std::int32_t done() const;
};

// Exact, sometimes, optimistic, cautious or table, by number; then the probability of a clue and
// whether cells are asked again; whether clues are bounded; or the table, count by count.
[[nodiscard]] ClueModel read_clues(Reader& reader);

// A position: rows, columns, mines or -1, density or -1, the clue model, one state per cell, and
// the list of cells with a bound, each followed by its bound.
struct Seen {
  explicit Seen(Reader& reader);
  [[nodiscard]] View view() const { return {shape, states, &clues, overrides, false}; }
  [[nodiscard]] Prior prior() const;
  // Whether an opened cell may be evidence.
  [[nodiscard]] bool informs(std::int32_t cell) const;

  Shape shape;
  std::optional<std::int32_t> mines;
  std::optional<double> density;
  ClueModel clues;
  Cells states;
  std::vector<std::int8_t> bounds;  // by cell, or empty
  std::vector<Override> overrides;  // the likelihoods of the clues with a bound
};

// Whether a mine ends the game, the opening, whether the mine count is known, whether cells without
// adjacent mines open their neighbours, the density or -1, the luck.
[[nodiscard]] GameRules read_rules(Reader& reader);

}  // namespace mineproof::wasm
