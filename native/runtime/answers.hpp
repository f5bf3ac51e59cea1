// What is asked of the posterior engine, the champion's search and the prover, with memory of its
// own for every thread. Any number of threads may ask at once. Throws Cancelled where it was, and
// std::bad_alloc where memory ran out: the next question finds everything in order.
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
#include "mineproof/play.hpp"
#include "mineproof/proof.hpp"
#include "mineproof/search.hpp"
#include "runtime/question.hpp"

namespace mineproof::runtime {

// The posterior of one view; nothing but the outcome where that is a contradiction.
struct Solution {
  Outcome outcome{};
  std::size_t size = 0;
  std::unique_ptr<double[]> risk;  // by cell
  std::unique_ptr<Verdict[]> verdicts;
  double log_weight = 0, error = 0, log_error = 0;
  std::vector<Engine::CountOdds> count_odds;  // by watched cell
  Engine::Figures figures{};
};

// An engine that remembers the components of the last view. For one thread at a time: another that
// asks meanwhile is refused (Invalid).
class Memory {
 public:
  [[nodiscard]] Solution solve(const Question& question, Cancel cancel);

 private:
  std::mutex busy_;
  std::unique_ptr<Engine> engine_;  // none before the first question, or when one failed
};

[[nodiscard]] Solution solve(const Question& question, Cancel cancel);
// All of them, on some threads.
[[nodiscard]] std::vector<Solution> solve_all(std::span<const Question> questions, unsigned threads,
                                              Cancel cancel);

// Boards drawn from a posterior: none unless the outcome is exact.
struct Sample {
  Outcome outcome{};
  std::vector<Cells> boards;
};
[[nodiscard]] Sample sample(const Question& question, std::int32_t count, std::uint64_t seed,
                            Cancel cancel);

[[nodiscard]] Advice advise(const Question& question, const GameRules& rules, const Budget& budget,
                            Cancel cancel);
// `first`: by opening this covered cell before all others.
[[nodiscard]] std::optional<Chance> win_chance(const Question& question, const GameRules& rules,
                                               const Budget& budget, std::int32_t games,
                                               Cancel cancel,
                                               std::optional<std::int32_t> first = {});
// The flags that best play costs, where a mine does not end the game (ScoreSearch::cost).
[[nodiscard]] std::optional<double> score_cost(const Question& question, const GameRules& rules,
                                               const Budget& budget, Cancel cancel,
                                               std::optional<std::int32_t> first = {});

// What an agent's rules prove of a view with exact clues, by cell.
[[nodiscard]] std::vector<Verdict> closure(const Question& question, const GameRules& rules,
                                           const Strategy& strategy, Cancel cancel);

// Proofs of those of the cells that are certain, `budget` for each as Prover has it; the last of
// very many have neither clues nor steps. Throws Invalid where a cell is not unknown, or nothing
// fits.
[[nodiscard]] std::vector<Proof> prove(const Question& question,
                                       std::span<const std::int32_t> cells, std::int64_t budget,
                                       Cancel cancel);

// Why a cell is certain, or the odds where it is open: what is counted for the one serves the
// other.
[[nodiscard]] std::variant<Proof, Solution> explain(const Question& question, std::int32_t cell,
                                                    std::int64_t budget, Cancel cancel);

// CPU seconds of each question in the kernel, the least of some repeats.
[[nodiscard]] std::vector<double> timings(std::span<const Question> questions, int repeats,
                                          Cancel cancel);

}  // namespace mineproof::runtime
