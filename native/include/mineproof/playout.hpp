// Playouts: simulated games from one position on boards consistent with it, to estimate win
// probabilities.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/endgame.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/lowest_risk.hpp"
#include "mineproof/player_knowledge.hpp"
#include "mineproof/referee.hpp"

namespace mineproof {

// What is drawn again when a guess hits a mine. `all`: the whole board, among consistent boards
// without a mine there; so the mean over playouts is the win probability. `near`: only the cells
// that clues link to the guess, while interior cells compensate for the mine count. Playouts that
// guess elsewhere then still meet the same mines, so differences between them have less noise, at
// the price of a small bias from the mine count.
enum class Resample : std::uint8_t { all, near };

// Reuses its memory between calls; one thread at a time.
class Playout {
 public:
  // Chooses the cell to guess in a view where nothing is certain; no cell if cancelled.
  using Guess = std::function<LowestRisk(const PlayerKnowledge&)>;

  // Reads a position with exact clues and this number of mines as the start of playouts. Guesses
  // take the lowest risk; from the `often`-th visit to a view on, the guess there comes from
  // `guess`, which may be slower.
  void set_up(Shape shape, std::span<const std::uint8_t> states, std::int32_t mines,
              Resample resample, Cancel cancel = {}, Guess guess = {}, std::int32_t often = 16);
  // Prepares a board consistent with the position for one playout that opens `first` first; if
  // `first` is a mine on it, the board is drawn again. Returns what `first` shows.
  std::uint8_t deal(std::int32_t first, std::span<const std::uint8_t> mined, Stream& stream);
  // Estimates the win probability of the position, given that `first` is safe, from one playout:
  // opens `first`, then everything certain, then guesses. A guess does not end the playout: its
  // probability of surviving is a factor, and a board on which it is a mine is replaced by one
  // drawn from those on which it is safe. So the mean over playouts is the probability that this
  // way of playing wins. If cancelled, returns at once with a meaningless number.
  [[nodiscard]] double play_out(std::int32_t first, Stream& stream);

 private:
  // What to do in a view where the player's own rules deduce nothing more.
  struct Next {
    enum class Kind : std::uint8_t { deduce, end, guess } kind = Kind::guess;
    std::size_t from = 0, to = 0;  // a range in deduced_
    double won = 0, all = 0;       // for end: weight of the configurations that are won, and of all
    LowestRisk guess;
    std::int32_t met = 0;  // for guess: how often the view was met
  };
  // Identifies a view of this position by a 128-bit hash of its states.
  struct Name {
    std::uint64_t first, second;
    bool operator==(const Name&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Name& name) const { return static_cast<std::size_t>(name.first); }
  };

  void open(std::int32_t cell);
  void open_by_rules();
  bool open_deduced();
  [[nodiscard]] const Next& next();
  void think(Next& next);
  void draw_without(std::int32_t cell, Stream& stream);
  bool draw_near(std::int32_t cell, Stream& stream);
  void find_linked(std::int32_t cell);
  bool balance(Stream& stream);
  [[nodiscard]] LowestRisk least_risk();
  [[nodiscard]] static Name name_of(std::span<const std::uint8_t> states);

  PlayerKnowledge knowledge_here_, knowledge_;  // in the position, and in the current playout
  Referee referee_here_, referee_;
  Engine engine_;
  Endgame endgame_;
  Arrangements arrangements_;
  ByCell<std::uint8_t> board_, states_;  // the drawn board, and the view it is for
  // Playouts from one position meet the same views again and again, above all at the start.
  std::unordered_map<Name, Next, Hash> known_;
  std::vector<Part::Deduced> deduced_;
  Resample resample_ = Resample::all;
  Guess guess_;
  std::int32_t often_ = 0;
  ByCell<std::uint8_t> mark_;         // of cells that clues link to a guess
  std::vector<std::int32_t> linked_;  // the cells marked in mark_
  std::vector<std::int32_t> rest_;    // the undecided interior cells
  SharedNeighbourhood neighbourhood_;
  Cancel cancel_;
};

}  // namespace mineproof
