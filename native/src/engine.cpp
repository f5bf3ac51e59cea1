// Counts the components of a view and assembles the result. Other parts of Engine are in
// engine_answers.cpp, engine_draw.cpp, engine_list.cpp, engine_mix.cpp and engine_prove.cpp.
#include "mineproof/engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace mineproof {

namespace {

// in bytes: memory beyond this is released before the next view
constexpr std::size_t much = std::size_t{32} << 20;
constexpr std::size_t most_states = 100'000'000;  // positions are 32-bit numbers
// The factor by which the predicted number of states of an order may exceed the actual one: 366 was
// the maximum in 58 positions on 20x20 and 30x30. A component that can be sampled instead
// (Walk::suits) is not counted if the prediction exceeds the budget by this factor.
constexpr double looks_like = 1000;
// Sampling steps for a component over the budget: a second is about twenty million steps.
constexpr std::size_t steps_per_state = 4;
constexpr std::size_t least_steps = 60'000;
constexpr std::size_t most_steps = 4'000'000;

}  // namespace

Outcome Engine::solve(const View& view, const Prior& prior, std::size_t budget, Cancel cancel) {
  if (!begin(view, prior, cancel)) return Outcome::contradiction;
  const Outcome outcome = find(std::min(budget, most_states));
  cancel_ = {};
  return cancelled_ ? Outcome::cancelled : outcome;
}

Outcome Engine::find_certain(const View& view, const Prior& prior, std::size_t budget,
                             Cancel cancel) {
  if (!begin(view, prior, cancel)) return Outcome::contradiction;
  by_single_clues_.assign(graph_.verdicts.begin(), graph_.verdicts.end());
  estimates_wanted_ = false;
  const Outcome outcome = find(std::min(budget, most_states));
  estimates_wanted_ = true;
  cancel_ = {};
  return cancelled_ ? Outcome::cancelled : outcome;
}

Outcome Engine::weigh_certain(std::size_t budget, Cancel cancel) {
  if (over_budget_.empty()) return Outcome::estimate;  // nothing was skipped
  cancelled_ = false;
  cancel_ = cancel;
  budget = std::min(budget, most_states);
  const Outcome outcome = estimate_all(budget) ? conclude(budget) : Outcome::cancelled;
  cancel_ = {};
  return cancelled_ ? Outcome::cancelled : outcome;
}

bool Engine::forget_count(Cancel cancel) {
  // Weights with a mine probability of 0 or 1 have the mine count built in.
  if (p_ <= 0 || p_ >= 1)
    return find_certain(view_, Prior::uniform(), state_budget, cancel) != Outcome::cancelled;
  graph_.verdicts.assign(by_single_clues_.begin(), by_single_clues_.end());
  prior_ = Prior::uniform();
  rest_verdict_ = Verdict::open;
  cancelled_ = false;
  cancel_ = cancel;
  const bool proved = prove();  // groups that were seen both mined and safe stay undecided
  cancel_ = {};
  return proved;
}

// Reads a view. False if some clue cannot be satisfied.
bool Engine::begin(const View& view, const Prior& prior, Cancel cancel) {
  // With `remembers_`, keep the mine probability of the last call; otherwise nothing could be
  // reused.
  const bool fixed =
      remembers_ && !contents_.empty() && !prior.is_independent() && !prior_.is_independent();
  view_ = view;
  prior_ = prior;
  cancelled_ = false;
  error_ = log_error_ = 0;
  rest_verdict_ = Verdict::open;
  rest_cells_.clear();
  any_safe_ = false;
  if (!remembers_ && bytes() > much) {
    sweeps_.clear();
    scratch_ = {};
  }
  estimates_.clear();
  over_budget_.clear();
  sampled_.clear();
  if (!graph_.read(view)) return false;
  uncounted_ = {view.shape.size(), graph_.rest, graph_.known_mines + graph_.deduced_mines};
  if (!fixed) p_ = chance_guess();
  cancel_ = cancel;
  return true;
}

Outcome Engine::find(std::size_t budget) {
  estimates_.clear();
  if (!count(budget)) return Outcome::cancelled;
  for (std::size_t c = 0; c < graph_.components(); ++c)
    if (!is_over_budget(c) && !sweeps_[c]->feasible()) return Outcome::contradiction;
  if (!over_budget_.empty() && !estimates_wanted_) return deduce_counted();
  return conclude(budget);
}

// The result once all components have been counted or estimated.
Outcome Engine::conclude(std::size_t budget) {
  const auto found = [this] { return over_budget_.empty() ? Outcome::exact : Outcome::estimate; };
  if (put_together()) return found();
  if (stops()) return Outcome::cancelled;
  // All weights underflowed. If there is no configuration in booleans either, that is the reason.
  if (!fits()) return Outcome::contradiction;
  if (prior_.knows_total() && recount(budget)) return found();
  if (stops()) return Outcome::cancelled;
  give_up();
  return Outcome::estimate;
}

// Assembles the result from the counts. False if weights underflowed, or if cancelled.
bool Engine::put_together() { return gather() && mix() && run_sampler() && weigh_all(); }

// Decides what is certain if components over the budget were not estimated.
Outcome Engine::deduce_counted() {
  if (!fits()) return cancelled_ ? Outcome::cancelled : Outcome::contradiction;
  all_open_.assign(graph_.components(), 0);
  return prove() ? Outcome::estimate : Outcome::cancelled;
}

// The groups of the i-th component.
std::span<const std::int32_t> Engine::component(std::size_t i) const {
  const std::size_t begin = at(graph_.component_begin[i]);
  const std::size_t end = at(graph_.component_begin[i + 1]);
  return {graph_.component_groups.data() + begin, end - begin};
}

std::size_t Engine::group_id(std::size_t i, std::int32_t position) const {
  return at(component(i)[at(position)]);
}

const CellGroup& Engine::group(std::size_t i, std::int32_t position) const {
  return graph_.groups[group_id(i, position)];
}

std::int32_t Engine::cells_of(std::size_t i) const {
  std::int32_t cells = 0;
  for (const std::int32_t id : component(i)) cells += graph_.groups[at(id)].size;
  return cells;
}

// Everything that the count of a component depends on, as a sequence of numbers.
std::vector<std::int64_t> Engine::content(std::size_t i) const {
  std::vector<std::int64_t> numbers;
  for (const std::int32_t id : component(i)) {
    const CellGroup& one = graph_.groups[at(id)];
    numbers.insert(numbers.end(), one.cells.begin(), one.cells.begin() + one.size);
    for (int j = 0; j < one.clue_count; ++j) {
      const Clue& clue = graph_.clues[at(one.clues[at(j)])];
      numbers.insert(numbers.end(), {-1, clue.cell, clue.low, clue.high, clue.cells});
      for (int k = 0; clue.table != nullptr && k <= clue.cells; ++k)
        numbers.push_back(std::bit_cast<std::int64_t>(clue.table[k]));
    }
    numbers.push_back(-2);
  }
  return numbers;
}

// The weights of groups at a mine probability. Those for rounded probabilities are computed once.
const Weights& Engine::weights_of(double p) {
  constexpr int shares = Prior::shares;
  static const std::vector<Weights> round = [] {
    std::vector<Weights> made;
    for (int i = 0; i <= shares; ++i) made.emplace_back(static_cast<double>(i) / shares);
    return made;
  }();
  if (p * shares == std::floor(p * shares)) return round[static_cast<std::size_t>(p * shares)];
  if (!weights_ || weights_->p != p) weights_ = std::make_unique<Weights>(p);
  return *weights_;
}

double Engine::chance_guess() const {
  const std::int32_t cells = graph_.unknown - graph_.deduced_mines - graph_.deduced_safe;
  return prior_.weighing_chance(uncounted_.mines, cells);
}

// Counts the components. False if cancelled; the next call then reuses nothing.
bool Engine::count(std::size_t budget) {
  if (p_ != last_p_) contents_.clear();  // counts with other weights cannot be reused
  last_p_ = p_;
  room_ = std::max(least_bytes, bytes_per_state * budget);
  over_budget_.clear();
  sampled_.clear();
  sampler_steps_ = std::clamp(budget * steps_per_state, least_steps, most_steps);
  if (!(remembers_ ? count_what_changed(budget) : count_again(budget))) {
    contents_.clear();
    return stop();
  }
  return true;
}

// Counts one component. If it is over the budget, it is estimated after all others are counted.
Swept Engine::count_component(std::size_t c, std::size_t budget, const Weights& weights) {
  const double hopeless = GibbsSampler::suits(graph_, component(c))
                              ? looks_like * static_cast<double>(budget)
                              : std::numeric_limits<double>::infinity();
  const Swept counted =
      sweeps_[c]->run(graph_, component(c), weights, budget, room_, hopeless, scratch_, cancel_);
  if (counted == Swept::over_budget) over_budget_.push_back(c);
  if (counted == Swept::all) room_ -= std::min(room_, sweeps_[c]->bytes());
  return counted;
}

// Estimates the components over the budget in the remaining memory, divided in proportion to their
// sizes. False if cancelled.
bool Engine::estimate_all(std::size_t budget) {
  if (!estimates_wanted_) return true;
  const std::size_t room = std::max(room_, least_bytes);
  std::size_t groups = 0;
  for (const std::size_t c : over_budget_) {
    if (GibbsSampler::suits(graph_, component(c)))
      sampled_.push_back(c);
    else
      groups += component(c).size();
  }
  for (const std::size_t c : over_budget_) {
    if (is_sampled(c)) continue;
    const double share = static_cast<double>(component(c).size()) / static_cast<double>(groups);
    estimates_.emplace_back(c, graph_, component(c), *sweeps_[c], budget,
                            static_cast<std::size_t>(static_cast<double>(room) * share), scratch_,
                            cancel_);
    if (estimates_.back().is_cancelled()) return false;
  }
  return true;
}

bool Engine::count_again(std::size_t budget) {
  const Weights& weights = weights_of(p_);
  const std::size_t components = graph_.components();
  if (sweeps_.size() > components + 1024) sweeps_.resize(components);  // release memory
  while (sweeps_.size() < components) sweeps_.push_back(std::make_unique<Sweep>());
  for (std::size_t c = 0; c < components; ++c)
    if (count_component(c, budget, weights) == Swept::cancelled) return false;
  return estimate_all(budget);
}

// With `remembers_`: counts again only the components that changed since the last call.
bool Engine::count_what_changed(std::size_t budget) {
  const Weights& weights = weights_of(p_);
  std::map<std::vector<std::int64_t>, std::unique_ptr<Sweep>> before;
  for (std::size_t c = 0; c < contents_.size(); ++c)
    before.emplace(std::move(contents_[c]), std::move(sweeps_[c]));
  contents_.clear();
  sweeps_.clear();
  reused_ = 0;
  for (std::size_t c = 0; c < graph_.components(); ++c) {
    auto numbers = content(c);
    auto found = before.find(numbers);
    if (found != before.end() && found->second != nullptr) {
      sweeps_.push_back(std::move(found->second));
      room_ -= std::min(room_, sweeps_.back()->bytes());
      ++reused_;
    } else {
      sweeps_.push_back(std::make_unique<Sweep>());
      const Swept counted = count_component(c, budget, weights);
      if (counted == Swept::cancelled) return false;
      if (counted == Swept::over_budget)
        numbers.assign(1, -static_cast<std::int64_t>(c) - 3);  // equal to no content: not reusable
    }
    contents_.push_back(std::move(numbers));
  }
  before.clear();
  return estimate_all(budget);
}

bool Engine::is_over_budget(std::size_t c) const {
  return std::binary_search(over_budget_.begin(), over_budget_.end(), c);
}

bool Engine::is_sampled(std::size_t c) const {
  return std::binary_search(sampled_.begin(), sampled_.end(), c);
}

// Collects the components' weights. False if some underflowed.
bool Engine::gather() {
  cells_in_components_ = 0;
  leaves_.resize(graph_.components());
  log_scales_ = graph_.log_constant;
  bool all = true;
  for (std::size_t c = 0, g = 0; c < graph_.components(); ++c) {
    const std::int32_t cells = cells_of(c);
    cells_in_components_ += cells;
    Polynomial& leaf = leaves_[c];
    if (is_sampled(c)) {
      gather_sampled(c);
    } else if (g < estimates_.size() && estimates_[g].component() == c) {
      double log_scale = 0;
      leaf = estimates_[g++].weights(cells, p_, log_scale);
      log_scales_ += log_scale;
    } else {
      const Sweep& counted = *sweeps_[c];
      log_scales_ += counted.log_scale();
      leaf.low = counted.low();
      const auto total = counted.total();
      leaf.at.assign(total.begin(), total.end());
    }
    double largest = 0;
    for (const double weight : leaf.at) largest = std::max(largest, weight);
    all &= largest > 0 && std::isfinite(largest);
  }
  return all;
}

// All components that are to be sampled take the place of the first of them; for now, their cells
// are weighed as if they had no clues.
void Engine::gather_sampled(std::size_t c) {
  std::int32_t cells = 0;
  if (c == sampled_.front())
    for (const std::size_t one : sampled_) cells += cells_of(one);
  leaves_[c] = {0, std::vector<double>(at(cells) + 1)};
  for (std::int32_t m = 0; m <= cells; ++m)
    leaves_[c].at[at(m)] =
        p_ <= 0 ? m == 0
        : p_ >= 1
            ? m == cells
            : std::exp(log_choose(cells, m) + m * std::log(p_) + (cells - m) * std::log1p(-p_));
}

// Samples the components that are too large to be counted, now that the weight of everything else
// is known, and replaces the assumption made above by the result. False if weights underflowed, or
// if cancelled.
bool Engine::run_sampler() {
  if (sampled_.empty()) return true;
  sampled_groups_.clear();
  for (const std::size_t c : sampled_)
    sampled_groups_.insert(sampled_groups_.end(), component(c).begin(), component(c).end());
  const auto outside = outside_of(sampled_.front());
  std::vector<double> scaled(outside.begin(), outside.end());
  const double top = *std::max_element(scaled.begin(), scaled.end());
  for (double& weight : scaled) weight /= top;
  if (!sampler_.run(graph_, sampled_groups_, weights_of(p_), scaled, sampler_steps_, cancel_))
    return stop();
  if (!sampler_.found()) return true;
  Polynomial& leaf = leaves_[sampled_.front()];
  for (std::size_t m = 0; m < leaf.at.size(); ++m)
    leaf.at[m] = sampler_.mines()[m] > 0 ? sampler_.mines()[m] / scaled[m] : 0;
  log_scales_ += sampler_.log_weight();
  return mix();
}

// Computes the risks and what is certain. False if some weight underflowed.
bool Engine::weigh_all() {
  if (!weigh() && (cancelled_ || !prove())) return false;
  weigh_watched();
  return std::all_of(group_risk_.begin(), group_risk_.end(),
                     [](double r) { return std::isfinite(r); });
}

// The result if nothing can be weighed although there are configurations: the same risk for every
// unknown cell, and the largest possible error.
void Engine::give_up() {
  all_open_.assign(leaves_.size(), 0);
  if (!prove()) return;
  const double p = std::clamp(chance_guess(), 0.0, 1.0);
  group_risk_.assign(graph_.groups.size(), p);
  rest_risk_ = p;
  log_weight_ = std::log(std::numeric_limits<double>::denorm_min());  // or smaller
  error_ = log_error_ = 1;
  for (CountOdds& odds : count_odds_) odds = {{}, 1};
}

// The mine counts around watched cells: the mines that are proved plus the distribution of the
// clue's remaining mines.
void Engine::weigh_watched() {
  count_odds_.assign(graph_.watched_mines.size(), {});
  if (count_odds_.empty()) return;
  for (std::size_t w = 0; w < count_odds_.size(); ++w)
    count_odds_[w].chance[at(graph_.watched_mines[w])] = 1;
  const auto take = [this](std::int32_t id, const std::array<double, 9>& mass, double error) {
    CountOdds& odds = count_odds_[at(id)];
    const std::size_t deduced = at(graph_.watched_mines[at(id)]);
    const double all = std::accumulate(mass.begin(), mass.end(), 0.0);
    odds = {{}, error};
    for (std::size_t k = 0; all > 0 && k + deduced < odds.chance.size(); ++k)
      odds.chance[k + deduced] = mass[k] / all;
  };
  for (std::size_t c = 0, g = 0; c < leaves_.size(); ++c) {
    if (is_sampled(c)) continue;
    if (g == estimates_.size() || estimates_[g].component() != c) {
      for (const auto& watch : sweeps_[c]->watches()) take(watch.id, watch.mass, 0);
      continue;
    }
    const Estimate& guess = estimates_[g++];
    for (std::size_t i = 0; i < guess.watches().size(); ++i) {
      const auto found = guess.counts(i);
      const auto [chances, error] = found.value_or(std::pair(std::array<double, 9>{}, 1.0));
      take(guess.watches()[i].id, chances, error);
    }
  }
  if (sampled_.empty()) return;
  for (const auto& watch : sampler_.watches()) take(watch.id, watch.chance, watch.error);
}

// The backward pass through every component: computes the risk of each group. True if every group
// and the interior were seen, with a positive weight, both mined and safe: then nothing is certain
// beyond the deductions from single clues.
bool Engine::weigh() {
  error_ = over_budget_.empty() ? 0 : Estimate::least_error;
  log_error_ = 0;
  group_risk_.resize(graph_.groups.size());
  all_open_.assign(leaves_.size(), 0);
  bool all_open = graph_.rest == 0 || (rest_risk_ > 0 && rest_risk_ < 1);
  if (!sampled_.empty()) {
    for (std::size_t i = 0; i < sampled_groups_.size(); ++i)
      group_risk_[at(sampled_groups_[i])] = sampler_.risks()[i];
    error_ = std::max(error_, sampler_.error());
    log_error_ = GibbsSampler::weight_error;
  }
  for (std::size_t c = 0, g = 0; c < leaves_.size(); ++c) {
    if (is_sampled(c)) continue;
    const std::span<const double> outside = outside_of(c);
    if (g < estimates_.size() && estimates_[g].component() == c) {
      risks_.resize(component(c).size());
      const double chance = prior_.is_independent() ? prior_.density() : p_;
      Estimate& guess = estimates_[g++];
      const auto error = guess.weigh(outside, chance, risks_, cancel_);
      if (!error) return stop();
      error_ = std::max(error_, *error);
      log_error_ = std::hypot(log_error_, guess.weight_error());
      for (std::size_t i = 0; i < risks_.size(); ++i) group_risk_[at(component(c)[i])] = risks_[i];
      continue;
    }
    Sweep& counted = *sweeps_[c];
    if (!counted.marginals(outside, cancel_)) return stop();
    bool open = true;
    for (std::size_t i = 0; i < counted.order().size(); ++i) {
      const auto [mines, gaps] = counted.halves(i);
      group_risk_[group_id(c, counted.order()[i])] = mines / (mines + gaps);
      open &= mines > 0 && gaps > 0;
    }
    all_open_[c] = open;
    all_open &= open;
  }
  return all_open;
}

}  // namespace mineproof
