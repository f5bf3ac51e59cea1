// Boards have the requested number of mines, none in protected cells, and every board is equally
// likely.
#include <map>
#include <numeric>

#include "check.hpp"
#include "mineproof/board.hpp"
#include "mineproof/cells.hpp"

using namespace mineproof;

int main() {
  const std::vector<std::int32_t> free{0, 1, 30, 31};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Cells cells = deal({16, 30}, 99, free, seed);
    CHECK(std::accumulate(cells.begin(), cells.end(), 0) == 99);
    for (const std::int32_t cell : free) CHECK(!cells[at(cell)]);
  }

  // 2 mines on the 3 unprotected cells of a 2x2 board: 3 boards, equally likely.
  std::map<int, int> seen;
  const std::vector<std::int32_t> corner{0};
  for (std::uint64_t seed = 0; seed < 30000; ++seed) {
    const Cells cells = deal({2, 2}, 2, corner, seed);
    ++seen[cells[0] | cells[1] << 1 | cells[2] << 2 | cells[3] << 3];
  }
  CHECK(seen.size() == 3);
  for (const auto& [cells, times] : seen) CHECK(times > 9600 && times < 10400);

  CHECK(deal({1, 1}, 0, {}, 5) == Cells{0});
  CHECK(deal({1, 1}, 1, {}, 5) == Cells{1});

  const Cells all = deal_each({3, 3}, 1ULL << 53, {}, 1);
  CHECK(std::accumulate(all.begin(), all.end(), 0) == 9);

  const Cells mines{1, 0, 0, 0, 0, 0};  // *.. / ...
  CHECK((count_mines({2, 3}, mines) == Cells{0, 1, 0, 1, 1, 0}));
  const Figures found = figures({2, 3}, mines);
  CHECK(found.openings == 1 && found.islands == 1 && found.bbbv == 2);
  return exit_code();
}
