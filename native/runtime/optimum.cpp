#include "runtime/optimum.hpp"

#include <atomic>
#include <exception>
#include <new>
#include <variant>

#include "runtime/errors.hpp"
#include "runtime/question.hpp"

namespace mineproof::runtime {

namespace {

// Memory that ran out is too many states, too.
std::variant<Optimum, Unsolved> search(Optimal&& optimal, int free) {
  try {
    return optimal.solve(free);
  } catch (const std::bad_alloc&) {
    return Unsolved::too_many_states;
  }
}

}  // namespace

Optimum best_play(Shape shape, std::int32_t mines, Opening opening, std::uint64_t most_states,
                  const std::function<void(std::uint64_t)>& report, Cancel cancel) {
  check_shape(shape);
  if (shape.size() > 64) throw Invalid("best play is known for boards of up to 64 cells");
  if (mines < 0 || mines > shape.size()) throw Invalid("the mines do not fit");
  // The kernel takes no exception: what a report throws waits until the search has stopped.
  std::atomic<bool> stop = false;
  std::exception_ptr raised;
  const auto tell = [&](std::uint64_t states) noexcept {
    try {
      if (!stop) report(states);
    } catch (...) {
      raised = std::current_exception();
      stop = true;
    }
  };
  const auto found = search(Optimal(shape, mines, most_states, tell, Cancel(stop, &cancel)),
                            static_cast<int>(opening) - 1);
  if (raised) std::rethrow_exception(raised);
  if (const auto* best = std::get_if<Optimum>(&found)) return *best;
  if (std::get<Unsolved>(found) == Unsolved::cancelled) throw Cancelled();
  throw TooManyStates();
}

}  // namespace mineproof::runtime
