// Risks are probabilities, verdicts agree with them, they add up to the remaining mines, and
// sampled boards are possible.
#include <cmath>

#include "case.hpp"

using namespace mineproof;

namespace fuzz {

namespace {

void check_cells(const Case& made, const Engine& engine, const std::vector<double>& risk) {
  for (std::size_t i = 0; i < risk.size(); ++i) {
    const Verdict verdict = engine.verdicts()[i];
    if (!made.is_unknown(i)) {
      if (verdict != Verdict::open) fail("a verdict on a known cell", made, i, risk[i]);
      continue;
    }
    if (!(risk[i] >= 0 && risk[i] <= 1)) fail("not a probability", made, i, risk[i]);
    if (verdict == Verdict::mine && risk[i] != 1)
      fail("a proved mine with risk below 1", made, i, risk[i]);
    if (verdict == Verdict::safe && risk[i] != 0)
      fail("a safe cell with risk above 0", made, i, risk[i]);
  }
}

void check_sum(const Case& made, const std::vector<double>& risk) {
  double sum = 0;
  for (std::size_t i = 0; i < risk.size(); ++i)
    sum += made.is_mine(i) ? 1 : made.is_unknown(i) ? risk[i] : 0;
  if (std::abs(sum - made.prior.mines()) > 1e-7 * static_cast<double>(risk.size()))
    fail("a wrong expected number of mines", made, 0, sum);
}

void check_draw(const Case& made, Engine& engine) {
  Stream stream(made.states.size(), Purpose::playout);
  Cells mined(made.states.size());
  engine.draw(stream, mined);
  std::int32_t mines = 0;
  for (std::size_t i = 0; i < mined.size(); ++i) {
    mines += mined[i];
    if ((engine.verdicts()[i] == Verdict::mine && !mined[i]) ||
        (engine.verdicts()[i] == Verdict::safe && mined[i]))
      fail("a sample that contradicts a verdict", made, i, mined[i]);
  }
  if (made.prior.knows_total() && mines != made.prior.mines())
    fail("a sample with a wrong number of mines", made, 0, mines);
}

}  // namespace

bool check_posterior(const Case& made, Engine& engine, Outcome outcome) {
  if (outcome == Outcome::contradiction) return false;
  std::vector<double> risk(made.states.size());
  engine.write_risk(risk);
  if (std::isnan(engine.log_weight())) fail("invalid weight", made, 0, 0);
  if (!(engine.error() >= 0 && engine.error() <= 1)) fail("invalid error", made, 0, engine.error());
  check_cells(made, engine, risk);
  if (outcome != Outcome::exact && engine.error() == 0)
    fail("an estimate that claims to be exact", made, 0, 0);
  if (outcome != Outcome::exact) return true;
  if (engine.error() != 0) fail("exact, with an error", made, 0, engine.error());
  if (made.prior.knows_total()) check_sum(made, risk);
  if (made.shape.size() <= 144) check_draw(made, engine);
  return true;
}

}  // namespace fuzz
