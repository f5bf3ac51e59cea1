// The effect of the total number of mines on the components, which share no clue.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mineproof/engine.hpp"

namespace mineproof {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// The mean number of mines of a component, by its weights.
double mean_of(const Polynomial& leaf) {
  double total = 0;
  double weighted = 0;
  for (std::size_t m = 0; m < leaf.at.size(); ++m) {
    total += leaf.at[m];
    weighted += leaf.at[m] * static_cast<double>(m);
  }
  return leaf.low + weighted / total;
}

}  // namespace

// Combines the components. False if no total is possible.
bool Engine::mix() {
  if (prior_.is_independent()) return mix_alone();
  const bool many = leaves_.size() > 64;
  if ((many || !mix_at(0)) && (stops() || !mix_at(find_tilt()))) return false;
  log_weight_ = product_.log_total() + log_top_ + log_scales_;
  rest_risk_ = 0;
  if (uncounted_.rest > 0)
    rest_risk_ = product_.mean([this](std::int32_t s) { return prior_.rest_risk(uncounted_, s); });
  return true;
}

// The same for independent cells, where components do not affect each other. If the density is far
// from the probability with which components were weighed, it is introduced here, in logarithms.
bool Engine::mix_alone() {
  if (prior_.excludes(graph_.deduced_mines, graph_.deduced_safe)) return false;
  const double density = prior_.density();
  log_weight_ = log_scales_;
  if (graph_.deduced_mines) log_weight_ += graph_.deduced_mines * std::log(density);
  if (graph_.deduced_safe) log_weight_ += graph_.deduced_safe * std::log1p(-density);
  const bool is_same = density == p_;
  const double safe = is_same ? 0 : std::log1p(-density) - std::log1p(-p_);   // per cell
  const double tilt = is_same ? 0 : std::log(density) - std::log(p_) - safe;  // per mine
  alone_.resize(leaves_.size());
  for (std::size_t c = 0; c < leaves_.size(); ++c) {
    const Polynomial& leaf = leaves_[c];
    std::size_t heaviest = 0;
    double top = nothing;
    for (std::size_t i = 0; i < leaf.at.size(); ++i)
      if (const double log = std::log(leaf.at[i]) + tilt * static_cast<double>(i); log > top) {
        top = log;
        heaviest = i;
      }
    double total = 0;
    std::vector<double>& outside = alone_[c];
    outside.assign(leaf.at.size(), 1.0);
    for (std::size_t i = 0; i < leaf.at.size(); ++i) {
      const double distance = static_cast<double>(i) - static_cast<double>(heaviest);
      if (!is_same) outside[i] = leaf.at[i] > 0 ? std::exp(tilt * distance) : 0;
      total += leaf.at[i] * outside[i];
    }
    if (!(total > 0)) return false;
    const double mines = leaf.low + static_cast<double>(heaviest);
    log_weight_ += std::log(total) + (is_same ? 0 : tilt * mines + safe * cells_of(c));
  }
  rest_risk_ = density;
  return true;
}

// The weight of everything else, by a component's number of mines.
std::span<const double> Engine::outside_of(std::size_t c) const {
  return prior_.is_independent() ? std::span<const double>(alone_[c]) : product_.outside(c);
}

// Log of the weight of the rest of the board, given this number of mines in the components.
// Components were weighed with probability p_, which is compensated for here.
double Engine::log_outside(std::int32_t mines) const {
  const double back = -mines * std::log(p_) - (cells_in_components_ - mines) * std::log1p(-p_);
  return prior_.log_rest(uncounted_, mines) + back;
}

// Weighs the totals at this tilt: by products of ratios if they stay in range, otherwise in
// logarithms. False if all weights underflow.
bool Engine::mix_at(double tilt) {
  if (!product_.multiply(leaves_, tilt, cancel_)) return stop();
  const std::int32_t low = product_.low();
  outside_.assign(at(product_.length()), 0.0);
  // From the middle of the allowed range outwards.
  const auto [least, most] = prior_.possible(uncounted_);
  const std::int32_t first = std::max(low, least);
  const std::int32_t last = std::min(low + product_.length() - 1, most);
  if (first > last) return false;
  const std::int32_t middle = first + (last - first) / 2;
  log_top_ = log_outside(middle) - tilt * middle;
  const double odds = (1 - p_) / p_ * std::exp(-tilt);
  const auto weight = [&](std::int32_t mines) -> double& { return outside_[at(mines - low)]; };
  weight(middle) = 1;
  double largest = 1;
  for (std::int32_t s = middle; s < last; ++s)
    weight(s + 1) = weight(s) * odds * prior_.step_up(uncounted_, s);
  for (std::int32_t s = middle; s > first; --s)
    weight(s - 1) = weight(s) / (odds * prior_.step_up(uncounted_, s - 1));
  for (std::int32_t s = first; s <= last; ++s) largest = std::max(largest, weight(s));
  if (largest > 1e200) {  // out of range: use logarithms relative to the largest
    double top = nothing;
    for (std::int32_t s = first; s <= last; ++s) top = std::max(top, log_outside(s) - tilt * s);
    for (std::int32_t s = first; s <= last; ++s)
      weight(s) = std::exp(log_outside(s) - tilt * s - top);
    log_top_ = top;
  }
  return product_.descend(leaves_, outside_, cancel_);
}

// The mean number of mines in the components at this tilt.
double Engine::mean_mines(double tilt) const {
  double sum = 0;
  for (const Polynomial& leaf : leaves_) {
    double top = nothing;
    for (std::size_t i = 0; i < leaf.at.size(); ++i)
      if (leaf.at[i] > 0) top = std::max(top, std::log(leaf.at[i]) + tilt * static_cast<double>(i));
    double total = 0;
    double weighted = 0;
    for (std::size_t i = 0; i < leaf.at.size(); ++i) {
      if (leaf.at[i] <= 0) continue;
      const double w = std::exp(std::log(leaf.at[i]) + tilt * static_cast<double>(i) - top);
      total += w;
      weighted += w * static_cast<double>(i);
    }
    sum += leaf.low + weighted / total;
  }
  return sum;
}

// Finds the tilt at which the mean number of mines in the components is what the whole board
// requires: the saddle point.
double Engine::find_tilt() {
  const double odds = std::log(p_) - std::log1p(-p_);
  double low = -80;
  double high = 80;
  for (int i = 0; i < 60 && !stops(); ++i) {
    const double tilt = (low + high) / 2;
    (prior_.too_many(uncounted_, mean_mines(tilt), odds + tilt) ? high : low) = tilt;
  }
  return (low + high) / 2;
}

// Counts again with other mine probabilities, until the required number of mines is a likely one.
// False if that does not help.
bool Engine::recount(std::size_t budget) {
  const std::int32_t needed = prior_.mines() - uncounted_.mines;
  double low = -30;
  double high = 30;
  for (int i = 0; i < 24; ++i) {
    const double odds = (low + high) / 2;
    p_ = 1 / (1 + std::exp(-odds));
    estimates_.clear();
    if (!count(budget) || !gather()) return false;
    if (mix() && run_sampler() && weigh_all()) return true;
    if (cancelled_) return false;
    double mean = p_ * static_cast<double>(graph_.rest);
    for (const Polynomial& leaf : leaves_) mean += mean_of(leaf);
    (mean > needed ? high : low) = odds;
  }
  return false;
}

}  // namespace mineproof
