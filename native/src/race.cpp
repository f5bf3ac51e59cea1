#include "mineproof/race.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mineproof {

namespace {

double square(double x) { return x * x; }

// The expected gain from learning which of two values is greater. One is estimated to be `ahead` of
// the other, with standard error `error` > 0. The gain is the expectation of the other's true lead,
// counted as 0 where it has none.
double improvement(double ahead, double error) {
  const double z = ahead / error;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return error * (density - z * std::erfc(z / std::numbers::sqrt2) / 2);
}

}  // namespace

double error_of(double sum, double squares, double count) {
  if (count < 1) return 0.5;
  const double variance = squares / count - square(sum / count);
  return std::sqrt(std::max(variance, 1 / count) / count);
}

std::size_t Race::judge() {
  find_means();
  find_spreads();
  double wins = 0;
  double prior_score = 0;
  for (const Arm& one : arms)
    if (one.in) {
      wins += one.sure + one.open * one.mean;
      prior_score += one.prior_score;
    }
  for (Arm& one : arms) {
    if (!one.in) continue;
    // Both estimates have normal errors: combine them, weighted by precision.
    const double trust = one.spread / (one.spread + square(deviation_));
    one.win = trust * wins / prior_score * one.prior_score +
              (1 - trust) * (one.sure + one.open * one.mean);
    one.spread *= 1 - trust;
  }
  const Arm& first = arms[leader()];
  std::size_t left = 0;
  for (Arm& one : arms) {
    one.in &= &one == &first ||
              improvement(first.win - one.win, std::sqrt(one.spread + first.spread)) > slight_;
    left += one.in;
  }
  return left;
}

void Race::find_means() {
  for (Arm& one : arms) {
    if (!one.in) continue;
    double sum = 0;
    double count = 0;
    double squares = 0;
    for (const double chance : one.played)
      if (chance >= 0) {
        sum += chance;
        squares += chance * chance;
        count += 1;
      }
    one.mean = count > 0 ? sum / count : 0;
    one.error = one.open * error_of(sum, squares, count);
  }
}

std::size_t Race::leader() const {
  std::size_t best = arms.size();
  for (std::size_t i = 0; i < arms.size(); ++i)
    if (arms[i].in && (best == arms.size() || arms[i].win > arms[best].win)) best = i;
  return best;
}

// All candidates play the same boards, so what a board does to all of them does not distinguish
// them. That common effect is estimated by the mean over candidates; the last factor corrects for
// each candidate's own share in that mean.
void Race::find_spreads() {
  double count = 0;
  std::size_t boards = 0;
  for (Arm& one : arms)
    if (one.in) {
      one.spread = 0;
      boards = one.played.size();
      count += 1;
    }
  const auto off = [](const Arm& one, std::size_t board) {
    return one.played[board] >= 0 ? one.open * (one.played[board] - one.mean) : 0;
  };
  for (std::size_t board = 0; board < boards; ++board) {
    double common = 0;
    for (const Arm& one : arms)
      if (one.in) common += off(one, board) / count;
    for (Arm& one : arms)
      if (one.in) one.spread += square(off(one, board) - common);
  }
  const double made_up = count / std::max(count - 1, 1.0) / square(static_cast<double>(boards));
  for (Arm& one : arms)
    if (one.in) one.spread = one.spread * made_up + 1e-12;
}

}  // namespace mineproof
