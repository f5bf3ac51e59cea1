#include "runtime/optimum.hpp"

#include "runtime/errors.hpp"
#include "runtime/question.hpp"

namespace mineproof::runtime {

Optimum best_play(Shape shape, std::int32_t mines, Opening opening, std::uint64_t most_states,
                  const std::function<void(std::uint64_t)>& report, Cancel cancel) {
  check_shape(shape);
  if (shape.size() > 64) throw Invalid("best play is known for boards of up to 64 cells");
  if (mines < 0 || mines > shape.size()) throw Invalid("the mines do not fit");
  const auto tell = [&](std::uint64_t states) {
    if (cancel.asked()) throw Cancelled();
    report(states);
  };
  try {
    return Optimal(shape, mines, most_states, tell).solve(static_cast<int>(opening) - 1);
  } catch (const TooMany&) {
    throw TooManyStates();
  }
}

}  // namespace mineproof::runtime
