// What crosses the border to a page: rows of numbers.
//
// A question comes as one row and is read from its begin; its answer is another. Every number is
// a double, which holds cells, counts and states exactly; a seed of 64 bits is two halves, the
// high one first. A list is its length and then its entries. Nothing here decides anything.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mineproof/cells.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/rules.hpp"

#define EXPORT(name) extern "C" __attribute__((export_name(name)))

namespace mineproof::wasm {

// Reads the question that was asked. Beyond its end every number is 0.
class Reader {
 public:
  double number();
  std::int32_t whole() { return static_cast<std::int32_t>(number()); }
  bool truth() { return number() != 0; }
  std::uint64_t seed();
  // A number that may be missing: -1 says so.
  std::optional<std::int32_t> maybe_whole();
  std::optional<double> maybe_number();
  Cells bytes(std::int32_t count);
  std::vector<std::int32_t> list();

 private:
  std::size_t next_ = 0;
};

// Writes the answer, from its begin; `done` is what a call returns: how many numbers it has.
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

// A position with exact clues: rows, columns, the mines or -1, the density or -1, a state a cell.
struct Seen {
  explicit Seen(Reader& reader);
  [[nodiscard]] View view() const;
  [[nodiscard]] Prior prior() const;

  Shape shape;
  std::optional<std::int32_t> mines;
  std::optional<double> density;
  Cells states;
};

// Whether a mine ends the game, the opening, whether the count is known, whether zeros flood, the
// density or -1.
[[nodiscard]] GameRules read_rules(Reader& reader);

}  // namespace mineproof::wasm
