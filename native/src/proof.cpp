#include "mineproof/proof.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "mineproof/cells.hpp"
#include "mineproof/proof_derivation.hpp"

namespace mineproof {

namespace {
constexpr std::size_t most_derived = 8;  // proofs of equal size that are worked out
constexpr std::int64_t local_price = 1, count_price = 20;
constexpr std::int64_t expert = 480;             // cells: on larger boards the count costs more
constexpr std::int64_t large = 48'000;           // cells: and from here on much more
constexpr std::int64_t cells_a_question = 2000;  // that a derivation may look at
constexpr std::int64_t links_a_question = 4;

std::int64_t price_with_count(std::int64_t cells) {
  return std::max(count_price, count_price * cells / expert * (large + cells) / large);
}

bool by_cell(const Override& a, const Override& b) { return a.cell < b.cell; }
}  // namespace

// The clues in the order in which they are looked at.
struct Prover::Field {
  bool counted = false;
  std::vector<std::int32_t> order;  // statements
  std::vector<std::int32_t> rings;
  std::vector<ClueSet> linked;
  ClueSet near;
};

struct Prover::Choice {
  std::int32_t distance;
  std::vector<std::int32_t> statements;  // rising
  bool operator<(const Choice& other) const {
    return std::tie(distance, statements) < std::tie(other.distance, other.statements);
  }
};

Outcome Prover::read(const View& view, const Prior& prior, Cancel cancel) {
  view_ = view;
  overrides_.assign(view.overrides.begin(), view.overrides.end());
  std::sort(overrides_.begin(), overrides_.end(), by_cell);
  view_.overrides = overrides_;
  prior_ = prior;
  const Outcome outcome = engine_.solve(view_, prior, state_budget, cancel);
  if (outcome == Outcome::contradiction || outcome == Outcome::cancelled) return outcome;
  verdicts_.assign(engine_.verdicts().begin(), engine_.verdicts().end());
  statements_ = gather_statements(view_);
  if (cancel.asked()) return Outcome::cancelled;
  spent_ = 0;
  consistency_.read(statements_, view.shape.size());
  read_count();
  alone_ = verdicts_;
  if (count_.allowed != 0) {
    if (engine_.solve(view_, Prior::uniform(), state_budget, cancel) == Outcome::cancelled)
      return Outcome::cancelled;
    alone_.assign(engine_.verdicts().begin(), engine_.verdicts().end());
  }
  return outcome;
}

// What the prior says of the unknown cells, where it says how many of them are mines.
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

Proof Prover::assert_only(std::int32_t cell) const {
  Proof proof;
  proof.cell = cell;
  proof.mine = verdicts_[at(cell)] == Verdict::mine;
  return proof;
}

Proof Prover::prove(std::int32_t cell, std::int64_t budget, Cancel cancel) {
  Proof proof = assert_only(cell);
  proof.count_used = alone_[at(cell)] == Verdict::open;
  consistency_.gave_up = false;
  const Field field = proof.count_used ? everything(cell) : linked_to(cell);
  Oracle asked = oracle(field, proof, budget, cancel);
  std::vector<Choice> found = choices(field, asked, budget, proof);
  spent_ += static_cast<std::int64_t>(field.order.size()) / links_a_question + budget - asked.left;
  proof.cancelled = asked.cancelled;
  if (!proof.cancelled) take_best(std::move(found), proof, budget, cancel);
  return proof;
}

// The smallest sets of clues, or else one of which none can be left out.
std::vector<Prover::Choice> Prover::choices(const Field& field, Oracle& oracle, std::int64_t budget,
                                            Proof& proof) {
  std::vector<std::vector<std::int32_t>> found;
  for (const ClueSet& set :
       Smallest(oracle, field.rings, field.linked, field.near, field.counted).run())
    found.push_back(set.places());
  proof.least = proof.irreducible = !consistency_.gave_up;
  if (found.empty()) {
    spent_ += budget - oracle.left;
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
    found.push_back(reduce(oracle, size));
    proof.least = false;
    proof.irreducible = !oracle.ended && !consistency_.gave_up;
  }
  std::vector<Choice> choices;
  for (const auto& places : found) {
    Choice choice{0, {}};
    for (const std::int32_t place : places) {
      choice.statements.push_back(field.order[at(place)]);
      choice.distance += distance(field.order[at(place)], proof.cell);
    }
    std::sort(choice.statements.begin(), choice.statements.end());
    choices.push_back(std::move(choice));
  }
  return choices;
}

// The one with the easiest steps, of the nearest.
void Prover::take_best(std::vector<Choice> choices, Proof& proof, std::int64_t budget,
                       Cancel cancel) {
  std::sort(choices.begin(), choices.end());
  choices.resize(std::min(choices.size(), most_derived));
  for (const std::int32_t statement : choices[0].statements)
    proof.clues.push_back(statements_[at(statement)].clue);
  budget = std::max(budget, least_questions);
  Allowance allowance{cells_a_question * budget, cancel};
  std::tuple<Kind, std::size_t, std::size_t> best;
  for (const Choice& choice : choices) {
    std::vector<Statement> statements;
    for (const std::int32_t statement : choice.statements)
      statements.push_back(statements_[at(statement)]);
    if (proof.count_used) statements.push_back(count_);
    std::vector<Inference> steps =
        derive(view_.shape, statements, proof.cell, proof.mine, allowance);
    if (steps.empty()) break;  // nothing more is allowed
    Kind hardest = Kind::clue;
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
  spent_ += budget - std::max<std::int64_t>(allowance.left, 0) / cells_a_question;
  proof.cancelled = cancel.asked();
  if (proof.irreducible || proof.steps.empty()) return;
  // What the steps do not name is not needed for sure.
  std::set<std::int32_t> named;
  for (const Inference& step : proof.steps) named.insert(step.clues.begin(), step.clues.end());
  std::erase_if(proof.clues, [&](std::int32_t clue) { return !named.contains(clue); });
}

Oracle Prover::oracle(const Field& field, const Proof& proof, std::int64_t budget, Cancel cancel) {
  if (field.counted)
    return {[this, &field, &proof, cancel](std::span<const std::int32_t> chosen) {
              return proves_with_count(chosen, field, proof, cancel);
            },
            price_with_count(view_.shape.size()), budget, cancel};
  return {[this, &field, cell = proof.cell, opposite = !proof.mine,
           statements = std::vector<std::int32_t>{}](
              std::span<const std::int32_t> chosen) mutable -> std::optional<bool> {
            statements.clear();
            for (const std::int32_t place : chosen) statements.push_back(field.order[at(place)]);
            return consistency_.refutes(statements, cell, opposite);
          },
          local_price, budget, cancel, &consistency_.nodes};
}

std::optional<bool> Prover::proves_with_count(std::span<const std::int32_t> chosen,
                                              const Field& field, const Proof& proof,
                                              Cancel cancel) {
  mask(chosen, field);
  View view = view_;
  view.states = masked_;
  view.overrides = masked_own_;
  const Outcome outcome = engine_.solve(view, prior_, state_budget, cancel);
  if (outcome == Outcome::cancelled) return std::nullopt;
  if (outcome != Outcome::exact) consistency_.gave_up = true;
  const Verdict wanted = proof.mine ? Verdict::mine : Verdict::safe;
  return outcome == Outcome::exact && engine_.verdicts()[at(proof.cell)] == wanted;
}

// All clues but the chosen ones are taken for opened cells that show nothing.
void Prover::mask(std::span<const std::int32_t> chosen, const Field& field) {
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

// The clues linked to a cell through cells that they share, by the number of links.
Prover::Field Prover::linked_to(std::int32_t cell) const {
  Field field;
  std::vector<std::int32_t> ring, next;
  if (const std::int32_t box = consistency_.box_of(cell); box >= 0)
    ring = consistency_.statements_of[at(box)];
  std::vector<std::int32_t> place(statements_.size(), -1);
  std::vector<std::uint8_t> seen(statements_.size(), 0);
  for (const std::int32_t t : ring) seen[at(t)] = 1;
  field.rings.push_back(0);
  while (!ring.empty()) {
    std::sort(ring.begin(), ring.end(), [&](std::int32_t a, std::int32_t b) {
      return std::pair(distance(a, cell), a) < std::pair(distance(b, cell), b);
    });
    next.clear();
    for (const std::int32_t t : ring) {
      place[at(t)] = static_cast<std::int32_t>(field.order.size());
      field.order.push_back(t);
      for (const std::int32_t box : consistency_.boxes_of[at(t)])
        for (const std::int32_t other : consistency_.statements_of[at(box)])
          if (!seen[at(other)]) {
            seen[at(other)] = 1;
            next.push_back(other);
          }
    }
    field.rings.push_back(static_cast<std::int32_t>(field.order.size()));
    ring.swap(next);
  }
  field.near = ClueSet::first(
      std::min<std::int32_t>(field.rings.size() > 1 ? field.rings[1] : 0, most_clues));
  const std::size_t looked_at = std::min(field.order.size(), most_clues);
  field.linked.resize(looked_at);
  for (std::size_t i = 0; i < looked_at; ++i)
    for (const std::int32_t box : consistency_.boxes_of[at(field.order[i])])
      for (const std::int32_t other : consistency_.statements_of[at(box)])
        if (at(place[at(other)]) < looked_at)
          field.linked[i] = field.linked[i].with(place[at(other)]);
  field.rings.resize(std::max(field.rings.size(), field.order.size() + 1),
                     static_cast<std::int32_t>(field.order.size()));
  return field;
}

// With the count any clue may take part.
Prover::Field Prover::everything(std::int32_t cell) const {
  Field field;
  field.counted = true;
  field.order.resize(statements_.size());
  std::iota(field.order.begin(), field.order.end(), 0);
  std::sort(field.order.begin(), field.order.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(distance(a, cell), a) < std::pair(distance(b, cell), b);
  });
  field.rings.assign(field.order.size() + 1, static_cast<std::int32_t>(field.order.size()));
  return field;
}

// The king's distance of a statement's clue from a cell.
std::int32_t Prover::distance(std::int32_t statement, std::int32_t cell) const {
  const std::int32_t clue = statements_[at(statement)].clue, cols = view_.shape.cols;
  return std::max(std::abs(clue / cols - cell / cols), std::abs(clue % cols - cell % cols));
}

}  // namespace mineproof
