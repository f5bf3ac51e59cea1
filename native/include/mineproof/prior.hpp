// What is known of the total number of mines before any clue is read, and what that weighs.
//
// The total is known; or every cell is a mine independently with a known probability; or every
// total is equally likely. No other code asks which of the three it is: a prior answers what
// follows from it.
#pragma once

#include <cstdint>
#include <utility>

#include "mineproof/chance.hpp"
#include "mineproof/numbers.hpp"

namespace mineproof {

// What is beyond the components of a view. "Inside" means in the components.
struct Uncounted {
  std::int32_t size;   // cells of the whole board
  std::int32_t rest;   // cells that no clue touches
  std::int32_t mines;  // that are known or proved
};

class Prior {
 public:
  Prior() = default;  // no mine at all
  static Prior count(std::int32_t mines) { return {Kind::count, mines, 0}; }
  static Prior density(double p) { return {Kind::density, 0, p}; }
  static Prior uniform() { return {Kind::uniform, 0, 0}; }
  bool operator==(const Prior&) const = default;

  // Whether the number of mines on the whole board is known.
  [[nodiscard]] bool knows_total() const { return kind_ == Kind::count; }
  // Whether cells are independent apart from the clues; otherwise the total links components.
  [[nodiscard]] bool is_independent() const { return kind_ == Kind::density; }
  // The total if it is known, otherwise 0; the chance of a mine where cells are independent,
  // otherwise 0.
  [[nodiscard]] std::int32_t mines() const { return mines_; }
  [[nodiscard]] double density() const { return density_; }

  // The chance of a mine in a cell of a board of `size` cells of which nothing is shown.
  [[nodiscard]] double chance(std::int32_t size) const;
  // The mine probability with which `cells` undecided cells are weighed if `mines` mines are
  // known. Any number gives the same posterior if the other weights compensate for it; one
  // near the truth keeps weights in range. For independent cells it is their density,
  // unless that is near 0 or 1; otherwise a multiple of 1 / shares.
  static constexpr int shares = 64;
  [[nodiscard]] double weighing_chance(std::int32_t mines, std::int32_t cells) const;

  // Whether the proved mines and safe cells contradict the prior.
  [[nodiscard]] bool excludes(std::int32_t mines, std::int32_t safe) const {
    return is_independent() && ((density_ <= 0 && mines > 0) || (density_ >= 1 && safe > 0));
  }
  // The least and the greatest number of mines inside that leaves the rest possible.
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> possible(const Uncounted& uncounted) const {
    if (!knows_total()) return {0, uncounted.size};
    const std::int32_t left = mines_ - uncounted.mines;
    return {left - uncounted.rest, left};
  }
  // Whether a cell of the rest can be a mine, and can be safe, if these are the numbers of
  // mines that are possible inside.
  [[nodiscard]] std::pair<bool, bool> rest_can_be(const Uncounted& uncounted,
                                                  const Numbers& inside) const;

  // Log of the weight of everything uncounted, with `inside` mines inside: the ways to fill the
  // rest. Not for independent cells.
  [[nodiscard]] double log_rest(const Uncounted& uncounted, std::int32_t inside) const;
  // By which factor it changes from `inside` to one more.
  [[nodiscard]] double step_up(const Uncounted& uncounted, std::int32_t inside) const {
    const std::int32_t elsewhere = uncounted.mines + inside;
    if (knows_total()) {
      const double left = mines_ - elsewhere;
      return left / (uncounted.rest - left + 1);
    }
    const double cells = uncounted.size - uncounted.rest;
    return (elsewhere + 1) / (cells - elsewhere);
  }
  // The chance of a mine in a cell of the rest, with `inside` mines inside. Not for
  // independent cells.
  [[nodiscard]] double rest_risk(const Uncounted& uncounted, std::int32_t inside) const {
    const auto rest = static_cast<double>(uncounted.rest);
    if (knows_total()) return (mines_ - uncounted.mines - inside) / rest;
    const double cells = uncounted.size - rest;
    return (uncounted.mines + inside + 1) / (cells + 2);
  }
  // Whether the whole board has too many mines where `inside` is the mean inside and each
  // cell of the rest is a mine with these log odds. Not for independent cells.
  [[nodiscard]] bool too_many(const Uncounted& uncounted, double inside, double log_odds) const;
  // Draws the number of mines in the rest. Not for independent cells.
  std::int32_t draw_rest(const Uncounted& uncounted, std::int32_t inside, Stream& stream) const;

  // Log of the weight of one configuration of a board of `size` cells, up to a constant:
  // `unknown` cells are unknown, `mines` of these are mines, and `known` other mines are known.
  [[nodiscard]] double log_weight(std::int32_t mines, std::int32_t unknown, std::int32_t known,
                                  std::int32_t size) const;

 private:
  enum class Kind : std::uint8_t { count, density, uniform };
  Prior(Kind kind, std::int32_t mines, double density)
      : kind_(kind), mines_(mines), density_(density) {}

  Kind kind_ = Kind::count;
  std::int32_t mines_ = 0;  // count: on the whole board
  double density_ = 0;      // density: of each cell
};

}  // namespace mineproof
