// The prior: what is known about the total number of mines before any clue is read, as weights.
//
// Either the total is known, or every cell is independently a mine with a known probability
// (density), or every total is equally likely. Only this class distinguishes the three cases; all
// other code asks a Prior for their consequences.
#pragma once

#include <cstdint>
#include <utility>

#include "mineproof/chance.hpp"
#include "mineproof/count_set.hpp"

namespace mineproof {

// The unknown cells outside the components of a view. "Inside" below means in the components.
struct Uncounted {
  std::int32_t size;   // cells of the whole board
  std::int32_t rest;   // unknown interior cells (next to no clue)
  std::int32_t mines;  // mines that are known or proved
};

class Prior {
 public:
  Prior() = default;  // a board without mines
  static Prior count(std::int32_t mines) { return {Kind::count, mines, 0}; }
  static Prior density(double p) { return {Kind::density, 0, p}; }
  static Prior uniform() { return {Kind::uniform, 0, 0}; }
  bool operator==(const Prior&) const = default;

  // Whether the number of mines on the whole board is known.
  [[nodiscard]] bool knows_total() const { return kind_ == Kind::count; }
  // Whether cells are independent apart from the clues. Otherwise the total links the components.
  [[nodiscard]] bool is_independent() const { return kind_ == Kind::density; }
  // The total if it is known, otherwise 0; the density if cells are independent, otherwise 0.
  [[nodiscard]] std::int32_t mines() const { return mines_; }
  [[nodiscard]] double density() const { return density_; }

  // The mine probability of a cell on a board of `size` cells with nothing revealed.
  [[nodiscard]] double chance(std::int32_t size) const;
  // The mine probability p used to weigh `cells` undecided cells (see Weights) if `mines` mines are
  // known. Any p gives the same posterior, because the other weights compensate for it; one near
  // the truth keeps weights in range. For independent cells it is the density, unless that is near
  // 0 or 1; otherwise a multiple of 1 / shares.
  static constexpr int shares = 64;
  [[nodiscard]] double weighing_chance(std::int32_t mines, std::int32_t cells) const;

  // Whether the proved mines and safe cells contradict the prior.
  [[nodiscard]] bool excludes(std::int32_t mines, std::int32_t safe) const {
    return is_independent() && ((density_ <= 0 && mines > 0) || (density_ >= 1 && safe > 0));
  }
  // The smallest and the largest number of mines inside for which the interior can be filled.
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> possible(const Uncounted& uncounted) const {
    if (!knows_total()) return {0, uncounted.size};
    const std::int32_t left = mines_ - uncounted.mines;
    return {left - uncounted.rest, left};
  }
  // Whether an interior cell can be a mine, and whether it can be safe, if `inside` holds the
  // possible numbers of mines inside.
  [[nodiscard]] std::pair<bool, bool> rest_can_be(const Uncounted& uncounted,
                                                  const CountSet& inside) const;

  // Log of the weight of everything uncounted, given `inside` mines inside: the number of ways to
  // fill the interior. Not for independent cells.
  [[nodiscard]] double log_rest(const Uncounted& uncounted, std::int32_t inside) const;
  // The ratio of that weight at `inside` + 1 to that at `inside`.
  [[nodiscard]] double step_up(const Uncounted& uncounted, std::int32_t inside) const {
    const std::int32_t elsewhere = uncounted.mines + inside;
    if (knows_total()) {
      const double left = mines_ - elsewhere;
      return left / (uncounted.rest - left + 1);
    }
    const double cells = uncounted.size - uncounted.rest;
    return (elsewhere + 1) / (cells - elsewhere);
  }
  // The mine probability of an interior cell, given `inside` mines inside. Not for independent
  // cells.
  [[nodiscard]] double rest_risk(const Uncounted& uncounted, std::int32_t inside) const {
    const auto rest = static_cast<double>(uncounted.rest);
    if (knows_total()) return (mines_ - uncounted.mines - inside) / rest;
    const double cells = uncounted.size - rest;
    return (uncounted.mines + inside + 1) / (cells + 2);
  }
  // Whether the expected number of mines on the whole board is too high if `inside` is the mean
  // inside and each interior cell is a mine with these log odds. Not for independent cells.
  [[nodiscard]] bool too_many(const Uncounted& uncounted, double inside, double log_odds) const;
  // Draws the number of mines in the interior. Not for independent cells.
  std::int32_t draw_rest(const Uncounted& uncounted, std::int32_t inside, Stream& stream) const;

  // Log of the weight of one configuration of a board of `size` cells, up to a constant: `unknown`
  // cells are unknown, `mines` of these are mines, and `known` more mines are known.
  [[nodiscard]] double log_weight(std::int32_t mines, std::int32_t unknown, std::int32_t known,
                                  std::int32_t size) const;

 private:
  enum class Kind : std::uint8_t { count, density, uniform };
  Prior(Kind kind, std::int32_t mines, double density)
      : kind_(kind), mines_(mines), density_(density) {}

  Kind kind_ = Kind::count;
  std::int32_t mines_ = 0;  // for Kind::count: on the whole board
  double density_ = 0;      // for Kind::density: of each cell
};

}  // namespace mineproof
