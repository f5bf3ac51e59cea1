#include "runtime/contradictions.hpp"

#include <algorithm>
#include <string>

#include "mineproof/cells.hpp"
#include "runtime/errors.hpp"

namespace mineproof::runtime {

namespace {

constexpr std::int32_t most_cells = 1'000'000;
constexpr std::size_t most_around = 8;

}  // namespace

Clashes::Clashes(const std::vector<Said>& clues, std::int32_t cells) {
  if (cells < 1 || cells > most_cells)
    throw Invalid("the number of cells must be from 1 to " + std::to_string(most_cells));
  for (const auto& [around, allowed] : clues) {
    if (around.size() > most_around) throw Invalid("a clue must have at most 8 cells");
    for (const std::int32_t cell : around)
      if (cell < 0 || cell >= cells) throw Invalid("a clue's cell is not on the board");
    statements_.push_back({static_cast<std::int32_t>(statements_.size()), around, allowed});
    auto& own = statements_.back().cells;
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  consistency_.read(statements_, cells);
}

bool Clashes::clash(std::span<const std::int32_t> chosen) {
  for (const std::int32_t place : chosen)
    if (place < 0 || at(place) >= statements_.size()) throw Invalid("a clue has an invalid index");
  return consistency_.clash(chosen);
}

}  // namespace mineproof::runtime
