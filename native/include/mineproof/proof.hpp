// Proofs: a smallest set of clues that makes a cell certain, and the steps of the argument.
//
// Knows cells, clues and kinds of steps; knows no words and no pictures. A Prover reads a view and
// then answers queries for one cell after the other; it is used by one thread at a time. Results
// depend only on the view, the model, the prior and the budget, and equal those of
// reasoning/proofs/finder.py.
//
// The mine count is used only if the clues alone do not suffice. Among proofs of the same size the
// one with the easiest steps is chosen; then the nearest (the sum of the king-move distances of its
// clues from the cell); then the first by cell.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/proof_consistency.hpp"
#include "mineproof/proof_smallest.hpp"
#include "mineproof/proof_statements.hpp"

namespace mineproof {

struct Proof {
  std::int32_t cell = -1;
  bool mine = false;
  std::vector<std::int32_t> clues;  // the cells of the clues it uses, ascending
  bool count_used = false;
  bool least = false;        // no proof has fewer clues (the count allowed only if it is used here)
  bool irreducible = false;  // no clue can be left out, nor the count if it is used
  bool cancelled = false;    // the caller asked to stop: discard the rest
  std::vector<Inference> steps;  // empty if none were found within the budget
};

// The minimum number of questions allowed for the steps of a proof, whatever the budget.
constexpr std::int64_t least_questions = 5000;
// The limit on all certain cells of a view together, in nodes per question of the budget of one
// proof: a third of a second for 20,000.
constexpr std::int64_t nodes_in_all = 450;

class Prover {
 public:
  // Returns `contradiction` if there is no configuration, or `cancelled`; otherwise queries are
  // valid. The states and the model of the view must stay alive until the last query.
  Outcome read(const View& view, const Prior& prior, Cancel cancel = {});

  // After read(): what is certain, by cell, with the mine count taken into account.
  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }

  // Call right after read(): completes the posterior, so that engine() answers as after
  // Engine::solve(), without counting again.
  Outcome weigh(Cancel cancel = {});
  [[nodiscard]] const Engine& engine() const { return engine_; }

  // A proof for an unknown cell whose verdict is not `open`. `budget` is the number of questions
  // about clues alone that a search may ask; hard questions cost more, and one with the mine count
  // costs as much as twenty, more on large boards. When the budget is exhausted `least` is false;
  // when the same amount is exhausted again, `irreducible` is false, too. The same budget limits
  // the steps. A budget of 20,000 takes some tenths of a second.
  [[nodiscard]] Proof prove(std::int32_t cell, std::int64_t budget, Cancel cancel = {});
  // The same for all of these cells whose verdict is not `open`. Easy proofs are found first, then
  // the others, each with its share of the budget; then each proof that is not yet `least` gets the
  // full budget. Stops when all together have used nodes_in_all: if there are very many cells, the
  // last ones get neither clues nor steps.
  [[nodiscard]] std::vector<Proof> prove_all(std::span<const std::int32_t> cells,
                                             std::int64_t budget, Cancel cancel = {});

 private:
  // The clues in the order in which Smallest looks at them.
  struct ClueOrder {
    bool counted = false;
    bool is_whole = true;             // whether it contains every clue that may matter
    std::vector<std::int32_t> order;  // statements, by index
    std::vector<std::int32_t> rings;
    std::vector<ClueSet> linked;
    ClueSet near;
  };
  struct Choice;
  struct Hard;
  // The verdict alone, without clues and steps.
  [[nodiscard]] Proof assert_only(std::int32_t cell) const;
  // Limits on the cost of a proof.
  struct ProofLimits {
    std::int64_t questions;  // per search
    std::int64_t cells;      // cells that the derivation may look at
    bool easy = false;       // find nothing unless `questions` suffice to find all smallest proofs
  };
  std::optional<Proof> try_to_prove(std::int32_t cell, const ProofLimits& limits, Cancel cancel);
  [[nodiscard]] ClueOrder linked_to(std::int32_t cell, std::size_t most) const;
  [[nodiscard]] ClueOrder everything(std::int32_t cell) const;
  void sort_by_distance(std::vector<std::int32_t>& statements, std::int32_t cell) const;
  void read_count();
  bool find_alone(Cancel cancel);
  [[nodiscard]] Oracle oracle(const ClueOrder& field, const Proof& proof, std::int64_t budget,
                              Cancel cancel);
  std::vector<Choice> least_choices(const ClueOrder& field, Oracle& oracle, Proof& proof);
  std::vector<Choice> reduced_choice(const ClueOrder& field, Oracle& oracle, std::int64_t budget,
                                     Proof& proof);
  [[nodiscard]] Choice choice(const ClueOrder& field, std::span<const std::int32_t> places,
                              std::int32_t cell) const;
  // std::nullopt if cancelled.
  [[nodiscard]] std::optional<bool> proves_with_count(std::span<const std::int32_t> chosen,
                                                      const ClueOrder& field, const Proof& proof,
                                                      Cancel cancel);
  void mask(std::span<const std::int32_t> chosen, const ClueOrder& field);
  void take_best(std::vector<Choice> choices, Proof& proof, std::int64_t cells, Cancel cancel);
  [[nodiscard]] std::int32_t distance(std::int32_t statement, std::int32_t cell) const;

  View view_{};
  Prior prior_;
  std::vector<Override> overrides_;
  std::vector<ProofConstraint> statements_;
  ProofConstraint count_{the_count, {}, 0};
  Consistency consistency_;
  std::int64_t work_ = 0;                  // of all proofs since read(), in nodes
  std::vector<Verdict> verdicts_, alone_;  // alone_: without the mine count
  Engine engine_;
  Outcome outcome_{};                 // of read()
  Cells masked_;                      // The states with all clues hidden except the chosen ones,
  std::vector<Override> masked_own_;  // and their overrides
};

}  // namespace mineproof
