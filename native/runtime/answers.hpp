// Queries to the posterior engine, the champion's search and the prover. Each thread has its own
// instances, whose memory is reused; any number of threads may call concurrently. The functions
// throw Cancelled if a call was cancelled, and std::bad_alloc if memory ran out; later calls work
// normally after either.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/fair.hpp"
#include "mineproof/play.hpp"
#include "mineproof/proof.hpp"
#include "mineproof/search.hpp"
#include "runtime/question.hpp"

namespace mineproof::runtime {

// The posterior of one view; only `outcome` is set if it is a contradiction.
struct Solution {
  Outcome outcome{};
  std::size_t size = 0;
  std::unique_ptr<double[]> risk;  // by cell
  std::unique_ptr<Verdict[]> verdicts;
  double log_weight = 0, error = 0, log_error = 0;
  std::vector<Engine::CountOdds> count_odds;  // by watched cell
  Engine::Figures figures{};
};

// An engine that reuses unchanged components of the last view. For one thread at a time: a
// concurrent call throws Invalid.
class Memory {
 public:
  [[nodiscard]] Solution solve(const Question& question, Cancel cancel);

 private:
  std::mutex busy_;
  std::unique_ptr<Engine> engine_;  // none at first, and after running out of memory
};

[[nodiscard]] Solution solve(const Question& question, Cancel cancel);
// Solves all of them, on up to `threads` threads.
[[nodiscard]] std::vector<Solution> solve_all(std::span<const Question> questions, unsigned threads,
                                              Cancel cancel);

// Boards drawn from a posterior; none unless the outcome is `exact`.
struct Sample {
  Outcome outcome{};
  std::vector<Cells> boards;
};
[[nodiscard]] Sample sample(const Question& question, std::int32_t count, std::uint64_t seed,
                            Cancel cancel);

// An opening judged by the rule without luck.
struct JudgedBoard {
  std::optional<Cells> drawn;  // the board that replaces the present one
  bool kind = false;           // whether there was too much to count
};
// Decides the opening of `cell` on the board `mined` (see fair.hpp); `dealt_mines` is the number of
// mines of the board as it was dealt, `move` the number of moves before.
[[nodiscard]] JudgedBoard judge_opening(const Question& question, std::int32_t cell,
                                        const Cells& mined, std::int32_t dealt_mines,
                                        std::uint64_t seed, std::uint64_t move, Cancel cancel);

[[nodiscard]] Advice advise(const Question& question, const GameRules& rules, const Budget& budget,
                            Cancel cancel);
// With `first`, a covered cell: the win probability after opening it.
[[nodiscard]] std::optional<Chance> win_chance(const Question& question, const GameRules& rules,
                                               const Budget& budget, std::int32_t games,
                                               Cancel cancel,
                                               std::optional<std::int32_t> first = {});
// The flags that best play loses if a mine does not end the game (ScoreSearch::cost).
[[nodiscard]] std::optional<double> score_cost(const Question& question, const GameRules& rules,
                                               const Budget& budget, Cancel cancel,
                                               std::optional<std::int32_t> first = {});

// What an agent's rules deduce from a view with exact clues, by cell.
[[nodiscard]] std::vector<Verdict> closure(const Question& question, const GameRules& rules,
                                           const Strategy& strategy, Cancel cancel);

// Proofs of those cells that are certain; `budget` per cell as in Prover. If there are very many
// cells, the last ones get neither clues nor steps. Throws Invalid if a cell is not unknown, or if
// there is no configuration.
[[nodiscard]] std::vector<Proof> prove(const Question& question,
                                       std::span<const std::int32_t> cells, std::int64_t budget,
                                       Cancel cancel);

// A proof of the cell if it is certain, otherwise the posterior, without counting twice.
[[nodiscard]] std::variant<Proof, Solution> explain(const Question& question, std::int32_t cell,
                                                    std::int64_t budget, Cancel cancel);

// CPU seconds of each query in the kernel: the minimum over the repeats.
[[nodiscard]] std::vector<double> timings(std::span<const Question> questions, int repeats,
                                          Cancel cancel);

}  // namespace mineproof::runtime
