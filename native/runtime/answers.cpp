#include "runtime/answers.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "runtime/clock.hpp"
#include "runtime/errors.hpp"
#include "runtime/pool.hpp"
#include "runtime/reused_engines.hpp"

namespace mineproof::runtime {

namespace {

constexpr std::size_t most_drawn = 1'000'000'000;  // bytes, all boards together
constexpr std::size_t per_board = 64;              // bytes, in addition to one per cell
constexpr std::int32_t most_games = 100'000'000;

Position position_of(const Question& question, const GameRules& rules) {
  return {question.view(), question.prior(), rules.mine_ends, rules.opening};
}

Outcome ask(Engine& engine, const Question& question, Cancel cancel) {
  if (cancel.stop_requested()) throw Cancelled();
  const Outcome outcome =
      engine.solve(question.view(), question.prior(), question.budget(), cancel);
  if (outcome == Outcome::cancelled) throw Cancelled();
  return outcome;
}

// Collects the results of an engine.
Solution to_solution(const Engine& engine, Outcome outcome, std::size_t cells) {
  Solution found;
  found.outcome = outcome;
  if (found.outcome == Outcome::contradiction) return found;
  found.size = cells;
  found.risk = std::make_unique_for_overwrite<double[]>(found.size);
  engine.write_risk({found.risk.get(), found.size});
  found.verdicts = std::make_unique_for_overwrite<Verdict[]>(found.size);
  std::copy_n(engine.verdicts().begin(), found.size, found.verdicts.get());
  found.log_weight = engine.log_weight();
  found.error = engine.error();
  found.log_error = engine.log_error();
  found.count_odds.assign(engine.count_odds().begin(), engine.count_odds().end());
  found.figures = engine.figures();
  return found;
}

Solution answer(Engine& engine, const Question& question, Cancel cancel) {
  const Outcome outcome = ask(engine, question, cancel);
  return to_solution(engine, outcome, question.view().states.size());
}

void check_proof(const Question& question, std::span<const std::int32_t> cells,
                 std::int64_t budget) {
  if (budget < 0) throw Invalid("the budget of a proof must be at least 0");
  const View view = question.view();
  for (const std::int32_t cell : cells)
    if (cell < 0 || cell >= view.shape.size() || !view.is_unknown(view.states[at(cell)]))
      throw Invalid("only hidden cells can have proofs");
}

void check_first(const Question& question, std::optional<std::int32_t> first) {
  const View view = question.view();
  if (first && (*first < 0 || *first >= view.shape.size() || !is_covered(view.states[at(*first)])))
    throw Invalid("the first cell to open must be hidden");
}

void read(Prover& prover, const Question& question, Cancel cancel) {
  if (cancel.stop_requested()) throw Cancelled();
  const Outcome outcome = prover.read(question.view(), question.prior(), cancel);
  if (outcome == Outcome::cancelled) throw Cancelled();
  if (outcome == Outcome::contradiction) check(Fault::contradiction);
}

}  // namespace

Solution Memory::solve(const Question& question, Cancel cancel) {
  const std::unique_lock lock(busy_, std::try_to_lock);
  if (!lock) throw Invalid("this engine is already answering another request");
  if (engine_ == nullptr) engine_ = std::make_unique<Engine>(true);
  return with_kept(engine_, [&](Engine& engine) { return answer(engine, question, cancel); });
}

Solution solve(const Question& question, Cancel cancel) {
  return with_own<Engine>([&](Engine& engine) { return answer(engine, question, cancel); });
}

std::vector<Solution> solve_all(std::span<const Question> questions, unsigned threads,
                                Cancel cancel) {
  std::vector<Solution> found(questions.size());
  for_each(questions.size(), threads,
           [&](std::size_t i) { found[i] = solve(questions[i], cancel); });
  return found;
}

Sample sample(const Question& question, std::int32_t count, std::uint64_t seed, Cancel cancel) {
  const std::size_t size = question.view().states.size();
  const std::size_t most = most_drawn / (size + per_board);
  if (count < 0 || at(count) > most)
    throw Invalid("the number of boards must be from 0 to " + std::to_string(most) + ", got " +
                  std::to_string(count));
  return with_own<Engine>([&](Engine& engine) {
    Sample drawn{ask(engine, question, cancel), {}};
    if (drawn.outcome != Outcome::exact) return drawn;
    for (std::int32_t i = 0; i < count; ++i) {
      if (cancel.stop_requested()) throw Cancelled();
      Stream stream(seed, Purpose::playout, static_cast<std::uint64_t>(i));
      drawn.boards.emplace_back(size);
      if (!engine.draw(stream, drawn.boards.back(), cancel)) throw Cancelled();
    }
    return drawn;
  });
}

JudgedBoard judge_opening(const Question& question, std::int32_t cell, const Cells& mined,
                          std::int32_t dealt_mines, std::uint64_t seed, std::uint64_t move,
                          Cancel cancel) {
  const View view = question.view();
  const std::int32_t size = view.shape.size();
  if (!view.model->exact || view.trust_flags) throw Invalid("only exact clues can be judged");
  if (cell < 0 || cell >= size || !is_covered(view.states[at(cell)]))
    throw Invalid("the cell to open must be covered");
  if (mined.size() != at(size) || *std::max_element(mined.begin(), mined.end()) > 1)
    throw Invalid("expected a board of the view's shape, its cells 0 or 1");
  if (dealt_mines < 0 || dealt_mines > size) throw Invalid("the mines do not fit");
  return with_own<FairJudge>([&](FairJudge& judge) {
    const FairJudge::Ruling ruling = judge.judge(
        {view.shape, view.states, question.prior(), cell, mined, dealt_mines, seed, move},
        question.budget(), cancel);
    if (ruling.cancelled) throw Cancelled();
    JudgedBoard judged{std::nullopt, ruling.kind};
    if (ruling.drawn) judged.drawn.emplace(judge.board().begin(), judge.board().end());
    return judged;
  });
}

Advice advise(const Question& question, const GameRules& rules, const Budget& budget,
              Cancel cancel) {
  check_budget(budget);
  if (cancel.stop_requested()) throw Cancelled();
  Advice advice = with_own<Search>(
      [&](Search& search) { return search.advise(position_of(question, rules), budget, cancel); });
  if (advice.cancelled) throw Cancelled();
  return advice;
}

std::optional<Chance> win_chance(const Question& question, const GameRules& rules,
                                 const Budget& budget, std::int32_t games, Cancel cancel,
                                 std::optional<std::int32_t> first) {
  check_budget(budget);
  check_first(question, first);
  if (games < 1 || games > most_games)
    throw Invalid("the number of playouts must be from 1 to " + std::to_string(most_games) +
                  ", got " + std::to_string(games));
  if (cancel.stop_requested()) throw Cancelled();
  const auto chance = with_own<Search>([&](Search& search) {
    return search.chance(position_of(question, rules), budget, games, cancel,
                         first.value_or(the_best));
  });
  if (chance && chance->cancelled) throw Cancelled();
  return chance;
}

std::optional<double> score_cost(const Question& question, const GameRules& rules,
                                 const Budget& budget, Cancel cancel,
                                 std::optional<std::int32_t> first) {
  check_budget(budget);
  check_first(question, first);
  if (cancel.stop_requested()) throw Cancelled();
  const auto cost = with_own<Search>([&](Search& search) {
    return search.cost(position_of(question, rules), budget, cancel, first.value_or(the_best));
  });
  if (cost && cost->cancelled) throw Cancelled();
  return cost ? std::optional(cost->flags) : std::nullopt;
}

std::vector<Verdict> closure(const Question& question, const GameRules& rules,
                             const Strategy& strategy, Cancel cancel) {
  check_density(rules.density);
  if (cancel.stop_requested()) throw Cancelled();
  const View view = question.view();
  std::vector<Verdict> verdicts(view.states.size());
  check(with_own<Closure>([&](Closure& own) {
    return own.close(view.shape, view.states, {question.mines(), rules.density},
                     strategy.inference_options(), strategy.beyond, verdicts, cancel);
  }));
  return verdicts;
}

std::vector<Proof> prove(const Question& question, std::span<const std::int32_t> cells,
                         std::int64_t budget, Cancel cancel) {
  check_proof(question, cells, budget);
  return with_own<Prover>([&](Prover& own) {
    read(own, question, cancel);
    std::vector<Proof> found;
    if (cells.size() > 1)
      found = own.prove_all(cells, budget, cancel);
    else if (!cells.empty() && own.verdicts()[at(cells[0])] != Verdict::open)
      found.push_back(own.prove(cells[0], budget, cancel));
    if (!found.empty() && found.back().cancelled) throw Cancelled();
    return found;
  });
}

std::variant<Proof, Solution> explain(const Question& question, std::int32_t cell,
                                      std::int64_t budget, Cancel cancel) {
  check_proof(question, {&cell, 1}, budget);
  return with_own<Prover>([&](Prover& own) -> std::variant<Proof, Solution> {
    read(own, question, cancel);
    if (own.verdicts()[at(cell)] == Verdict::open) {
      const Outcome outcome = own.weigh(cancel);
      if (outcome == Outcome::cancelled) throw Cancelled();
      return to_solution(own.engine(), outcome, question.view().states.size());
    }
    Proof proof = own.prove(cell, budget, cancel);
    if (proof.cancelled) throw Cancelled();
    return proof;
  });
}

std::vector<double> timings(std::span<const Question> questions, int repeats, Cancel cancel) {
  std::vector<double> best(questions.size(), std::numeric_limits<double>::infinity());
  std::vector<double> risk;
  return with_own<Engine>([&](Engine& engine) {
    for (int repeat = 0; repeat < repeats; ++repeat)
      for (std::size_t i = 0; i < questions.size(); ++i) {
        risk.resize(questions[i].view().states.size());
        const double begun = cpu_seconds();
        if (ask(engine, questions[i], cancel) != Outcome::contradiction) engine.write_risk(risk);
        best[i] = std::min(best[i], cpu_seconds() - begun);
      }
    return best;
  });
}

}  // namespace mineproof::runtime
