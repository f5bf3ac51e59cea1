#include "mineproof/ranking_network.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace mineproof {

namespace {

#include "ranking_weights.inc"

constexpr double farthest = 5;  // standard deviations: limit of a measure's distance from its mean
constexpr double risks = 243;   // steps for quantising a risk: the byte values that Square has left
constexpr float clue_unit = 1.0F / 3;

std::array<double, CandidateFeatures::size> numbers(const CandidateFeatures& features) {
  return {features.log_score, features.log_value,  features.log_safe,   features.load,
          features.goes_on,   features.many,       features.entropy,    features.zero,
          features.likeliest, features.least,      features.second,     features.doubt,
          features.covered,   features.clues,      features.edges,      features.beyond,
          features.half,      features.doubt_near, features.mines_near, features.shows,
          features.least_near};
}

std::array<double, PositionFeatures::size> numbers(const PositionFeatures& position) {
  return {position.fifties,   position.log_weight, position.rest,
          position.rest_risk, position.hidden,     position.least};
}

std::array<double, OutcomeFeatures::size> numbers(const OutcomeFeatures& one) {
  return {one.chance, one.stuck, one.least, one.second, one.many, one.doubt};
}

// The network's inputs for one cell of a square; each has its own row of weights.
enum class Input : std::uint8_t { off_board, mine, clue, untouched, touched, risk, count };
constexpr auto inputs_of_cell = static_cast<std::size_t>(Input::count);
constexpr std::size_t all_inputs = all_features + inputs_of_cell * Square::size;

// The weights of a layer: one row of nodes for the bias, then one row per input. They are stored as
// integers, in multiples of a small unit.
template <std::size_t nodes>
class Layer {
 public:
  template <std::size_t size>
  explicit Layer(const std::array<std::int16_t, size>& written) : weights_(size) {
    static_assert(size % nodes == 0);
    std::transform(written.begin(), written.end(), weights_.begin(),
                   [](std::int16_t number) { return static_cast<float>(number) * learned_unit; });
  }
  [[nodiscard]] const float* biases() const { return weights_.data(); }
  [[nodiscard]] const float* of(std::size_t input) const {
    return weights_.data() + (input + 1) * nodes;
  }

 private:
  std::vector<float> weights_;
};

struct Learned {
  Layer<learned_first> first{learned_to_first};
  Layer<learned_second> second{learned_to_second};
  Layer<1> last{learned_to_last};
};

static_assert(learned_to_first.size() == (all_inputs + 1) * learned_first);

// A non-zero input of a layer.
struct Given {
  std::size_t input;
  float value;
};

// The sums of one layer, one per node. Computed a few nodes at a time, so that these stay in
// registers.
template <std::size_t nodes>
std::array<float, nodes> sums(const Layer<nodes>& layer, const std::vector<Given>& given) {
  constexpr std::size_t together = std::min<std::size_t>(nodes, 16);
  std::array<float, nodes> found;
  for (std::size_t begin = 0; begin < nodes; begin += together) {
    std::array<float, together> some;
    std::copy_n(layer.biases() + begin, together, some.begin());
    for (const auto [input, value] : given) {
      const float* const line = layer.of(input) + begin;
      for (std::size_t node = 0; node < together; ++node) some[node] += value * line[node];
    }
    std::copy(some.begin(), some.end(), found.begin() + begin);
  }
  return found;
}

template <std::size_t nodes>
void rectify(const std::array<float, nodes>& sums, std::vector<Given>& given) {
  given.clear();
  for (std::size_t i = 0; i < nodes; ++i)
    if (sums[i] > 0) given.push_back({i, sums[i]});
}

void add(const Measures& measures, std::vector<Given>& given) {
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const double off = (measures[i] - learned_means[i]) / learned_deviations[i];
    given.push_back({i, static_cast<float>(std::clamp(off, -farthest, farthest))});
  }
}

void add(const Square& square, std::vector<Given>& given) {
  for (std::size_t i = 0; i < Square::size; ++i) {
    const auto give = [&](Input input, float value) {
      const auto which = static_cast<std::size_t>(input);
      given.push_back({all_features + i * inputs_of_cell + which, value});
    };
    const std::uint8_t cell = square.cells[i];
    if (cell >= Square::risky) {
      give(Input::touched, 1);
      give(Input::risk, static_cast<float>((cell - Square::risky) / risks));
    } else if (cell == Square::untouched) {
      give(Input::untouched, 1);
    } else if (cell == Square::off_board) {
      give(Input::off_board, 1);
    } else if (cell == Square::mine) {
      give(Input::mine, 1);
    } else if (cell > 0) {
      give(Input::clue, cell * clue_unit);
    }
  }
}

}  // namespace

std::uint8_t Square::with_risk(double risk) {
  return static_cast<std::uint8_t>(risky + std::lround(risks * std::clamp(risk, 0.0, 1.0)));
}

void Square::turn() {
  const auto at = [this](std::int32_t row, std::int32_t col) -> std::uint8_t& {
    return cells[static_cast<std::size_t>(row * side + col)];
  };
  struct Doubt {
    int above = 0, below = 0, left = 0, right = 0;
  };
  const auto doubt = [&] {
    Doubt found;
    for (std::int32_t row = 0; row < side; ++row)
      for (std::int32_t col = 0; col < side; ++col) {
        if (!is_in_doubt(at(row, col))) continue;
        found.above += row < reach;
        found.below += row > reach;
        found.left += col < reach;
        found.right += col > reach;
      }
    return found;
  };
  const Doubt before = doubt();
  if (before.below > before.above)
    for (std::int32_t row = 0; row < reach; ++row)
      for (std::int32_t col = 0; col < side; ++col)
        std::swap(at(row, col), at(side - 1 - row, col));
  if (before.right > before.left)
    for (std::int32_t row = 0; row < side; ++row)
      for (std::int32_t col = 0; col < reach; ++col)
        std::swap(at(row, col), at(row, side - 1 - col));
  if (std::max(before.left, before.right) > std::max(before.above, before.below))
    for (std::int32_t row = 0; row < side; ++row)
      for (std::int32_t col = 0; col < row; ++col) std::swap(at(row, col), at(col, row));
}

std::vector<Measures> measures_of(std::span<const CandidateFeatures> features,
                                  const PositionFeatures& position) {
  std::vector<Measures> rows(features.size());
  if (features.empty()) return rows;
  const auto first = numbers(features[0]);
  const auto shared = numbers(position);
  for (std::size_t c = 0; c < features.size(); ++c) {
    const auto own = numbers(features[c]);
    auto next =
        std::transform(own.begin(), own.end(), first.begin(), rows[c].begin(), std::minus{});
    next = std::copy(own.begin(), own.end(), next);
    next = std::copy(shared.begin(), shared.end(), next);
    for (const OutcomeFeatures& one : features[c].outcomes) {
      const auto values = numbers(one);
      next = std::copy(values.begin(), values.end(), next);
    }
  }
  return rows;
}

std::vector<double> rank_by_network(std::span<const CandidateFeatures> features,
                                    const PositionFeatures& position) {
  const std::vector<Measures> rows = measures_of(features, position);
  static const Learned learned;
  std::vector<double> logs;
  std::vector<Given> given;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    given.clear();
    add(rows[c], given);
    add(features[c].square, given);
    rectify(sums(learned.first, given), given);
    rectify(sums(learned.second, given), given);
    const auto said = static_cast<double>(sums(learned.last, given)[0]);
    logs.push_back(learned_slope * rows[c][0] + said);
  }
  return logs;
}

}  // namespace mineproof
