#include "mineproof/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mineproof {

namespace {

constexpr std::size_t replicates = 4;

// The standard error of a mean of what each estimate says, by its share of the weight.
double spread(std::span<const double> shares, std::span<const double> each, double mean) {
  double square = 0;
  for (std::size_t r = 0; r < each.size(); ++r) square += std::pow(shares[r] * (each[r] - mean), 2);
  return std::sqrt(square * replicates / (replicates - 1.0));
}

}  // namespace

Estimate::Estimate(std::size_t component, const Sweep& planned, std::size_t budget,
                   std::size_t room, Scratch& scratch, Cancel cancel)
    : component_(component) {
  const std::size_t steps = std::max<std::size_t>(planned.order().size(), 1);
  const std::size_t width = std::max<std::size_t>(budget / steps / 2, 64);
  for (std::uint64_t r = 0; r < replicates; ++r) {
    Stream stream(component, Purpose::playout, r);
    auto sweep = std::make_unique<Sweep>();
    if (!sweep->estimate(planned, width, room / replicates, stream, scratch, cancel)) {
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
  // Where one estimate outweighs all others, how far apart they are tells nothing.
  double squares = 0;
  for (const double share : shares_) squares += share * share;
  double error = squares > 0.5 ? 0.5 : 0;
  // The variance of a mean of so many weights, those that came to nothing among them.
  weight_error_ =
      squares > 0.5
          ? 1
          : std::sqrt(std::max(squares - 1.0 / replicates, 0.0) * replicates / (replicates - 1.0));
  std::vector<double> risks(sweeps_.size());
  for (std::size_t i = 0; i < risk.size(); ++i) {
    double mean = 0;
    for (std::size_t r = 0; r < sweeps_.size(); ++r) {
      const auto [mines, gaps] = sweeps_[r]->halves(i);
      risks[r] = mines + gaps > 0 ? mines / (mines + gaps) : 0;
      mean += shares_[r] * risks[r];
    }
    risk[at(sweeps_[0]->order()[i])] = std::clamp(mean, 0.0, 1.0);
    error = std::max(error, spread(shares_, risks, mean));
  }
  return error;
}

std::span<const Sweep::Watch> Estimate::watches() const {
  return sweeps_.empty() ? std::span<const Sweep::Watch>{} : sweeps_[0]->watches();
}

std::optional<std::pair<std::array<double, 9>, double>> Estimate::counts(std::size_t i) const {
  if (shares_.empty()) return std::nullopt;
  std::array<double, 9> chances{};
  double error = 0;
  std::vector<double> each(sweeps_.size());
  for (std::size_t count = 0; count < chances.size(); ++count) {
    for (std::size_t r = 0; r < sweeps_.size(); ++r) {
      const auto& mass = sweeps_[r]->watches()[i].mass;
      const double all = std::accumulate(mass.begin(), mass.end(), 0.0);
      each[r] = all > 0 ? mass[count] / all : 0;
      chances[count] += shares_[r] * each[r];
    }
    error = std::max(error, spread(shares_, each, chances[count]));
  }
  return std::pair(chances, weight_error_ >= 1 ? std::max(error, 0.5) : error);
}

}  // namespace mineproof
