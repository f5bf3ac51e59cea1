#include "mineproof/playout.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace mineproof {

namespace {

// Limits for perfect play.
constexpr std::size_t few = 40;
constexpr std::int64_t little_work = 200'000;
constexpr std::size_t enough_rest = 12;  // interior cells drawn to compensate for the mine count
constexpr std::size_t most_known = 1U << 16;  // views that are cached: some ten megabytes

}  // namespace

void Playout::set_up(Shape shape, std::span<const std::uint8_t> states, std::int32_t mines,
                     Resample resample, Cancel cancel, Guess guess, std::int32_t often) {
  neighbourhood_ = neighbourhood_of(shape, neighbourhood_);
  PlayerKnowledge::InferenceOptions options;
  options.pairs = options.flags = true;
  knowledge_here_.begin(neighbourhood_, options, {mines, std::nullopt});
  knowledge_here_.read(states);
  knowledge_here_.reason();
  referee_here_.begin_at(neighbourhood_, {}, states);
  board_.resize(states.size());
  known_.clear();
  deduced_.clear();
  resample_ = resample;
  cancel_ = cancel;
  guess_ = std::move(guess);
  often_ = often;
}

std::uint8_t Playout::deal(std::int32_t first, std::span<const std::uint8_t> mined,
                           Stream& stream) {
  knowledge_ = knowledge_here_;
  referee_ = referee_here_;
  referee_.deal(mined);
  if (referee_.is_mine(first)) draw_without(first, stream);
  std::uint8_t shows = 0;
  neighbourhood_->each(first, [&](std::int32_t near) {
    shows = static_cast<std::uint8_t>(shows + referee_.is_mine(near));
  });
  return shows;
}

double Playout::play_out(std::int32_t first, Stream& stream) {
  double chance = 1;
  open(first);
  while (!cancel_.stop_requested()) {
    open_by_rules();
    if (referee_.all_safe_open()) return chance;
    const Next& step = next();
    switch (step.kind) {
      case Next::Kind::deduce:
        for (std::size_t i = step.from; i < step.to; ++i)
          knowledge_.deduce(deduced_[i].cell, deduced_[i].mine, deduced_[i].rule);
        break;
      case Next::Kind::end:
        return chance * step.won / step.all;
      case Next::Kind::guess:
        const LowestRisk guess = step.guess;
        if (guess.cell < 0 || guess.risk >= 1) return 0;
        chance *= 1 - guess.risk;
        if (referee_.is_mine(guess.cell)) draw_without(guess.cell, stream);
        open(guess.cell);
        break;
    }
  }
  return 0;
}

// Draws a board on which this cell is safe.
void Playout::draw_without(std::int32_t cell, Stream& stream) {
  if (resample_ == Resample::near && draw_near(cell, stream)) return;
  const auto states = knowledge_.states();
  states_.assign(states.begin(), states.end());
  states_[cell] = known_safe;
  View view = knowledge_.view();
  view.states = states_;
  if (engine_.solve(view, knowledge_.prior(), state_budget, cancel_) == Outcome::cancelled) return;
  if (!engine_.draw(stream, board_, cancel_)) return;
  referee_.deal(board_);
}

// Collects the undecided cells that clues link to this one, directly or through others, in linked_,
// and the undecided interior cells in rest_.
void Playout::find_linked(std::int32_t cell) {
  mark_.assign(at(knowledge_.size()), 0);
  linked_.assign(1, cell);
  mark_[cell] = 1;
  const auto linked_to = [this](std::int32_t open, auto&& f) {
    neighbourhood_->each(open, [&](std::int32_t clue) {
      if (mark_[clue] || !knowledge_.is_unspent(clue)) return;
      mark_[clue] = 1;
      neighbourhood_->each(clue, knowledge_.ways_open(clue), f);
    });
  };
  flood(linked_, linked_to,
        [this](std::int32_t near) { return !std::exchange(mark_[near], std::uint8_t{1}); });
  rest_.clear();
  for (std::int32_t other = 0; other < knowledge_.size(); ++other) {
    if (!knowledge_.is_open(other)) continue;
    bool touched = false;
    neighbourhood_->each(other, [&](std::int32_t near) { touched |= knowledge_.is_clue(near); });
    if (!touched && other != cell) rest_.push_back(other);
  }
}

// Draws the cells that clues link to this one again, with this cell safe; everything else stays,
// except that interior cells compensate for the mine count. False if they cannot.
bool Playout::draw_near(std::int32_t cell, Stream& stream) {
  find_linked(cell);
  if (rest_.size() < enough_rest) return false;
  if (linked_.size() == 1) {
    for (std::int32_t other = 0; other < knowledge_.size(); ++other)
      board_[other] = other != cell && referee_.is_mine(other);
  } else {
    states_.assign(knowledge_.states().begin(), knowledge_.states().end());
    states_[cell] = known_safe;
    View view = knowledge_.view();
    view.states = states_;
    if (engine_.solve(view, knowledge_.prior(), state_budget, cancel_) == Outcome::cancelled)
      return true;
    if (!engine_.draw(stream, board_, cancel_)) return true;
    for (std::int32_t other = 0; other < knowledge_.size(); ++other)
      if (!mark_[other] || !knowledge_.is_open(other)) board_[other] = referee_.is_mine(other);
  }
  return balance(stream);
}

// Moves mines from or to interior cells until the mine count is right. False if that is impossible.
bool Playout::balance(Stream& stream) {
  std::int32_t more = -referee_.mines();
  for (const std::uint8_t mine : board_) more += mine;
  const std::uint8_t takes = more > 0;  // the cells that change have this value
  std::size_t end = 0;
  for (const std::int32_t other : rest_)
    if (board_[other] == takes) rest_[end++] = other;
  rest_.resize(end);
  const auto count = static_cast<std::size_t>(std::abs(more));
  if (count > rest_.size()) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t drawn = i + stream.below(static_cast<std::uint32_t>(rest_.size() - i));
    std::swap(rest_[i], rest_[drawn]);
    board_[rest_[i]] = !takes;
  }
  referee_.deal(board_);
  return true;
}

void Playout::open(std::int32_t cell) {
  referee_.open(cell);
  for (const std::int32_t changed : referee_.changed())
    knowledge_.see(changed, referee_.shows(changed));
}

// Opens everything that the player's own rules prove, to the fixpoint. The order does not matter,
// as everything provable will be proved.
void Playout::open_by_rules() {
  do {
    do {
      knowledge_.reason_locally();
    } while (open_deduced());
  } while (knowledge_.compare_pairs());
}

// Opens the cells that are proved safe. Returns whether there were any.
bool Playout::open_deduced() {
  return knowledge_.take_to_open([this](std::int32_t cell) { open(cell); });
}

const Playout::Next& Playout::next() {
  if (known_.size() >= most_known) {
    known_.clear();
    deduced_.clear();
  }
  const auto [known, is_new] = known_.try_emplace(name_of(knowledge_.states()));
  Next& next = known->second;
  if (is_new) think(next);
  if (next.kind == Next::Kind::guess && ++next.met == often_ && guess_)
    next.guess = guess_(knowledge_);
  return next;
}

// Decides what to do in this view: open what is proved safe, if anything; otherwise play perfectly,
// if few configurations are left; otherwise guess.
void Playout::think(Next& next) {
  const Outcome outcome =
      engine_.solve(knowledge_.view(), knowledge_.prior(), state_budget, cancel_);
  if (outcome == Outcome::cancelled) return;
  if (engine_.any_safe()) {
    next.kind = Next::Kind::deduce;
    next.from = deduced_.size();
    const auto verdicts = engine_.verdicts();
    for (std::int32_t cell = 0; cell < knowledge_.size(); ++cell)
      if (verdicts[at(cell)] != Verdict::open && knowledge_.is_open(cell))
        deduced_.push_back({cell, verdicts[at(cell)] == Verdict::mine, Rule::exact});
    next.to = deduced_.size();
    return;
  }
  if (engine_.list(few, arrangements_, false, cancel_))
    if (const auto best = endgame_.solve(knowledge_.shape(), arrangements_, little_work, cancel_)) {
      next.kind = Next::Kind::end;
      next.won = best->worth;
      next.all = arrangements_.all();
      return;
    }
  next.guess = least_risk();
}

// The lowest risk; ties go to the fewest covered neighbours, then to the first cell found.
LowestRisk Playout::least_risk() {
  return find_safest([&](auto&& take) { engine_.each_group(take); },
                     [&](std::int32_t cell) { return knowledge_.covered_around(cell); },
                     [](std::int32_t, std::int32_t) { return false; });
}

// Hashes the states eight at a time; each step is a bijection of the previous value.
Playout::Name Playout::name_of(std::span<const std::uint8_t> states) {
  Name name{0x9E3779B97F4A7C15U, 0xC2B2AE3D27D4EB4FU};
  const auto mix = [](std::uint64_t mixed, std::uint64_t word, std::uint64_t factor) {
    mixed = (mixed ^ word) * factor;
    return mixed ^ mixed >> 32;
  };
  for (std::size_t i = 0; i < states.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, states.data() + i, std::min<std::size_t>(8, states.size() - i));
    name.first = mix(name.first, word, 0xFF51AFD7ED558CCDU);
    name.second = mix(name.second, word, 0xC4CEB9FE1A85EC53U);
  }
  return name;
}

}  // namespace mineproof
