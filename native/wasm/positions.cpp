// Requests about a position: mine probabilities, proofs, moves, contradictions.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/play.hpp"
#include "mineproof/proof.hpp"
#include "mineproof/search.hpp"
#include "row.hpp"

namespace mineproof::wasm {

namespace {

Engine& engine() {
  static Engine one;
  return one;
}

Search& search() {
  static Search one;
  return one;
}

// All fields of a Budget, in their order.
Budget read_budget(Reader& reader) {
  Budget budget;
  for_each_budget_field([&](const char*, auto member, auto least, auto) {
    budget.*member = static_cast<decltype(least)>(reader.number());
  });
  return budget;
}

Position position_of(const Seen& seen, const GameRules& rules) {
  return {seen.view(), seen.prior(), rules.mine_ends, rules.opening};
}

void write_step(Writer& writer, const Inference& step) {
  writer.number(static_cast<double>(step.kind));
  writer.list(step.clues);
  writer.list(step.signs);
  writer.number(static_cast<double>(step.deduced.size()));
  for (const auto& [cell, mine] : step.deduced) {
    writer.number(cell);
    writer.number(mine);
  }
  writer.number(static_cast<double>(step.lines.size()));
  for (const CaseLine& line : step.lines) {
    writer.number(static_cast<double>(line.what));
    writer.number(line.depth);
    writer.list(line.clues);
    writer.list(line.signs);
    writer.list(line.cells);
    writer.number(line.mine);
  }
}

void write_proof(Writer& writer, const Proof& proof) {
  writer.number(proof.cell);
  writer.number(proof.mine);
  writer.list(proof.clues);
  writer.number(proof.count_used);
  writer.number(proof.least);
  writer.number(proof.irreducible);
  writer.number(static_cast<double>(proof.steps.size()));
  for (const Inference& step : proof.steps) write_step(writer, step);
}

// Whether no configuration is consistent with the clues at these cells; other opened cells count as
// safe without a clue.
bool is_broken(const Seen& seen, const Prior& prior, std::span<const std::int32_t> clues) {
  Seen kept = seen;
  for (std::int32_t cell = 0; cell < seen.shape.size(); ++cell)
    if (seen.informs(cell)) kept.states[at(cell)] = known_safe;
  for (const std::int32_t clue : clues) kept.states[at(clue)] = seen.states[at(clue)];
  std::erase_if(kept.overrides,
                [&](const Override& own) { return kept.states[at(own.cell)] == known_safe; });
  return engine().find_certain(kept.view(), prior, state_budget) == Outcome::contradiction;
}

// Replaces every positive likelihood by 1.
void weigh_alike(Seen& seen) {
  const auto even = [](ClueModel::Likelihood& chances) {
    for (double& chance : chances) chance = chance > 0;
  };
  for (auto& shown : seen.clues.table)
    for (auto& chances : shown) even(chances);
  for (Override& own : seen.overrides) even(own.table);
}

// The probability of each number of mines around a covered cell, if it is not a mine.
std::array<double, 9> counts_around(const Seen& seen, std::int32_t cell, std::size_t budget) {
  Seen opened = seen;
  opened.states[at(cell)] = no_clue;
  ClueModel::Likelihood any;
  any.fill(1);
  const auto after =
      std::upper_bound(opened.overrides.begin(), opened.overrides.end(), cell,
                       [](std::int32_t index, const Override& own) { return index < own.cell; });
  opened.overrides.insert(after, {cell, any});
  View view = opened.view();
  view.watched = std::span(&cell, 1);
  const Outcome outcome = engine().solve(view, seen.prior(), budget);
  return outcome == Outcome::contradiction ? std::array<double, 9>{}
                                           : engine().count_odds()[0].chance;
}

// An irreducible set of contradictory clues: removes many at a time, then one by one.
std::vector<std::int32_t> irreducible(const Seen& seen, const Prior& prior,
                                      std::vector<std::int32_t> kept) {
  std::size_t size = 1;
  while (2 * size <= kept.size()) size *= 2;
  for (; size > 0; size /= 2)
    for (std::size_t end = kept.size(); end > 0; end -= std::min(end, size)) {
      std::vector<std::int32_t> tried(
          kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(end - std::min(end, size)));
      tried.insert(tried.end(), kept.begin() + static_cast<std::ptrdiff_t>(end), kept.end());
      if (is_broken(seen, prior, tried)) kept = std::move(tried);
    }
  return kept;
}

}  // namespace

// Position, budget, whether all configurations have the same weight -> outcome, error, log weight,
// one risk per cell (nan if it is open), one verdict per cell; only the outcome if it is a
// contradiction.
EXPORT("odds") std::int32_t odds() {
  Reader reader;
  Seen seen(reader);
  const auto budget = static_cast<std::size_t>(reader.number());
  if (reader.truth()) weigh_alike(seen);
  const Outcome outcome = engine().solve(seen.view(), seen.prior(), budget);
  Writer writer;
  writer.number(static_cast<double>(outcome));
  if (outcome == Outcome::contradiction) return writer.done();
  writer.number(engine().error());
  writer.number(engine().log_weight());
  std::vector<double> risk(seen.states.size());
  engine().write_risk(risk);
  for (const double one : risk) writer.number(one);
  for (const Verdict verdict : engine().verdicts()) writer.number(static_cast<double>(verdict));
  return writer.done();
}

// Position, covered cells -> the probability of each to show 0 when it is opened.
EXPORT("zeros") std::int32_t zeros() {
  constexpr std::size_t budget = state_budget / 4;  // VALUE_BUDGET in clue_odds.py
  Reader reader;
  const Seen seen(reader);
  std::vector<double> risk(seen.states.size(), 0);
  if (engine().solve(seen.view(), seen.prior(), budget) != Outcome::contradiction)
    engine().write_risk(risk);
  Writer writer;
  for (const std::int32_t cell : reader.list()) {
    std::int32_t degree = 0, mines = 0, covered = 0;
    seen.shape.each_neighbour(cell, [&](std::int32_t near) {
      const std::uint8_t state = seen.states[at(near)];
      ++degree;
      mines += state == exploded || state == flagged;
      covered += state == hidden || state == known_safe;
    });
    const auto counts = counts_around(seen, cell, budget);
    const auto chances = seen.clues.exact
                             ? ClueModel::Likelihood{1}
                             : seen.clues.likelihood(0, degree, seen.clues.bound(mines, covered));
    double chance = 0;
    for (std::size_t count = 0; count < counts.size(); ++count)
      chance += (1 - risk[at(cell)]) * counts[count] * chances[count];
    writer.number(chance);
  }
  return writer.done();
}

// Contradictory position -> whether the mine count is needed for the contradiction, the cells of
// contradictory clues. None of these can be left out.
EXPORT("clash") std::int32_t clash() {
  Reader reader;
  const Seen seen(reader);
  std::vector<std::int32_t> clues;
  for (std::int32_t cell = 0; cell < seen.shape.size(); ++cell)
    if (seen.informs(cell)) clues.push_back(cell);
  // A density strictly between 0 and 1 excludes nothing; 0 and 1 determine the count.
  const Prior any_count = Prior::uniform();
  const bool counts = !is_broken(seen, any_count, clues);
  Writer writer;
  writer.number(counts);
  writer.list(irreducible(seen, counts ? seen.prior() : any_count, clues));
  return writer.done();
}

// Position, budget, cells -> outcome, the constraints of the clues (each with its cells and the
// numbers of mines that it allows, one bit each), proofs of those cells that are certain.
EXPORT("prove") std::int32_t prove() {
  static Prover prover;
  Reader reader;
  const Seen seen(reader);
  const auto budget = static_cast<std::int64_t>(reader.number());
  const std::vector<std::int32_t> cells = reader.list();
  const Outcome outcome = prover.read(seen.view(), seen.prior());
  Writer writer;
  writer.number(static_cast<double>(outcome));
  if (outcome == Outcome::contradiction) return writer.done();
  const std::vector<ProofConstraint> statements = gather_statements(seen.view());
  writer.number(static_cast<double>(statements.size()));
  for (const ProofConstraint& statement : statements) {
    writer.number(statement.clue);
    writer.list(statement.cells);
    writer.number(statement.allowed);
  }
  std::vector<Proof> found;
  if (cells.size() > 1)
    found = prover.prove_all(cells, budget);
  else if (!cells.empty() && prover.verdicts()[at(cells[0])] != Verdict::open)
    found.push_back(prover.prove(cells[0], budget));
  writer.number(static_cast<double>(found.size()));
  for (const Proof& proof : found) write_proof(writer, proof);
  return writer.done();
}

// Position, seed -> outcome, and if that is exact a board drawn from the posterior.
EXPORT("draw") std::int32_t draw() {
  Reader reader;
  const Seen seen(reader);
  Stream stream(reader.seed(), Purpose::playout, 0);
  const Outcome outcome = engine().solve(seen.view(), seen.prior(), state_budget);
  Writer writer;
  writer.number(static_cast<double>(outcome));
  if (outcome != Outcome::exact) return writer.done();
  Cells mined(seen.states.size());
  engine().draw(stream, mined);
  for (const std::uint8_t mine : mined) writer.number(mine);
  return writer.done();
}

// Position, rules, budget -> the method, and for each candidate its cell, risk, score, win
// probability, the error of that, and its loss.
EXPORT("advise") std::int32_t advise() {
  Reader reader;
  const Seen seen(reader);
  const GameRules rules = read_rules(reader);
  const Advice& advice = search().advise(position_of(seen, rules), read_budget(reader));
  Writer writer;
  writer.number(static_cast<double>(advice.method));
  writer.number(static_cast<double>(advice.candidates.size()));
  for (const Candidate& one : advice.candidates) {
    writer.number(one.cell);
    for (const double figure : {one.risk, one.score, one.win, one.error, one.loss})
      writer.number(figure);
  }
  return writer.done();
}

// Position, rules, budget, playouts -> the win probability and its error; empty if there is none.
EXPORT("win_chance") std::int32_t win_chance() {
  Reader reader;
  const Seen seen(reader);
  const GameRules rules = read_rules(reader);
  const Budget budget = read_budget(reader);
  const auto chance = search().chance(position_of(seen, rules), budget, reader.whole());
  Writer writer;
  if (chance) {
    writer.number(chance->win);
    writer.number(chance->error);
  }
  return writer.done();
}

// Position, rules, agent (local, pairs, beyond, guesser, first or -1, naive, its budget), the
// players' seed, what the player saw next, before and after each of its decisions (lists of cells,
// each followed by its state and the bound of its clue or -1) -> fault, cell, action, certain,
// rule, risk, clue or -1, whether the risk is an estimate.
EXPORT("decide") std::int32_t decide() {
  static Match match;
  Reader reader;
  const Seen seen(reader);
  const GameRules rules = read_rules(reader);
  Strategy strategy;
  strategy.local = reader.truth();
  strategy.pairs = reader.truth();
  strategy.beyond = static_cast<AdvancedRule>(reader.whole());
  strategy.guesser = static_cast<Guesser>(reader.whole());
  strategy.first = reader.whole();
  strategy.naive = reader.truth();
  strategy.budget = read_budget(reader);
  match.begin_at(seen.shape, seen.states, seen.bounds, seen.mines, rules, seen.clues, strategy,
                 reader.seed());
  const std::int32_t steps = reader.whole();
  for (std::int32_t step = 0; step < steps; ++step) {
    if (step > 0) match.reason();
    const std::vector<std::int32_t> changes = reader.list();
    for (std::size_t i = 0; i + 2 < changes.size(); i += 3)
      match.see(changes[i], static_cast<std::uint8_t>(changes[i + 1]),
                static_cast<std::int8_t>(changes[i + 2]));
  }
  Move move{};
  const Fault fault = match.decide(rules, seen.clues, strategy, move);
  Writer writer;
  writer.number(static_cast<double>(fault));
  writer.number(move.cell);
  writer.number(static_cast<double>(move.action));
  writer.number(move.certain);
  writer.number(static_cast<double>(move.rule));
  writer.number(move.risk);
  writer.number(move.clue);
  writer.number(move.estimated);
  return writer.done();
}

}  // namespace mineproof::wasm
