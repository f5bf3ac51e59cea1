// The common base of the searches for a next move: the position and its posterior, the endgame,
// parts of the board that are solved separately, and the choice of candidates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mineproof/advice.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/cells.hpp"
#include "mineproof/endgame.hpp"
#include "mineproof/engine.hpp"

namespace mineproof {

// Reuses its memory between calls; one thread at a time.
class LookAhead {
 protected:
  // `remembers`: the engine that evaluates outcomes reuses unchanged components (engine.hpp).
  explicit LookAhead(bool remembers) : after_(remembers) {}

  void begin(const Position& position);
  // Whether every clue shows the true count.
  [[nodiscard]] bool is_simple() const { return view_.model->exact && view_.overrides.empty(); }

  // After an exact count: best play if few configurations are left; the fewer the cells, the more
  // configurations are allowed. With `all`, also considers cells that are known to be safe. With
  // `first`, a cell not known to be a mine, opens that cell first.
  std::optional<Choice> solve_endgame(const Budget& budget, Aim aim, bool all = false,
                                      std::int32_t first = the_best);

  // Marks the cell as safe, together with the cells that the opening rule makes safe with it.
  void promise(std::int32_t cell, Opening opening);
  // Whether a game can start there: enough cells remain for the mines besides those that must be
  // safe.
  [[nodiscard]] bool can_begin(std::int32_t cell, Opening opening) const;
  // The cell `steps` away from a corner, or the corner if no game can start there.
  [[nodiscard]] std::int32_t near_corner(std::int32_t steps, Opening opening) const;
  // Calls see(cell) for all cells of an empty board, one per symmetry class.
  template <class See>
  void each_first(See&& see) const {
    const Shape shape = view_.shape;
    const bool is_square = shape.rows == shape.cols;
    for (std::int32_t row = 0; row <= (shape.rows - 1) / 2; ++row)
      for (std::int32_t col = is_square ? row : 0; col <= (shape.cols - 1) / 2; ++col)
        see(row * shape.cols + col);
  }
  // Solves parts of the board separately that give no information about the others. If not even the
  // mine count links a part to the others, because its number of mines is fixed or the count is
  // unknown, waiting gains nothing: then its best cell is the advice, and this returns true. The
  // other parts are left for the end.
  bool set_parts_apart(const Budget& budget, Aim aim);

  // Whether a cell is next to one for which `accepts` is true.
  [[nodiscard]] bool touches(std::int32_t cell, bool (*accepts)(std::uint8_t)) const;
  // Makes candidates of at most `most` cells whose risk is at most `risk`, safest first: those next
  // to a cell for which `accepts` is true, and a few others. Returns whether there are others.
  bool gather(double risk, std::int32_t most, bool (*accepts)(std::uint8_t));
  // Calls see(state) for everything that a cell may show if it is safe.
  template <class See>
  void each_shown(std::int32_t cell, See&& see) const {
    if (!view_.model->exact) {
      for (std::uint8_t shows = 0; shows <= largest_clue; ++shows) see(shows);
      see(std::uint8_t{no_clue});
      return;
    }
    int mines = 0;
    int open = 0;
    const auto verdicts = engine_.verdicts();
    view_.shape.each_neighbour(cell, [&](std::int32_t near) {
      const std::uint8_t state = states_[near];
      mines += state == exploded || (state == hidden && verdicts[at(near)] == Verdict::mine);
      open += state == hidden && verdicts[at(near)] == Verdict::open;
    });
    for (int shows = mines; shows <= mines + open; ++shows) see(static_cast<std::uint8_t>(shows));
  }

  View view_{};
  Prior prior_;
  Cancel cancel_;
  Advice advice_;
  ByCell<std::uint8_t> states_;  // the view's states without flags; modified during look-ahead
  Engine engine_, after_;
  Endgame endgame_;
  Arrangements arrangements_;
  ByCell<std::uint8_t> apart_;  // marks parts that are solved separately; may be empty
  std::optional<Candidate> apart_best_;

 private:
  [[nodiscard]] std::int32_t covered_around(std::int32_t cell) const;
};

}  // namespace mineproof
