// Any view whatever: an answer, a contradiction or an estimate; never a crash, a nan
// or a hang.
//
// Bytes become a view, a clue model, a prior and budgets. Most clues come from a board, so
// that some of the views fit. Built with libFuzzer, or with main.cpp where there is none.
#include "case.hpp"

using namespace mineproof;

std::uint64_t fuzz_outcomes[3] = {0, 0, 0};
std::uint64_t fuzz_answers[3] = {0, 0, 0};

namespace {

// A search counts a view again for all that a cell may show: small ones, or nearly empty ones.
// On boards of up to 64 cells the first cell is found by playing hundreds of games from each.
bool is_for_search(const fuzz::Case& made) {
  const std::int32_t size = made.shape.size();
  std::size_t opened = 0;
  for (const std::uint8_t state : made.states) opened += is_opened(state);
  if (size > 64) return opened <= 3;
  return size <= (opened > 0 ? 36 : 16);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const fuzz::Case made = fuzz::read_case(bytes);
  // Their memory is used again, as in real life.
  static Engine engine;
  static Search search;
  const Outcome outcome = engine.solve(made.view(), made.prior, made.budget);
  ++fuzz_outcomes[static_cast<int>(outcome)];
  fuzz::check_posterior(made, engine, outcome);
  if (outcome == Outcome::exact) fuzz_answers[0] += fuzz::check_list(made, engine);
  if (!is_for_search(made)) return 0;
  fuzz_answers[1] += fuzz::check_advice(made, engine, search);
  fuzz_answers[2] += fuzz::check_chance(made, engine, search);
  return 0;
}
