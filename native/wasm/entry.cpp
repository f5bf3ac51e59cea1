// The C interface between a web page and the native library, compiled to WebAssembly.
//
// One engine, one thread. The page allocates memory, writes a view into it, calls, and reads the
// results. This file only converts.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "mineproof/engine.hpp"
#include "row.hpp"

using namespace mineproof;

namespace {

Engine& engine() {
  static Engine one;
  return one;
}

}  // namespace

EXPORT("allocate") void* allocate(std::size_t bytes) { return std::malloc(bytes); }
EXPORT("release") void release(void* memory) { std::free(memory); }

// Solves a view with exact clues: `states` as in cells.hpp, row by row; `mines` on the whole board,
// or -1 if unknown. Returns the Outcome as a number; unless it is a contradiction, writes one
// number per cell to `risk` and to `verdicts`.
EXPORT("posterior")
int posterior(std::int32_t rows, std::int32_t cols, const std::uint8_t* states, std::int32_t mines,
              double* risk, std::uint8_t* verdicts) {
  static const Model exact_clues;
  const Shape shape{rows, cols};
  const std::size_t size = at(shape.size());
  const Prior prior = mines < 0 ? Prior::uniform() : Prior::count(mines);
  const Outcome outcome =
      engine().solve({shape, {states, size}, &exact_clues, {}, false}, prior, state_budget);
  if (outcome == Outcome::exact || outcome == Outcome::estimate) {
    engine().write_risk({risk, size});
    std::memcpy(verdicts, engine().verdicts().data(), size);
  }
  return static_cast<int>(outcome);
}

// For the view solved last.
EXPORT("log_weight") double log_weight() { return engine().log_weight(); }
EXPORT("error") double error() { return engine().error(); }
