// The best chance to win a small board, known exactly.
//
// Searches all information states: what is opened and what it shows. A state's worth is the
// number of boards that fit it and are won by best play; states that are alike up to a
// symmetry of the board are met once. The twin of optimum.py.
//
// The best score of one, where a mine does not end the game, in the same way: the worth of a state
// is its loss, the least number of mines that cannot be flagged and of flags that are wrong, summed
// over the boards that fit. The twin of optimal_score.py for exact clues.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/cancel.hpp"
#include "mineproof/cells.hpp"

namespace mineproof {

struct Optimum {
  std::uint64_t wins;    // boards won by best play
  std::uint64_t boards;  // that can be dealt; 0 where none keeps the opening rule
  std::int32_t first;    // a best first cell; -1 where there is none to open
  std::uint64_t states;  // that were met
};

struct OptimalScore {
  std::uint64_t loss;    // by best play, summed over the boards
  std::uint64_t boards;  // that can be dealt; 0 where none keeps the opening rule
  std::int32_t first;    // a best first cell; -1 where it is best to open none
  std::uint64_t states;  // that were met
};

// Why there is no answer.
enum class Unsolved : std::uint8_t { too_many_states, cancelled };

class Optimal {
 public:
  // Up to 64 cells. `progress` is called now and then with the number of states; it must not
  // throw.
  Optimal(Shape shape, std::int32_t mines, std::uint64_t most_states,
          std::function<void(std::uint64_t)> progress, Cancel cancel = {});

  // `free`: how far around the first cell no mine is: -1 nowhere, 0 on it, 1 next to it, too.
  std::variant<Optimum, Unsolved> solve(int free);
  // solve_score.cpp: the same for the score. An instance answers one of the two.
  std::variant<OptimalScore, Unsolved> solve_score(int free);

 private:
  using Board = std::uint64_t;
  struct Key {
    std::array<std::uint64_t, 5> words;  // opened cells, then four bits of clue a cell
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  [[nodiscard]] int clue(Board board, std::int32_t cell) const;
  [[nodiscard]] Key key_of(Board board, Board opened, Board exploded = 0) const;
  [[nodiscard]] bool is_first_of_its_kind(std::int32_t cell) const;
  bool stops();
  [[nodiscard]] std::vector<Board> all_boards();
  // Calls see(cell, promised, boards) for all first cells, up to symmetry, with the boards that
  // keep what the opening rule promises there. Ends early once `unsolved_` is set.
  using SeeFirst = std::function<void(std::int32_t, Board, const std::vector<Board>&)>;
  void each_first(int free, const SeeFirst& see);
  // Boards told apart by which of these cells are mines and by what the others show; with `safe`,
  // only those on which none is. Nothing once `unsolved_` is set.
  using Outcomes = std::map<std::array<std::uint64_t, 5>, std::vector<Board>>;
  [[nodiscard]] Outcomes tell_apart(const std::vector<Board>& boards, Board cells, bool safe);
  // How many of these boards best play wins. `opened` are safe in all of them. What these
  // three return is worth nothing once `unsolved_` is set.
  std::uint64_t worth(std::vector<Board> boards, Board opened);
  std::uint64_t best_guess(const std::vector<Board>& boards, Board opened);
  std::uint64_t after(const std::vector<Board>& boards, Board opened, Board cells,
                      std::uint64_t needed);

  // solve_score.cpp: the loss of these boards, all alike in what is seen; after opening cells that
  // are safe on all of them; and after opening one cell, unless that comes to `enough`.
  struct Seen {
    Board opened, exploded;
  };
  std::uint64_t loss(std::vector<Board> boards, Seen seen);
  std::uint64_t least_loss(const std::vector<Board>& boards, Seen seen, std::int32_t* best_cell);
  std::uint64_t loss_after(const std::vector<Board>& boards, Seen seen, Board cells,
                           std::uint64_t enough);
  bool remember(const Key& key, std::uint64_t found);

  Shape shape_;
  std::int32_t mines_;
  std::uint64_t most_;
  std::function<void(std::uint64_t)> progress_;
  Cancel cancel_;
  std::optional<Unsolved> unsolved_;
  std::uint32_t asked_ = 0;  // how often stops() was
  Board all_ = 0;
  std::vector<Board> around_;
  std::vector<std::vector<std::int32_t>> symmetries_;  // cell by cell: where it goes
  std::unordered_map<Key, std::uint64_t, Hash> memo_;
};

}  // namespace mineproof
