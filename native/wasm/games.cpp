// The referees of games, and boards. Hidden mines leave this interface only through `truth`,
// `drawn` and `search_board`.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/fair.hpp"
#include "mineproof/generation.hpp"
#include "mineproof/play.hpp"
#include "mineproof/referee.hpp"
#include "row.hpp"

namespace mineproof::wasm {

namespace {

// A cell, what it shows now, and the bound of its clue or -1.
struct Change {
  std::int32_t cell;
  std::uint8_t state;
  std::int8_t bound;
};

// A board that replaced another (see DrawnData in records.py).
struct DrawnBoard {
  std::uint64_t move;
  bool kind;
  Cells mined;
};

// A game, and the parameters of its deal.
struct Table {
  Shape shape{0, 0};
  Cells board;  // a given board, or empty
  std::int32_t mines = 0;
  std::optional<std::uint64_t> each_threshold;
  GameRules rules;
  ClueModel clues;
  std::int32_t start = -1;
  std::uint64_t seed = 0;
  Referee referee;
  bool begun = false;
  std::vector<DrawnBoard> drawn;

  [[nodiscard]] GameSetup ground() const { return {shape, board, mines, each_threshold}; }
};

std::map<std::int32_t, Table>& tables() {
  static std::map<std::int32_t, Table> all;
  return all;
}

void note(const Referee& referee, std::vector<Change>& changes) {
  for (const std::int32_t cell : referee.changed())
    changes.push_back({cell, referee.shows(cell), referee.bound(cell)});
}

std::int32_t write_events(const Table& table, std::int32_t number, Fault fault,
                          std::span<const Change> changes) {
  const Referee& referee = table.referee;
  Writer writer;
  writer.number(number);
  writer.number(static_cast<double>(fault));
  writer.number(referee.ended());
  writer.number(referee.ended() && referee.won());
  writer.number(referee.dealt());
  for (const std::int32_t count :
       {referee.mines(), referee.right(), referee.wrong(), referee.exploded()})
    writer.number(count);
  for (const auto& [cell, state, bound] : changes)
    for (const std::int32_t part : {cell, std::int32_t{state}, std::int32_t{bound}})
      writer.number(part);
  return writer.done();
}

// Opens a cell; the first one also reveals what the opening rule guarantees there.
Fault open(Table& table, std::int32_t cell, std::vector<Change>& changes) {
  if (!std::exchange(table.begun, true)) {
    if (!table.referee.promise(cell)) return Fault::broken_opening;
    note(table.referee, changes);
    std::erase_if(changes, [cell](const Change& change) { return change.cell == cell; });
  }
  table.referee.open(cell);
  note(table.referee, changes);
  const GameJudge* judge = table.referee.judge();
  if (judge != nullptr && (judge->ruling().drawn || judge->ruling().kind)) {
    table.drawn.push_back({judge->moves() - 1, judge->ruling().kind, table.referee.board()});
  }
  return Fault::none;
}

}  // namespace

// Rows, columns, mines, threshold (two halves; -1 and 0 for a deal by count), rules, clue model,
// start or -1, seed, board (a list, may be empty) -> a game, in the format of `play`.
EXPORT("begin") std::int32_t begin() {
  static std::int32_t last = 0;
  Reader reader;
  Table& table = tables()[++last];
  table.shape.rows = reader.whole();
  table.shape.cols = reader.whole();
  table.mines = reader.whole();
  const double high = reader.number();
  const double low = reader.number();
  if (high >= 0)
    table.each_threshold = static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low);
  table.rules = read_rules(reader);
  table.clues = read_clues(reader);
  table.start = reader.whole();
  table.seed = reader.seed();
  table.board = reader.bytes(reader.whole());
  Referee& referee = table.referee;
  referee.begin(neighbourhood_of(table.shape, nullptr), table.rules, table.clues, table.seed);
  if (!table.board.empty() || table.rules.opening == Opening::any || table.start >= 0)
    referee.deal(table.ground(), std::max(table.start, 0));
  const bool kept =
      table.start < 0 ? !referee.dealt() || referee.has_start() : referee.promise(table.start);
  if (referee.dealt()) referee.finish();
  std::vector<Change> changes;
  note(referee, changes);
  return write_events(table, last, kept ? Fault::none : Fault::broken_opening, changes);
}

// Game, action as in play.hpp, cell -> the game's number, fault, whether it ended, was won, is
// dealt, its mines, right and wrong flags, mines hit; then the changes: a cell, its new state and
// the bound of its clue (or -1) each. Empty if there is no such game. The caller must ensure that
// the move is legal.
EXPORT("play") std::int32_t play() {
  Reader reader;
  const std::int32_t number = reader.whole();
  const auto action = static_cast<Action>(reader.whole());
  const std::int32_t cell = reader.whole();
  const auto found = tables().find(number);
  if (found == tables().end()) return Writer().done();
  Table& table = found->second;
  Referee& referee = table.referee;
  if (!referee.dealt()) referee.deal(table.ground(), action == Action::open ? cell : 0);
  std::vector<Change> changes;
  Fault fault = Fault::none;
  switch (action) {
    case Action::open:
      fault = open(table, cell, changes);
      break;
    case Action::flag:
      referee.flag(cell);
      note(referee, changes);
      break;
    case Action::unflag:
      referee.unflag(cell);
      note(referee, changes);
      break;
    case Action::ask:
      referee.ask();
      note(referee, changes);
      break;
    case Action::stop:
      referee.stop();
  }
  return write_events(table, number, fault, changes);
}

// Game -> its mines, one number per cell; only for callers that may know them.
EXPORT("truth") std::int32_t truth() {
  Reader reader;
  const auto found = tables().find(reader.whole());
  Writer writer;
  if (found == tables().end() || !found->second.referee.dealt()) return writer.done();
  const Table& table = found->second;
  for (std::int32_t cell = 0; cell < table.shape.size(); ++cell)
    writer.number(table.referee.is_mine(cell));
  return writer.done();
}

// Game -> the boards that replaced the one before: the number of moves before, whether the judge
// was kind, one number per cell (1 for a mine) each; only for callers that may know them.
EXPORT("drawn") std::int32_t drawn() {
  Reader reader;
  const auto found = tables().find(reader.whole());
  Writer writer;
  if (found == tables().end()) return writer.done();
  for (const DrawnBoard& one : found->second.drawn) {
    writer.number(static_cast<double>(one.move));
    writer.number(one.kind);
    for (const std::uint8_t mine : one.mined) writer.number(mine);
  }
  return writer.done();
}

// Game -> deletes it.
EXPORT("leave") void leave() {
  Reader reader;
  tables().erase(reader.whole());
}

// Rows, columns, one number per cell (1 for a mine) -> openings, islands, 3BV.
EXPORT("count_figures") std::int32_t count_figures() {
  Reader reader;
  const std::int32_t rows = reader.whole();
  const Shape shape{rows, reader.whole()};
  const Figures found = figures(shape, reader.bytes(shape.size()));
  Writer writer;
  for (const std::int32_t figure : {found.openings, found.islands, found.bbbv})
    writer.number(figure);
  return writer.done();
}

// Rows, columns, mines, start, opening, reasoning, whether it is needed, deals, moves; seed of a
// series, number of a board in it, attempts made, maximum of attempts -> whether a board was found,
// attempts made, cells opened on the best one, seed of its deal, one number per cell (1 for a
// mine).
EXPORT("search_board") std::int32_t search_board() {
  static Generator generator;
  Reader reader;
  BoardSpec wanted;
  wanted.shape.rows = reader.whole();
  wanted.shape.cols = reader.whole();
  wanted.mines = reader.whole();
  wanted.start = reader.whole();
  wanted.opening = static_cast<Opening>(reader.whole());
  wanted.reasoning = static_cast<Reasoning>(reader.whole());
  wanted.needed = reader.truth();
  wanted.deals = static_cast<std::uint64_t>(reader.number());
  wanted.moves = reader.whole();
  const std::uint64_t series = reader.seed();
  const auto board = static_cast<std::uint64_t>(reader.number());
  auto tries = static_cast<std::uint64_t>(reader.number());
  const auto most = static_cast<std::uint64_t>(reader.number());
  const std::uint64_t board_seed = game_seed(series, board);
  Attempt tried;
  std::int32_t opened = 0;
  while (!tried.found && tries < most) {
    tried = generator.attempt(wanted, board_seed, tries++, {});
    opened = std::max(opened, tried.opened);
  }
  Writer writer;
  writer.number(tried.found);
  writer.number(static_cast<double>(tries));
  writer.number(opened);
  writer.number(static_cast<double>(tried.seed >> 32));
  writer.number(static_cast<double>(tried.seed & 0xFFFFFFFFU));
  for (const std::uint8_t mine : tried.board) writer.number(mine);
  return writer.done();
}

// A game's seed -> the seed for its players.
EXPORT("player_seed") std::int32_t player_seed() {
  Reader reader;
  const Seeds seeds(reader.seed());
  Writer writer;
  writer.number(static_cast<double>(seeds.player >> 32));
  writer.number(static_cast<double>(seeds.player & 0xFFFFFFFFU));
  return writer.done();
}

}  // namespace mineproof::wasm
