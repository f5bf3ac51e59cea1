#include "mineproof/ranking_network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <utility>

#include "mineproof/embedded.hpp"

namespace mineproof {

namespace {

using namespace std::string_view_literals;

// The nodes of the first and the second layer.
constexpr std::size_t first_nodes = 128;
constexpr std::size_t second_nodes = 32;

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

// Reads the file of weights, which benchmarks/ranking_network.py writes: its name and version, the
// numbers of measures and nodes, the slope, the unit of the weights, means, deviations, and the
// weights of each layer as 16-bit integers. All numbers are little-endian.
class WeightsFile {
 public:
  template <class Unsigned>
  Unsigned whole() {
    if (left_.size() < sizeof(Unsigned)) std::abort();  // not the file of this version
    Unsigned value = 0;
    for (std::size_t i = sizeof(Unsigned); i-- > 0;)
      value = static_cast<Unsigned>(value << 7 << 1 | left_[i]);
    left_ = left_.subspan(sizeof(Unsigned));
    return value;
  }
  double number() { return std::bit_cast<double>(whole<std::uint64_t>()); }
  std::int16_t weight() { return static_cast<std::int16_t>(whole<std::uint16_t>()); }
  void expect(std::size_t number) {
    if (whole<std::uint32_t>() != number) std::abort();
  }
  void expect(std::string_view name) {
    for (const char letter : name)
      if (whole<std::uint8_t>() != static_cast<std::uint8_t>(letter)) std::abort();
  }
  void end() const {
    if (!left_.empty()) std::abort();
  }

 private:
  std::span<const std::uint8_t> left_ = ranking_weights();
};

// The weights of a layer: one row of nodes for the bias, then one row per input. They are stored as
// integers, in multiples of a small unit.
template <std::size_t nodes>
class Layer {
 public:
  Layer() = default;
  Layer(WeightsFile& file, std::size_t inputs, float unit) : weights_((inputs + 1) * nodes) {
    for (float& weight : weights_) weight = static_cast<float>(file.weight()) * unit;
  }
  [[nodiscard]] const float* biases() const { return weights_.data(); }
  [[nodiscard]] const float* of(std::size_t input) const {
    return weights_.data() + (input + 1) * nodes;
  }

 private:
  std::vector<float> weights_;
};

struct Learned {
  explicit Learned(WeightsFile file) {
    file.expect("MPRANK\0\1"sv);
    for (const std::size_t number : {all_features, first_nodes, second_nodes}) file.expect(number);
    slope = file.number();
    const auto unit = static_cast<float>(file.number());
    for (Measures* const measures : {&means, &deviations})
      for (double& measure : *measures) measure = file.number();
    first = {file, all_inputs, unit};
    second = {file, first_nodes, unit};
    last = {file, second_nodes, unit};
    file.end();
  }

  double slope = 0;
  Measures means{}, deviations{};
  Layer<first_nodes> first;
  Layer<second_nodes> second;
  Layer<1> last;
};

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

void add(const Measures& measures, const Learned& learned, std::vector<Given>& given) {
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const double off = (measures[i] - learned.means[i]) / learned.deviations[i];
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
  static const Learned learned{WeightsFile()};
  std::vector<double> logs;
  std::vector<Given> given;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    given.clear();
    add(rows[c], learned, given);
    add(features[c].square, given);
    rectify(sums(learned.first, given), given);
    rectify(sums(learned.second, given), given);
    const auto said = static_cast<double>(sums(learned.last, given)[0]);
    logs.push_back(learned.slope * rows[c][0] + said);
  }
  return logs;
}

}  // namespace mineproof
