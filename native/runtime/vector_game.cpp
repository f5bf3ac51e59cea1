#include "runtime/vector_game.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "mineproof/referee.hpp"
#include "runtime/errors.hpp"
#include "runtime/pool.hpp"
#include "runtime/question.hpp"

namespace mineproof::runtime {

namespace {

constexpr std::size_t most_games = 10'000'000;
constexpr std::size_t most_cells = std::size_t{1} << 32;  // all games together
constexpr std::size_t in_a_piece = 1024;  // games: starting a thread costs as much as hundreds

void check_start(Shape shape, std::int32_t start) {
  if (start < -1 || start >= shape.size()) throw Invalid("the first cell is outside the board");
}

void check_board(const EnvConfig& terms, const StartBoard& board) {
  if (board.mined.size() != at(terms.shape.size()))
    throw Invalid("a board does not have the given shape");
  if (*std::max_element(board.mined.begin(), board.mined.end()) > 1)
    throw Invalid("the cells of a board must be 0 or 1");
  if (*std::min_element(board.mined.begin(), board.mined.end()) > 0)
    throw Invalid("a board needs a safe cell");
  check_start(terms.shape, board.start);
  if (board.start < 0) {
    if (terms.rules.opening != Opening::any) throw Invalid("a board needs a first cell");
    return;
  }
  if (board.mined[at(board.start)]) throw Invalid("the first cell is a mine");
  for (const std::int32_t cell : cells_promised(terms.shape, terms.rules.opening, board.start))
    if (board.mined[at(cell)]) throw Invalid("a board breaks the opening rule");
}

EnvConfig checked(EnvConfig terms, std::size_t games) {
  check_shape(terms.shape);
  check_start(terms.shape, terms.start);
  if (games < 1 || games > most_games || games * at(terms.shape.size()) > most_cells)
    throw Invalid("invalid number of games: " + std::to_string(games));
  if (terms.clues.redraw) throw Invalid("no move asks for clues that can be redrawn");
  if (terms.rules.luck == Luck::fair && !(terms.rules.mine_ends && terms.clues.exact))
    throw Invalid("games without luck need exact clues, and that a mine ends them");
  if (terms.limit < 0) throw Invalid("the move limit must be at least 0");
  for (const StartBoard& board : terms.boards) check_board(terms, board);
  if (!terms.boards.empty()) return terms;
  const Opening opening = terms.rules.opening;
  if (terms.start >= 0 && opening == Opening::any)
    throw Invalid("with the opening rule any, the first cell may be a mine");
  // Every rule requires a safe cell.
  const std::int32_t free = std::max(1, count_promised(terms.shape, opening, -1));
  if (terms.mines < 0 || terms.mines > terms.shape.size() - free)
    throw Invalid("the mines do not fit: the opening rule keeps too many cells free");
  return terms;
}

[[noreturn]] void refuse_endless() {
  throw Invalid("too many games in a row end when their first cell is opened");
}

}  // namespace

VectorGames::VectorGames(EnvConfig terms, std::size_t games, Autoreset renewal, unsigned threads)
    : games_(checked(std::move(terms), games), games, renewal), threads_(threads) {
  if (threads < 1) throw Invalid("threads must be at least 1");
}

// Calls work(i) for each i below `count`.
template <class Work>
void VectorGames::share(std::size_t count, const Work& work) {
  const std::size_t pieces = (count + in_a_piece - 1) / in_a_piece;
  for_each(pieces, threads_, [&](std::size_t piece) {
    const std::size_t end = std::min(count, (piece + 1) * in_a_piece);
    for (std::size_t i = piece * in_a_piece; i < end; ++i)
      if (!work(i)) refuse_endless();
  });
}

void VectorGames::reset(std::span<const std::int64_t> places,
                        std::span<const std::uint64_t> seeds) {
  const std::lock_guard lock(using_it_);
  if (!seeds.empty() && seeds.size() != places.size())
    throw Invalid("expected " + std::to_string(places.size()) + " seeds, one per game, got " +
                  std::to_string(seeds.size()));
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] < 0 || places[i] >= static_cast<std::int64_t>(games_.size()) ||
        (i > 0 && places[i] <= places[i - 1]))
      throw Invalid("places must be indices of games, in ascending order");
  share(places.size(), [&](std::size_t i) {
    const auto place = static_cast<std::size_t>(places[i]);
    if (!seeds.empty()) games_.seed(place, seeds[i]);
    return games_.reset(place);
  });
}

void VectorGames::step(std::span<const std::int64_t> moves) {
  const std::lock_guard lock(using_it_);
  if (moves.size() != games_.size())
    throw Invalid("expected " + std::to_string(games_.size()) + " moves, one per game, got " +
                  std::to_string(moves.size()));
  const std::int64_t limit = games_.terms().moves();
  for (const std::int64_t move : moves)
    if (move < 0 || move >= limit)
      throw Invalid("a move must be from 0 to " + std::to_string(limit - 1) + ", got " +
                    std::to_string(move));
  share(moves.size(),
        [&](std::size_t i) { return games_.step(i, static_cast<std::int32_t>(moves[i])); });
}

}  // namespace mineproof::runtime
