// Perfect play when few configurations are left.
//
// The game tree over sets of configurations: opened cells split them. Cells that are safe in
// all of them are opened at once, which costs nothing; so a set of configurations describes
// a position completely, and sets met before are not searched again. The worth of a set
// is the weight of the configurations in it that best play wins: the true optimum.
//
// Where a mine does not end the game, the worth is what best play loses, below 0: a mine that is
// opened costs its flag, and if nothing more is opened, a cell costs the smaller of its
// probabilities of being a mine and of being safe. Certain cells cost nothing more, so here, too, a
// set of configurations describes a position completely.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/cells.hpp"

namespace mineproof {

// Every configuration of the unknown cells.
struct Arrangements {
  std::vector<std::int32_t> cells;  // unknown and not certain, by index
  std::vector<std::uint8_t> mined;  // configuration by configuration, one byte for each of `cells`
  std::vector<double> weights;      // by configuration; all 1 if the count is known

  [[nodiscard]] std::size_t size() const { return weights.size(); }
  // The weight of all.
  [[nodiscard]] double all() const;
  // The chance of a mine on one of `cells`.
  [[nodiscard]] double risk(std::int32_t cell) const;
  void clear() {
    cells.clear();
    mined.clear();
    weights.clear();
  }
};

// The objective: to win, or correct flags minus wrong flags.
enum class Aim : std::uint8_t { win, score };

// A cell, and the weight of what is won (or lost, below 0) by opening it and best play after that.
struct Choice {
  std::int32_t cell;
  double worth;
};

// In place of a cell: whichever is best.
constexpr std::int32_t the_best = -1;

// Memory is kept between calls.
class Endgame {
 public:
  // The best cell to open, and its worth out of the sum of all weights; nothing if that is
  // more work than allowed (cells times configurations, summed over the sets that are looked
  // at), or if cancelled. There must be a configuration.
  // Where only one is left and nothing is to be opened, the cell is -1; for a score also where
  // flags by odds are worth more than any cell.
  // With `first`, one of the configurations' cells, that is the cell, and the worth is that of
  // opening it and of best play after it, however bad it is.
  std::optional<Choice> solve(Shape shape, const Arrangements& arrangements, std::int64_t work,
                              Cancel cancel = {}, Aim aim = Aim::win,
                              std::int32_t first = the_best);

 private:
  struct Set {
    std::size_t from;  // in pool_
    std::size_t size;
  };
  struct Range {
    std::size_t from, to;  // in options_
  };
  struct Option {
    double most;  // that it can be worth: the weight of the configurations in which it is safe, or
                  // minus that of those in which it is not
    std::uint32_t cell;
    std::uint32_t values;  // a bit for each number it may show, and for a mine if that goes on
  };
  struct Entry {
    std::uint64_t key, check;
    double worth;
    std::uint32_t stamp;
  };

  bool tabulate(Shape shape, const Arrangements& arrangements);
  double worth(Set set, Range cells);
  std::optional<Option> find_options(Set set, Range cells, double& stop);
  double search(Set set, Range cells, std::int32_t* best_cell);
  double open_first(std::uint32_t cell);
  double after(Set set, Range cells, const Option& option, double needed);
  Entry& entry_of(std::uint64_t key, std::uint64_t check);
  void grow();

  std::size_t count_ = 0;
  std::int64_t work_ = 0;  // that is left
  Cancel cancel_;
  bool given_up_ = false;
  Aim aim_ = Aim::win;
  std::vector<std::int32_t> cells_;
  std::vector<double> weights_;
  std::vector<std::uint8_t> table_;   // by cell, then configuration: what it shows, or a mine
  std::vector<std::uint64_t> names_;  // two per configuration
  std::vector<std::uint16_t> pool_;
  std::vector<Option> options_;
  std::vector<Entry> memo_;
  std::uint32_t stamp_ = 0;
  std::size_t kept_ = 0;
  ByCell<std::int32_t> place_;
};

}  // namespace mineproof
