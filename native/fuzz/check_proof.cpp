// Everything that rules prove is certain; everything certain has a proof; the clues of a proof are
// sufficient, and none of them can be left out.
#include <algorithm>
#include <optional>
#include <vector>

#include "case.hpp"
#include "mineproof/advanced_rules.hpp"
#include "mineproof/proof.hpp"

using namespace mineproof;

namespace fuzz {

namespace {

constexpr int most_proofs = 3;
constexpr std::int64_t questions = 200;
constexpr AdvancedRule beyonds[] = {
    AdvancedRule::none,  AdvancedRule::subset,      AdvancedRule::subset_until_found,
    AdvancedRule::gauss, AdvancedRule::gauss_count, AdvancedRule::exact};

bool is_plain(const Case& made) {
  return made.model.exact && made.overrides.empty() && !made.trust_flags;
}

// Whether a cell follows from these clues and no others; no value if unknown.
std::optional<bool> follows(const Case& made, const Proof& proof,
                            const std::vector<std::int32_t>& clues, bool counted, Engine& engine) {
  Case alone = made;
  for (std::size_t i = 0; i < alone.states.size(); ++i) {
    const auto cell = static_cast<std::int32_t>(i);
    if (is_opened(alone.states[i]) && !std::binary_search(clues.begin(), clues.end(), cell))
      alone.states[i] = no_clue;
  }
  if (!counted) alone.prior = Prior::uniform();
  if (engine.solve(alone.view(), alone.prior, state_budget) != Outcome::exact) return std::nullopt;
  return engine.verdicts()[at(proof.cell)] == (proof.mine ? Verdict::mine : Verdict::safe);
}

// The clues of a proof prove its cell; if it claims to be irreducible, neither a clue nor the mine
// count can be left out.
void check_clues(const Case& made, const Proof& proof, Engine& engine) {
  const auto fails = [&](const char* what) {
    fail(what, made, at(proof.cell), static_cast<double>(proof.mine));
  };
  if (follows(made, proof, proof.clues, proof.count_used, engine) == false)
    fails("clues that do not prove it");
  if (!proof.irreducible) return;
  for (const std::int32_t clue : proof.clues) {
    std::vector<std::int32_t> fewer = proof.clues;
    std::erase(fewer, clue);
    if (follows(made, proof, fewer, proof.count_used, engine) == true)
      fails("a clue that is not needed");
  }
  if (proof.count_used && follows(made, proof, proof.clues, false, engine) == true)
    fails("a count that is not needed");
}

}  // namespace

bool check_proofs(const Case& made, Engine& engine) {
  static Prover prover;
  const Outcome outcome = prover.read(made.view(), made.prior);
  if (outcome == Outcome::contradiction) return false;
  int proved = 0;
  for (std::size_t i = 0; i < made.states.size() && proved < most_proofs; ++i) {
    const Verdict verdict = prover.verdicts()[i];
    if (verdict == Verdict::open || !made.is_unknown(i)) continue;
    const Proof proof = prover.prove(static_cast<std::int32_t>(i), questions);
    if (at(proof.cell) != i || proof.mine != (verdict == Verdict::mine))
      fail("a proof of another cell", made, i, proof.cell);
    if (!std::is_sorted(proof.clues.begin(), proof.clues.end()))
      fail("clues out of order", made, i, 0);
    for (const std::int32_t clue : proof.clues)
      if (clue < 0 || clue >= made.shape.size() || !is_opened(made.states[at(clue)]))
        fail("a proof by a cell that is not a clue", made, i, clue);
    if (is_plain(made)) check_clues(made, proof, engine);
    ++proved;
  }
  return proved > 0;
}

bool check_closure(const Case& made, Engine& engine) {
  if (!is_plain(made)) return false;
  static Closure closure;
  const Outcome outcome = engine.solve(made.view(), made.prior, state_budget);
  PlayerKnowledge::Expected expected{std::nullopt, std::nullopt};
  if (made.prior.knows_total()) expected.mines = made.prior.mines();
  if (made.prior.is_independent()) expected.density = made.prior.density();
  const std::size_t kind = made.states.size() + made.states[0];
  const PlayerKnowledge::InferenceOptions options{kind % 5 > 0, kind % 2 > 0, kind % 3 > 0};
  std::vector<Verdict> verdicts(made.states.size());
  const Fault fault = closure.close(made.shape, made.states, expected, options,
                                    beyonds[kind % std::size(beyonds)], verdicts);
  if (outcome != Outcome::exact || fault == Fault::overflow) return false;
  if (fault != Fault::none) fail("closure failed", made, 0, static_cast<double>(fault));
  bool any = false;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] == Verdict::open || !made.is_unknown(i)) continue;
    any = true;
    if (engine.verdicts()[i] != verdicts[i])
      fail("proved by rules but not certain", made, i, static_cast<double>(verdicts[i]));
  }
  return any;
}

}  // namespace fuzz
