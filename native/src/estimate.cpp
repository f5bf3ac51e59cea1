#include "mineproof/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mineproof {

namespace {

constexpr std::size_t replicates = 4;
// Factors for the two noise terms: how much a risk varies per unit of relative variation of the
// weight, and if one more state weighs as much as all others. A probability has a standard
// deviation of at most 0.5. The second factor was found by `python benchmarks/estimates.py
// calibration` (docs/inference.md).
constexpr double drawn_matters = 0.5;
constexpr double unseen_matters = 0.25;

// The standard error of the weighted mean of the estimates.
double spread(std::span<const double> shares, std::span<const double> each, double mean) {
  double square = 0;
  for (std::size_t r = 0; r < each.size(); ++r) square += std::pow(shares[r] * (each[r] - mean), 2);
  return std::sqrt(square * replicates / (replicates - 1.0));
}

}  // namespace

Estimate::Estimate(std::size_t component, const ConstraintGraph& graph,
                   std::span<const std::int32_t> groups, const Sweep& planned, std::size_t budget,
                   std::size_t room, Scratch& scratch, Cancel cancel)
    : component_(component) {
  const std::size_t steps = std::max<std::size_t>(planned.order().size(), 1);
  const std::size_t width = std::max<std::size_t>(budget / steps / 2, 64);
  Sweep reversed;
  const bool both_ways = reversed.plan_reversed(graph, groups, planned, scratch);
  for (std::uint64_t r = 0; r < replicates; ++r) {
    Stream stream(component, Purpose::playout, r);
    auto sweep = std::make_unique<Sweep>();
    const Sweep& plan = both_ways && r % 2 == 1 ? reversed : planned;
    if (!sweep->estimate(plan, width, room / replicates, stream, scratch, cancel)) {
      cancelled_ = true;
      return;
    }
    if (sweep->feasible() && !sweep->order().empty()) sweeps_.push_back(std::move(sweep));
  }
}

std::size_t Estimate::bytes() const {
  std::size_t held = 0;
  for (const auto& sweep : sweeps_) held += sweep->bytes();
  return held;
}

Polynomial Estimate::weights(std::int32_t cells, double p, double& log_scale) const {
  Polynomial mean{0, std::vector<double>(at(cells) + 1, 0.0)};
  if (sweeps_.empty()) {
    log_scale = 0;
    if (p <= 0 || p >= 1) {
      mean.at[p <= 0 ? 0 : at(cells)] = 1;
      return mean;
    }
    for (std::int32_t m = 0; m <= cells; ++m)
      mean.at[at(m)] =
          std::exp(log_choose(cells, m) + m * std::log(p) + (cells - m) * std::log1p(-p));
    return mean;
  }
  log_scale = -std::numeric_limits<double>::infinity();
  for (const auto& sweep : sweeps_) log_scale = std::max(log_scale, sweep->log_scale());
  for (const auto& sweep : sweeps_) {
    const double scale = std::exp(sweep->log_scale() - log_scale) / replicates;
    for (std::size_t i = 0; i < sweep->total().size(); ++i)
      mean.at[at(sweep->low()) + i] += scale * sweep->total()[i];
  }
  return mean;
}

std::optional<double> Estimate::weigh(std::span<const double> outside, double p,
                                      std::span<double> risk, Cancel cancel) {
  double top = -std::numeric_limits<double>::infinity();
  for (const auto& sweep : sweeps_) top = std::max(top, sweep->log_scale());
  std::vector<double> weight;
  double all = 0;
  for (const auto& sweep : sweeps_) {
    const auto total = sweep->total();
    const auto here = outside.subspan(at(sweep->low()), total.size());
    double sum = 0;
    for (std::size_t i = 0; i < total.size(); ++i) sum += total[i] * here[i];
    weight.push_back(sum * std::exp(sweep->log_scale() - top));
    all += weight.back();
    if (!sweep->marginals(here, cancel)) return std::nullopt;
  }
  shares_.clear();
  if (!(all > 0)) {
    std::fill(risk.begin(), risk.end(), p);
    return 1.0;
  }
  for (const double w : weight) shares_.push_back(w / all);
  judge();
  std::vector<double> each(sweeps_.size() * risk.size());  // by group, then by sweep
  for (std::size_t r = 0; r < sweeps_.size(); ++r)
    for (std::size_t i = 0; i < risk.size(); ++i) {
      const auto [mines, gaps] = sweeps_[r]->halves(i);
      const std::size_t group = at(sweeps_[r]->order()[i]);
      each[group * sweeps_.size() + r] = mines + gaps > 0 ? mines / (mines + gaps) : 0;
    }
  double widest = 0;
  for (std::size_t group = 0; group < risk.size(); ++group) {
    const std::span here = std::span(each).subspan(group * sweeps_.size(), sweeps_.size());
    const double mean = std::inner_product(here.begin(), here.end(), shares_.begin(), 0.0);
    risk[group] = std::clamp(mean, 0.0, 1.0);
    widest = std::max(widest, spread(shares_, here, mean));
  }
  return with_noise(widest);
}

// Determines the noise of all sweeps together, weighted by their shares.
void Estimate::judge() {
  noise_ = {};
  double squares = 0;
  for (std::size_t r = 0; r < sweeps_.size(); ++r) {
    const auto [variance, unseen] = sweeps_[r]->noise();
    squares += shares_[r] * shares_[r];
    noise_.variance += shares_[r] * shares_[r] * variance;
    noise_.unseen += shares_[r] * unseen;
  }
  // If one sweep outweighs all others, the differences between them are meaningless.
  outweighed_ = squares > 0.5;
  // The variance of the mean of four weights, including those that came out at zero.
  const double between = std::max(squares - 1.0 / replicates, 0.0) * replicates / (replicates - 1);
  weight_error_ =
      std::hypot(outweighed_ ? 1 : std::sqrt(between), std::sqrt(noise_.variance), noise_.unseen);
}

// The standard error of a probability, given the spread between the sweeps.
double Estimate::with_noise(double spread) const {
  const double drawn = std::sqrt(noise_.variance / (1 + noise_.variance));
  const double error = std::hypot(spread, drawn_matters * drawn, unseen_matters * noise_.unseen);
  if (!std::isfinite(error)) return 1;
  return std::clamp(error, outweighed_ ? 0.5 : least_error, 1.0);
}

std::span<const Sweep::Watch> Estimate::watches() const {
  return sweeps_.empty() ? std::span<const Sweep::Watch>{} : sweeps_[0]->watches();
}

std::optional<std::pair<std::array<double, 9>, double>> Estimate::counts(std::size_t i) const {
  if (shares_.empty()) return std::nullopt;
  std::array<double, 9> chances{};
  double widest = 0;
  const auto is_it = [id = watches()[i].id](const Sweep::Watch& watch) { return watch.id == id; };
  std::vector<double> each(sweeps_.size());
  for (std::size_t count = 0; count < chances.size(); ++count) {
    for (std::size_t r = 0; r < sweeps_.size(); ++r) {
      const auto seen = sweeps_[r]->watches();  // each sweep has its own order of watches
      const auto& mass = std::find_if(seen.begin(), seen.end(), is_it)->mass;
      const double all = std::accumulate(mass.begin(), mass.end(), 0.0);
      each[r] = all > 0 ? mass[count] / all : 0;
      chances[count] += shares_[r] * each[r];
    }
    widest = std::max(widest, spread(shares_, each, chances[count]));
  }
  return std::pair(chances, with_noise(widest));
}

}  // namespace mineproof
