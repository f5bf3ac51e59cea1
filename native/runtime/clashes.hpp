// Which clues can hold together, asked time and again of the same ones.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/proof_consistency.hpp"

namespace mineproof::runtime {

class Clashes {
 public:
  // What a clue says: its cells, and the numbers of mines among them that it allows, a bit each.
  using Said = std::pair<std::vector<std::int32_t>, std::uint32_t>;

  // Throws Invalid for what no clue of a board with so many cells can say.
  Clashes(const std::vector<Said>& clues, std::int32_t cells);

  // Whether the chosen clues, given by their places, cannot hold together; false, too, if that
  // was given up, which takes a few hundredths of a second.
  [[nodiscard]] bool clash(std::span<const std::int32_t> chosen);
  [[nodiscard]] bool gave_up() const { return consistency_.gave_up; }
  [[nodiscard]] std::int64_t nodes() const { return consistency_.nodes; }

 private:
  std::vector<Statement> statements_;
  Consistency consistency_;
};

}  // namespace mineproof::runtime
