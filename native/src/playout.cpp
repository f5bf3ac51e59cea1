// One game played out from a position, on a board drawn for it.
#include "mineproof/play.hpp"

namespace mineproof {

namespace {

// Least risk, and perfect play with few arrangements left.
constexpr std::size_t few = 40;
constexpr std::int64_t little_work = 200'000;

}  // namespace

void Player::set_up(Shape shape, std::span<const std::uint8_t> states,
                    std::optional<std::int32_t> mines) {
  Strategy strategy;
  strategy.pairs = true;
  strategy.beyond = Beyond::exact;
  sit_down(shape, {}, strategy);
  told_mines_ = mines;
  read(states);
  reason();
}

// Takes over what another player knows.
void Player::resume(const Player& other) {
  if (shape_.rows != other.shape_.rows || shape_.cols != other.shape_.cols)
    sit_down(other.shape_, other.rules_, other.strategy_);
  rules_ = other.rules_;
  strategy_ = other.strategy_;
  told_mines_ = other.told_mines_;
  states_ = other.states_;
  truth_ = other.truth_;
  open_ = other.open_;
  mines_around_ = other.mines_around_;
  covered_ = other.covered_;
  mines_known_ = other.mines_known_;
  settled_ = other.settled_;
  opened_ = other.opened_;
  to_open_ = other.to_open_;
  to_flag_.reset(shape_.size());
  exploded_ = flags_ = right_ = 0;
  ended_ = false;
  solved_version_ = ~std::uint64_t{0};
}

double Player::play_out(const Player& position, std::int32_t first,
                        std::span<const std::uint8_t> mined, Stream& stream) {
  resume(position);
  mined_.assign(mined.begin(), mined.end());
  counts_ = count_mines(shape_, mined_);
  mines_ = *told_mines_;
  const std::int32_t safe = shape_.size() - mines_;
  double chance = 1;
  for (std::int32_t cell = first;;) {
    open(cell);
    open_all_certain();
    if (opened_ == safe) return chance;
    if (engine_.list(few, arrangements_))
      if (const auto best = endgame_.solve(shape_, arrangements_, little_work))
        return chance * best->worth / arrangements_.all();
    const Move guess = least_risk();
    if (guess.cell < 0 || guess.risk >= 1) return 0;
    chance *= 1 - guess.risk;
    cell = guess.cell;
    if (!mined_[at(cell)]) continue;
    states_[at(cell)] = told_safe;  // a board on which it is
    ++version_;
    solve();
    engine_.draw(stream, mined_);
    counts_ = count_mines(shape_, mined_);
    states_[at(cell)] = hidden;
  }
}

// Opens all that is certain, until nothing is. The order is of no account here: all that can
// be proved will be.
void Player::open_all_certain() {
  const std::int32_t safe = shape_.size() - mines_;
  for (;;) {
    do {
      do {
        reason_locally();
      } while (open_settled());
    } while (compare_pairs());
    if (opened_ == safe) return;
    solve();
    if (!engine_.any_safe()) return;
    const auto verdicts = engine_.verdicts();
    for (std::int32_t cell = 0; cell < shape_.size(); ++cell)
      if (truth_[at(cell)] == Truth::open && verdicts[at(cell)] != Verdict::open)
        settle(cell, verdicts[at(cell)] == Verdict::mine, Rule::exact);
  }
}

// Opens what is settled as safe. Whether there was any.
bool Player::open_settled() {
  bool any = false;
  while (!to_open_.empty()) {
    const std::int32_t cell = to_open_.top();
    to_open_.pop();
    if (!is_covered(states_[at(cell)])) continue;
    open(cell);
    any = true;
  }
  return any;
}

// The least risk; ties to the fewest covered neighbours, then to the first found.
Move Player::least_risk() {
  Move best{-1, Action::open, false, Rule::none, 2};
  std::int32_t fewest = 9;
  engine_.each_box([&](std::span<const std::int32_t> cells, double risk) {
    if (risk > best.risk + 1e-10) return;
    if (risk < best.risk - 1e-10) fewest = 9;
    for (const std::int32_t cell : cells) {
      std::int32_t covered = 0;
      for (const std::int32_t near : around(cell)) {
        covered += is_covered(states_[at(near)]);
        if (covered >= fewest) break;
      }
      if (covered >= fewest) continue;
      fewest = covered;
      best.cell = cell;
      best.risk = risk;
    }
  });
  return best;
}

}  // namespace mineproof
