// From chosen clues to a cell, by the easiest inferences that do.
//
// Rules are tried from the easiest on, each time from the start; what they settle, later ones
// may use. In the end only what the asked cell rests on is kept. The twins of
// reasoning/proofs/derivation.py and cases.py.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "mineproof/board.hpp"
#include "mineproof/statements.hpp"

namespace mineproof {

// Inferences from statements, which must be enough for it, that end in the asked cell. The
// count, if it takes part, is the last statement. Statements and inferences name cells of a
// board of this shape. Cost: sums of up to ten statements are all tried (a millisecond at
// worst); an argument by cases may need two cases for each open cell.
[[nodiscard]] std::vector<Inference> derive(Shape shape, std::span<const Statement> statements,
                                            std::int32_t cell, bool mine);

// Why a cell cannot be (or not be) a mine, given what is settled: the lines of the argument.
[[nodiscard]] std::vector<Line> refute(std::span<const Statement> statements, const Values& settled,
                                       std::int32_t cell, bool mine);

// The cells settled before that the lines of an argument rest on.
[[nodiscard]] std::set<std::int32_t> case_premises(std::span<const Statement> statements,
                                                   const Values& settled,
                                                   std::span<const Line> lines);

}  // namespace mineproof
