#include "mineproof/gibbs_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace mineproof {

namespace {

constexpr double alike = 20;  // maximum ratio of adjacent entries in a loose table
// During annealing, impossible counts are allowed: the log penalty per mine too many or too few.
constexpr double forbids = 10;
// Improbable totals are visited, too, so that the chain can cross them, but do not count: the most
// by which the log weight of a total may fall below that of the next one.
constexpr double steep = 0.8;
constexpr std::size_t warmths = 32;  // number of annealing temperatures
constexpr double burn_in = 0.3;      // share of all steps that is discarded at the start

// One of many random numbers, so 32 bits suffice.
double drawn(Stream& stream) { return (stream.next() + 0.5) * 0x1p-32; }

// Whether a clue forbids low counts, and whether it forbids high ones; std::nullopt if it is not
// loose.
std::optional<std::pair<bool, bool>> forbidden(const Clue& clue) {
  if (clue.table == nullptr) return std::nullopt;
  const auto fits = [&](std::int32_t k) {
    return k >= clue.low && k <= clue.high && clue.table[k] > 0;
  };
  for (std::int32_t k = clue.low; k < clue.high; ++k) {
    const double ratio = clue.table[k] / clue.table[k + 1];
    if (!(ratio < alike && ratio > 1 / alike)) return std::nullopt;
  }
  return std::pair(!fits(0), !fits(clue.cells));
}

// The logs of weights, each raised to at least that of its neighbours minus `step`.
void take_logs(std::span<const double> weights, double step, std::span<double> logs) {
  for (std::size_t i = 0; i < weights.size(); ++i) logs[i] = std::log(weights[i]);
  for (std::size_t i = 1; i < weights.size(); ++i) logs[i] = std::max(logs[i], logs[i - 1] - step);
  for (std::size_t i = weights.size() - 1; i-- > 0;)
    logs[i] = std::max(logs[i], logs[i + 1] - step);
}

}  // namespace

bool GibbsSampler::suits(const ConstraintGraph& graph, std::span<const std::int32_t> groups) {
  bool few = false;
  bool many = false;
  for (const std::int32_t id : groups) {
    const CellGroup& group = graph.groups[at(id)];
    for (std::size_t j = 0; j < at(group.clue_count); ++j) {
      const auto found = forbidden(graph.clues[at(group.clues[j])]);
      if (!found) return false;
      few |= found->first;
      many |= found->second;
    }
  }
  return !(few && many);
}

bool GibbsSampler::run(const ConstraintGraph& graph, std::span<const std::int32_t> groups,
                       const Weights& weights, std::span<const double> outside, std::size_t steps,
                       Cancel cancel) {
  weights_ = weights;
  read(graph, groups);
  log_outside_.resize(outside.size());
  take_logs(outside, steep, log_outside_);
  counts_.resize(outside.size());
  for (std::size_t m = 0; m < outside.size(); ++m)
    counts_[m] = outside[m] > 0 ? std::exp(std::log(outside[m]) - log_outside_[m]) : 0;
  mines_.assign(outside.size(), 0.0);
  counted_ = 0;
  batch_sums_.clear();
  batch_seen_.clear();
  batches_ = 0;
  const std::size_t sweeps = std::max<std::size_t>(steps / chains / groups.size(), 2 * warmths);
  const auto before =
      std::max(warmths, static_cast<std::size_t>(burn_in * static_cast<double>(sweeps)));
  std::array<double, chains> log_weights{};
  for (std::size_t chain = 0; chain < chains; ++chain) {
    Stream stream(at(groups[0]), Purpose::playout, chain);
    if (!anneal(before, stream, log_weights[chain], cancel)) return false;
    if (fits() && !sample(std::max(sweeps - before, batches), stream, cancel)) return false;
  }
  weigh(log_weights);
  summarise();
  return true;
}

// Reads the groups and their clues into a compact form.
void GibbsSampler::read(const ConstraintGraph& graph, std::span<const std::int32_t> groups) {
  places_.clear();
  links_.clear();
  all_.clear();
  logs_.clear();
  watched_.clear();
  std::vector<std::int32_t> own(graph.clues.size(), -1);
  for (const std::int32_t id : groups) {
    const CellGroup& group = graph.groups[at(id)];
    const auto first = static_cast<std::int32_t>(links_.size());
    for (std::size_t j = 0; j < at(group.clue_count); ++j) {
      const std::size_t clue_id = at(group.clues[j]);
      const Clue& clue = graph.clues[clue_id];
      if (own[clue_id] < 0) {
        own[clue_id] = static_cast<std::int32_t>(logs_.size());
        Table& table = all_.emplace_back();
        std::copy(clue.table + clue.low, clue.table + clue.high + 1, table.begin() + clue.low);
        take_logs(table, forbids, logs_.emplace_back());
        if (clue.watch >= 0) watched_.push_back({clue.watch, logs_.size() - 1});
      }
      links_.push_back(own[clue_id]);
    }
    places_.push_back({group.size, first, static_cast<std::int32_t>(links_.size())});
  }
}

// Starts with independent groups.
void GibbsSampler::begin(Stream& stream) {
  in_group_.assign(places_.size(), 0);
  in_clue_.assign(logs_.size(), 0);
  mines_now_ = 0;
  for (std::size_t b = 0; b < places_.size(); ++b) {
    const Place& place = places_[b];
    for (std::int32_t i = 0; i < place.size; ++i) in_group_[b] += drawn(stream) < weights_.p;
    for (std::int32_t i = place.first; i < place.last; ++i)
      in_clue_[at(links_[at(i)])] += in_group_[b];
    mines_now_ += in_group_[b];
  }
}

// Sets the temperature: clues have no effect at warmth 0, and almost their full effect at 1.
void GibbsSampler::heat(double warmth) {
  const auto warm = [warmth](double log) { return std::exp(warmth * log); };
  tables_.resize(logs_.size());
  for (std::size_t c = 0; c < logs_.size(); ++c)
    std::transform(logs_[c].begin(), logs_[c].end(), tables_[c].begin(), warm);
  outside_.resize(log_outside_.size());
  std::transform(log_outside_.begin(), log_outside_.end(), outside_.begin(), warm);
}

// Redraws a group given all others.
template <bool keeps>
void GibbsSampler::step(std::size_t group, Stream& stream) {
  const Place& place = places_[group];
  const std::int32_t now = in_group_[group];
  const std::size_t choices = at(place.size) + 1;
  std::array<double, 9> weight;
  const double* const own = weights_.of[at(place.size)].data();
  const double* const outside = outside_.data() + (mines_now_ - now);
  for (std::size_t k = 0; k < choices; ++k) weight[k] = own[k] * outside[k];
  for (std::int32_t i = place.first; i < place.last; ++i) {
    const std::size_t clue = at(links_[at(i)]);
    const double* const table = tables_[clue].data() + (in_clue_[clue] - now);
    for (std::size_t k = 0; k < choices; ++k) weight[k] *= table[k];
  }
  double all = 0;
  for (std::size_t k = 0; k < choices; ++k) all += weight[k];
  if (!(all > 0)) return;  // the start violates the clues: stay
  if constexpr (keeps) {
    const double* const count = counts_.data() + (mines_now_ - now);
    double counted = 0;
    double mines = 0;
    for (std::size_t k = 0; k < choices; ++k) {
      counted += weight[k] * count[k];
      mines += weight[k] * count[k] * static_cast<double>(k);
    }
    sums_[group].all += counted / all;
    sums_[group].mined += mines / (all * place.size);
  }
  double point = drawn(stream) * all;
  std::int32_t k = 0;
  while (k < place.size && (point -= weight[at(k)]) >= 0) ++k;
  const std::int32_t change = k - now;
  if (change == 0) return;
  in_group_[group] = k;
  mines_now_ += change;
  for (std::int32_t i = place.first; i < place.last; ++i) in_clue_[at(links_[at(i)])] += change;
}

// The log weight of the configuration by its clues and `outside`.
double GibbsSampler::log_fit() const {
  double log = log_outside_[at(mines_now_)];
  for (std::size_t c = 0; c < logs_.size(); ++c) log += logs_[c][at(in_clue_[c])];
  return log;
}

// Whether the configuration is consistent with the clues as they are.
bool GibbsSampler::fits() const {
  bool all = true;
  for (std::size_t c = 0; c < tables_.size(); ++c) all &= tables_[c][at(in_clue_[c])] > 0;
  return all;
}

// Anneals from independent groups to a configuration. False if cancelled.
bool GibbsSampler::anneal(std::size_t sweeps, Stream& stream, double& log_weight, Cancel cancel) {
  begin(stream);
  log_weight = 0;
  double before = 0;
  for (std::size_t i = 1; i <= warmths; ++i) {
    const double share = static_cast<double>(i) / warmths;
    // Quadratic, because penalties for forbidden counts act at once.
    const double warmth = share * share;
    log_weight += (warmth - before) * log_fit();
    before = warmth;
    heat(warmth);
    const std::size_t until = i * sweeps / warmths;
    for (std::size_t sweep = (i - 1) * sweeps / warmths; sweep < until; ++sweep) {
      if (cancel.stop_requested()) return false;
      for (std::size_t b = 0; b < places_.size(); ++b) step<false>(b, stream);
    }
  }
  tables_ = all_;
  if (!fits()) log_weight = -std::numeric_limits<double>::infinity();
  return true;
}

// Samples, and collects statistics per batch. False if cancelled.
bool GibbsSampler::sample(std::size_t sweeps, Stream& stream, Cancel cancel) {
  for (std::size_t batch = 0; batch < batches; ++batch) {
    sums_.assign(places_.size(), {});
    seen_.assign(watched_.size(), {});
    const std::size_t last = (batch + 1) * sweeps / batches;
    for (std::size_t sweep = batch * sweeps / batches; sweep < last; ++sweep) {
      if (cancel.stop_requested()) return false;
      for (std::size_t b = 0; b < places_.size(); ++b) step<true>(b, stream);
      const double counts = counts_[at(mines_now_)];
      mines_[at(mines_now_)] += counts;
      counted_ += 1;
      for (std::size_t w = 0; w < watched_.size(); ++w)
        seen_[w][at(in_clue_[watched_[w].clue])] += counts;
    }
    batch_sums_.insert(batch_sums_.end(), sums_.begin(), sums_.end());
    batch_seen_.insert(batch_seen_.end(), seen_.begin(), seen_.end());
    ++batches_;
  }
  return true;
}

namespace {

// The ratio over all batches and its standard error, from the differences between chains, or
// between batches if that is larger.
std::pair<double, double> ratio_of(std::span<const GibbsSampler::Share> each,
                                   std::size_t of_chain) {
  GibbsSampler::Share sum;
  for (const auto& [mined, all] : each) {
    sum.mined += mined;
    sum.all += all;
  }
  if (!(sum.all > 0)) return {0, 1};
  const double ratio = sum.mined / sum.all;
  double of_batches = 0;
  double of_chains = 0;
  for (std::size_t first = 0; first < each.size(); first += of_chain) {
    double chain = 0;
    for (const auto& [mined, all] : each.subspan(first, of_chain)) {
      const double beyond = (mined - ratio * all) / sum.all;
      of_batches += beyond * beyond;
      chain += beyond;
    }
    of_chains += chain * chain;
  }
  const auto variance = [](double squares, std::size_t count) {
    const auto n = static_cast<double>(count);
    return count < 2 ? 1 : squares * n / (n - 1);
  };
  return {ratio, std::sqrt(std::max(variance(of_batches, each.size()),
                                    variance(of_chains, each.size() / of_chain)))};
}

}  // namespace

// Computes the risks and the watched counts over all batches.
void GibbsSampler::summarise() {
  risks_.assign(places_.size(), weights_.p);
  watches_.clear();
  error_ = 1;
  const double all = std::accumulate(mines_.begin(), mines_.end(), 0.0);
  for (const Watched& one : watched_) watches_.push_back({one.id, {}, 1});
  if (!(all > 0)) {
    batches_ = 0;
    return;
  }
  for (double& share : mines_) share /= all;
  log_weight_ += std::log(all / counted_);
  error_ = 0;
  std::vector<Share> each(batches_);
  for (std::size_t b = 0; b < places_.size(); ++b) {
    for (std::size_t i = 0; i < batches_; ++i) each[i] = batch_sums_[i * places_.size() + b];
    const auto [ratio, error] = ratio_of(each, batches);
    risks_[b] = std::clamp(ratio, 0.0, 1.0);
    error_ = std::max(error_, error);
  }
  for (std::size_t w = 0; w < watched_.size(); ++w) {
    watches_[w].error = 0;
    for (std::size_t k = 0; k < watches_[w].chance.size(); ++k) {
      for (std::size_t i = 0; i < batches_; ++i) {
        const Table& seen = batch_seen_[i * watched_.size() + w];
        each[i] = {seen[k], std::accumulate(seen.begin(), seen.end(), 0.0)};
      }
      const auto [ratio, error] = ratio_of(each, batches);
      watches_[w].chance[k] = ratio;
      watches_[w].error = std::max(watches_[w].error, error);
    }
  }
}

// The mean of the chains' estimates of the total weight. Each is unbiased, but they differ so much
// that little is known.
void GibbsSampler::weigh(std::span<const double> log_weights) {
  const double top = *std::max_element(log_weights.begin(), log_weights.end());
  log_weight_ = top;
  if (!std::isfinite(top)) return;
  double sum = 0;
  for (const double log : log_weights) sum += std::exp(log - top);
  log_weight_ = top + std::log(sum / static_cast<double>(log_weights.size()));
}

}  // namespace mineproof
