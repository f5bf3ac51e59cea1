// Random numbers, dealing, and statistics of boards.
#include <string>

#include "convert.hpp"
#include "mineproof/board.hpp"
#include "mineproof/chance.hpp"
#include "runtime/errors.hpp"

namespace mineproof::python {

namespace {

constexpr std::int32_t most_words = 1'000'000;  // the number of cells of the largest board

// Validates a shape; checked_mines() also validates the mines on it.
Shape checked(std::int32_t rows, std::int32_t cols) {
  runtime::check_shape({rows, cols});
  return {rows, cols};
}

Cells checked_mines(Shape shape, const nb::bytes& mines) {
  if (mines.size() != static_cast<std::size_t>(shape.size()))
    throw runtime::Invalid("the mines do not have the given shape");
  return to_cells(mines);
}

void check_free(Shape shape, const std::vector<std::int32_t>& free) {
  for (std::size_t i = 0; i < free.size(); ++i)
    if (free[i] < 0 || free[i] >= shape.size() || (i > 0 && free[i] <= free[i - 1]))
      throw runtime::Invalid("free cells must be indices of cells, in ascending order");
}

// Runs work without the interpreter lock.
template <class Work>
auto unlocked(Work&& work) {
  const nb::gil_scoped_release release;
  return work();
}

}  // namespace

void bind_boards(nb::module_& m) {
  bind_enum<Purpose>(m, "Purpose", "What a random stream is used for.");
  bind_enum<State>(m, "State", "What a cell shows if not a clue.");

  m.def(
      "deal",
      [](std::int32_t rows, std::int32_t cols, std::int32_t mines,
         const std::vector<std::int32_t>& free, std::uint64_t seed) {
        const Shape shape = checked(rows, cols);
        check_free(shape, free);
        if (mines < 0 || mines > shape.size() - static_cast<std::int32_t>(free.size()))
          throw runtime::Invalid("the mines do not fit: too many cells are free");
        return to_bytes(unlocked([&] { return deal(shape, mines, free, seed); }));
      },
      "rows"_a, "cols"_a, "mines"_a, "free"_a, "seed"_a,
      "Deal mines by count, uniformly among boards with no mine in the cells `free`.");

  m.def(
      "deal_each",
      [](std::int32_t rows, std::int32_t cols, std::uint64_t threshold,
         const std::vector<std::int32_t>& free, std::uint64_t seed) {
        const Shape shape = checked(rows, cols);
        check_free(shape, free);
        return to_bytes(unlocked([&] { return deal_each(shape, threshold, free, seed); }));
      },
      "rows"_a, "cols"_a, "threshold"_a, "free"_a, "seed"_a,
      "Place a mine in each cell independently, with probability `threshold` / 2**53.");

  m.def(
      "order_keys",
      [](std::int32_t size, std::uint64_t seed) {
        if (size < 0 || size > most_words)
          throw runtime::Invalid("the size must be from 0 to " + std::to_string(most_words));
        const auto keys = unlocked([&] { return order_keys(size, seed); });
        return nb::bytes(reinterpret_cast<const char*>(keys.data()), keys.size() * sizeof keys[0]);
      },
      "size"_a, "seed"_a, "Return the 64-bit keys of the shared random order, cell by cell.");

  m.def(
      "words",
      [](std::uint64_t seed, std::uint32_t purpose, std::uint64_t index, std::size_t count) {
        if (count > most_words)
          throw runtime::Invalid("at most " + std::to_string(most_words) + " words at once");
        std::vector<std::uint32_t> words(count);
        Stream stream(seed, static_cast<Purpose>(purpose), index);
        for (auto& word : words) word = stream.next();
        return words;
      },
      "seed"_a, "purpose"_a, "index"_a, "count"_a,
      "Return the first 32-bit words of a random stream.");

  m.def(
      "count_mines",
      [](std::int32_t rows, std::int32_t cols, const nb::bytes& mines) {
        const Shape shape = checked(rows, cols);
        const Cells cells = checked_mines(shape, mines);
        return to_bytes(unlocked([&] { return count_mines(shape, cells); }));
      },
      "rows"_a, "cols"_a, "mines"_a, "Count the mines around every cell.");

  nb::class_<Figures>(m, "Figures", "The figures of a board that players use.")
      .def_ro("openings", &Figures::openings)
      .def_ro("islands", &Figures::islands)
      .def_ro("bbbv", &Figures::bbbv);

  m.def(
      "figures",
      [](std::int32_t rows, std::int32_t cols, const nb::bytes& mines) {
        const Shape shape = checked(rows, cols);
        const Cells cells = checked_mines(shape, mines);
        return unlocked([&] { return figures(shape, cells); });
      },
      "rows"_a, "cols"_a, "mines"_a, "Compute openings, islands and 3BV of a board.");
}

}  // namespace mineproof::python
