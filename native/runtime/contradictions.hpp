// Consistency of sets of clues, for repeated queries about the same clues.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/proof_consistency.hpp"

namespace mineproof::runtime {

class Clashes {
 public:
  // The constraint of a clue: its cells, and the numbers of mines among them that it allows, one
  // bit each.
  using Said = std::pair<std::vector<std::int32_t>, std::uint32_t>;

  // Throws Invalid if no clue on a board with this number of cells can have such a constraint.
  Clashes(const std::vector<Said>& clues, std::int32_t cells);

  // Whether the chosen clues, given by index, contradict each other; also false if the search gave
  // up, which takes a few hundredths of a second.
  [[nodiscard]] bool clash(std::span<const std::int32_t> chosen);
  [[nodiscard]] bool gave_up() const { return consistency_.gave_up; }
  [[nodiscard]] std::int64_t nodes() const { return consistency_.nodes; }

 private:
  std::vector<ProofConstraint> statements_;
  Consistency consistency_;
};

}  // namespace mineproof::runtime
