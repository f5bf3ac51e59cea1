#include "mineproof/solve.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace mineproof {

namespace {

std::uint64_t bit(std::int32_t cell) { return std::uint64_t{1} << cell; }

template <class F>
void each(std::uint64_t set, F&& f) {
  for (; set; set &= set - 1) f(std::countr_zero(set));
}

// The next larger number with the same number of bits set.
std::uint64_t next_with_as_many(std::uint64_t set) {
  const std::uint64_t low = set & -set;
  const std::uint64_t up = set + low;
  return up | ((set ^ up) / low >> 2);
}

}  // namespace

Optimal::Optimal(Shape shape, std::int32_t mines, std::uint64_t most_states,
                 std::function<void(std::uint64_t)> progress, Cancel cancel)
    : shape_(shape),
      mines_(mines),
      most_(most_states),
      progress_(std::move(progress)),
      cancel_(cancel) {
  const std::int32_t size = shape.size();
  all_ = size == 64 ? ~std::uint64_t{0} : bit(size) - 1;
  for (std::int32_t cell = 0; cell < size; ++cell) {
    std::uint64_t near = 0;
    shape.each_neighbour(cell, [&](std::int32_t other) { near |= bit(other); });
    around_.push_back(near);
  }
  // Rotations and reflections; a board that is not square has four of the eight symmetries.
  for (int way = 0; way < 8; ++way) {
    if ((way & 4) && shape.rows != shape.cols) continue;
    std::vector<std::int32_t> to;
    for (std::int32_t cell = 0; cell < size; ++cell) {
      std::int32_t row = cell / shape.cols;
      std::int32_t col = cell % shape.cols;
      if (way & 1) row = shape.rows - 1 - row;
      if (way & 2) col = shape.cols - 1 - col;
      if (way & 4) std::swap(row, col);
      to.push_back(row * shape.cols + col);
    }
    symmetries_.push_back(std::move(to));
  }
}

std::size_t Optimal::Hash::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : key.words) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

// Whether to stop. Polls once in 256 calls, which is every few microseconds.
bool Optimal::stops() {
  if (++asked_ % 256 == 0 && cancel_.stop_requested()) unsolved_ = Unsolved::cancelled;
  return unsolved_.has_value();
}

int Optimal::clue(Board board, std::int32_t cell) const {
  return std::popcount(board & around_[at(cell)]);
}

// The information state, in the smallest of its symmetric forms.
Optimal::Key Optimal::key_of(Board board, Board opened, Board exploded) const {
  constexpr int a_mine = 15;
  Key best{};
  bool first = true;
  for (const auto& to : symmetries_) {
    Key key{};
    each(opened, [&](std::int32_t cell) {
      const std::int32_t moved = to[at(cell)];
      key.words[0] |= bit(moved);
      const int shows = exploded & bit(cell) ? a_mine : clue(board, cell);
      key.words[1 + at(moved / 16)] |= static_cast<std::uint64_t>(shows) << (moved % 16 * 4);
    });
    if (first || key.words < best.words) best = key;
    first = false;
  }
  return best;
}

std::uint64_t Optimal::worth(std::vector<Board> boards, Board opened) {
  if (boards.size() <= 1) return boards.size();
  // Cells that are safe on every board are opened at once, as that never costs anything.
  Board mined_somewhere = 0;
  for (const Board board : boards) mined_somewhere |= board;
  const Board safe = all_ & ~mined_somewhere & ~opened;
  if (safe) return after(boards, opened, safe, 0);
  const Key key = key_of(boards[0], opened);
  const auto known = memo_.find(key);
  if (known != memo_.end()) return known->second;
  const std::uint64_t found = best_guess(boards, opened);
  if (unsolved_) return 0;
  return remember(key, found) ? found : 0;
}

// False if there is no room for it.
bool Optimal::remember(const Key& key, std::uint64_t found) {
  if (memo_.size() >= most_) {
    unsolved_ = Unsolved::too_many_states;
    return false;
  }
  memo_.emplace(key, found);
  if (memo_.size() % 1024 == 0) progress_(memo_.size());
  return true;
}

Optimal::Outcomes Optimal::by_outcome(const std::vector<Board>& boards, Board cells, bool safe) {
  Outcomes outcomes;
  for (const Board board : boards) {
    if (stops()) return {};
    if (safe && board & cells) continue;
    std::array<std::uint64_t, 5> shown{board & cells};
    each(cells & ~board, [&](std::int32_t cell) {
      shown[1 + at(cell / 16)] |= static_cast<std::uint64_t>(clue(board, cell)) << (cell % 16 * 4);
    });
    outcomes[shown].push_back(board);
  }
  return outcomes;
}

// The boards that best play wins after opening these cells, which are safe on all boards; the
// boards are split by what the cells show. Stops early, with less than `needed`, once that cannot
// be reached.
std::uint64_t Optimal::after(const std::vector<Board>& boards, Board opened, Board cells,
                             std::uint64_t needed) {
  Outcomes outcomes = by_outcome(boards, cells, true);
  std::uint64_t open = 0;
  for (const auto& [shown, fitting] : outcomes) open += fitting.size();
  std::uint64_t wins = 0;
  for (auto& [shown, fitting] : outcomes) {
    if (wins + open <= needed) return wins;
    open -= fitting.size();
    wins += worth(std::move(fitting), opened | cells);
    if (unsolved_) return 0;
  }
  return wins;
}

std::uint64_t Optimal::best_guess(const std::vector<Board>& boards, Board opened) {
  // the number of boards on which it is safe, and the cell
  std::vector<std::pair<std::uint64_t, std::int32_t>> cells;
  each(all_ & ~opened, [&](std::int32_t cell) {
    std::uint64_t safe = 0;
    for (const Board board : boards) safe += !(board & bit(cell));
    if (safe) cells.emplace_back(safe, cell);
  });
  std::sort(cells.begin(), cells.end(), std::greater<>());
  std::uint64_t best = 0;
  for (const auto& [safe, cell] : cells) {
    if (safe <= best) break;  // cannot win more boards than it survives
    best = std::max(best, after(boards, opened, bit(cell), best));
    if (unsolved_) return 0;
  }
  return best;
}

// All placements of the mines; incomplete if cancelled.
std::vector<Optimal::Board> Optimal::all_boards() {
  std::vector<Board> boards;
  if (mines_ == 0) {
    boards.push_back(0);
    return boards;
  }
  const std::int32_t size = shape_.size();
  const Board last = all_ ^ (mines_ == size ? 0 : bit(size - mines_) - 1);
  for (Board board = mines_ == 64 ? all_ : bit(mines_) - 1;; board = next_with_as_many(board)) {
    boards.push_back(board);
    if (board == last || stops()) return boards;
  }
}

// Whether no earlier cell is equivalent by symmetry.
bool Optimal::is_first_of_its_kind(std::int32_t cell) const {
  return std::all_of(symmetries_.begin(), symmetries_.end(),
                     [cell](const auto& to) { return to[at(cell)] >= cell; });
}

void Optimal::each_first(int free, const SeeFirst& see) {
  const std::vector<Board> boards = all_boards();
  for (std::int32_t cell = 0; cell < shape_.size() && !unsolved_; ++cell) {
    if (!is_first_of_its_kind(cell)) continue;
    const Board promised = (free >= 0 ? bit(cell) : 0) | (free >= 1 ? around_[at(cell)] : 0);
    std::vector<Board> dealt;
    for (const Board board : boards)
      if (!(board & promised)) dealt.push_back(board);
    if (!dealt.empty()) see(cell, promised, dealt);
  }
}

std::variant<Optimum, Unsolved> Optimal::solve(int free) {
  unsolved_.reset();
  // If every cell is a mine there is nothing to open: the game is won from the start.
  if (free < 0 && mines_ == shape_.size()) return Optimum{1, 1, -1, 0};
  Optimum best{0, 0, -1, 0};
  each_first(free, [&](std::int32_t cell, Board promised, const std::vector<Board>& dealt) {
    // Cells that the opening rule makes safe are opened with the first cell.
    const std::uint64_t wins = after(dealt, 0, promised | bit(cell), 0);
    if (best.boards == 0 || wins * best.boards > best.wins * dealt.size())  // far below 2^64
      best = {wins, dealt.size(), cell, 0};
  });
  if (unsolved_) return *unsolved_;
  best.states = memo_.size();
  return best;
}

}  // namespace mineproof
