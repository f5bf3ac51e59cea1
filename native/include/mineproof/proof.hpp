// Why a cell is certain: a smallest set of clues that proves it, and the steps from them.
//
// Knows cells, clues and kinds of steps; knows no words and no pictures. A Prover reads a view
// and then answers for one cell after the other; it is used by one thread at a time. Answers
// depend on the view, the model, the prior and the budget, and on nothing else; they are those
// of reasoning/proofs/finder.py.
//
// Clues alone come before the mine count, which takes part only where nothing else will do;
// of proofs of the same size the one with the easiest steps is taken, of those the nearest (the
// king's distances of its clues from the cell, summed), then the first by cell.
#pragma once

#include <cstdint>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/consistency.hpp"
#include "mineproof/posterior.hpp"
#include "mineproof/smallest.hpp"
#include "mineproof/statements.hpp"

namespace mineproof {

struct Proof {
  std::int32_t cell = -1;
  bool mine = false;
  std::vector<std::int32_t> clues;  // the cells whose clues it rests on, rising
  bool count_used = false;
  bool least = false;        // no smaller set of clues does
  bool irreducible = false;  // none of them can be left out
  bool cancelled = false;    // someone asked to stop: the rest is worth nothing
  std::vector<Inference> steps;
};

class Prover {
 public:
  // False if nothing fits. The states of the view must live as long as this is asked.
  bool read(const View& view, const Prior& prior);

  // By cell, after read(): what is certain, the mine count included.
  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }

  // Why a cell whose verdict is not open is so. `budget`: questions about clues alone that a
  // search may ask; one with the count costs as much as twenty. Beyond it `least` is false, and
  // beyond the same again `irreducible`, too.
  [[nodiscard]] Proof prove(std::int32_t cell, std::int64_t budget, const Cancel& cancel = {});

 private:
  struct Field;
  struct Choice;
  [[nodiscard]] Field linked_to(std::int32_t cell) const;
  [[nodiscard]] Field everything(std::int32_t cell) const;
  [[nodiscard]] Oracle oracle(const Field& field, const Proof& proof, std::int64_t budget);
  std::vector<Choice> choices(const Field& field, Oracle& oracle, std::int64_t budget,
                              Proof& proof);
  [[nodiscard]] bool proves_with_count(std::span<const std::int32_t> chosen, const Field& field,
                                       const Proof& proof);
  void take_best(std::vector<Choice> choices, Proof& proof);
  [[nodiscard]] std::int32_t distance(std::int32_t statement, std::int32_t cell) const;

  View view_{};
  Prior prior_{};
  std::vector<Override> overrides_;
  std::vector<Statement> statements_;
  Statement count_{the_count, {}, 0};
  Consistency consistency_;
  std::vector<Verdict> verdicts_, alone_;  // alone: without the mine count
  Engine engine_;
  Cells masked_;
};

}  // namespace mineproof
