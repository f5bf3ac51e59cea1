// Perfect play when few arrangements are left.
//
// The game tree over sets of arrangements: what is opened tells them apart. What is safe in
// all of them is opened at once, which costs nothing; so a set of arrangements is all there
// is to know of a position, and sets met before are not searched again. The worth of a set
// is the weight of the arrangements in it that best play wins: the true optimum.
//
// Where a mine does not end the game, the worth is what best play loses, below 0: a mine that is
// opened costs its flag, and where nothing more is opened a cell costs the lesser of the chances
// that it is a mine and that it is none. What is settled costs nothing more, so here, too, a set of
// arrangements is all there is to know.
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

// Every arrangement of the unknown cells that fits.
struct Arrangements {
  std::vector<std::int32_t> cells;  // unknown and not settled, by index
  std::vector<std::uint8_t> mined;  // arrangement by arrangement, a byte for each of `cells`
  std::vector<double> weights;      // by arrangement; all 1 where the count is known

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

// What is played for: to win, or for right flags less wrong ones.
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
  // more work than allowed (cells times arrangements, summed over the sets that are looked
  // at), or if cancelled. There must be an arrangement.
  // Where only one is left and nothing is to be opened, the cell is -1; for a score also where
  // flags by odds are worth more than any cell.
  // With `first`, one of the arrangements' cells, that is the cell, and the worth is that of
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
    double most;  // that it can be worth: the weight of the arrangements in which it is safe, or
                  // less that of those in which it is not
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
  std::vector<std::uint8_t> table_;   // by cell, then arrangement: what it shows, or a mine
  std::vector<std::uint64_t> names_;  // two an arrangement
  std::vector<std::uint16_t> pool_;
  std::vector<Option> options_;
  std::vector<Entry> memo_;
  std::uint32_t stamp_ = 0;
  std::size_t kept_ = 0;
  ByCell<std::int32_t> place_;
};

}  // namespace mineproof
