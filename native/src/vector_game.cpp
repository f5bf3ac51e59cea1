#include "mineproof/vector_game.hpp"

#include <algorithm>
#include <utility>

namespace mineproof {

namespace {

constexpr int most_tries = 1000;  // consecutive games that end with their first cell

}  // namespace

VectorGame::VectorGame(EnvConfig terms, std::size_t games, Autoreset renewal)
    : terms_(std::move(terms)), renewal_(renewal), places_(games) {
  const auto neighbourhood = std::make_shared<const Neighbourhood>(terms_.shape);
  for (Place& own : places_) own.referee.begin(neighbourhood, terms_.rules, terms_.clues);
  const std::size_t cells = games * at(terms_.shape.size());
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

bool VectorGame::reset(std::size_t place) {
  const bool playable = begin_playable(place);
  for (auto* column : {&arrays_.opened, &arrays_.exploded, &arrays_.right, &arrays_.wrong})
    (*column)[place] = 0;
  for (auto* column : {&arrays_.won, &arrays_.over, &arrays_.cut, &arrays_.illegal})
    (*column)[place] = 0;
  arrays_.mines[place] = mines(place);
  return playable;
}

// Starts the next game, skipping those that end with their start. False if there are too many.
bool VectorGame::begin_playable(std::size_t place) {
  arrays_.begun[place] = 1;
  for (int tries = 0; tries < most_tries; ++tries) {
    begin(place);
    if (!places_[place].referee.ended()) return true;
  }
  return false;
}

// Starts the next game, and opens its start if it has one.
void VectorGame::begin(std::size_t place) {
  Place& own = places_[place];
  own.game = game_seed(own.seed, own.next++);
  own.steps = 0;
  own.ended = false;
  own.referee.begin(own.game);
  std::int32_t start = terms_.start;
  if (!terms_.boards.empty()) {
    const auto boards = static_cast<std::uint32_t>(terms_.boards.size());
    const StartBoard& board = terms_.boards[Stream(own.game, Purpose::board).below(boards)];
    own.referee.deal(board.mined);
    start = board.start;
  } else if (terms_.rules.opening == Opening::any) {
    own.referee.deal({terms_.shape, {}, terms_.mines, {}}, -1);
  }
  clear(place);
  if (start >= 0) open(place, start);
}

// Shows a new game: every cell is hidden. Flags are not legal before the deal.
void VectorGame::clear(std::size_t place) {
  const std::int32_t size = terms_.shape.size();
  std::fill_n(states(place), size, hidden);
  std::fill_n(legal(place), size, std::int8_t{1});
  const bool can_flag = places_[place].referee.dealt();
  if (terms_.flags) std::fill_n(legal(place) + size, size, static_cast<std::int8_t>(can_flag));
}

bool VectorGame::step(std::size_t place, std::int32_t move) {
  Place& own = places_[place];
  if (own.ended && renewal_ == Autoreset::next_step) return reset(place);
  arrays_.begun[place] = 0;
  if (own.ended) return true;
  const Referee& game = own.referee;
  const std::int32_t opened = game.opened();
  const std::int32_t exploded = game.exploded();
  const std::int32_t right = game.right();
  const std::int32_t wrong = game.wrong();
  const bool is_legal = legal(place)[move] != 0;
  if (is_legal) play(place, move);
  const bool cut = !game.ended() && ++own.steps == terms_.limit;
  arrays_.opened[place] = game.opened() - opened;
  arrays_.exploded[place] = game.exploded() - exploded;
  arrays_.right[place] = game.right() - right;
  arrays_.wrong[place] = game.wrong() - wrong;
  arrays_.mines[place] = mines(place);
  arrays_.won[place] = game.ended() && game.won();
  arrays_.over[place] = game.ended();
  arrays_.cut[place] = cut;
  arrays_.illegal[place] = !is_legal;
  own.ended = game.ended() || cut;
  if (!own.ended) return true;
  std::fill_n(legal(place), terms_.moves(), std::int8_t{1});
  if (renewal_ != Autoreset::same_step) return true;
  keep_last(place);
  return begin_playable(place);
}

// The number of mines, also before the deal.
std::int32_t VectorGame::mines(std::size_t place) const {
  const Referee& game = places_[place].referee;
  return game.dealt() ? game.mines() : terms_.mines;
}

void VectorGame::keep_last(std::size_t place) {
  const auto cells = terms_.shape.size();
  std::copy_n(states(place), cells, arrays_.last_states.data() + place * at(cells));
  std::copy_n(legal(place), terms_.moves(), arrays_.last_legal.data() + place * at(terms_.moves()));
}

void VectorGame::play(std::size_t place, std::int32_t move) {
  const std::int32_t cells = terms_.shape.size();
  if (move < cells)
    open(place, move);
  else
    toggle_flag(place, move - cells);
}

void VectorGame::open(std::size_t place, std::int32_t cell) {
  Referee& game = places_[place].referee;
  const std::int32_t cells = terms_.shape.size();
  if (!game.dealt()) {
    game.deal({terms_.shape, {}, terms_.mines, {}}, cell);
    if (terms_.flags) std::fill_n(legal(place) + cells, cells, std::int8_t{1});
  }
  if (game.opened() + game.exploded() == 0 && game.promise(cell)) show_changes(place);
  game.open(cell);
  show_changes(place);
}

void VectorGame::toggle_flag(std::size_t place, std::int32_t cell) {
  Referee& game = places_[place].referee;
  if (game.shows(cell) == flagged)
    game.unflag(cell);
  else
    game.flag(cell);
  show_changes(place);
}

// Copies what changed to the arrays.
void VectorGame::show_changes(std::size_t place) {
  const Referee& game = places_[place].referee;
  std::uint8_t* const states = this->states(place);
  std::int8_t* const legal = this->legal(place);
  const std::int32_t cells = terms_.shape.size();
  for (const std::int32_t cell : game.changed()) {
    const std::uint8_t state = game.shows(cell);
    states[cell] = state;
    legal[cell] = state == hidden || state == known_safe;
    if (terms_.flags) legal[cells + cell] = state == hidden || state == flagged;
  }
}

}  // namespace mineproof
