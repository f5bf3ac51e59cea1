#include "mineproof/generation.hpp"

#include <algorithm>
#include <utility>

namespace mineproof {

std::uint64_t try_seed(std::uint64_t board_seed, std::uint64_t number) {
  if (number == 0) return board_seed;
  return Stream(board_seed, Purpose::attempt, number).next53();
}

Attempt Generator::attempt(const BoardSpec& wanted, std::uint64_t board_seed, std::uint64_t number,
                           Cancel cancel) {
  Attempt tried;
  tried.seed = try_seed(board_seed, number);
  tried.board = deal(wanted.shape, wanted.mines,
                     cells_promised(wanted.shape, wanted.opening, wanted.start), tried.seed);
  DeductionResult deduced = play(wanted, tried.board, cancel);
  if (number >= wanted.deals) repair(wanted, tried, deduced, cancel);
  tried.opened = deduced.opened;
  tried.fault = deduced.fault;
  tried.found = deduced.solved && fits(wanted, tried, cancel);
  return tried;
}

// An overflow of 64 bits counts as proving nothing.
DeductionResult Generator::play(const BoardSpec& wanted, const Cells& board, Cancel cancel) {
  DeductionResult deduced = deducer_.play(wanted.shape, board, wanted.start, wanted.opening,
                                          quickest(wanted.reasoning), cancel);
  if (deduced.fault == Fault::overflow) deduced = {};
  return deduced;
}

bool Generator::fits(const BoardSpec& wanted, Attempt& tried, Cancel cancel) {
  if (!wanted.needed || wanted.reasoning == Reasoning::local) return true;
  const auto lower = static_cast<Reasoning>(static_cast<int>(wanted.reasoning) - 1);
  const DeductionResult by_less = deducer_.play(wanted.shape, tried.board, wanted.start,
                                                wanted.opening, quickest(lower), cancel);
  tried.fault = by_less.fault == Fault::overflow ? Fault::none : by_less.fault;
  return tried.fault == Fault::none && !by_less.solved;
}

void Generator::repair(const BoardSpec& wanted, Attempt& tried, DeductionResult& deduced,
                       Cancel cancel) {
  Stream stream(tried.seed, Purpose::repair);
  find_stuck(tried.board);
  for (std::int32_t move = 0; move < wanted.moves; ++move) {
    if (deduced.solved || deduced.fault != Fault::none) return;
    const auto [here, there] = choose(wanted, tried.board, stream);
    if (here < 0) continue;
    std::swap(tried.board[at(here)], tried.board[at(there)]);
    const DeductionResult after = play(wanted, tried.board, cancel);
    if (after.fault == Fault::none && after.opened < deduced.opened) {
      std::swap(tried.board[at(here)], tried.board[at(there)]);
      continue;
    }
    deduced = after;
    if (deduced.fault == Fault::none) find_stuck(tried.board);
  }
}

// Draws a mine and a safe cell to swap; -1 if this draw has none. One of them is at the edge of the
// deduced region; the other is an undecided cell or, one time in four, any cell.
std::pair<std::int32_t, std::int32_t> Generator::choose(const BoardSpec& wanted, const Cells& board,
                                                        Stream& stream) const {
  constexpr std::pair<std::int32_t, std::int32_t> none{-1, -1};
  const auto one_of = [&stream](const std::vector<std::int32_t>& cells) {
    return cells[stream.below(static_cast<std::uint32_t>(cells.size()))];
  };
  const bool leaves = stream.below(2) == 0;  // the mine moves away from the edge, or towards it
  const auto& edge = leaves ? edge_mines_ : edge_safe_;
  const auto& inner = leaves ? safe_ : mines_;
  const bool anywhere = stream.below(4) == 0;
  if (edge.empty() || (inner.empty() && !anywhere)) return none;
  const std::int32_t here = one_of(edge);
  if (!anywhere) return {here, one_of(inner)};
  const auto there =
      static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(board.size())));
  const auto free = cells_promised(wanted.shape, wanted.opening, wanted.start);
  const bool is_free = std::binary_search(free.begin(), free.end(), there);
  if ((board[at(there)] != 0) == leaves || is_free) return none;
  return {here, there};
}

// After a game: collects the undecided cells, and the edge of the deduced region: undecided cells
// next to a clue, and deduced mines next to undecided cells.
void Generator::find_stuck(const Cells& board) {
  for (auto* cells : {&edge_mines_, &edge_safe_, &mines_, &safe_}) cells->clear();
  const PlayerKnowledge& knowledge = deducer_.knowledge();
  for (std::int32_t cell = 0; cell < knowledge.size(); ++cell) {
    const bool is_open = knowledge.is_open(cell);
    if (!is_open && knowledge.truth(cell) != PlayerKnowledge::Truth::mine) continue;
    const bool mine = board[at(cell)] != 0;
    bool at_edge = false;
    knowledge.board().each(cell, [&](std::int32_t other) {
      at_edge |= is_open ? knowledge.is_clue(other) : knowledge.is_open(other);
    });
    if (is_open) (mine ? mines_ : safe_).push_back(cell);
    if (at_edge) (mine ? edge_mines_ : edge_safe_).push_back(cell);
  }
}

}  // namespace mineproof
