#include "mineproof/proof.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "mineproof/cells.hpp"
#include "mineproof/proof_derivation.hpp"

namespace mineproof {

namespace {
constexpr std::size_t most_derived = 8;  // proofs of equal size whose steps are derived
constexpr std::size_t few_clues = 64;  // the most clues to look at in the search for an easy proof
constexpr std::int64_t local_price = 1, count_price = 20;
// Costs in nodes: of an easy question, of each unit of price of a question with the count, of a
// clue in a field. And the number of cells that a derivation looks at in the time of a node.
constexpr std::int64_t local_effort = 50, count_effort = 4, field_effort = 4, cells_a_node = 10;
constexpr std::int64_t expert = 480;             // cells: the count costs more on larger boards
constexpr std::int64_t large = 48'000;           // cells: and much more from here on
constexpr std::int64_t cells_a_question = 2000;  // that a derivation may look at
// The minimum effort in nodes for each of many hard proofs, as long as enough is left for all; and
// the effort per question, as each is asked twice: for a smallest proof, then for any.
constexpr std::int64_t hard_effort = 100'000, effort_a_question = 500;

std::int64_t price_with_count(std::int64_t cells) {
  return std::max(count_price, count_price * cells / expert * (large + cells) / large);
}

bool by_cell(const Override& a, const Override& b) { return a.cell < b.cell; }
}  // namespace

struct Prover::Choice {
  std::int32_t distance;
  std::vector<std::int32_t> statements;  // ascending
  bool operator<(const Choice& other) const {
    return std::tie(distance, statements) < std::tie(other.distance, other.statements);
  }
};

// A proof that was not found easily: its position in the results, and the questions it was allowed
// so far.
struct Prover::Hard {
  std::size_t place;
  std::int64_t questions;
};

Outcome Prover::read(const View& view, const Prior& prior, Cancel cancel) {
  view_ = view;
  overrides_.assign(view.overrides.begin(), view.overrides.end());
  std::sort(overrides_.begin(), overrides_.end(), by_cell);
  view_.overrides = overrides_;
  prior_ = prior;
  outcome_ = engine_.find_certain(view_, prior, state_budget, cancel);
  if (outcome_ == Outcome::contradiction || outcome_ == Outcome::cancelled) return outcome_;
  verdicts_.assign(engine_.verdicts().begin(), engine_.verdicts().end());
  statements_ = gather_statements(view_);
  if (cancel.stop_requested()) return Outcome::cancelled;
  work_ = 0;
  consistency_.read(statements_, view.shape.size());
  read_count();
  alone_.clear();
  return outcome_;
}

Outcome Prover::weigh(Cancel cancel) {
  return outcome_ == Outcome::estimate ? engine_.weigh_certain(state_budget, cancel) : outcome_;
}

// The constraint that the prior places on the number of mines among the unknown cells, if any.
void Prover::read_count() {
  count_.cells.clear();
  std::int32_t mines = 0;
  for (std::int32_t cell = 0; cell < view_.shape.size(); ++cell) {
    const std::uint8_t state = view_.states[at(cell)];
    mines += view_.is_known_mine(state);
    if (view_.is_unknown(state)) count_.cells.push_back(cell);
  }
  const auto unknown = static_cast<std::int32_t>(count_.cells.size());
  const bool is_sure = prior_.is_independent() && (prior_.density() <= 0 || prior_.density() >= 1);
  count_.allowed = prior_.knows_total() || is_sure ? 1 : 0;
  count_.base = prior_.knows_total() ? prior_.mines() - mines : prior_.density() > 0 ? unknown : 0;
}

// Determines what is certain without the mine count, on first use. False if cancelled.
bool Prover::find_alone(Cancel cancel) {
  if (!alone_.empty()) return true;
  if (count_.allowed != 0 && !engine_.forget_count(cancel)) return false;
  alone_.assign(engine_.verdicts().begin(), engine_.verdicts().end());
  return true;
}

Proof Prover::assert_only(std::int32_t cell) const {
  Proof proof;
  proof.cell = cell;
  proof.mine = verdicts_[at(cell)] == Verdict::mine;
  return proof;
}

Proof Prover::prove(std::int32_t cell, std::int64_t budget, Cancel cancel) {
  return *try_to_prove(cell, {budget, cells_a_question * std::max(budget, least_questions)},
                       cancel);
}

std::vector<Proof> Prover::prove_all(std::span<const std::int32_t> cells, std::int64_t budget,
                                     Cancel cancel) {
  std::vector<Proof> found;
  for (const std::int32_t cell : cells)
    if (verdicts_[at(cell)] != Verdict::open) found.push_back(assert_only(cell));
  const std::int64_t most = work_ + nodes_in_all * std::max(budget, least_questions);
  const std::int64_t steps = cells_a_question * std::max(budget, least_questions);
  const auto share = (most - work_) / 2 / std::max<std::int64_t>(std::ssize(found), 1);
  const ProofLimits few{std::min(budget, share / local_effort), steps, true};
  std::vector<Hard> hard;
  for (std::size_t i = 0; i < found.size() && !cancel.stop_requested(); ++i) {
    std::optional<Proof> proof;
    if (work_ < most) proof = try_to_prove(found[i].cell, few, cancel);
    if (proof)
      found[i] = std::move(*proof);
    else
      hard.push_back({i, 0});
  }
  const auto prove_one = [&](Hard& one, std::int64_t effort) {
    const std::int64_t questions = std::min(budget, effort / effort_a_question);
    if (work_ >= most || questions <= one.questions || cancel.stop_requested()) return;
    one.questions = questions;
    const ProofLimits limits{questions, std::min(steps, effort * cells_a_node)};
    found[one.place] = *try_to_prove(found[one.place].cell, limits, cancel);
  };
  for (std::size_t h = 0; h < hard.size(); ++h)
    prove_one(hard[h],
              std::max(hard_effort, (most - work_) / static_cast<std::int64_t>(hard.size() - h)));
  for (Hard& one : hard)
    if (!found[one.place].least) prove_one(one, most - work_);
  if (!found.empty()) found.back().cancelled = cancel.stop_requested();
  return found;
}

std::optional<Proof> Prover::try_to_prove(std::int32_t cell, const ProofLimits& limits,
                                          Cancel cancel) {
  Proof proof = assert_only(cell);
  if (!find_alone(cancel)) {
    proof.cancelled = true;
    return proof;
  }
  proof.count_used = alone_[at(cell)] == Verdict::open;
  if (proof.count_used && count_.deduces_all()) {  // no clue is needed, but a search would name one
    proof.least = proof.irreducible = true;
    take_best({Choice{0, {}}}, proof, limits.cells, cancel);
    return proof;
  }
  consistency_.gave_up = false;
  ClueOrder field =
      proof.count_used ? everything(cell) : linked_to(cell, limits.easy ? few_clues : most_clues);
  work_ += field_effort * std::ssize(field.order);
  Oracle asked = oracle(field, proof, limits.questions, cancel);
  std::vector<Choice> found = least_choices(field, asked, proof);
  const bool enough = !found.empty() && !(limits.easy && asked.ended);
  if (!enough && !limits.easy) {
    if (!field.is_whole) {
      field = linked_to(cell, statements_.size());
      work_ += field_effort * std::ssize(field.order);
    }
    found = reduced_choice(field, asked, limits.questions, proof);
  }
  work_ += asked.work;
  proof.cancelled = asked.cancelled;
  if (proof.cancelled) return proof;
  if (!enough && limits.easy) return std::nullopt;
  take_best(std::move(found), proof, limits.cells, cancel);
  return proof;
}

// The smallest sets of clues; empty if they are not found within the budget.
std::vector<Prover::Choice> Prover::least_choices(const ClueOrder& field, Oracle& oracle,
                                                  Proof& proof) {
  std::vector<Choice> found;
  for (const ClueSet& set :
       Smallest(oracle, field.rings, field.linked, field.near, field.counted).run())
    found.push_back(choice(field, set.places(), proof.cell));
  proof.least = proof.irreducible = !consistency_.gave_up;
  return found;
}

// An irreducible set of clues, if the budget suffices to find one.
std::vector<Prover::Choice> Prover::reduced_choice(const ClueOrder& field, Oracle& oracle,
                                                   std::int64_t budget, Proof& proof) {
  oracle.left = budget;
  oracle.ended = false;
  std::vector<std::int32_t> all(field.order.size());
  std::iota(all.begin(), all.end(), 0);
  auto size = static_cast<std::int32_t>(all.size());
  std::int32_t before = 0;
  for (const std::int32_t ring : field.rings) {
    if (ring == before) continue;
    before = ring;
    if (!oracle.ask(std::span(all).first(at(ring)))) continue;
    size = ring;
    break;
  }
  oracle.ended = false;
  const std::vector<std::int32_t> kept = reduce(oracle, size);
  proof.least = false;
  proof.irreducible = !oracle.ended && !consistency_.gave_up;
  return {choice(field, kept, proof.cell)};
}

Prover::Choice Prover::choice(const ClueOrder& field, std::span<const std::int32_t> places,
                              std::int32_t cell) const {
  Choice choice{0, {}};
  for (const std::int32_t place : places) {
    choice.statements.push_back(field.order[at(place)]);
    choice.distance += distance(field.order[at(place)], cell);
  }
  std::sort(choice.statements.begin(), choice.statements.end());
  return choice;
}

// Chooses the set with the easiest steps, among the `most_derived` nearest.
void Prover::take_best(std::vector<Choice> choices, Proof& proof, std::int64_t cells,
                       Cancel cancel) {
  std::sort(choices.begin(), choices.end());
  choices.resize(std::min(choices.size(), most_derived));
  for (const std::int32_t statement : choices[0].statements)
    proof.clues.push_back(statements_[at(statement)].clue);
  Allowance allowance{cells, cancel};
  std::tuple<InferenceKind, std::size_t, std::size_t> best;
  for (const Choice& choice : choices) {
    std::vector<ProofConstraint> statements;
    for (const std::int32_t statement : choice.statements)
      statements.push_back(statements_[at(statement)]);
    if (proof.count_used) statements.push_back(count_);
    std::vector<Inference> steps =
        derive(view_.shape, statements, proof.cell, proof.mine, allowance);
    if (steps.empty()) break;  // the allowance is exhausted
    InferenceKind hardest = InferenceKind::clue;
    std::size_t lines = 0;
    for (const Inference& step : steps) {
      hardest = std::max(hardest, step.kind);
      lines += step.lines.size();
    }
    const std::tuple ease{hardest, steps.size(), lines};
    if (!proof.steps.empty() && !(ease < best)) continue;
    best = ease;
    proof.steps = std::move(steps);
    proof.clues.clear();
    for (const std::int32_t statement : choice.statements)
      proof.clues.push_back(statements_[at(statement)].clue);
  }
  work_ += (cells - std::max<std::int64_t>(allowance.left, 0)) / cells_a_node;
  proof.cancelled = cancel.stop_requested();
  if (proof.irreducible || proof.steps.empty()) return;
  // Clues that no step names are not needed.
  std::set<std::int32_t> named;
  for (const Inference& step : proof.steps) named.insert(step.clues.begin(), step.clues.end());
  std::erase_if(proof.clues, [&](std::int32_t clue) { return !named.contains(clue); });
}

Oracle Prover::oracle(const ClueOrder& field, const Proof& proof, std::int64_t budget,
                      Cancel cancel) {
  if (field.counted) {
    const std::int64_t price = price_with_count(view_.shape.size());
    return {[this, &field, &proof, cancel](std::span<const std::int32_t> chosen) {
              return proves_with_count(chosen, field, proof, cancel);
            },
            price, count_effort * price, budget, cancel};
  }
  return {[this, &field, cell = proof.cell, opposite = !proof.mine,
           statements = std::vector<std::int32_t>{}](
              std::span<const std::int32_t> chosen) mutable -> std::optional<bool> {
            statements.clear();
            for (const std::int32_t place : chosen) statements.push_back(field.order[at(place)]);
            return consistency_.refutes(statements, cell, opposite);
          },
          local_price,
          local_effort,
          budget,
          cancel,
          &consistency_.nodes};
}

std::optional<bool> Prover::proves_with_count(std::span<const std::int32_t> chosen,
                                              const ClueOrder& field, const Proof& proof,
                                              Cancel cancel) {
  mask(chosen, field);
  View view = view_;
  view.states = masked_;
  view.overrides = masked_own_;
  const Outcome outcome = engine_.find_certain(view, prior_, state_budget, cancel);
  if (outcome == Outcome::cancelled) return std::nullopt;
  if (outcome != Outcome::exact) consistency_.gave_up = true;
  const Verdict wanted = proof.mine ? Verdict::mine : Verdict::safe;
  return outcome == Outcome::exact && engine_.verdicts()[at(proof.cell)] == wanted;
}

// Treats all clues except the chosen ones as opened cells without a clue.
void Prover::mask(std::span<const std::int32_t> chosen, const ClueOrder& field) {
  masked_.assign(view_.states.begin(), view_.states.end());
  for (std::uint8_t& state : masked_)
    if (is_opened(state)) state = no_clue;
  std::vector<std::uint8_t> speaks(masked_.size(), 0);
  for (const std::int32_t place : chosen) {
    const auto clue = at(statements_[at(field.order[at(place)])].clue);
    masked_[clue] = view_.states[clue];
    speaks[clue] = 1;
  }
  masked_own_.clear();
  if (view_.model->exact && overrides_.empty()) return;
  for (const Override& one : overrides_)
    if (speaks[at(one.cell)]) masked_own_.push_back(one);
  Override flat{0, {}};
  flat.table.fill(1);
  for (std::int32_t cell = 0; at(cell) < masked_.size(); ++cell)
    if (is_opened(masked_[at(cell)]) && !speaks[at(cell)]) {
      flat.cell = cell;
      masked_own_.push_back(flat);
    }
  std::sort(masked_own_.begin(), masked_own_.end(), by_cell);
}

}  // namespace mineproof
