#include "mineproof/play.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mineproof {

PlayerKnowledge::InferenceOptions Strategy::inference_options() const {
  const bool by_component = beyond == AdvancedRule::subset ||
                            beyond == AdvancedRule::subset_until_found ||
                            beyond == AdvancedRule::gauss;
  return {local, pairs, by_component, false, naive};
}

Played Match::play(const GameSetup& ground, const GameRules& rules, const ClueModel& clues,
                   const Strategy& strategy, std::int32_t start, Seeds seeds, bool record,
                   Cancel cancel) {
  const Table table{ground, rules, clues, strategy, start, seeds, cancel};
  moves_.clear();
  Played played;
  played.fault = begin(table);
  const std::int32_t limit = 4 * ground.shape.size() + 16;  // most_moves() in move.py
  bool asked = false;
  while (played.fault == Fault::none && !referee_.ended()) {
    Move move{};
    if (played.moves == 0 && start >= 0) {
      const bool promised = rules.opening != Opening::any;
      move = {start, Action::open, promised, Rule::none, promised ? 0 : no_risk_given};
    } else {
      played.fault = decide(table, move);
      // Before each guess, cells without a clue are asked again, once.
      if (!move.certain && !asked && referee_.unanswered())
        move = {move.cell, Action::ask, true, Rule::none, no_risk_given};
    }
    asked = move.action == Action::ask;
    if (played.fault == Fault::none) played.fault = make(move, table);
    if (played.fault != Fault::none) break;
    ++played.moves;
    played.guesses += move.action == Action::open && !move.certain;
    played.estimates += move.estimated;
    if (move.action == Action::flag || move.action == Action::unflag)
      played.expected_flags += 1 - 2 * move.risk;
    ++played.by_rule[static_cast<std::size_t>(move.rule)];
    if (record) moves_.push_back(move);
    if (played.moves > limit) played.fault = Fault::nowhere;
    if (cancel.stop_requested()) played.fault = Fault::cancelled;
  }
  played.mines = referee_.mines();
  played.right = referee_.right();
  played.wrong = referee_.wrong();
  played.exploded = referee_.exploded();
  played.won = referee_.won();
  return played;
}

void Match::begin_at(Shape shape, std::span<const std::uint8_t> states,
                     std::span<const std::int8_t> bounds, std::optional<std::int32_t> mines,
                     const GameRules& rules, const ClueModel& clues, const Strategy& strategy,
                     std::uint64_t player_seed, Cancel cancel) {
  neighbourhood_ = neighbourhood_of(shape, neighbourhood_);
  begin_player({{}, rules, clues, strategy, -1, {0, player_seed}, cancel}, mines);
  knowledge_.read(states, bounds);
}

Fault Match::decide(const GameRules& rules, const ClueModel& clues, const Strategy& strategy,
                    Move& move, Cancel cancel) {
  return decide({{}, rules, clues, strategy, -1, {0, 0}, cancel}, move);
}

void Match::begin_player(const Table& table, std::optional<std::int32_t> mines) {
  knowledge_.begin(neighbourhood_, table.strategy.inference_options(), {mines, table.rules.density},
                   table.clues);
  counted_.forget(table.cancel);
  findings_.begin(knowledge_);
  guessing_.begin(knowledge_.size(), table.seeds.player);
}

// Resets for a new game. Deals at once if the first move is known or does not matter.
Fault Match::begin(const Table& table) {
  const GameRules& rules = table.rules;
  neighbourhood_ = neighbourhood_of(table.ground.shape, neighbourhood_);
  begun_ = false;
  referee_.begin(neighbourhood_, rules, table.clues, table.seeds.game);
  if (!table.ground.mined.empty() || rules.opening == Opening::any || table.start >= 0)
    referee_.deal(table.ground, table.start);
  std::optional<std::int32_t> mines;
  if (rules.count_known) mines = referee_.dealt() ? referee_.mines() : table.ground.mines;
  begin_player(table, mines);
  if (table.start >= 0) {
    if (!referee_.promise(table.start)) return Fault::broken_opening;
    inform();
  } else if (referee_.dealt() && !referee_.has_start()) {
    return Fault::broken_opening;
  }
  if (referee_.dealt()) referee_.finish();
  return Fault::none;
}

// Passes the referee's changes to the player's knowledge.
void Match::inform() {
  for (const std::int32_t cell : referee_.changed())
    knowledge_.see(cell, referee_.shows(cell), referee_.bound(cell));
}

Fault Match::decide(const Table& table, Move& move) {
  knowledge_.reason();
  if (const auto next = certain()) {
    move = *next;
    return Fault::none;
  }
  if (table.strategy.beyond != AdvancedRule::none && !knows_nothing()) {
    const Fault fault = findings_.find(knowledge_, table.strategy.beyond, counted_);
    if (fault != Fault::none) return fault;
    if (const auto next = found()) {
      move = *next;
      return Fault::none;
    }
  }
  return guess(table, move);
}

// Before the first cell is opened nothing is certain, unless every cell is a mine.
bool Match::knows_nothing() const {
  return knowledge_.covered() == knowledge_.size() &&
         knowledge_.expected().mines != knowledge_.size();
}

Move Match::open_certain(std::int32_t cell, Rule rule) const {
  const Action action = knowledge_.state(cell) == flagged ? Action::unflag : Action::open;
  return {cell, action, true, rule, 0};
}

// The next deduced cell to play: flags first, then by index.
std::optional<Move> Match::certain() {
  if (const std::int32_t cell = knowledge_.next_to_flag(); cell >= 0)
    return Move{cell, Action::flag, true, knowledge_.rule(cell), 0};
  if (const std::int32_t cell = knowledge_.next_to_open(); cell >= 0)
    return open_certain(cell, knowledge_.rule(cell));
  return std::nullopt;
}

// The same for deductions beyond the rules of PlayerKnowledge.
std::optional<Move> Match::found() const {
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::pair<std::int32_t, Rule> to_flag{none, Rule::none};
  std::pair<std::int32_t, Rule> to_open{none, Rule::none};
  findings_.each([&](std::int32_t cell, Verdict verdict, Rule rule) {
    if (verdict == Verdict::mine) {
      if (knowledge_.state(cell) == hidden) to_flag = std::min(to_flag, {cell, rule});
    } else if (is_covered(knowledge_.state(cell))) {
      to_open = std::min(to_open, {cell, rule});
    }
  });
  if (to_flag.first != none) return Move{to_flag.first, Action::flag, true, to_flag.second, 0};
  if (to_open.first != none) return open_certain(to_open.first, to_open.second);
  return std::nullopt;
}

Fault Match::guess(const Table& table, Move& move) {
  const bool is_first = knowledge_.covered() == knowledge_.size();
  Guess chosen;
  if (is_first && table.strategy.first >= 0) {
    chosen.cell = table.strategy.first;
  } else {
    const Fault fault =
        guessing_.guess(table.strategy.guesser, knowledge_, counted_, table.rules,
                        table.strategy.budget, table.strategy.shares, table.cancel, chosen);
    if (fault != Fault::none) return fault;
  }
  move = {chosen.cell, chosen.action, chosen.rule != Rule::none, chosen.rule,
          chosen.risk, chosen.clue,   chosen.estimated};
  if (chosen.cell < 0) {
    move.cell = 0;
    move.action = Action::stop;
  } else if (is_first && table.rules.opening != Opening::any) {
    move.certain = true;
    move.estimated = false;
    move.risk = 0;
  }
  return Fault::none;
}

Fault Match::make(const Move& move, const Table& table) {
  if (!referee_.dealt()) referee_.deal(table.ground, move.cell);
  switch (move.action) {
    case Action::open:
      if (!begun_) {
        begun_ = true;
        if (!referee_.promise(move.cell)) return Fault::broken_opening;
        inform();
      }
      referee_.open(move.cell, table.cancel);
      break;
    case Action::flag:
      referee_.flag(move.cell);
      break;
    case Action::unflag:
      referee_.unflag(move.cell);
      break;
    case Action::ask:
      referee_.ask();
      break;
    case Action::stop:
      referee_.stop();
      return Fault::none;
  }
  inform();
  return Fault::none;
}

}  // namespace mineproof
