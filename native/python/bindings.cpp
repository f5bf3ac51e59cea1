// The border between Python and the native library: converts, and does nothing else.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <vector>

#include "mineproof/board.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mineproof;

namespace {

nb::bytes to_bytes(const Cells& cells) {
  return nb::bytes(reinterpret_cast<const char*>(cells.data()), cells.size());
}

std::span<const std::uint8_t> from_bytes(const nb::bytes& cells) {
  return {reinterpret_cast<const std::uint8_t*>(cells.c_str()), cells.size()};
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The native twins of what must be fast; the same results as the Python code.";

  m.def(
      "deal",
      [](std::int32_t rows, std::int32_t cols, std::int32_t mines,
         const std::vector<std::int32_t>& free, std::uint64_t seed) {
        Cells cells;
        {
          nb::gil_scoped_release release;
          cells = deal({rows, cols}, mines, free, seed);
        }
        return to_bytes(cells);
      },
      "rows"_a, "cols"_a, "mines"_a, "free"_a, "seed"_a,
      "Mines by count, uniform among the boards in which the cells `free` have none.");

  m.def(
      "deal_each",
      [](std::int32_t rows, std::int32_t cols, std::uint64_t threshold,
         const std::vector<std::int32_t>& free, std::uint64_t seed) {
        Cells cells;
        {
          nb::gil_scoped_release release;
          cells = deal_each({rows, cols}, threshold, free, seed);
        }
        return to_bytes(cells);
      },
      "rows"_a, "cols"_a, "threshold"_a, "free"_a, "seed"_a,
      "Each cell mined by itself with chance `threshold` / 2**53.");

  m.def(
      "order_keys",
      [](std::int32_t size, std::uint64_t seed) {
        std::vector<std::uint64_t> keys;
        {
          nb::gil_scoped_release release;
          keys = order_keys(size, seed);
        }
        return nb::bytes(reinterpret_cast<const char*>(keys.data()), keys.size() * sizeof keys[0]);
      },
      "size"_a, "seed"_a, "The 64-bit keys of the shared order, cell by cell.");

  m.def(
      "words",
      [](std::uint64_t seed, std::uint32_t purpose, std::uint64_t index, std::size_t count) {
        std::vector<std::uint32_t> words(count);
        Stream stream(seed, static_cast<Purpose>(purpose), index);
        for (auto& word : words) word = stream.next();
        return words;
      },
      "seed"_a, "purpose"_a, "index"_a, "count"_a, "The first 32-bit words of a stream.");

  m.def(
      "count_mines",
      [](std::int32_t rows, std::int32_t cols, const nb::bytes& mines) {
        const auto span = from_bytes(mines);
        Cells counts;
        {
          nb::gil_scoped_release release;
          counts = count_mines({rows, cols}, span);
        }
        return to_bytes(counts);
      },
      "rows"_a, "cols"_a, "mines"_a, "Mines around every cell.");

  m.def(
      "figures",
      [](std::int32_t rows, std::int32_t cols, const nb::bytes& mines) {
        const auto span = from_bytes(mines);
        Figures found{};
        {
          nb::gil_scoped_release release;
          found = figures({rows, cols}, span);
        }
        return std::make_tuple(found.openings, found.islands, found.bbbv);
      },
      "rows"_a, "cols"_a, "mines"_a, "Openings, islands and 3BV of a board.");
}
