#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "case.hpp"

using namespace mineproof;

namespace fuzz {

namespace {

// A clue model with errors of at most one, one that never overstates, or one with arbitrary tables.
void fill_model(Bytes& bytes, int kind, ClueModel& model) {
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

// What is known about the total: the truth, about that, nearly the minimum or the maximum possible
// (few configurations, and more mines than a byte can count), or no number at all.
Prior make_prior(int kind, int number, std::int32_t truth, const Case& made) {
  const std::int32_t size = made.shape.size();
  const auto [known, unknown] = made.mines();
  switch (kind) {
    case 0:
      return Prior::count(truth);
    case 1:
      return Prior::count(number * size / 256 + number % 3 - 1);
    case 2:
      return Prior::count(known + number % 3);
    case 3:
      return Prior::count(known + unknown - number % 3);
    case 4:
      return Prior::density(number / 255.0);
    default:
      return Prior::uniform();
  }
}

constexpr Budget thoughts[] = {
    {60, 100'000, 50, 8, 0.1, 0, 0}, {40, 20'000, 30, 6, 0.1, 20, 6},   {0, 0, 0, 1, 0, 0, 0},
    {0, 0, 0, 8, 0.1, 0, 0},         {500, 100'000, 200, 3, 0.1, 0, 0},
};

const char* name_of(const Prior& prior) {
  return prior.knows_total() ? "count" : prior.is_independent() ? "density" : "uniform";
}

}  // namespace

double Bytes::chance() {
  const int byte = next();
  if (byte < 64) return 0;
  if (byte >= 250) return std::pow(10.0, -40.0 * (byte - 249));
  return byte / 250.0;
}

Case read_case(Bytes& bytes) {
  static constexpr std::size_t budgets[] = {1'000'000, 20'000, 1000, 100, 10, 1, 0, 300};
  Case made;
  const int kind = bytes.next();
  const std::int32_t largest = kind % 8 == 0 ? 40 : 12;
  made.shape = {1 + bytes.below(largest), 1 + bytes.below(largest)};
  made.budget = budgets[bytes.below(8)];
  // States of a wide view take a few kilobytes each: allow far fewer than a million.
  if (made.shape.size() > 144 && made.budget > 20'000) made.budget = 20'000;
  made.trust_flags = kind >> 4 & 1;
  made.mine_ends = bytes.below(8) > 0;
  made.opening = static_cast<Opening>(bytes.below(3));
  made.thought = thoughts[bytes.below(static_cast<std::int32_t>(std::size(thoughts)))];
  const int number = bytes.next();
  int prior = bytes.below(6);
  int density = bytes.next();
  int open = bytes.next();
  int odd = bytes.next() / 8;  // how many of 256 cells show arbitrary states
  if (kind >> 6 == 3) {  // hardly any cell is opened, and mines are very rare or very frequent
    const bool is_full = kind >> 5 & 1;
    prior = is_full ? 3 : 2;
    density = is_full ? 255 : 1;
    open >>= 6;
    odd = 0;
  }
  // Estimating a large view with a single component takes minutes under a sanitizer.
  const int model = bytes.below(4);
  fill_model(bytes, made.shape.size() > 200 ? 0 : model, made.model);
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
  made.prior = make_prior(prior, number, mine_count, made);
  return made;
}

[[noreturn]] void fail(const char* what, const Case& made, std::size_t cell, double number) {
  static const char letters[] = "012345678?s-*F";
  std::fprintf(stderr, "%s at cell %zu (%g): prior %s, %d mines, density %g, budget %zu, ", what,
               cell, number, name_of(made.prior), made.prior.mines(), made.prior.density(),
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

}  // namespace fuzz
