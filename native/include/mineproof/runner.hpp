// Games played out from one position, on boards that fit it: what a chance to win is made of.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/endgame.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/least.hpp"
#include "mineproof/mind.hpp"
#include "mineproof/referee.hpp"

namespace mineproof {

// What is drawn again if a guess hits a mine. `all`: the board, from those that fit and have
// none there, so the mean of the games is the chance to win. `near`: the cells that clues link to
// the guess, while those that no clue touches make up for the count. Games that guess elsewhere
// then still meet the same mines: their differences have less noise, and the count's small
// part in them is not quite right.
enum class Redraw : std::uint8_t { all, near };

// Memory is kept between calls; one thread at a time.
class Runner {
 public:
  // The cell to risk in a view where nothing is certain; none where it is asked to stop.
  using Guess = std::function<Safest(const Mind&)>;

  // Reads a position with exact clues and this number of mines, as the start of playouts. Guesses
  // are those of the least risk, and those of `guess`, which may take longer, in views that are met
  // so often.
  void set_up(Shape shape, std::span<const std::uint8_t> states, std::int32_t mines, Redraw redraw,
              Cancel cancel = {}, Guess guess = {}, std::int32_t often = 16);
  // A board that fits, for one game; `first` is to be opened first, and where it is a mine the
  // board is drawn again. Returns what the cell shows.
  std::uint8_t deal(std::int32_t first, std::span<const std::uint8_t> mined, Stream& stream);
  // The chance to win the position given that `first` is safe, estimated by this game: opens it,
  // then what is certain, then guesses. A guess does not end the game: its survival is a
  // factor, and a board on which it would be a mine is replaced by one drawn from those on which it
  // is not. So the mean is the chance that this way of playing wins. Ends at once, with a number
  // that means nothing, when it is asked to stop.
  [[nodiscard]] double play_out(std::int32_t first, Stream& stream);

 private:
  // What to do in a view where the mind's own rules find no more.
  struct Next {
    enum class Kind : std::uint8_t { settle, end, guess } kind = Kind::guess;
    std::size_t from = 0, to = 0;  // settle: in settled_
    double won = 0, all = 0;       // end: weights of the configurations that are won, and of all
    Safest guess;
    std::int32_t met = 0;  // guess: so often
  };
  // Stands for a view of this position: 128 bits of its states, mixed.
  struct Name {
    std::uint64_t first, second;
    bool operator==(const Name&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Name& name) const { return static_cast<std::size_t>(name.first); }
  };

  void open(std::int32_t cell);
  void open_by_rules();
  bool open_settled();
  [[nodiscard]] const Next& next();
  void think(Next& next);
  void draw_without(std::int32_t cell, Stream& stream);
  bool draw_near(std::int32_t cell, Stream& stream);
  void find_linked(std::int32_t cell);
  bool balance(Stream& stream);
  [[nodiscard]] Safest least_risk();
  [[nodiscard]] static Name name_of(std::span<const std::uint8_t> states);

  Mind mind_here_, mind_;  // in the position, and in the game that is played
  Referee referee_here_, referee_;
  Engine engine_;
  Endgame endgame_;
  Arrangements arrangements_;
  ByCell<std::uint8_t> board_, states_;  // drawn, and of the view it is drawn for
  // Games from one position meet the same views again and again, above all at their begin.
  std::unordered_map<Name, Next, Hash> known_;
  std::vector<Part::Settled> settled_;
  Redraw redraw_ = Redraw::all;
  Guess guess_;
  std::int32_t often_ = 0;
  ByCell<std::uint8_t> mark_;         // of cells that clues link to a guess
  std::vector<std::int32_t> linked_;  // these, and
  std::vector<std::int32_t> rest_;    // the open cells that no clue touches
  SharedNeighbourhood neighbourhood_;
  Cancel cancel_;
};

}  // namespace mineproof
