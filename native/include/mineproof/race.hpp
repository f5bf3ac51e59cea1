// Finds which of several candidates has the highest win probability, from playouts and a prior by
// the look-ahead.
#pragma once

#include <cstddef>
#include <vector>

namespace mineproof {

// The standard error of the mean of `count` probabilities. It is positive even if all playouts
// ended alike, so an estimate is never mistaken for the truth.
double error_of(double sum, double squares, double count);

// The candidates under comparison: their win probabilities according to the playouts so far,
// combined with the look-ahead.
class Race {
 public:
  // `deviation_of_scores`: the standard deviation of look-ahead scores from win probabilities. An
  // expected gain below `slight` is not worth more playouts.
  Race(double deviation_of_scores, double slight)
      : deviation_(deviation_of_scores), slight_(slight) {}

  struct Arm {
    double sure = 0;         // win probability that is already known
    double open = 0;         // probability of the outcomes that must be played out
    double prior_score = 0;  // score of the look-ahead, up to a factor
    bool in = true;          // not eliminated yet
    double mean = 0;         // of the playouts
    double win = 0;          // estimate that combines playouts and look-ahead
    double spread = 0;       // variance of `win`, apart from what all have in common
    double error = 0;
    std::vector<double> played;  // result by board; negative if not played
  };
  std::vector<Arm> arms;

  // Updates means and errors of all candidates that are in. Eliminates those that are not expected
  // to beat the leader by enough. Returns how many remain.
  std::size_t judge();
  // The best remaining candidate.
  [[nodiscard]] std::size_t leader() const;

 private:
  void find_means();
  void find_spreads();
  double deviation_, slight_;
};

}  // namespace mineproof
