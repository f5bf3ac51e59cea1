#include "runtime/optimum.hpp"

#include <atomic>
#include <exception>
#include <new>
#include <variant>

#include "runtime/errors.hpp"
#include "runtime/question.hpp"

namespace mineproof::runtime {

namespace {

using Report = std::function<void(std::uint64_t)>;

// Runs `search` on an Optimal. Running out of memory is reported as too many states.
template <class Found, class Search>
Found find(Shape shape, std::int32_t mines, std::uint64_t most_states, const Report& report,
           Cancel cancel, Search&& search) {
  check_shape(shape);
  if (shape.size() > 64)
    throw Invalid("best play can be computed only for boards of up to 64 cells");
  if (mines < 0 || mines > shape.size()) throw Invalid("the mines do not fit");
  // The kernel cannot handle exceptions: one thrown by a report is kept until the search has
  // stopped.
  std::atomic<bool> stop = false;
  std::exception_ptr raised;
  const auto forward = [&](std::uint64_t states) noexcept {
    try {
      if (!stop) report(states);
    } catch (...) {
      raised = std::current_exception();
      stop = true;
    }
  };
  std::variant<Found, Unsolved> found = Unsolved::too_many_states;
  try {
    Optimal optimal(shape, mines, most_states, forward, Cancel(stop, &cancel));
    found = search(optimal);
  } catch (const std::bad_alloc&) {
    found = Unsolved::too_many_states;
  }
  if (raised) std::rethrow_exception(raised);
  if (const auto* best = std::get_if<Found>(&found)) return *best;
  if (std::get<Unsolved>(found) == Unsolved::cancelled) throw Cancelled();
  throw TooManyStates();
}

}  // namespace

Optimum best_play(Shape shape, std::int32_t mines, Opening opening, std::uint64_t most_states,
                  const Report& report, Cancel cancel) {
  const int free = static_cast<int>(opening) - 1;
  return find<Optimum>(shape, mines, most_states, report, cancel,
                       [free](Optimal& optimal) { return optimal.solve(free); });
}

OptimalScore best_score(Shape shape, std::int32_t mines, Opening opening, std::uint64_t most_states,
                        const Report& report, Cancel cancel) {
  const int free = static_cast<int>(opening) - 1;
  return find<OptimalScore>(shape, mines, most_states, report, cancel,
                            [free](Optimal& optimal) { return optimal.solve_score(free); });
}

}  // namespace mineproof::runtime
