#include "mineproof/vector_game.hpp"

#include <algorithm>
#include <utility>

#include "mineproof/referee.hpp"

namespace mineproof {

namespace {

constexpr std::uint8_t mine_mark = 128;  // larger than every clue, even after all increments
constexpr int most_tries = 1000;         // consecutive games that end with their first cell

}  // namespace

VectorGame::VectorGame(EnvConfig terms, std::size_t games, Autoreset renewal)
    : terms_(std::move(terms)),
      renewal_(renewal),
      neighbourhood_(std::make_shared<const Neighbourhood>(terms_.shape)),
      places_(games),
      truth_(games * at(terms_.shape.size())) {
  const std::size_t cells = truth_.size();
  const std::size_t moves = games * at(terms_.moves());
  const bool keeps_last = renewal == Autoreset::same_step;
  arrays_.states.assign(cells, hidden);
  arrays_.legal.assign(moves, 1);
  arrays_.last_states.assign(keeps_last ? cells : 0, hidden);
  arrays_.last_legal.assign(keeps_last ? moves : 0, 1);
  for (auto* column :
       {&arrays_.opened, &arrays_.exploded, &arrays_.right, &arrays_.wrong, &arrays_.mines})
    column->assign(games, 0);
  for (auto* column : {&arrays_.won, &arrays_.over, &arrays_.cut, &arrays_.illegal, &arrays_.begun})
    column->assign(games, 0);
}

std::vector<std::uint8_t> VectorGame::mines_of(std::size_t place) const {
  const std::size_t size = at(terms_.shape.size());
  std::vector<std::uint8_t> mined(size, 0);
  if (places_[place].dealt)
    for (std::size_t i = 0; i < size; ++i) mined[i] = truth_[place * size + i] == exploded;
  return mined;
}

void VectorGame::seed(std::size_t place, std::uint64_t seed) {
  places_[place].seed = seed;
  places_[place].next = 0;
}

std::uint8_t* VectorGame::states(std::size_t place) {
  return arrays_.states.data() + place * at(terms_.shape.size());
}

std::int8_t* VectorGame::legal(std::size_t place) {
  return arrays_.legal.data() + place * at(terms_.moves());
}

bool VectorGame::reset(std::size_t place, Scratch& scratch) {
  Place& own = places_[place];
  for (int tries = 0; tries < most_tries; ++tries) {
    own.game = game_seed(own.seed, own.next++);
    own.steps = 0;
    own.opened = own.exploded = own.flags = own.right = 0;
    own.dealt = own.begun = own.over = own.ended = false;
    own.mines = terms_.mines;
    own.start = terms_.start;
    own.board = -1;
    if (!terms_.boards.empty()) {
      const auto boards = static_cast<std::uint32_t>(terms_.boards.size());
      own.board = static_cast<std::int32_t>(Stream(own.game, Purpose::board).below(boards));
      const StartBoard& board = terms_.boards[at(own.board)];
      own.start = board.start;
      own.mines = static_cast<std::int32_t>(std::count(board.mined.begin(), board.mined.end(), 1));
    }
    clear(place);
    if (own.start >= 0) open(place, own.start, scratch);
    if (!own.over) break;
  }
  for (auto* column : {&arrays_.opened, &arrays_.exploded, &arrays_.right, &arrays_.wrong})
    (*column)[place] = 0;
  for (auto* column : {&arrays_.won, &arrays_.over, &arrays_.cut, &arrays_.illegal})
    (*column)[place] = 0;
  arrays_.mines[place] = own.mines;
  arrays_.begun[place] = 1;
  return !own.over;
}

// Resets a game. Flags are not legal before the deal, if that waits for the first cell.
void VectorGame::clear(std::size_t place) {
  const std::int32_t size = terms_.shape.size();
  std::fill_n(states(place), size, hidden);
  std::fill_n(legal(place), size, std::int8_t{1});
  const bool can_flag = terms_.rules.opening == Opening::any;
  if (terms_.flags) std::fill_n(legal(place) + size, size, static_cast<std::int8_t>(can_flag));
}

bool VectorGame::step(std::size_t place, std::int32_t move, Scratch& scratch) {
  Place& own = places_[place];
  if (own.ended && renewal_ == Autoreset::next_step) return reset(place, scratch);
  arrays_.begun[place] = 0;
  if (own.ended) return true;
  const Place before = own;
  const bool is_legal = legal(place)[move] != 0;
  if (is_legal) play(place, move, scratch);
  const bool cut = !own.over && ++own.steps == terms_.limit;
  own.ended = own.over || cut;
  if (own.ended) std::fill_n(legal(place), terms_.moves(), std::int8_t{1});
  const Place after = own;
  const bool is_won = won(own);
  if (own.ended && renewal_ == Autoreset::same_step) {
    keep_last(place);
    if (!reset(place, scratch)) return false;
  }
  arrays_.opened[place] = after.opened - before.opened;
  arrays_.exploded[place] = after.exploded - before.exploded;
  arrays_.right[place] = after.right - before.right;
  arrays_.wrong[place] = (after.flags - after.right) - (before.flags - before.right);
  arrays_.mines[place] = after.mines;
  arrays_.won[place] = is_won;
  arrays_.over[place] = after.over;
  arrays_.cut[place] = cut;
  arrays_.illegal[place] = !is_legal;
  return true;
}

bool VectorGame::won(const Place& own) const {
  if (!own.over || own.exploded > 0 || own.flags > own.right) return false;
  return own.opened == terms_.shape.size() - own.mines ||
         (!terms_.rules.mine_ends && own.right == own.mines);
}

void VectorGame::keep_last(std::size_t place) {
  const auto cells = terms_.shape.size();
  std::copy_n(states(place), cells, arrays_.last_states.data() + place * at(cells));
  std::copy_n(legal(place), terms_.moves(), arrays_.last_legal.data() + place * at(terms_.moves()));
}

void VectorGame::play(std::size_t place, std::int32_t move, Scratch& scratch) {
  const std::int32_t cells = terms_.shape.size();
  if (move < cells)
    open(place, move, scratch);
  else
    turn_flag(place, move - cells, scratch);
}

// Places the mines and computes what the cells will show.
void VectorGame::deal(std::size_t place, std::int32_t first, Scratch& scratch) {
  Place& own = places_[place];
  const std::span truth(truth_.data() + place * at(terms_.shape.size()), at(terms_.shape.size()));
  std::fill(truth.begin(), truth.end(), std::uint8_t{0});
  if (own.board >= 0) {
    const Cells& mined = terms_.boards[at(own.board)].mined;
    scratch.mined.clear();
    for (std::int32_t cell = 0; cell < terms_.shape.size(); ++cell)
      if (mined[at(cell)]) scratch.mined.push_back(cell);
    for (const std::int32_t cell : scratch.mined) truth[at(cell)] = mine_mark;
  } else {
    const auto free = cells_promised(terms_.shape, terms_.rules.opening, first);
    deal_into(truth, mine_mark, scratch.mined, own.mines, free, own.game);
  }
  for (const std::int32_t mine : scratch.mined)
    neighbourhood_->each(mine, [&](std::int32_t near) { ++truth[at(near)]; });
  for (const std::int32_t mine : scratch.mined) truth[at(mine)] = exploded;
  own.dealt = true;
  if (terms_.flags) std::fill_n(legal(place) + truth.size(), truth.size(), std::int8_t{1});
}

// Reveals what the opening rule guarantees about cells that are not opened yet.
void VectorGame::promise(std::size_t place, std::int32_t first) {
  if (terms_.rules.opening != Opening::clear) return;
  std::uint8_t* const state = states(place);
  std::int8_t* const can = legal(place);
  const std::int32_t cells = terms_.shape.size();
  neighbourhood_->each(first, [&](std::int32_t near) {
    state[near] = known_safe;
    if (terms_.flags) can[cells + near] = 0;
  });
}

void VectorGame::open(std::size_t place, std::int32_t cell, Scratch& scratch) {
  Place& own = places_[place];
  if (!own.dealt) deal(place, cell, scratch);
  if (!own.begun) promise(place, cell);
  own.begun = true;
  std::uint8_t* const state = states(place);
  std::int8_t* const can = legal(place);
  const std::uint8_t* const truth = truth_.data() + place * at(terms_.shape.size());
  const std::int32_t cells = terms_.shape.size();
  const auto show = [&](std::int32_t which) {
    state[which] = truth[which];
    can[which] = 0;
    if (terms_.flags) can[cells + which] = 0;
  };
  show(cell);
  if (truth[cell] == mineproof::exploded) {
    ++own.exploded;
    own.over = terms_.rules.mine_ends;
    return finish(place);
  }
  ++own.opened;
  if (truth[cell] != 0 || !terms_.rules.flood) return finish(place);
  scratch.zeros.assign(1, cell);
  const auto around = [this](std::int32_t zero, auto&& f) { neighbourhood_->each(zero, f); };
  flood(scratch.zeros, around, [&](std::int32_t near) {
    if (state[near] != hidden && state[near] != known_safe) return false;
    show(near);
    ++own.opened;
    return truth[near] == 0;
  });
  finish(place);
}

void VectorGame::turn_flag(std::size_t place, std::int32_t cell, Scratch& scratch) {
  Place& own = places_[place];
  if (!own.dealt) deal(place, cell, scratch);
  std::uint8_t& state = states(place)[cell];
  const bool puts = state == hidden;
  const bool is_mine = truth_[place * at(terms_.shape.size()) + at(cell)] == exploded;
  state = puts ? flagged : hidden;
  legal(place)[cell] = !puts;
  own.flags += puts ? 1 : -1;
  if (is_mine) own.right += puts ? 1 : -1;
  if (puts) finish(place);
}

void VectorGame::finish(std::size_t place) {
  Place& own = places_[place];
  const std::int32_t covered = terms_.shape.size() - own.opened - own.exploded;
  own.over |= covered == (terms_.rules.mine_ends ? own.mines : own.flags);
}

}  // namespace mineproof
