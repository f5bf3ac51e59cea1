#include "mineproof/play.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mineproof {

namespace {

constexpr double no_risk_given = std::numeric_limits<double>::quiet_NaN();

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void Player::neighbours() {
  around_.resize(at(shape_.size()));
  degree_.assign(at(shape_.size()), 0);
  for (std::int32_t cell = 0; cell < shape_.size(); ++cell)
    shape_.around(cell, [&](std::int32_t near) { around_[at(cell)][degree_[at(cell)]++] = near; });
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
  unknown_around_ = degree_;
  mines_around_.assign(size, 0);
  rule_.assign(size, Rule::none);
  covered_ = shape.size();
  mines_known_ = settled_ = 0;
  waiting_.clear();
  queued_.assign(size, 0);
  to_flag_ = {};
  to_open_ = {};
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
  for (const std::int32_t near : around(cell)) {
    --unknown_around_[at(near)];
    mines_around_[at(near)] = static_cast<std::uint8_t>(mines_around_[at(near)] + mine);
    if (states_[at(near)] <= 8) touch(near);
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

void Player::touch(std::int32_t clue) {
  if (strategy_.local && !queued_[at(clue)]) {
    queued_[at(clue)] = 1;
    waiting_.push_back(clue);
  }
  if (!is_fresh_[at(clue)]) {
    is_fresh_[at(clue)] = 1;
    fresh_.push_back(clue);
  }
}

// Mines around a clue that are not known.
std::int32_t Player::missing(std::int32_t clue) const {
  return states_[at(clue)] - mines_around_[at(clue)];
}

// The local rules, until nothing follows.
void Player::reason() {
  while (!waiting_.empty()) {
    const std::int32_t clue = waiting_.back();
    waiting_.pop_back();
    queued_[at(clue)] = 0;
    const std::int32_t open_cells = unknown_around_[at(clue)];
    const std::int32_t mines = missing(clue);
    if (open_cells == 0 || (mines != 0 && mines != open_cells)) continue;
    for (const std::int32_t near : around(clue)) settle(near, mines != 0, Rule::local);
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

void Player::closure(Shape shape, std::span<const std::uint8_t> states,
                     std::optional<std::int32_t> mines, const GameRules& rules,
                     const Strategy& strategy, std::span<Verdict> verdicts) {
  sit_down(shape, rules, strategy);
  told_mines_ = mines;
  std::copy(states.begin(), states.end(), states_.begin());
  for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
    const std::uint8_t state = states_[at(cell)];
    if (state == told_safe) settle(cell, false, Rule::opening);
    if (is_covered(state)) continue;
    see(cell, state == exploded);
    if (state <= 8) touch(cell);
  }
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
