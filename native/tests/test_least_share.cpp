// The shares of small components equal those of a plain enumeration, for exact, uncertain and
// contradictory clues, and components that did not change are counted as if they were new.
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <vector>

#include "check.hpp"
#include "mineproof/chance.hpp"
#include "mineproof/least_share.hpp"

using namespace mineproof;

namespace {

struct Equation {
  std::vector<std::int32_t> cells;
  std::int32_t least, most;
};

// A component: its cells, and for each of its configurations the mines among them, as bits.
struct Listed {
  std::vector<std::int32_t> cells;
  std::vector<Equation> equations;
  std::vector<std::uint32_t> configurations;
  std::int32_t fewest = 99, most = 0;  // mines
  [[nodiscard]] bool has(std::int32_t cell) const {
    return std::find(cells.begin(), cells.end(), cell) != cells.end();
  }
};

// Links equations one after the other to the components so far.
std::vector<Listed> components_of(const PlayerKnowledge& knowledge) {
  std::vector<Listed> found;
  for (std::int32_t clue = 0; clue < knowledge.size(); ++clue) {
    if (!knowledge.is_clue(clue)) continue;
    Equation own{{}, knowledge.least(clue), knowledge.most(clue)};
    knowledge.shape().each_neighbour(clue, [&](std::int32_t near) {
      if (knowledge.is_open(near)) own.cells.push_back(near);
    });
    if (own.cells.empty()) continue;
    Listed joined{own.cells, {own}, {}};
    for (auto one = found.begin(); one != found.end();) {
      if (std::none_of(own.cells.begin(), own.cells.end(),
                       [&](std::int32_t cell) { return one->has(cell); })) {
        ++one;
        continue;
      }
      for (const std::int32_t cell : one->cells)
        if (!joined.has(cell)) joined.cells.push_back(cell);
      joined.equations.insert(joined.equations.end(), one->equations.begin(), one->equations.end());
      one = found.erase(one);
    }
    found.push_back(joined);
  }
  return found;
}

void list(Listed& component) {
  std::vector<std::uint32_t> masks;
  for (const Equation& one : component.equations) {
    masks.push_back(0);
    for (std::size_t i = 0; i < component.cells.size(); ++i)
      if (std::find(one.cells.begin(), one.cells.end(), component.cells[i]) != one.cells.end())
        masks.back() |= 1U << i;
  }
  for (std::uint32_t mined = 0; mined < 1U << component.cells.size(); ++mined) {
    bool holds = true;
    for (std::size_t i = 0; i < masks.size(); ++i) {
      const std::int32_t mines = std::popcount(mined & masks[i]);
      holds &= component.equations[i].least <= mines && mines <= component.equations[i].most;
    }
    if (!holds) continue;
    component.configurations.push_back(mined);
    component.fewest = std::min(component.fewest, std::popcount(mined));
    component.most = std::max(component.most, std::popcount(mined));
  }
}

using Shares = std::map<std::int32_t, double>;

// The shares by definition, and what is outside.
struct Expected {
  Shares shares;
  std::int32_t outside, fewest;
};

Expected expect(std::span<const Listed> components, std::int32_t cells,
                std::optional<std::int32_t> left) {
  Expected found{{}, cells, 0};
  std::int32_t most = 0;
  for (const Listed& one : components) {
    found.outside -= static_cast<std::int32_t>(one.cells.size());
    found.fewest += one.fewest;
    most += one.most;
  }
  for (const Listed& one : components) {
    std::int32_t total = 0;
    std::vector<std::int32_t> mined(one.cells.size());
    for (const std::uint32_t configuration : one.configurations) {
      const std::int32_t mines = std::popcount(configuration);
      if (left && mines + found.fewest - one.fewest > *left) continue;
      if (left && mines + most - one.most + found.outside < *left) continue;
      ++total;
      for (std::size_t i = 0; i < mined.size(); ++i)
        mined[i] += static_cast<std::int32_t>(configuration >> i & 1);
    }
    for (std::size_t i = 0; i < mined.size() && total > 0; ++i)
      found.shares[one.cells[i]] = static_cast<double>(mined[i]) / total;
  }
  return found;
}

struct Seen {
  std::int32_t shares = 0, dropped = 0, contradictory = 0, skipped = 0;
};

void compare(SmallComponents& components, const PlayerKnowledge& knowledge, std::int32_t cap,
             std::optional<std::int32_t> left, Seen& seen) {
  CHECK(components.count(knowledge, cap, left, {}));
  std::vector<Listed> listed;
  for (Listed& one : components_of(knowledge)) {
    const bool small = std::cmp_less_equal(one.cells.size(), cap);
    if (small) list(one);
    seen.skipped += !small;
    seen.contradictory += small && one.configurations.empty();
    if (!one.configurations.empty()) listed.push_back(one);
  }
  const Expected expected = expect(listed, knowledge.open_cells(), left);
  Shares found;
  components.each_share([&](std::span<const std::int32_t> cells, double share) {
    for (const std::int32_t cell : cells) {
      CHECK(components.has(cell));
      CHECK(found.emplace(cell, share).second);
    }
  });
  CHECK(found == expected.shares);
  CHECK(components.outside() == expected.outside);
  CHECK(components.fewest() == expected.fewest);
  seen.shares += static_cast<std::int32_t>(found.size());
  seen.dropped += found != expect(listed, knowledge.open_cells(), std::nullopt).shares;
}

// Opens cells of random boards one after the other.
void test_shares() {
  const std::array<ClueModel, 3> models{exact_clues, ClueModel::optimistic(false),
                                        ClueModel::cautious(false)};
  SmallComponents components;
  Seen seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Shape shape{4, 5};
    const ClueModel& clues = models[seed % models.size()];
    PlayerKnowledge::InferenceOptions options;
    options.local = seed % 7 != 0;
    options.naive = seed % 2 == 0;
    const auto mines = static_cast<std::int32_t>(3 + seed % 5);
    const Cells mined = deal(shape, mines, {}, seed);
    const Cells counts = count_mines(shape, mined);
    PlayerKnowledge knowledge;
    knowledge.begin(neighbourhood_of(shape, nullptr), options, {mines, {}}, clues);
    components.begin(shape.size());
    Stream stream(seed, Purpose::ties);
    for (std::int32_t cell = 0; cell < shape.size(); ++cell) {
      if (stream.uniform() < 0.5) continue;
      std::int32_t degree = 0;
      shape.each_neighbour(cell, [&](std::int32_t) { ++degree; });
      knowledge.see(cell, mined[at(cell)]
                              ? static_cast<std::uint8_t>(exploded)
                              : clues.draw(counts[at(cell)], degree, ClueModel::unbounded, stream));
      knowledge.reason();
      const std::int32_t cap = seed % 5 == 0 ? 4 : 11;
      compare(components, knowledge, cap, seed % 3 == 0 ? std::nullopt : knowledge.mines_left(),
              seen);
    }
  }
  CHECK(seen.shares > 5000);
  CHECK(seen.dropped > 100);
  CHECK(seen.contradictory > 100);
  CHECK(seen.skipped > 100);
}

}  // namespace

int main() {
  test_shares();
  return exit_code();
}
