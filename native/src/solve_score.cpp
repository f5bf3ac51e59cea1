// The best score of a small board: the loss of a state under best play.
#include <algorithm>
#include <bit>
#include <utility>

#include "mineproof/solve.hpp"

namespace mineproof {

namespace {

std::uint64_t bit(std::int32_t cell) { return std::uint64_t{1} << cell; }

}  // namespace

// Decided cells cost nothing more, and neither does a state with a single board.
std::uint64_t Optimal::loss(std::vector<Board> boards, Seen seen) {
  if (boards.size() <= 1) return 0;
  Board mined_somewhere = 0;
  for (const Board board : boards) mined_somewhere |= board;
  const Board safe = all_ & ~mined_somewhere & ~seen.opened;
  if (safe) return loss_after(boards, seen, safe, ~std::uint64_t{0});
  const Key key = key_of(boards[0], seen.opened, seen.exploded);
  const auto known = memo_.find(key);
  if (known != memo_.end()) return known->second;
  const std::uint64_t found = least_loss(boards, seen, nullptr);
  if (unsolved_) return 0;
  return remember(key, found) ? found : 0;
}

// Either nothing more is opened, and flags are set where a mine is more likely than not; or the
// best cell is opened. If both cost the same, a cell is preferred.
std::uint64_t Optimal::least_loss(const std::vector<Board>& boards, Seen seen,
                                  std::int32_t* best_cell) {
  // the number of boards on which it is a mine, and the cell
  std::vector<std::pair<std::uint64_t, std::int32_t>> cells;
  std::uint64_t best = 0;
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell) {
    if (seen.opened & bit(cell)) continue;
    std::uint64_t mined = 0;
    for (const Board board : boards) mined += (board & bit(cell)) != 0;
    if (mined == 0 || mined == boards.size()) continue;
    best += std::min(mined, boards.size() - mined);
    cells.emplace_back(mined, cell);
  }
  std::sort(cells.begin(), cells.end());
  bool opens = false;
  for (const auto& [mined, cell] : cells) {
    if (opens ? mined >= best : mined > best) break;
    if (best_cell != nullptr && !is_first_of_its_kind(cell)) continue;
    const std::uint64_t found = loss_after(boards, seen, bit(cell), best + !opens);
    if (unsolved_) return 0;
    if (opens ? found >= best : found > best) continue;
    best = found;
    opens = true;
    if (best_cell != nullptr) *best_cell = cell;
  }
  return best;
}

// Splits the boards by what the cells turn out to be, and sums the losses. Stops early once the sum
// reaches `enough`.
std::uint64_t Optimal::loss_after(const std::vector<Board>& boards, Seen seen, Board cells,
                                  std::uint64_t enough) {
  Outcomes outcomes = by_outcome(boards, cells, false);
  std::uint64_t lost = 0;
  for (const Board board : boards) lost += static_cast<std::uint64_t>(std::popcount(board & cells));
  for (auto& [shown, fitting] : outcomes) {
    if (lost >= enough) return lost;
    lost += loss(std::move(fitting), {seen.opened | cells, seen.exploded | shown[0]});
    if (unsolved_) return 0;
  }
  return lost;
}

std::variant<OptimalScore, Unsolved> Optimal::solve_score(int free) {
  unsolved_.reset();
  OptimalScore best{0, 0, -1, 0};
  if (free < 0) {
    const std::vector<Board> boards = all_boards();
    best = {least_loss(boards, {0, 0}, &best.first), boards.size(), best.first, 0};
  } else {
    each_first(free, [&](std::int32_t cell, Board promised, const std::vector<Board>& dealt) {
      const std::uint64_t lost = loss_after(dealt, {0, 0}, promised, ~std::uint64_t{0});
      if (best.boards == 0 || lost * best.boards < best.loss * dealt.size())  // far below 2^64
        best = {lost, dealt.size(), cell, 0};
    });
  }
  if (unsolved_) return *unsolved_;
  best.states = memo_.size();
  return best;
}

}  // namespace mineproof
