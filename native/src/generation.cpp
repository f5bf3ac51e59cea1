#include "mineproof/generation.hpp"

#include <algorithm>
#include <utility>

namespace mineproof {

std::uint64_t try_seed(std::uint64_t board_seed, std::uint64_t number) {
  if (number == 0) return board_seed;
  return Stream(board_seed, Purpose::attempt, number).next64() >> 11;
}

Tried Generator::attempt(const Wanted& wanted, std::uint64_t board_seed, std::uint64_t number,
                         Cancel cancel) {
  Tried tried;
  tried.seed = try_seed(board_seed, number);
  tried.board = deal(wanted.shape, wanted.mines,
                     cells_promised(wanted.shape, wanted.opening, wanted.start), tried.seed);
  Deduced deduced = play(wanted, tried.board, cancel);
  if (number >= wanted.deals) repair(wanted, tried, deduced, cancel);
  tried.opened = deduced.opened;
  tried.fault = deduced.fault;
  tried.found = deduced.solved && fits(wanted, tried, cancel);
  return tried;
}

// A row that leaves the range of 64 bits proves nothing here.
Deduced Generator::play(const Wanted& wanted, const Cells& board, Cancel cancel) {
  Deduced deduced = deducer_.play(wanted.shape, board, wanted.start, wanted.opening,
                                  quickest(wanted.reasoning), cancel);
  if (deduced.fault == Fault::overflow) deduced = {};
  return deduced;
}

bool Generator::fits(const Wanted& wanted, Tried& tried, Cancel cancel) {
  if (!wanted.needed || wanted.reasoning == Reasoning::local) return true;
  const auto lower = static_cast<Reasoning>(static_cast<int>(wanted.reasoning) - 1);
  const Deduced by_less = deducer_.play(wanted.shape, tried.board, wanted.start, wanted.opening,
                                        quickest(lower), cancel);
  tried.fault = by_less.fault == Fault::overflow ? Fault::none : by_less.fault;
  return tried.fault == Fault::none && !by_less.solved;
}

void Generator::repair(const Wanted& wanted, Tried& tried, Deduced& deduced, Cancel cancel) {
  Stream stream(tried.seed, Purpose::repair);
  const auto one_of = [&stream](const std::vector<std::int32_t>& cells) {
    return cells[stream.below(static_cast<std::uint32_t>(cells.size()))];
  };
  find_stuck(tried.board);
  for (std::int32_t move = 0; move < wanted.moves; ++move) {
    if (deduced.solved || deduced.fault != Fault::none) return;
    // A mine leaves the cells that the clues speak of, or comes to them.
    const bool leaves = stream.below(2) == 0;
    const auto& from = leaves ? near_mines_ : mines_;
    const auto& to = leaves ? safe_ : near_safe_;
    if (from.empty() || to.empty()) continue;
    const std::int32_t source = one_of(from);
    const std::int32_t target = one_of(to);
    std::swap(tried.board[at(source)], tried.board[at(target)]);
    const Deduced after = play(wanted, tried.board, cancel);
    if (after.fault == Fault::none && after.opened < deduced.opened) {
      std::swap(tried.board[at(source)], tried.board[at(target)]);
      continue;
    }
    deduced = after;
    if (deduced.fault == Fault::none) find_stuck(tried.board);
  }
}

// After a game: what is neither opened nor known.
void Generator::find_stuck(const Cells& board) {
  for (auto* cells : {&near_mines_, &near_safe_, &mines_, &safe_}) cells->clear();
  const Mind& mind = deducer_.mind();
  for (std::int32_t cell = 0; cell < mind.size(); ++cell) {
    if (!mind.is_open(cell)) continue;
    const bool mine = board[at(cell)] != 0;
    bool near = false;
    mind.board().each(cell, [&](std::int32_t other) { near |= mind.is_clue(other); });
    (mine ? mines_ : safe_).push_back(cell);
    if (near) (mine ? near_mines_ : near_safe_).push_back(cell);
  }
}

}  // namespace mineproof
