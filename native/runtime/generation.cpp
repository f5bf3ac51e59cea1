#include "runtime/generation.hpp"

#include <algorithm>

#include "mineproof/cells.hpp"
#include "runtime/clock.hpp"
#include "runtime/errors.hpp"
#include "runtime/pool.hpp"
#include "runtime/question.hpp"
#include "runtime/series.hpp"

namespace mineproof::runtime {

namespace {

Generator& own_generator() {
  static thread_local Generator own;
  return own;
}

void check_start(Shape shape, std::int32_t start) {
  check_shape(shape);
  if (start < 0 || start >= shape.size()) throw Invalid("the first cell is outside the board");
}

}  // namespace

void search_boards(const BoardSpec& wanted, std::uint64_t seed, std::span<NoGuessSearch> searches,
                   std::uint64_t most, double seconds, unsigned threads, Cancel cancel) {
  check_start(wanted.shape, wanted.start);
  const auto free = cells_promised(wanted.shape, wanted.opening, wanted.start);
  if (wanted.mines < 0 ||
      wanted.mines > wanted.shape.size() - static_cast<std::int32_t>(free.size()))
    throw Invalid("the mines do not fit: the opening rule keeps too many cells free");
  if (wanted.opening == Opening::any)
    throw Invalid("no-guess boards need the opening rule safe or clear");
  const double until = wall_seconds() + seconds;
  for_each(searches.size(), threads, [&](std::size_t i) {
    NoGuessSearch& search = searches[i];
    const std::uint64_t board_seed = game_seed(seed, search.board);
    while (!search.found && search.tries < most && wall_seconds() < until) {
      Attempt tried = own_generator().attempt(wanted, board_seed, search.tries, cancel);
      check(tried.fault, search.board);
      ++search.tries;
      search.opened = std::max(search.opened, tried.opened);
      search.found = tried.found;
      search.mines = std::move(tried.board);
      search.seed = tried.seed;
    }
  });
}

DeductionResult deduce(Shape shape, const Cells& mines, std::int32_t start, Opening opening,
                       Reasoning reasoning, Cancel cancel) {
  check_start(shape, start);
  if (mines.size() != at(shape.size())) throw Invalid("the mines do not have the given shape");
  static thread_local DeductionPlayer deducer;
  const DeductionResult deduced =
      deducer.play(shape, mines, start, opening, up_to(reasoning), cancel);
  check(deduced.fault);
  return deduced;
}

}  // namespace mineproof::runtime
