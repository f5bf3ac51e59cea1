// Why a cell is certain: a smallest set of clues that proves it, and the steps from them.
//
// Knows cells, clues and kinds of steps; knows no words and no pictures. A Prover reads a view
// and then answers for one cell after the other; it is used by one thread at a time. Answers
// depend on the view, the model, the prior and the budget, and nothing else; they are those
// of reasoning/proofs/finder.py.
//
// Clues alone come before the mine count, which is used only if clues alone are not enough;
// of proofs of the same size the one with the easiest steps is taken, of those the nearest (the
// king's distances of its clues from the cell, summed), then the first by cell.
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
  std::vector<std::int32_t> clues;  // the cells whose clues it rests on, rising
  bool count_used = false;
  bool least = false;            // no fewer clues do, with the count only where it is used
  bool irreducible = false;      // none of them can be left out, nor the count where it is used
  bool cancelled = false;        // the caller asked to stop: discard the rest
  std::vector<Inference> steps;  // none where they were not found within the budget
};

// The questions that the steps of a proof may cost in any case.
constexpr std::int64_t least_questions = 5000;
// What all certain cells of a view may take together, in nodes for each question of the budget of
// one proof: a third of a second for 20,000.
constexpr std::int64_t nodes_in_all = 450;

class Prover {
 public:
  // A contradiction if there is no configuration, or cancelled; otherwise queries are allowed. The
  // states and the model of the view must stay alive until the last query.
  Outcome read(const View& view, const Prior& prior, Cancel cancel = {});

  // By cell, after read(): what is certain, the mine count included.
  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }

  // Right after read(): lets engine() have the odds, too, as Engine::solve() has them, from what
  // was counted.
  Outcome weigh(Cancel cancel = {});
  [[nodiscard]] const Engine& engine() const { return engine_; }

  // Why an unknown cell whose verdict is not open is so. `budget`: questions about clues alone that
  // a search may ask; hard ones cost more, one with the count as much as twenty, on large boards
  // more. Beyond it `least` is false, and beyond the same again `irreducible`, too. What the steps
  // may cost goes by the same budget. Some tenths of a second for 20,000.
  [[nodiscard]] Proof prove(std::int32_t cell, std::int64_t budget, Cancel cancel = {});
  // The same for those of the cells whose verdict is not open. First what is easily found, then
  // what is left, each with its share; what of it is not least then gets the whole budget, one
  // after the other. All that until all together took nodes_in_all: the last of very many have
  // neither clues nor steps.
  [[nodiscard]] std::vector<Proof> prove_all(std::span<const std::int32_t> cells,
                                             std::int64_t budget, Cancel cancel = {});

 private:
  // The clues in the order in which they are looked at, as Smallest wants them.
  struct Field {
    bool counted = false;
    bool is_whole = true;             // whether all clues are there that can play a part
    std::vector<std::int32_t> order;  // statements
    std::vector<std::int32_t> rings;
    std::vector<ClueSet> linked;
    ClueSet near;
  };
  struct Choice;
  struct Hard;
  // The verdict alone, without clues and steps.
  [[nodiscard]] Proof assert_only(std::int32_t cell) const;
  // What a proof may cost.
  struct Limits {
    std::int64_t questions;  // of each search
    std::int64_t cells;      // that its derivation looks at
    bool easy = false;       // nothing unless these questions find all least proofs
  };
  std::optional<Proof> try_to_prove(std::int32_t cell, const Limits& limits, Cancel cancel);
  [[nodiscard]] Field linked_to(std::int32_t cell, std::size_t most) const;
  [[nodiscard]] Field everything(std::int32_t cell) const;
  void sort_by_distance(std::vector<std::int32_t>& statements, std::int32_t cell) const;
  void read_count();
  bool find_alone(Cancel cancel);
  [[nodiscard]] Oracle oracle(const Field& field, const Proof& proof, std::int64_t budget,
                              Cancel cancel);
  std::vector<Choice> least_choices(const Field& field, Oracle& oracle, Proof& proof);
  std::vector<Choice> reduced_choice(const Field& field, Oracle& oracle, std::int64_t budget,
                                     Proof& proof);
  [[nodiscard]] Choice choice(const Field& field, std::span<const std::int32_t> places,
                              std::int32_t cell) const;
  // Nothing if cancelled.
  [[nodiscard]] std::optional<bool> proves_with_count(std::span<const std::int32_t> chosen,
                                                      const Field& field, const Proof& proof,
                                                      Cancel cancel);
  void mask(std::span<const std::int32_t> chosen, const Field& field);
  void take_best(std::vector<Choice> choices, Proof& proof, std::int64_t cells, Cancel cancel);
  [[nodiscard]] std::int32_t distance(std::int32_t statement, std::int32_t cell) const;

  View view_{};
  Prior prior_;
  std::vector<Override> overrides_;
  std::vector<Statement> statements_;
  Statement count_{the_count, {}, 0};
  Consistency consistency_;
  std::int64_t work_ = 0;                  // of the proofs since read(), in nodes
  std::vector<Verdict> verdicts_, alone_;  // alone: without the mine count
  Engine engine_;
  Outcome outcome_{};                 // of read()
  Cells masked_;                      // the states with nothing shown but chosen clues,
  std::vector<Override> masked_own_;  // and the overrides that go with them
};

}  // namespace mineproof
