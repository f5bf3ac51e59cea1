// Proofs are valid, patterns are found and named, and the mine count is used only where clues do
// not suffice.
#include <algorithm>
#include <atomic>
#include <string_view>

#include "check.hpp"
#include "mineproof/cells.hpp"
#include "mineproof/proof.hpp"

using namespace mineproof;

namespace {

constexpr std::int64_t budget = 20'000;

struct Seen {
  ClueModel model;
  Cells states;
  View view;

  Seen(Shape shape, std::string_view text) {
    for (const char c : text)
      states.push_back(static_cast<std::uint8_t>(c == '?'   ? hidden
                                                 : c == 's' ? known_safe
                                                            : c - '0'));
    view = {shape, states, &model, {}, false};
  }
};

// Whether the clues of a proof and no others (with the mine count if it is used) prove its cell.
bool holds(const Seen& seen, const Prior& prior, const Proof& proof, bool counted,
           std::int32_t without = -1) {
  Cells states = seen.states;
  for (std::size_t cell = 0; cell < states.size(); ++cell) {
    const auto index = static_cast<std::int32_t>(cell);
    const bool used = std::find(proof.clues.begin(), proof.clues.end(), index) != proof.clues.end();
    if (is_clue(states[cell]) && (!used || index == without)) states[cell] = no_clue;
  }
  View view = seen.view;
  view.states = states;
  Engine engine;
  engine.solve(view, counted ? prior : Prior::uniform(), state_budget);
  return engine.verdicts()[at(proof.cell)] == (proof.mine ? Verdict::mine : Verdict::safe);
}

void check_all(const Seen& seen, const Prior& prior) {
  Prover prover;
  CHECK(prover.read(seen.view, prior) == Outcome::exact);
  for (std::int32_t cell = 0; cell < seen.view.shape.size(); ++cell) {
    if (prover.verdicts()[at(cell)] == Verdict::open || seen.states[at(cell)] != hidden) continue;
    const Proof proof = prover.prove(cell, budget);
    CHECK(holds(seen, prior, proof, proof.count_used));
    CHECK(proof.irreducible);
    for (const std::int32_t clue : proof.clues)
      CHECK(!holds(seen, prior, proof, proof.count_used, clue));
    if (proof.count_used) CHECK(!holds(seen, prior, proof, false));
    CHECK(!proof.steps.empty());
    const Deduced last = proof.steps.back().deduced.back();
    CHECK(proof.mine == last.mine || proof.steps.back().deduced.size() > 1);
  }
}

void check_patterns() {
  const Prior none = Prior::uniform();
  const Seen seen({2, 5}, "?????01210");
  Prover prover;
  CHECK(prover.read(seen.view, none) == Outcome::contradiction);  // the zeros exclude the mines
  Seen open({3, 5}, "?????s121s00000");
  CHECK(prover.read(open.view, none) == Outcome::exact);
  const Proof middle = prover.prove(2, budget);
  CHECK(!middle.mine && middle.least && !middle.count_used);
  CHECK(middle.steps.size() == 1 && middle.steps[0].kind == InferenceKind::pattern);
  check_all(open, none);
}

void check_count() {
  const Seen seen({1, 6}, "?1????");
  const Prior one = Prior::count(1);
  Prover prover;
  CHECK(prover.read(seen.view, one) == Outcome::exact);
  const Proof proof = prover.prove(5, budget);
  CHECK(proof.count_used && !proof.mine && proof.clues == std::vector<std::int32_t>{1});
  CHECK(proof.steps.size() == 1 && proof.steps[0].kind == InferenceKind::count);
  check_all(seen, one);
  const std::atomic<bool> stop = true;
  CHECK(prover.prove(5, budget, Cancel(stop)).cancelled);
  CHECK(prover.prove(0, budget, Cancel(stop)).cancelled);
  CHECK(prover.read(seen.view, one, Cancel(stop)) == Outcome::cancelled);
}

// If the mine count alone decides all unknown cells, the proof has no clue.
void check_count_alone() {
  const Seen seen({3, 3}, "??3???232");
  const Prior five = Prior::count(5);
  Prover prover;
  CHECK(prover.read(seen.view, five) == Outcome::exact);
  const Proof proof = prover.prove(0, budget);
  CHECK(proof.count_used && proof.mine && proof.clues.empty());
  CHECK(proof.least && proof.irreducible && proof.steps.size() == 1);
  check_all(seen, five);
  check_all(Seen({1, 4}, "0???"), Prior::count(0));
}

// Random boards with some cells opened: every certain cell has a valid proof.
void check_dealt() {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const Shape shape{8, 8};
    const Cells mines = deal(shape, 12, {}, seed), counts = count_mines(shape, mines);
    Seen seen(shape, std::string_view());
    Stream stream(seed, Purpose::playout, 0);
    for (std::size_t cell = 0; cell < mines.size(); ++cell)
      seen.states.push_back(
          mines[cell] || stream.next() % 3 == 0 ? static_cast<std::uint8_t>(hidden) : counts[cell]);
    seen.view.states = seen.states;
    check_all(seen, Prior::count(12));
  }
}

}  // namespace

int main() {
  check_patterns();
  check_count();
  check_count_alone();
  check_dealt();
  return failures;
}
