// Arbitrary views: the result is exact, an estimate or a contradiction; never a crash, a nan or a
// hang.
//
// Bytes become a view, a clue model, a prior and budgets. Most clues come from a board, so that
// some of the views are consistent. Built with libFuzzer, or with main.cpp where there is none.
#include "target.hpp"

#include <cstdio>

#include "case.hpp"

using namespace mineproof;

namespace {

// How often each outcome occurred, and how often each kind of result could be checked.
std::uint64_t outcomes[3] = {0, 0, 0};
std::uint64_t listed = 0, advised = 0, chances = 0, closed = 0, proved = 0;
bool is_broken = false;  // the last view had no configuration, so it was hardly informative

// A search counts a view again for each outcome of each candidate: use small views, or nearly empty
// ones. On boards of up to 64 cells it finds the first cell by hundreds of playouts from each.
bool is_for_search(const fuzz::Case& made) {
  const std::int32_t size = made.shape.size();
  std::size_t opened = 0;
  for (const std::uint8_t state : made.states) opened += is_opened(state);
  if (size > 64) return opened <= 3;
  return size <= (opened > 0 ? 36 : 16);
}

}  // namespace

bool fuzz_is_dull() { return is_broken; }

void fuzz_report() {
  const auto wide = [](std::uint64_t count) { return static_cast<unsigned long long>(count); };
  std::printf("%llu exact, %llu estimates, %llu contradictions; ", wide(outcomes[0]),
              wide(outcomes[1]), wide(outcomes[2]));
  std::printf("%llu listed, %llu closed, %llu proved, %llu advised, %llu win probabilities\n",
              wide(listed), wide(closed), wide(proved), wide(advised), wide(chances));
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const fuzz::Case made = fuzz::read_case(bytes);
  // Reused between inputs, as in real use.
  static Engine engine;
  static Search search;
  const Outcome outcome = engine.solve(made.view(), made.prior, made.budget);
  ++outcomes[static_cast<int>(outcome)];
  is_broken = outcome == Outcome::contradiction;
  fuzz::check_posterior(made, engine, outcome);
  if (outcome == Outcome::exact) listed += fuzz::check_list(made, engine);
  if (made.shape.size() <= 64) {
    closed += fuzz::check_closure(made, engine);
    proved += fuzz::check_proofs(made, engine);
  }
  if (!is_for_search(made)) return 0;
  advised += fuzz::check_advice(made, engine, search);
  chances += fuzz::check_chance(made, engine, search);
  return 0;
}
