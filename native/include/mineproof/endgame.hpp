// Perfect play when few configurations are left.
//
// Searches the game tree over sets of configurations, which opened cells split. Cells that are safe
// in all configurations of a set are opened at once, at no cost; so a set describes a position
// completely, and each set is searched only once. The value of a set is the weight of the
// configurations in it that best play wins: the true optimum.
//
// If a mine does not end the game, the value is minus the loss under best play: a mine that is
// opened costs its flag, and if nothing more is opened, each cell costs the smaller of its
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
  std::vector<std::uint8_t> mined;  // by configuration, one byte for each of `cells`
  std::vector<double> weights;      // by configuration; all 1 if the mine count is known

  [[nodiscard]] std::size_t size() const { return weights.size(); }
  // The total weight.
  [[nodiscard]] double all() const;
  // The mine probability of one of `cells`.
  [[nodiscard]] double risk(std::int32_t cell) const;
  void clear() {
    cells.clear();
    mined.clear();
    weights.clear();
  }
};

// The objective: to win the game, or to maximise correct flags minus wrong flags.
enum class Aim : std::uint8_t { win, score };

// A cell, and the value of opening it followed by best play: the weight won, or minus the weight
// lost.
struct Choice {
  std::int32_t cell;
  double worth;
};

// Passed instead of a cell: choose the best one.
constexpr std::int32_t the_best = -1;

// Reuses its memory between calls.
class Endgame {
 public:
  // Returns the best cell to open and its worth, out of the sum of all weights. std::nullopt if
  // that takes more than `work` (cells times configurations, summed over the sets searched), or if
  // cancelled. There must be at least one configuration. The cell is -1 if only one configuration
  // is left and nothing is to be opened; for Aim::score also if flagging by mine probability is
  // worth more than opening any cell. With `first`, one of the configurations' cells, evaluates
  // opening that cell, however bad it is, followed by best play.
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
    double most;  // an upper bound on its worth: the weight of the configurations in which it is
                  // safe, or minus that of those in which it is not
    std::uint32_t cell;
    std::uint32_t values;  // bits of the clues it may show; a mine counts if the game goes on
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
  std::int64_t work_ = 0;  // remaining
  Cancel cancel_;
  bool given_up_ = false;
  Aim aim_ = Aim::win;
  std::vector<std::int32_t> cells_;
  std::vector<double> weights_;
  std::vector<std::uint8_t> table_;   // by cell, then configuration: the clue, or a mine
  std::vector<std::uint64_t> names_;  // two per configuration
  std::vector<std::uint16_t> pool_;
  std::vector<Option> options_;
  std::vector<Entry> memo_;
  std::uint32_t stamp_ = 0;
  std::size_t kept_ = 0;
  ByCell<std::int32_t> place_;
};

}  // namespace mineproof
