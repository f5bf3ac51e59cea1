// Compares the win probabilities of close candidates by their features, as learned from playouts.
//
// A small neural network (two layers of rectified linear units) whose weights are in
// ranking_weights.bin. benchmarks/ranking_network.py writes them, trained on decisions that
// native/bench/decisions.cpp evaluates by playouts. Knows no board. Stateless: safe to use from any
// number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace mineproof {

// The cells around a candidate, in rows from three above it to three below. Each is one number: how
// many mines an opened cell still needs, or one of the values below, or a quantised risk.
//
// Rotated and reflected so that the upper half has more doubt than the lower one, the left half
// more than the right one, and the upper half more than the left one.
struct Square {
  static constexpr std::int32_t reach = 3;
  static constexpr std::int32_t side = 2 * reach + 1;
  static constexpr std::size_t size = side * side;
  // values from `risky` on are risks
  enum Kind : std::uint8_t { mine = 9, off_board, untouched, risky };

  std::array<std::uint8_t, size> cells{};

  // The value of a frontier cell, by its risk.
  [[nodiscard]] static std::uint8_t with_risk(double risk);
  [[nodiscard]] static bool is_in_doubt(std::uint8_t cell) { return cell >= untouched; }
  void turn();
};

// A clue that a candidate may show, and the position after it: the probability of the clue (given
// that the cell is safe), and that probability times each of the other features.
struct OutcomeFeatures {
  static constexpr std::size_t size = 6;
  double chance = 0;
  double stuck = 0;   // another guess follows
  double least = 0;   // the lowest risk
  double second = 0;  // the second lowest risk
  double many = 0;    // measure of the number of safe cells: 0 for one, 1 for many
  double doubt = 0;   // sum of min(risk, 1 - risk) over frontier cells
};

// The features of a candidate. Expectations are over the clues it may show if it is safe.
struct CandidateFeatures {
  static constexpr std::size_t size = 21;
  double log_score = 0;   // log of the look-ahead's score, including the cost of 50/50s
  double log_value = 0;   // log of the score without that cost
  double log_safe = 0;    // log of the probability of surviving the click
  double load = 0;        // cost of the 50/50s that are left behind
  double goes_on = 0;     // probability that there will be a safe cell
  double many = 0;        // expected value of OutcomeFeatures::many
  double entropy = 0;     // of its clue, in nats
  double zero = 0;        // probability of a 0
  double likeliest = 0;   // probability of its most likely clue
  double least = 0;       // expected lowest risk of the next guess, 0 if there is none
  double second = 0;      // expected second lowest risk
  double doubt = 0;       // expected sum of min(risk, 1 - risk) over frontier cells
  double covered = 0;     // covered neighbours
  double clues = 0;       // neighbours that show a clue
  double edges = 0;       // edges of the board that the cell lies on
  double beyond = 0;      // interior neighbours
  double half = 0;        // share of its risk that is due to a 50/50
  double doubt_near = 0;  // doubt of its neighbours
  double mines_near = 0;  // expected mines among its neighbours
  double shows = 0;       // number of clues that it may show
  double least_near = 1;  // lowest risk of a neighbour that may be a mine

  // By clue, starting with the lowest possible one.
  std::array<OutcomeFeatures, 7> outcomes{};
  Square square;
};

// The features of a position, common to all candidates.
struct PositionFeatures {
  static constexpr std::size_t size = 6;
  double fifties = 0;     // the sum of the probabilities of 50/50s
  double log_weight = 0;  // log of the total weight of all configurations
  double rest = 0;        // interior cells
  double rest_risk = 0;   // their risk; 0 if there are none
  double hidden = 0;      // hidden cells
  double least = 0;       // lowest risk
};

// The network's input for a candidate, in addition to its square: its features minus those of the
// first candidate, its features, those of the position, those of the outcomes. The first candidate
// must be the best by score; the order and number of the others do not matter.
constexpr std::size_t outcome_features =
    OutcomeFeatures::size * std::tuple_size_v<decltype(CandidateFeatures::outcomes)>;
constexpr std::size_t all_features =
    2 * CandidateFeatures::size + PositionFeatures::size + outcome_features;
using Measures = std::array<double, all_features>;
std::vector<Measures> measures_of(std::span<const CandidateFeatures> features,
                                  const PositionFeatures& position);

// Returns, by candidate, the log of its win probability up to a common term.
std::vector<double> rank_by_network(std::span<const CandidateFeatures> features,
                                    const PositionFeatures& position);

}  // namespace mineproof
