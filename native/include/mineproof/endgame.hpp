// Perfect play when few arrangements are left.
//
// The game tree over sets of arrangements: what is opened tells them apart. What is safe in
// all of them is opened at once, which costs nothing; so a set of arrangements is all there
// is to know of a position, and sets met before are not searched again. The worth of a set
// is the weight of the arrangements in it that best play wins: the true optimum.
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

// A cell, and the weight of what is won by opening it and best play after that.
struct Choice {
  std::int32_t cell;
  double worth;
};

// Memory is kept between calls.
class Endgame {
 public:
  // The best cell to open, and its worth out of the sum of all weights; nothing if that is
  // more work than allowed (cells times arrangements, summed over the sets that are looked
  // at), or if cancelled. There must be an arrangement.
  // Where only one is left and nothing is to be opened, the cell is -1.
  std::optional<Choice> solve(Shape shape, const Arrangements& arrangements, std::int64_t work,
                              Cancel cancel = {});

 private:
  struct Set {
    std::size_t from;  // in pool_
    std::size_t size;
  };
  struct Range {
    std::size_t from, to;  // in options_
  };
  struct Option {
    double safe;  // weight of the arrangements in which it is safe
    std::uint32_t cell;
    std::uint32_t values;  // a bit for each number it may show
  };
  struct Entry {
    std::uint64_t key, check;
    double worth;
    std::uint32_t stamp;
  };

  bool tabulate(Shape shape, const Arrangements& arrangements);
  double worth(Set set, Range cells);
  std::optional<Option> find_options(Set set, Range cells);
  double search(Set set, Range cells, std::uint32_t* best_cell);
  double after(Set set, Range cells, std::uint32_t cell, std::uint32_t values, double open,
               double needed);
  Entry& entry_of(std::uint64_t key, std::uint64_t check);
  void grow();

  std::size_t count_ = 0;
  std::int64_t work_ = 0;  // that is left
  Cancel cancel_;
  bool given_up_ = false;
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
