// No-guess boards: attempts are reproducible by name, and boards that are found can be solved by
// the requested reasoning.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "check.hpp"
#include "mineproof/cells.hpp"
#include "mineproof/generation.hpp"

using namespace mineproof;

namespace {

BoardSpec wanted(Reasoning reasoning, std::uint64_t deals, bool needed = false) {
  return {{16, 16}, 40, 3 * 16 + 3, Opening::clear, reasoning, needed, deals, 4000};
}

Attempt search(Generator& generator, const BoardSpec& what, std::uint64_t seed) {
  Attempt tried;
  for (std::uint64_t number = 0; number < 5000 && !tried.found; ++number)
    tried = generator.attempt(what, seed, number, {});
  return tried;
}

void test_found_boards_are_solved_at_their_level() {
  Generator generator;
  DeductionPlayer deducer;
  for (const bool needed : {false, true})
    for (std::size_t level = 0; level < reasoning_count; ++level) {
      const auto reasoning = static_cast<Reasoning>(level);
      const BoardSpec what = wanted(reasoning, needed ? 5000 : level % 2 * 5000, needed);
      const Attempt tried = search(generator, what, level);
      CHECK(tried.found);
      CHECK(std::accumulate(tried.board.begin(), tried.board.end(), 0) == 40);
      const DeductionResult deduced =
          deducer.play(what.shape, tried.board, what.start, what.opening, up_to(Reasoning::exact));
      CHECK(deduced.solved && deduced.opened == 256 - 40);
      CHECK(!needed || deduced.times[level] > 0);
      for (std::size_t more = level + 1; more < reasoning_count; ++more)
        CHECK(deduced.times[more] == 0);
    }
}

void test_a_try_is_named_by_its_number() {
  Generator one, other;
  const BoardSpec what = wanted(Reasoning::exact, 50);
  CHECK(try_seed(7, 0) == 7);
  for (const std::uint64_t number : {49U, 3U, 51U, 0U}) (void)one.attempt(what, 7, number, {});
  for (const std::uint64_t number : {0U, 3U, 51U}) {
    const Attempt first = one.attempt(what, 7, number, {});
    const Attempt second = other.attempt(what, 7, number, {});
    CHECK(first.board == second.board && first.found == second.found);
    CHECK(first.opened == second.opened);
  }
}

void test_it_stops_on_request() {
  const std::atomic<bool> stop = true;
  Generator generator;
  CHECK(generator.attempt(wanted(Reasoning::exact, 0), 1, 0, Cancel(stop)).fault ==
        Fault::cancelled);
}

}  // namespace

int main() {
  test_found_boards_are_solved_at_their_level();
  test_a_try_is_named_by_its_number();
  test_it_stops_on_request();
  return exit_code();
}
