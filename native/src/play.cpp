#include "mineproof/play.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mineproof {

namespace {

constexpr double no_risk_given = std::numeric_limits<double>::quiet_NaN();

// The bit of a direction: the eight around a cell, row by row.
constexpr std::uint8_t direction(std::int32_t down, std::int32_t right) {
  const std::int32_t place = (down + 1) * 3 + right + 1;
  return static_cast<std::uint8_t>(1U << (place > 4 ? place - 1 : place));
}

// The bits of all directions turned round: the other way round, as they are in rows.
constexpr std::array<std::uint8_t, 256> turned = [] {
  std::array<std::uint8_t, 256> round{};
  for (std::size_t i = 0; i < 256; ++i)
    for (std::size_t bit = 0; bit < 8; ++bit)
      if (i >> bit & 1) round[i] = static_cast<std::uint8_t>(round[i] | 128U >> bit);
  return round;
}();

constexpr std::array<std::uint8_t, 256> bits_in = [] {
  std::array<std::uint8_t, 256> bits{};
  for (std::size_t i = 1; i < 256; ++i) bits[i] = static_cast<std::uint8_t>(bits[i / 2] + i % 2);
  return bits;
}();

// Two clues whose squares meet, by how far the other one is from this: 5 * (down + 2) +
// right + 2. Of this clue's directions, those that lead to neighbours of the other.
constexpr std::size_t here = 12;  // no step at all
constexpr std::array<std::uint8_t, 25> common = [] {
  std::array<std::uint8_t, 25> masks{};
  for (std::int32_t offset = 0; offset < 25; ++offset)
    for (std::int32_t down = -1; down <= 1; ++down)
      for (std::int32_t right = -1; right <= 1; ++right) {
        if (down == 0 && right == 0) continue;
        const std::int32_t far_down = down - (offset / 5 - 2);
        const std::int32_t far_right = right - (offset % 5 - 2);
        const bool meets = far_down >= -1 && far_down <= 1 && far_right >= -1 && far_right <= 1;
        if (meets) masks[at(offset)] |= direction(down, right);
      }
  return masks;
}();

}  // namespace

void Player::neighbours() {
  around_.resize(at(shape_.size()));
  back_.resize(at(shape_.size()));
  degree_.assign(at(shape_.size()), 0);
  directions_.assign(at(shape_.size()), 0);
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell)
    shape_.around(cell, [&](std::int32_t near) {
      const std::int32_t down = near / shape_.cols - cell / shape_.cols;
      const std::int32_t right = near % shape_.cols - cell % shape_.cols;
      const auto bit = direction(down, right);
      directions_[at(cell)] |= bit;
      back_[at(cell)][degree_[at(cell)]] = direction(-down, -right);
      around_[at(cell)][degree_[at(cell)]++] = near;
    });
}

std::span<const std::int32_t> Player::around(std::int32_t cell) const {
  return {around_[at(cell)].data(), degree_[at(cell)]};
}

// Forgets the last game.
void Player::sit_down(Shape shape, const GameRules& rules, const Strategy& strategy) {
  if (shape.rows != shape_.rows || shape.cols != shape_.cols) {
    shape_ = shape;
    neighbours();
    seen_.assign(at(shape.size()), 0);
    walks_ = 0;
  }
  rules_ = rules;
  strategy_ = strategy;
  const std::size_t size = at(shape.size());
  dealt_ = begun_ = ended_ = ordered_ = false;
  mines_ = opened_ = flags_ = right_ = exploded_ = 0;
  states_.assign(size, hidden);
  truth_.assign(size, Truth::open);
  open_ = directions_;
  mines_around_.assign(size, 0);
  rule_.assign(size, Rule::none);
  covered_ = shape.size();
  mines_known_ = settled_ = 0;
  waiting_.clear();
  queued_.assign(size, 0);
  changed_.clear();
  is_changed_.assign(size, 0);
  to_flag_.reset(shape.size());
  to_open_.reset(shape.size());
  fresh_.clear();
  is_fresh_.assign(size, 0);
  found_.assign(size, Verdict::open);
  found_rule_.assign(size, Rule::none);
  found_cells_.clear();
  version_ = 0;
  beyond_version_ = solved_version_ = ~std::uint64_t{0};
  passed_ = 0;
  moves_.clear();
}

// The referee.

void Player::deal(const Ground& ground, std::int32_t first, std::uint64_t seed) {
  if (!ground.mined.empty()) {
    mined_.assign(ground.mined.begin(), ground.mined.end());
  } else {
    std::vector<std::int32_t> free;
    if (rules_.opening != Opening::any) {
      if (rules_.opening == Opening::clear) free.assign(around(first).begin(), around(first).end());
      free.insert(std::lower_bound(free.begin(), free.end(), first), first);
    }
    mined_ = ground.each_threshold ? deal_each(shape_, *ground.each_threshold, free, seed)
                                   : mineproof::deal(shape_, ground.mines, free, seed);
  }
  counts_ = count_mines(shape_, mined_);
  mines_ = std::accumulate(mined_.begin(), mined_.end(), 0);
  dealt_ = true;
}

// Tells what the opening rule promises around the first cell.
void Player::promise(std::int32_t first) {
  if (rules_.opening == Opening::any) return;
  const auto tell = [this](std::int32_t cell) {
    if (mined_[at(cell)]) throw std::invalid_argument("the board breaks the opening rule");
    if (states_[at(cell)] != hidden) return;
    states_[at(cell)] = told_safe;
    settle(cell, false, Rule::opening);
  };
  tell(first);
  if (rules_.opening == Opening::clear)
    for (const std::int32_t near : around(first)) tell(near);
}

void Player::open(std::int32_t cell) {
  if (mined_[at(cell)]) {
    states_[at(cell)] = exploded;
    ++exploded_;
    ended_ = rules_.mine_ends;
    see(cell, true);
  } else {
    show(cell);
    walk_.assign(1, cell);
    // Zeros open what surrounds them, breadth first.
    for (std::size_t i = 0; rules_.flood && i < walk_.size(); ++i) {
      if (counts_[at(walk_[i])] != 0) continue;
      for (const std::int32_t near : around(walk_[i]))
        if (states_[at(near)] == hidden || states_[at(near)] == told_safe) {
          show(near);
          walk_.push_back(near);
        }
    }
  }
  finish();
}

void Player::show(std::int32_t cell) {
  ++opened_;
  states_[at(cell)] = counts_[at(cell)];
  see(cell, false);
  touch(cell);
  ++version_;
}

void Player::flag(std::int32_t cell) {
  states_[at(cell)] = flagged;
  ++flags_;
  right_ += mined_[at(cell)];
  finish();
}

void Player::finish() {
  const std::int32_t covered = shape_.size() - opened_ - exploded_;
  ended_ |= covered == (rules_.mine_ends ? mines_ : flags_);
}

// The knowledge.

// The truth of a cell came to be known.
void Player::learn(std::int32_t cell, bool mine) {
  ++version_;
  mines_known_ += mine;
  // Bytes may alias anything: what they lie in is read once.
  std::uint8_t* const open_bits = open_.data();
  std::uint8_t* const mines = mines_around_.data();
  const std::uint8_t* const states = states_.data();
  const auto near = around(cell);
  const auto& back = back_[at(cell)];
  for (std::size_t i = 0; i < near.size(); ++i) {
    const std::size_t other = at(near[i]);
    open_bits[other] = static_cast<std::uint8_t>(open_bits[other] & ~back[i]);
    mines[other] = static_cast<std::uint8_t>(mines[other] + mine);
    if (states[other] <= 8 && open_bits[other] != 0) touch(near[i]);
  }
}

// A cell was opened, or exploded.
void Player::see(std::int32_t cell, bool mine) {
  --covered_;
  if (truth_[at(cell)] == Truth::open)
    learn(cell, mine);
  else
    --settled_;
  truth_[at(cell)] = Truth::seen;
}

void Player::settle(std::int32_t cell, bool mine, Rule rule) {
  if (truth_[at(cell)] != Truth::open) return;
  learn(cell, mine);
  truth_[at(cell)] = mine ? Truth::mine : Truth::safe;
  rule_[at(cell)] = rule;
  ++settled_;
  (mine ? to_flag_ : to_open_).push(cell);
}

// A clue is new, or has fewer open cells.
void Player::touch(std::int32_t clue) {
  const std::int32_t open_cells = open_around(clue);
  if (open_cells == 0) return;
  const std::int32_t mines = missing(clue);
  const bool settles = mines == 0 || mines == open_cells;
  if (settles && strategy_.local && !queued_[at(clue)]) {
    queued_[at(clue)] = 1;
    waiting_.push_back(clue);
  }
  if (strategy_.pairs && !is_changed_[at(clue)]) {
    is_changed_[at(clue)] = 1;
    changed_.push_back(clue);
  }
  if (strategy_.beyond != Beyond::exact && !is_fresh_[at(clue)]) {
    is_fresh_[at(clue)] = 1;
    fresh_.push_back(clue);
  }
}

// Mines around a clue that are not known.
std::int32_t Player::missing(std::int32_t clue) const {
  return states_[at(clue)] - mines_around_[at(clue)];
}

std::int32_t Player::open_around(std::int32_t clue) const { return bits_in[open_[at(clue)]]; }

// The local rules until nothing follows, then pairs of clues, then again.
void Player::reason() {
  do {
    reason_locally();
  } while (compare_pairs());
}

void Player::reason_locally() {
  while (!waiting_.empty()) {
    const std::int32_t clue = waiting_.back();
    waiting_.pop_back();
    queued_[at(clue)] = 0;
    const bool mine = missing(clue) != 0;
    if (open_[at(clue)] == 0) continue;
    for (const std::int32_t near : around(clue)) settle(near, mine, Rule::local);
  }
}

// Compares every clue that changed with all that share cells with it. Whether that settled
// anything.
bool Player::compare_pairs() {
  compared_.clear();
  const std::uint8_t* const open_bits = open_.data();
  const std::uint8_t* const states = states_.data();
  const std::uint8_t* const mines = mines_around_.data();
  const std::uint8_t* const is_changed = is_changed_.data();
  for (const std::int32_t clue : changed_) {
    const std::uint8_t open_here = open_bits[at(clue)];
    if (open_here == 0) continue;
    const int missing_here = states[at(clue)] - mines[at(clue)];
    const std::int32_t row = clue / shape_.cols;
    const std::int32_t col = clue % shape_.cols;
    const std::int32_t left = std::max(-2, -col);
    const std::int32_t right = std::min(2, shape_.cols - 1 - col);
    for (std::int32_t down = std::max(-2, -row); down <= std::min(2, shape_.rows - 1 - row); ++down)
      for (std::int32_t side = left; side <= right; ++side) {
        const std::int32_t other = clue + down * shape_.cols + side;
        const auto offset = at(5 * (down + 2) + side + 2);
        if (!(open_here & common[offset]) || offset == here) continue;
        if (states[at(other)] > 8 || (is_changed[at(other)] && other < clue)) continue;
        const auto alone = static_cast<std::uint8_t>(open_here & ~common[offset]);
        const auto others =
            static_cast<std::uint8_t>(open_bits[at(other)] & ~common[2 * here - offset]);
        // If the cells of one alone must all be mines for it to have so many more than the
        // other, they are, and those of the other alone are safe.
        const int more = missing_here - (states[at(other)] - mines[at(other)]);
        if (!(alone | others)) continue;
        if (more == bits_in[alone]) {
          pick_out(clue, alone, true);
          pick_out(other, others, false);
        }
        if (-more == bits_in[others]) {
          pick_out(other, others, true);
          pick_out(clue, alone, false);
        }
      }
  }
  for (const std::int32_t clue : changed_) is_changed_[at(clue)] = 0;
  changed_.clear();
  for (const auto& [cell, mine] : compared_) settle(cell, mine, Rule::pairs);
  return !compared_.empty();
}

// Cells around a clue, by their directions, that pairs settle.
void Player::pick_out(std::int32_t clue, std::uint8_t directions, bool mine) {
  if (directions == 0) return;
  for (std::size_t i = 0; i < degree_[at(clue)]; ++i) {
    const std::int32_t cell = around_[at(clue)][i];
    // The way to a cell is the way back, turned round.
    if (directions & turned[back_[at(clue)][i]]) compared_.emplace_back(cell, mine);
  }
}

bool Player::can_be_opened(std::int32_t cell) const {
  return truth_[at(cell)] == Truth::open && states_[at(cell)] != flagged;
}

// Decisions.

Move Player::open_certain(std::int32_t cell, Rule rule) const {
  return {cell, states_[at(cell)] == flagged ? Action::unflag : Action::open, true, rule, 0};
}

// What is settled and still to be played: flags first, by index.
std::optional<Move> Player::certain() {
  for (; !to_flag_.empty(); to_flag_.pop()) {
    const std::int32_t cell = to_flag_.top();
    if (states_[at(cell)] == hidden) return Move{cell, Action::flag, true, rule_[at(cell)], 0};
  }
  for (; !to_open_.empty(); to_open_.pop()) {
    const std::int32_t cell = to_open_.top();
    if (is_covered(states_[at(cell)])) return open_certain(cell, rule_[at(cell)]);
  }
  return std::nullopt;
}

std::optional<Move> Player::beyond() {
  if (strategy_.beyond == Beyond::none || covered_ == shape_.size()) return std::nullopt;
  find_beyond();
  std::int32_t to_flag = std::numeric_limits<std::int32_t>::max();
  std::int32_t to_open = to_flag;
  for (const std::int32_t cell : found_cells_) {
    if (found_[at(cell)] == Verdict::mine) {
      if (states_[at(cell)] == hidden) to_flag = std::min(to_flag, cell);
    } else if (is_covered(states_[at(cell)])) {
      to_open = std::min(to_open, cell);
    }
  }
  if (to_flag < shape_.size())
    return Move{to_flag, Action::flag, true, found_rule_[at(to_flag)], 0};
  if (to_open < shape_.size()) return open_certain(to_open, found_rule_[at(to_open)]);
  return std::nullopt;
}

Move Player::decide() {
  reason();
  if (const auto move = certain()) return *move;
  if (const auto move = beyond()) return *move;
  return guess();
}

void Player::make(const Move& move, const Ground& ground, std::uint64_t seed) {
  switch (move.action) {
    case Action::open:
      if (!begun_) {
        if (!dealt_) deal(ground, move.cell, seed);
        begun_ = true;
        promise(move.cell);
      }
      open(move.cell);
      break;
    case Action::flag:
      flag(move.cell);
      break;
    case Action::unflag:
      states_[at(move.cell)] = hidden;
      --flags_;
      right_ -= mined_[at(move.cell)];
      break;
    case Action::stop:
      if (!dealt_) deal(ground, 0, seed);
      ended_ = true;
      break;
  }
}

Played Player::play(const Ground& ground, const GameRules& rules, const Strategy& strategy,
                    std::int32_t start, std::uint64_t seed, bool record) {
  sit_down(ground.shape, rules, strategy);
  record_ = record;
  player_seed_ = Stream(seed, Purpose::player).next64() >> 11;
  keys_.clear();
  told_mines_ = std::nullopt;
  if (!ground.mined.empty() || rules.opening == Opening::any || start >= 0)
    deal(ground, start, seed);
  if (rules.count_known) told_mines_ = dealt_ ? mines_ : ground.mines;
  if (start >= 0) promise(start);
  if (dealt_) finish();
  Played played;
  const std::int32_t limit = 4 * shape_.size() + 16;  // as a match has it
  while (!ended_) {
    Move move{};
    if (played.moves == 0 && start >= 0) {
      const bool promised = rules.opening != Opening::any;
      move = {start, Action::open, promised, Rule::none, promised ? 0 : no_risk_given};
    } else {
      move = decide();
    }
    make(move, ground, seed);
    ++played.moves;
    played.guesses += move.action == Action::open && !move.certain;
    ++played.by_rule[static_cast<std::size_t>(move.rule)];
    if (record) moves_.push_back(move);
    if (played.moves > limit) throw std::logic_error("a player gets nowhere");
  }
  played.mines = mines_;
  played.right = right_;
  played.wrong = flags_ - right_;
  played.exploded = exploded_;
  const bool clean = exploded_ == 0 && played.wrong == 0;
  played.won =
      clean && (opened_ == shape_.size() - mines_ || (!rules.mine_ends && right_ == mines_));
  return played;
}

// Takes in all that a view shows.
void Player::read(std::span<const std::uint8_t> states) {
  std::copy(states.begin(), states.end(), states_.begin());
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell) {
    const std::uint8_t state = states_[at(cell)];
    if (state == told_safe) settle(cell, false, Rule::opening);
    if (is_covered(state)) continue;
    see(cell, state == exploded);
    opened_ += state != exploded;
    if (state <= 8) touch(cell);
  }
}

void Player::closure(Shape shape, std::span<const std::uint8_t> states,
                     std::optional<std::int32_t> mines, const GameRules& rules,
                     const Strategy& strategy, std::span<Verdict> verdicts) {
  sit_down(shape, rules, strategy);
  told_mines_ = mines;
  read(states);
  reason();
  find_beyond();
  for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
    const Truth truth = truth_[at(cell)];
    verdicts[at(cell)] = truth == Truth::mine   ? Verdict::mine
                         : truth == Truth::safe ? Verdict::safe
                         : truth == Truth::open ? found_[at(cell)]
                                                : Verdict::open;
  }
}

}  // namespace mineproof
