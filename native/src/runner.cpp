#include "mineproof/runner.hpp"

namespace mineproof {

namespace {

// Least risk, and perfect play with few arrangements left.
constexpr std::size_t few = 40;
constexpr std::int64_t little_work = 200'000;

}  // namespace

void Runner::set_up(Shape shape, std::span<const std::uint8_t> states, std::int32_t mines,
                    Cancel cancel) {
  neighbourhood_ = neighbourhood_of(shape, neighbourhood_);
  Mind::Habits habits;
  habits.pairs = true;
  mind_here_.begin(neighbourhood_, habits, {mines, std::nullopt});
  mind_here_.read(states);
  mind_here_.reason();
  referee_here_.begin_at(neighbourhood_, {}, states);
  board_.resize(states.size());
  cancel_ = cancel;
}

double Runner::play_out(std::int32_t first, std::span<const std::uint8_t> mined, Stream& stream) {
  mind_ = mind_here_;
  referee_ = referee_here_;
  referee_.deal(mined);
  double chance = 1;
  for (std::int32_t cell = first; !cancel_.asked();) {
    open(cell);
    open_all_certain();
    if (referee_.all_safe_open()) return chance;
    if (engine_.list(few, arrangements_))
      if (const auto best = endgame_.solve(mind_.shape(), arrangements_, little_work))
        return chance * best->worth / arrangements_.all();
    const Safest guess = least_risk();
    if (guess.cell < 0 || guess.risk >= 1) return 0;
    chance *= 1 - guess.risk;
    cell = guess.cell;
    if (referee_.is_mine(cell)) draw_without(cell, stream);
  }
  return 0;
}

void Runner::solve() { engine_.solve(mind_.view(), mind_.prior(), state_budget); }

// A board on which this cell is safe.
void Runner::draw_without(std::int32_t cell, Stream& stream) {
  const auto states = mind_.states();
  states_.assign(states.begin(), states.end());
  states_[cell] = told_safe;
  View view = mind_.view();
  view.states = states_;
  engine_.solve(view, mind_.prior(), state_budget);
  engine_.draw(stream, board_);
  referee_.deal(board_);
}

void Runner::open(std::int32_t cell) {
  referee_.open(cell);
  for (const std::int32_t changed : referee_.changed()) mind_.see(changed, referee_.shows(changed));
}

// Opens all that is certain, until nothing is. The order is of no account here: all that can
// be proved will be.
void Runner::open_all_certain() {
  for (;;) {
    do {
      do {
        mind_.reason_locally();
      } while (open_settled());
    } while (mind_.compare_pairs());
    if (referee_.all_safe_open()) return;
    solve();
    if (!engine_.any_safe()) return;
    const auto verdicts = engine_.verdicts();
    for (std::int32_t cell = 0; cell < mind_.size(); ++cell)
      if (verdicts[at(cell)] != Verdict::open)
        mind_.settle(cell, verdicts[at(cell)] == Verdict::mine, Rule::exact);
  }
}

// Opens what is settled as safe. Whether there was any.
bool Runner::open_settled() {
  bool any = false;
  for (std::int32_t cell; (cell = mind_.next_to_open()) >= 0; any = true) open(cell);
  return any;
}

// The least risk; ties to the fewest covered neighbours, then to the first found.
Safest Runner::least_risk() {
  return find_safest([&](auto&& take) { engine_.each_box(take); },
                     [&](std::int32_t cell) { return mind_.covered_around(cell); },
                     [](std::int32_t, std::int32_t) { return false; });
}

}  // namespace mineproof
