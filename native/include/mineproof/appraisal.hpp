// How the chances to win of close candidates compare, by what is seen of them: learned from games
// that were played out.
//
// A small network (two layers of rectified sums) whose weights are in appraisal.inc.
// benchmarks/appraisal.py writes them, from decisions that native/bench/decisions.cpp plays out.
// Knows no board and no cells. No state: any number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace mineproof {

// What is seen of a candidate. Expectations are over what it may show if it is safe.
struct Sight {
  static constexpr std::size_t size = 21;
  double log_score = 0;   // of the look-ahead, with the load of 50/50s
  double log_value = 0;   // without it
  double log_safe = 0;    // of the chance to survive the click
  double load = 0;        // of 50/50s that are left behind
  double goes_on = 0;     // the chance that cells will be safe
  double many = 0;        // expected, of the look-ahead's premium: 1 for many safe cells
  double entropy = 0;     // of what it shows, in nats
  double zero = 0;        // the chance of a 0
  double likeliest = 0;   // the chance of what it shows most often
  double least = 0;       // expected: the least risk of the next guess, 0 where there is none
  double second = 0;      // expected: the second least
  double doubt = 0;       // expected: of all cells beside clues, the lesser of risk and safety
  double covered = 0;     // neighbours
  double clues = 0;       // neighbours
  double edges = 0;       // of the board that it lies at
  double beyond = 0;      // neighbours that no clue touches
  double half = 0;        // the share of its risk that is a 50/50
  double doubt_near = 0;  // of its neighbours
  double mines_near = 0;  // expected
  double shows = 0;       // how many numbers it may show
  double least_near = 1;  // the least risk of a neighbour that may be mined
};
static_assert(sizeof(Sight) == Sight::size * sizeof(double));

// What all candidates of a position have in common.
struct Scene {
  static constexpr std::size_t size = 6;
  double fifties = 0;     // the sum of their chances
  double log_weight = 0;  // of all arrangements
  double rest = 0;        // cells that no clue touches,
  double rest_risk = 0;   // and their risk; 0 where there are none
  double hidden = 0;      // cells
  double least = 0;       // risk
};

// The inputs of the network, a row a candidate: each sight less the first one's, then as it is,
// then the scene. The first is the best by its score; which others there are is of no account.
constexpr std::size_t appraised_inputs = 2 * Sight::size + Scene::size;
using Inputs = std::array<double, appraised_inputs>;
std::vector<Inputs> inputs_of(std::span<const Sight> sights, const Scene& scene);

// By candidate: the logarithm of the chance to win, up to a term that is common to all.
std::vector<double> appraise(std::span<const Sight> sights, const Scene& scene);

}  // namespace mineproof
