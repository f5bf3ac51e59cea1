// Arbitrary input, as an external caller may pass it: positions, rules, agents, games. Every call
// must either throw one of our errors or return a result; never crash or throw anything else.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>

#include "case.hpp"
#include "runtime/answers.hpp"
#include "runtime/errors.hpp"
#include "runtime/series.hpp"
#include "target.hpp"

using namespace mineproof;
using namespace mineproof::runtime;

namespace {

std::uint64_t asked = 0;
std::uint64_t refused = 0;
std::uint64_t answered = 0;
bool was_refused = false;

// Usually a valid number, otherwise an edge case.
std::int32_t number(fuzz::Bytes& bytes, std::int32_t below, std::int32_t least = 0) {
  static constexpr std::int32_t odd[] = {-1, -9, std::numeric_limits<std::int32_t>::min(),
                                         std::numeric_limits<std::int32_t>::max(), 1001};
  return bytes.below(32) ? least + bytes.below(below) : odd[bytes.below(5)];
}

double chance(fuzz::Bytes& bytes) {
  static constexpr double odd[] = {-0.1, 1.5, 1e300, std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN()};
  return bytes.below(64) ? bytes.chance() : odd[bytes.below(5)];
}

std::optional<double> density(fuzz::Bytes& bytes) {
  return bytes.below(3) ? std::nullopt : std::optional(chance(bytes));
}

std::optional<std::int32_t> some(fuzz::Bytes& bytes, std::int32_t below) {
  return bytes.below(2) ? std::nullopt : std::optional(number(bytes, below));
}

Asked make_asked(fuzz::Bytes& bytes) {
  Asked made;
  made.shape = {number(bytes, 5, 1), number(bytes, 5, 1)};
  const bool fits = made.shape.rows > 0 && made.shape.rows < 7 && made.shape.cols < 7;
  const std::int32_t size = fits && made.shape.cols > 0 ? made.shape.size() : 9;
  const std::int32_t odd = bytes.below(16) ? 0 : bytes.below(3) - 1;
  for (std::int32_t i = 0; i < size + odd; ++i) {
    const std::uint8_t byte = bytes.next();
    made.states.push_back(byte < 160   ? hidden
                          : byte < 200 ? byte % 4
                          : byte < 254 ? byte % 14
                                       : byte);
  }
  made.mines = some(bytes, size);
  made.density = density(bytes);
  made.trust_flags = bytes.below(2);
  made.budget = bytes.below(8) ? at(bytes.next()) * 30 : ~std::size_t{0};
  if (bytes.below(3) == 0) {
    ClueModel model;
    model.exact = false;
    for (auto& shown : model.table)
      for (auto& counts : shown)
        for (double& one : counts) one = bytes.chance();
    if (bytes.below(4) == 0) model.table[at(bytes.below(10))][8][3] = chance(bytes);
    made.model = std::make_shared<const ClueModel>(model);
  }
  for (int i = bytes.below(3); i > 0; --i) {
    made.overrides.push_back({number(bytes, size), {}});
    for (double& one : made.overrides.back().table) one = bytes.chance();
    if (bytes.below(4) == 0) made.overrides.back().table[2] = chance(bytes);
  }
  return made;
}

GameRules make_rules(fuzz::Bytes& bytes) {
  const bool known = bytes.below(2);
  return {bytes.below(2) > 0, static_cast<Opening>(bytes.below(3)), known, bytes.below(2) > 0,
          known ? std::nullopt : density(bytes)};
}

Budget make_budget(fuzz::Bytes& bytes) {
  return {number(bytes, 60),  std::int64_t{100} * number(bytes, 250),
          number(bytes, 60),  number(bytes, 8, 1),
          chance(bytes),      number(bytes, 30),
          number(bytes, 8),   bytes.below(2) > 0,
          bytes.below(2) > 0, bytes.below(2) > 0};
}

// Makes a call and counts the outcome. Any other exception is a failure.
template <class Call>
void attempt(Call&& call) {
  ++asked;
  try {
    call();
    ++answered;
    was_refused = false;
  } catch (const Invalid&) {
    ++refused;
  } catch (const Overflow&) {
    ++refused;
  } catch (const BrokenOpening&) {
    ++refused;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "unexpected kind of error: %s\n", error.what());
    std::abort();
  }
}

void ask(fuzz::Bytes& bytes) {
  const GameRules rules = make_rules(bytes);
  const Budget budget = make_budget(bytes);
  const Strategy strategy{bytes.below(2) > 0,
                          bytes.below(2) > 0,
                          static_cast<AdvancedRule>(bytes.below(count_of<AdvancedRule>)),
                          static_cast<Guesser>(bytes.below(count_of<Guesser>)),
                          number(bytes, 25, -1),
                          budget};
  const std::int32_t count = number(bytes, 4);
  const std::int32_t cell = number(bytes, 25);
  const std::uint64_t seed = bytes.next();
  attempt([&] {
    const Question question(make_asked(bytes));
    attempt([&] { (void)solve(question, {}); });
    attempt([&] { (void)sample(question, count, seed, {}); });
    attempt([&] { (void)advise(question, rules, budget, {}); });
    attempt([&] { (void)win_chance(question, rules, budget, count, {}); });
    attempt([&] { (void)closure(question, rules, strategy, {}); });
    attempt([&] { (void)prove(question, std::array{cell}, std::int64_t{10} * count, {}); });
    attempt([&] { (void)explain(question, cell, std::int64_t{10} * count, {}); });
  });
  attempt([&] {
    const Shape shape{number(bytes, 5, 1), number(bytes, 5, 1)};
    std::optional<std::vector<Cells>> boards;
    if (bytes.below(3) == 0) {
      Cells board(at(std::clamp(number(bytes, 30), 0, 30)));
      if (bytes.below(8))
        board.resize(at(std::clamp(shape.rows, 0, 6) * std::clamp(shape.cols, 0, 6)));
      for (std::uint8_t& mine : board) mine = bytes.below(64) ? bytes.below(4) == 0 : bytes.next();
      boards = {board};
    }
    std::optional<std::uint64_t> threshold;
    if (bytes.below(4) == 0) threshold = std::uint64_t{bytes.next()} << (bytes.below(8) ? 45 : 47);
    const Source source(shape, number(bytes, 10), threshold, boards);
    const std::int32_t start = number(bytes, 25, -1);
    const RecordedGame game = record(source, rules, exact_clues, strategy, start, seed, {});
    if (game.moves.size() != at(game.played.moves)) std::abort();
    if (game.played.right + game.played.exploded > game.played.mines) std::abort();
  });
}

}  // namespace

bool fuzz_is_dull() { return was_refused; }

void fuzz_report() {
  const auto wide = [](std::uint64_t count) { return static_cast<unsigned long long>(count); };
  std::printf("%llu calls at the border: %llu answered, %llu refused\n", wide(asked),
              wide(answered), wide(refused));
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  was_refused = true;
  ask(bytes);
  return 0;
}
