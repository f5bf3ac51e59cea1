// Games played out from one position, on boards that fit it: what a chance to win is made of.
#pragma once

#include <cstdint>
#include <span>

#include "mineproof/cancel.hpp"
#include "mineproof/endgame.hpp"
#include "mineproof/least.hpp"
#include "mineproof/mind.hpp"
#include "mineproof/posterior.hpp"
#include "mineproof/referee.hpp"

namespace mineproof {

// Memory is kept between calls; one thread at a time.
class Runner {
 public:
  // Reads a position with exact clues and so many mines, to play games out from it.
  void set_up(Shape shape, std::span<const std::uint8_t> states, std::int32_t mines,
              Cancel cancel = {});
  // The chance to win the position, estimated by one game on a board that fits: opens `first`,
  // which is safe there, then what is certain, then the least risk. A guess does not end the
  // game: its survival is a factor, and a board on which it would be a mine is drawn anew
  // from those on which it is not. So the mean is the chance that this way of playing wins.
  // Ends at once, with a number that means nothing, when it is asked to stop.
  [[nodiscard]] double play_out(std::int32_t first, std::span<const std::uint8_t> mined,
                                Stream& stream);

 private:
  void open(std::int32_t cell);
  void open_all_certain();
  bool open_settled();
  void solve();
  void draw_without(std::int32_t cell, Stream& stream);
  [[nodiscard]] Safest least_risk();

  Mind mind_here_, mind_;  // in the position, and in the game that is played
  Referee referee_here_, referee_;
  Engine engine_;
  Endgame endgame_;
  Arrangements arrangements_;
  ByCell<std::uint8_t> board_, states_;  // drawn, and of the view it is drawn for
  SharedNeighbourhood neighbourhood_;
  Cancel cancel_;
};

}  // namespace mineproof
