// How the chances to win of close candidates compare, by what is seen of them: learned from games
// that were played out.
//
// A small network (two layers of rectified sums) whose weights are in appraisal.inc.
// benchmarks/appraisal.py writes them, from decisions that native/bench/decisions.cpp plays out.
// Knows no board. No state: any number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace mineproof {

// The cells around a candidate, in rows from three above it to three below, each as one number: how
// many mines an opened cell still has to find, or one of these, or a risk.
//
// Turned so that the upper rows have more cells in doubt than the lower ones, the left ones more
// than the right ones, and the upper ones more than the left ones.
struct Square {
  static constexpr std::int32_t reach = 3;
  static constexpr std::int32_t side = 2 * reach + 1;
  static constexpr std::size_t size = side * side;
  enum Kind : std::uint8_t { mine = 9, off_board, untouched, risky };  // from `risky` on: risks

  std::array<std::uint8_t, size> cells{};

  // A cell that clues touch, by its risk.
  [[nodiscard]] static std::uint8_t with_risk(double risk);
  [[nodiscard]] static bool is_in_doubt(std::uint8_t cell) { return cell >= untouched; }
  void turn();
};

// What a candidate may show, and what then: a number's chance (given that it is safe), and the
// same times each of the others.
struct Prospect {
  static constexpr std::size_t size = 6;
  double chance = 0;
  double stuck = 0;   // another guess
  double least = 0;   // the least risk,
  double second = 0;  // and the second least
  double many = 0;    // of safe cells: 0 for one, 1 for many
  double doubt = 0;   // sum of min(risk, 1 - risk) over frontier cells
};

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
  double doubt = 0;       // expected: sum of min(risk, 1 - risk) over frontier cells
  double covered = 0;     // neighbours
  double clues = 0;       // neighbours
  double edges = 0;       // of the board that it lies at
  double beyond = 0;      // neighbours that no clue touches
  double half = 0;        // the share of its risk that is a 50/50
  double doubt_near = 0;  // of its neighbours
  double mines_near = 0;  // expected
  double shows = 0;       // how many numbers it may show
  double least_near = 1;  // the least risk of a neighbour that may be a mine

  // By number, from the least that it may show on.
  std::array<Prospect, 7> prospects{};
  Square square;
};

// What all candidates of a position have in common.
struct Scene {
  static constexpr std::size_t size = 6;
  double fifties = 0;     // the sum of their chances
  double log_weight = 0;  // of all configurations
  double rest = 0;        // cells that no clue touches,
  double rest_risk = 0;   // and their risk; 0 where there are none
  double hidden = 0;      // cells
  double least = 0;       // risk
};

// What the network is given of a candidate, besides its square: its sight minus the first one's,
// then as it is, then the scene, then the prospects. The first is the best by its score; which
// others there are is of no account.
constexpr std::size_t appraised_prospects =
    Prospect::size * std::tuple_size_v<decltype(Sight::prospects)>;
constexpr std::size_t appraised_measures = 2 * Sight::size + Scene::size + appraised_prospects;
using Measures = std::array<double, appraised_measures>;
std::vector<Measures> measures_of(std::span<const Sight> sights, const Scene& scene);

// By candidate: the logarithm of the chance to win, up to a term that is common to all.
std::vector<double> appraise(std::span<const Sight> sights, const Scene& scene);

}  // namespace mineproof
