// Any view whatever: an answer, a contradiction or an estimate; never a crash, a nan
// or a hang.
//
// Bytes become a view, a clue model, a prior and a budget; where they run out, zeros
// follow. Most clues come from a board, so that some of the views fit. Built with
// libFuzzer, or with main.cpp where there is none.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "mineproof/engine.hpp"

using namespace mineproof;

// How often each outcome came; the plain driver prints it.
std::uint64_t fuzz_outcomes[3] = {0, 0, 0};

namespace {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  std::uint8_t next() { return at_ == end_ ? std::uint8_t{0} : *at_++; }
  std::int32_t below(std::int32_t n) { return next() % n; }
  // A likelihood: often 0, often plain, sometimes as small as a user may write it.
  double chance() {
    const int byte = next();
    if (byte < 64) return 0;
    if (byte >= 250) return std::pow(10.0, -40.0 * (byte - 249));
    return byte / 250.0;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

struct Case {
  Shape shape{1, 1};
  Cells states;
  Model model;
  std::vector<Override> overrides;
  bool trust_flags = false;
  Prior prior;
  std::size_t budget = 0;
};

// One off at most; never too high; or any table at all.
void fill_model(Bytes& bytes, int kind, Model& model) {
  model.exact = kind == 0;
  for (std::size_t shown = 0; shown < 10 && kind > 0; ++shown)
    for (std::size_t degree = 0; degree < 9; ++degree)
      for (std::size_t count = 0; count <= degree; ++count) {
        double& chance = model.table[shown][degree][count];
        if (kind == 1)
          chance = shown == count || shown == 9 ? 0.5 : shown + 1 == count ? 0.25 : 0.0;
        else if (kind == 2)
          chance = shown <= count ? 1.0 / static_cast<double>(count + 1) : 0.0;
        else
          chance = degree == 8 || degree == 5 ? bytes.chance() : 1.0 / (1.0 + double(count));
      }
}

Prior read_prior(Bytes& bytes, std::int32_t mines, std::int32_t size) {
  switch (bytes.below(4)) {
    case 0:
      return Prior::count(mines);
    case 1:
      return Prior::count(bytes.next() * size / 256 + bytes.below(3) - 1);
    case 2:
      return Prior::density(bytes.next() / 255.0);
    default:
      return Prior::uniform();
  }
}

Case read_case(Bytes& bytes) {
  static constexpr std::size_t budgets[] = {1'000'000, 20'000, 1000, 100, 10, 1, 0, 300};
  Case made;
  const int kind = bytes.next();
  const std::int32_t largest = kind % 16 == 0 ? 40 : 12;
  made.shape = {1 + bytes.below(largest), 1 + bytes.below(largest)};
  made.budget = budgets[bytes.below(8)];
  // A wide view is counted in states of a few kilobytes: not a million of them.
  if (made.shape.size() > 144 && made.budget > 20'000) made.budget = 20'000;
  made.trust_flags = kind >> 4 & 1;
  const int density = bytes.next();
  const int open = bytes.next();
  const int odd = bytes.next() / 8;  // of 256 cells, how many show just anything
  fill_model(bytes, bytes.below(4), made.model);
  const std::size_t size = at(made.shape.size());
  Cells mines(size);
  std::int32_t mine_count = 0;
  for (std::uint8_t& mine : mines) mine_count += mine = bytes.next() < density;
  const Cells counts = count_mines(made.shape, mines);
  made.states.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const int roll = bytes.next();
    std::uint8_t& state = made.states[i] = hidden;
    if (roll < odd)
      state = static_cast<std::uint8_t>(bytes.below(14));
    else if (roll < open)
      state = mines[i] ? std::uint8_t{roll % 4 ? hidden : exploded} : counts[i];
    if (roll == 255 && is_opened(state)) {
      made.overrides.push_back({static_cast<std::int32_t>(i), {}});
      for (double& chance : made.overrides.back().table) chance = bytes.chance();
    }
  }
  made.prior = read_prior(bytes, mine_count, made.shape.size());
  return made;
}

const char* name_of(const Prior& prior) {
  return prior.knows_total() ? "count" : prior.is_independent() ? "density" : "uniform";
}

[[noreturn]] void fail(const char* what, const Case& made, std::size_t cell, double risk) {
  static const char letters[] = "012345678?s-*F";
  std::fprintf(stderr, "%s at cell %zu (risk %g): prior %s, %d mines, density %g, budget %zu, ",
               what, cell, risk, name_of(made.prior), made.prior.mines(), made.prior.density(),
               made.budget);
  std::fprintf(stderr, "%s clues, %zu overrides, flags %s: '%dx%d ",
               made.model.exact ? "exact" : "noisy", made.overrides.size(),
               made.trust_flags ? "trusted" : "not trusted", made.shape.rows, made.shape.cols);
  for (std::size_t i = 0; i < made.states.size(); ++i) {
    if (i > 0 && i % at(made.shape.cols) == 0) std::fputc('/', stderr);
    std::fputc(letters[made.states[i]], stderr);
  }
  std::fprintf(stderr, "'\n");
  std::abort();
}

void check(const Engine& engine, const Case& made) {
  std::vector<double> risk(made.states.size());
  engine.write_risk(risk);
  if (std::isnan(engine.log_weight())) fail("no weight", made, 0, 0);
  if (!(engine.error() >= 0)) fail("no error", made, 0, 0);
  for (std::size_t i = 0; i < risk.size(); ++i) {
    const std::uint8_t state = made.states[i];
    const bool unknown = state == hidden || (state == flagged && !made.trust_flags);
    const Verdict verdict = engine.verdicts()[i];
    if (!unknown) {
      if (verdict != Verdict::open) fail("a verdict on what is known", made, i, risk[i]);
      continue;
    }
    if (!(risk[i] >= 0 && risk[i] <= 1)) fail("no chance", made, i, risk[i]);
    if (verdict == Verdict::mine && risk[i] != 1) fail("a mine, and not", made, i, risk[i]);
    if (verdict == Verdict::safe && risk[i] != 0) fail("safe, and not", made, i, risk[i]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const Case made = read_case(bytes);
  const View view{made.shape, made.states, &made.model, made.overrides, made.trust_flags};
  static Engine engine;  // its memory is used again, as in real life
  const Outcome outcome = engine.solve(view, made.prior, made.budget);
  ++fuzz_outcomes[static_cast<int>(outcome)];
  if (outcome != Outcome::contradiction) check(engine, made);
  if (outcome == Outcome::exact && made.shape.size() <= 144) {
    Stream stream(size, Purpose::playout);
    Cells mined(made.states.size());
    engine.draw(stream, mined);
    for (std::size_t i = 0; i < mined.size(); ++i)
      if ((engine.verdicts()[i] == Verdict::mine && !mined[i]) ||
          (engine.verdicts()[i] == Verdict::safe && mined[i]))
        fail("a draw that cannot be", made, i, mined[i]);
  }
  return 0;
}
