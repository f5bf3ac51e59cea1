// The optimal win probability of a small board, exactly.
//
// Searches all information states: which cells are opened and what they show. The value of a state
// is the number of boards consistent with it that best play wins. States that are equal up to a
// symmetry of the board are searched once. Python twin: optimum.py.
//
// Likewise the optimal score, for games that continue after a mine: the value of a state is then
// its least possible loss (mines that cannot be flagged plus wrong flags), summed over the boards
// consistent with it. Python twin: optimal_score.py, for exact clues.
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
  std::uint64_t wins;    // boards that best play wins
  std::uint64_t boards;  // boards that can be dealt; 0 if none keeps the opening rule
  std::int32_t first;    // a best first cell; -1 if there is none to open
  std::uint64_t states;  // states searched
};

struct OptimalScore {
  std::uint64_t loss;    // of best play, summed over the boards
  std::uint64_t boards;  // boards that can be dealt; 0 if none keeps the opening rule
  std::int32_t first;    // a best first cell; -1 if it is best to open none
  std::uint64_t states;  // states searched
};

// Why there is no result.
enum class Unsolved : std::uint8_t { too_many_states, cancelled };

class Optimal {
 public:
  // For boards of up to 64 cells. Calls `progress` from time to time with the number of states so
  // far; it must not throw.
  Optimal(Shape shape, std::int32_t mines, std::uint64_t most_states,
          std::function<void(std::uint64_t)> progress, Cancel cancel = {});

  // `free`: the distance from the first cell within which there are no mines: 0 for the cell
  // itself, 1 to include its neighbours, -1 for no guarantee.
  std::variant<Optimum, Unsolved> solve(int free);
  // solve_score.cpp: the same for the score. Use an instance for only one of the two.
  std::variant<OptimalScore, Unsolved> solve_score(int free);

 private:
  using Board = std::uint64_t;
  struct Key {
    std::array<std::uint64_t, 5> words;  // opened cells, then four bits of clue per cell
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
  // Calls see(cell, promised, boards) for all first cells, one per symmetry class, with the boards
  // that keep the opening rule there. Ends early once `unsolved_` is set.
  using SeeFirst = std::function<void(std::int32_t, Board, const std::vector<Board>&)>;
  void each_first(int free, const SeeFirst& see);
  // The boards, grouped by which of these cells are mines and by what the others show; with `safe`,
  // only boards on which none is a mine. Nothing once `unsolved_` is set.
  using Outcomes = std::map<std::array<std::uint64_t, 5>, std::vector<Board>>;
  [[nodiscard]] Outcomes by_outcome(const std::vector<Board>& boards, Board cells, bool safe);
  // The number of these boards that best play wins; `opened` must be safe on all of them. The
  // results of the three functions here are meaningless once `unsolved_` is set.
  std::uint64_t worth(std::vector<Board> boards, Board opened);
  std::uint64_t best_guess(const std::vector<Board>& boards, Board opened);
  std::uint64_t after(const std::vector<Board>& boards, Board opened, Board cells,
                      std::uint64_t needed);

  // solve_score.cpp: the loss of these boards, which all look the same to the player; the same
  // after opening cells that are safe on all of them; the same after opening one cell, stopping
  // early once the loss reaches `enough`.
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
  std::uint32_t asked_ = 0;  // how often stops() was called
  Board all_ = 0;
  std::vector<Board> around_;
  std::vector<std::vector<std::int32_t>> symmetries_;  // each maps a cell to its image
  std::unordered_map<Key, std::uint64_t, Hash> memo_;
};

}  // namespace mineproof
