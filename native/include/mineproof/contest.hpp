// Which of some candidates wins most, by games played out and what is thought of them before.
#pragma once

#include <cstddef>
#include <vector>

namespace mineproof {

// The standard error of the mean of these probabilities. Games that all end alike still leave
// some doubt, so an estimate is never taken for the truth.
double error_of(double sum, double squares, double count);

// Candidates in a contest: their win probabilities by the playouts so far, and with them
// what the look-ahead said.
class Contest {
 public:
  // Scores deviate from win probabilities by `deviation_of_scores`; an expected gain below `slight`
  // is not worth more games.
  Contest(double deviation_of_scores, double slight)
      : deviation_(deviation_of_scores), slight_(slight) {}

  struct Entrant {
    double sure = 0;    // chance to win that is known already
    double open = 0;    // chance of what must be played out
    double told = 0;    // what the look-ahead says, up to a factor
    bool in = true;     // not beaten yet
    double mean = 0;    // of what was played out
    double win = 0;     // with what the look-ahead says
    double spread = 0;  // its variance, apart from what is common to all
    double error = 0;
    std::vector<double> played;  // by board; below 0 where none was played
  };
  std::vector<Entrant> entrants;

  // Means and errors of all that are in. Who is not expected to turn out better than the leader by
  // enough leaves. How many are in then.
  std::size_t judge();
  // The best that is in.
  [[nodiscard]] std::size_t leader() const;

 private:
  void find_means();
  void find_spreads();
  double deviation_, slight_;
};

}  // namespace mineproof
