// Training positions as columns.
#include "runtime/positions.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <map>
#include <string>

#include "convert.hpp"
#include "interrupt.hpp"

namespace mineproof::python {

namespace {

using runtime::Positions;

// Moves a column into an array that owns it.
template <class T>
nb::object handed_over(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), {kept->size()}, owner));
}

}  // namespace

void bind_positions(nb::module_& m) {
  m.def(
      "positions",
      [](const runtime::Source& ground, const GameRules& rules, const ClueModel* clues,
         const Strategy& strategy, std::int32_t start, std::uint64_t seed, std::uint64_t first,
         std::size_t games, std::size_t budget, const Flag* cancel) {
        Positions found = run(cancel, true, [&](Cancel asked) {
          return positions_of(ground, rules, or_exact(clues), strategy, start, seed, first, games,
                              budget, asked);
        });
        nb::typed<nb::dict, nb::str, nb::any> columns;
        columns["states"] = to_bytes(found.states);
        columns["risk"] = nb::bytes(reinterpret_cast<const char*>(found.risk.data()),
                                    found.risk.size() * sizeof found.risk[0]);
        columns["game"] = handed_over(std::move(found.game));
        columns["seed"] = handed_over(std::move(found.seed));
        columns["move"] = handed_over(std::move(found.move));
        columns["cell"] = handed_over(std::move(found.cell));
        columns["exact"] = handed_over(std::move(found.exact));
        columns["won"] = handed_over(std::move(found.won));
        columns["mines"] = handed_over(std::move(found.mines));
        return columns;
      },
      "ground"_a, "rules"_a, "clues"_a.none(), "strategy"_a, "start"_a, "seed"_a, "first"_a,
      "games"_a, "budget"_a, "cancel"_a.none() = nb::none(),
      "Return columns with every position of these games of a series in which an agent opened a "
      "cell: the view, the risks, its move and the result. `states` and `risk` (floats) are by "
      "position and cell.");
}

}  // namespace mineproof::python
