#include "mineproof/posterior.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace mineproof {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

constexpr int shares = 64;  // chances to weigh with are multiples of 1 / 64

}  // namespace

// The i-th component's boxes.
std::span<const std::int32_t> Engine::component(std::size_t i) const {
  const auto begin = static_cast<std::size_t>(network_.component_begin[i]);
  const auto end = static_cast<std::size_t>(network_.component_begin[i + 1]);
  return {network_.component_boxes.data() + begin, end - begin};
}

std::size_t Engine::box_id(std::size_t i, std::int32_t position) const {
  return static_cast<std::size_t>(component(i)[static_cast<std::size_t>(position)]);
}

const Box& Engine::box(std::size_t i, std::int32_t position) const {
  return network_.boxes[box_id(i, position)];
}

std::int32_t Engine::cells_of(std::size_t i) const {
  std::int32_t cells = 0;
  for (const std::int32_t id : component(i))
    cells += network_.boxes[static_cast<std::size_t>(id)].size;
  return cells;
}

// All that a component's count depends on, as numbers.
std::vector<std::int64_t> Engine::content(std::size_t i) const {
  std::vector<std::int64_t> numbers;
  for (const std::int32_t id : component(i)) {
    const Box& one = network_.boxes[static_cast<std::size_t>(id)];
    numbers.insert(numbers.end(), one.cells.begin(), one.cells.begin() + one.size);
    for (int j = 0; j < one.clue_count; ++j) {
      const Clue& clue =
          network_.clues[static_cast<std::size_t>(one.clues[static_cast<std::size_t>(j)])];
      numbers.insert(numbers.end(), {-1, clue.cell, clue.low, clue.high, clue.cells});
      for (int k = 0; clue.table != nullptr && k <= clue.cells; ++k)
        numbers.push_back(std::bit_cast<std::int64_t>(clue.table[k]));
    }
    numbers.push_back(-2);
  }
  return numbers;
}

// The weights of boxes at a chance of a mine; those of round chances are made once.
const Weights& Engine::weights_of(double p) {
  static const std::vector<Weights> round = [] {
    std::vector<Weights> made;
    for (int i = 0; i <= shares; ++i) made.emplace_back(static_cast<double>(i) / shares);
    return made;
  }();
  if (p * shares == std::floor(p * shares)) return round[static_cast<std::size_t>(p * shares)];
  if (!weights_ || weights_->p != p) weights_ = std::make_unique<Weights>(p);
  return *weights_;
}

// Counts the components. With memory, one that was counted by the last call and has
// not changed since is taken over.
void Engine::count(std::size_t budget) {
  const Weights& weights = weights_of(p_);
  if (p_ != last_p_) contents_.clear();  // what was counted with other weights is of no use
  last_p_ = p_;
  const std::size_t components = network_.components();
  if (!remembers_) {
    if (sweeps_.size() > components + 1024) sweeps_.resize(components);  // give memory back
    while (sweeps_.size() < components) sweeps_.push_back(std::make_unique<Sweep>());
    for (std::size_t c = 0; c < components; ++c)
      if (!sweeps_[c]->run(network_, component(c), weights, budget, scratch_))
        estimates_.emplace_back(c, *sweeps_[c], budget);
    return;
  }
  std::map<std::vector<std::int64_t>, std::unique_ptr<Sweep>> before;
  for (std::size_t c = 0; c < contents_.size(); ++c)
    before.emplace(std::move(contents_[c]), std::move(sweeps_[c]));
  contents_.clear();
  sweeps_.clear();
  reused_ = 0;
  for (std::size_t c = 0; c < components; ++c) {
    auto numbers = content(c);
    auto found = before.find(numbers);
    if (found != before.end() && found->second != nullptr) {
      sweeps_.push_back(std::move(found->second));
      ++reused_;
    } else {
      sweeps_.push_back(std::make_unique<Sweep>());
      if (!sweeps_.back()->run(network_, component(c), weights, budget, scratch_)) {
        estimates_.emplace_back(c, *sweeps_[c], budget);
        numbers.assign(1, -static_cast<std::int64_t>(c) - 3);  // like no component: not taken over
      }
    }
    contents_.push_back(std::move(numbers));
  }
}

// The chance of a mine to weigh components with. For a known count any number
// gives the same posterior; one near the truth keeps weights in range.
double Engine::chance_guess() const {
  if (prior_.kind == Prior::Kind::density) return prior_.density;
  if (prior_.kind == Prior::Kind::uniform) return 0.25;
  const double left = prior_.mines - network_.known_mines - network_.settled_mines;
  const double cells = network_.unknown - network_.settled_mines - network_.settled_safe;
  const double share = std::round(cells > 0 ? left / cells * shares : shares / 2);
  return std::clamp(share, 1.0, shares - 1.0) / shares;
}

// Log of the weight of the rest of the board if the components have this many
// mines. Components were weighed with chance p: that is taken back here.
double Engine::log_outside(std::int32_t mines) const {
  const auto rest = network_.rest;
  const double back = -mines * std::log(p_) - (cells_in_components_ - mines) * std::log1p(-p_);
  const std::int32_t elsewhere = network_.known_mines + network_.settled_mines + mines;
  if (prior_.kind == Prior::Kind::count) return log_choose(rest, prior_.mines - elsewhere) + back;
  const std::int32_t cells = view_.shape.size() - rest;
  return -log_choose(cells, elsewhere) - std::log(cells + 1.0) + back;
}

Outcome Engine::solve(const View& view, const Prior& prior, std::size_t budget) {
  view_ = view;
  prior_ = prior;
  error_ = 0;
  rest_verdict_ = Verdict::open;
  rest_cells_.clear();
  any_safe_ = false;
  if (!network_.read(view)) return Outcome::contradiction;
  // With memory the chance stays as it was, or nothing could be taken over.
  const bool fixed = remembers_ && !contents_.empty() && prior.kind != Prior::Kind::density;
  if (!fixed) p_ = chance_guess();
  estimates_.clear();
  count(budget);
  for (std::size_t c = 0; c < network_.components(); ++c)
    if (!is_estimated(c) && !sweeps_[c]->feasible()) return Outcome::contradiction;
  if (gather() && mix() && weigh_all())
    return estimates_.empty() ? Outcome::exact : Outcome::estimate;
  // Weights vanished in doubles. If nothing fits in booleans either, that is why.
  if (!fits()) return Outcome::contradiction;
  if (prior.kind == Prior::Kind::count && recount(budget))
    return estimates_.empty() ? Outcome::exact : Outcome::estimate;
  give_up();
  return Outcome::estimate;
}

// Counts again with other chances of a mine, until the number that is needed is a
// likely one. False if that does not help.
bool Engine::recount(std::size_t budget) {
  const std::int32_t needed = prior_.mines - network_.known_mines - network_.settled_mines;
  double low = -30;
  double high = 30;
  for (int i = 0; i < 24; ++i) {
    const double odds = (low + high) / 2;
    p_ = 1 / (1 + std::exp(-odds));
    estimates_.clear();
    count(budget);
    if (!gather()) return false;
    if (mix() && weigh_all()) return true;
    double mean = p_ * static_cast<double>(network_.rest);
    for (const Polynomial& leaf : leaves_) {
      double total = 0;
      double weighted = 0;
      for (std::size_t m = 0; m < leaf.at.size(); ++m) {
        total += leaf.at[m];
        weighted += leaf.at[m] * static_cast<double>(m);
      }
      mean += leaf.low + weighted / total;
    }
    (mean > needed ? high : low) = odds;
  }
  return false;
}

bool Engine::is_estimated(std::size_t c) const {
  return std::any_of(estimates_.begin(), estimates_.end(),
                     [c](const Estimate& guess) { return guess.component() == c; });
}

// The components' weights. False if some vanished.
bool Engine::gather() {
  cells_in_components_ = 0;
  leaves_.resize(network_.components());
  log_scales_ = network_.log_constant;
  bool all = true;
  for (std::size_t c = 0, g = 0; c < network_.components(); ++c) {
    const std::int32_t cells = cells_of(c);
    cells_in_components_ += cells;
    Polynomial& leaf = leaves_[c];
    if (g < estimates_.size() && estimates_[g].component() == c) {
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

// The risks and what is certain. False if a weight vanished.
bool Engine::weigh_all() {
  if (!weigh()) prove();
  return std::all_of(box_risk_.begin(), box_risk_.end(), [](double r) { return std::isfinite(r); });
}

// Nothing can be weighed though something fits: every unknown cell alike, and that
// nothing is known of the error.
void Engine::give_up() {
  all_open_.assign(leaves_.size(), 0);
  prove();
  const double p = std::clamp(chance_guess(), 0.0, 1.0);
  box_risk_.assign(network_.boxes.size(), p);
  rest_risk_ = p;
  log_weight_ = std::log(std::numeric_limits<double>::denorm_min());  // or less
  error_ = 1;
}

// Puts the components together. False if no total fits.
bool Engine::mix() {
  const auto rest = static_cast<double>(network_.rest);
  const bool impossible_density =
      (p_ <= 0 && network_.settled_mines > 0) || (p_ >= 1 && network_.settled_safe > 0);
  if (prior_.kind == Prior::Kind::density) {
    if (impossible_density) return false;
    log_weight_ = log_scales_;
    if (network_.settled_mines) log_weight_ += network_.settled_mines * std::log(p_);
    if (network_.settled_safe) log_weight_ += network_.settled_safe * std::log1p(-p_);
    for (const Polynomial& leaf : leaves_) {
      double total = 0;
      for (const double weight : leaf.at) total += weight;
      if (total <= 0) return false;
      log_weight_ += std::log(total);
    }
    rest_risk_ = p_;
    return true;
  }
  const bool many = leaves_.size() > 64;
  if ((many || !mix_at(0)) && !mix_at(find_tilt())) return false;
  log_weight_ = mixture_.log_total() + log_top_ + log_scales_;
  const std::int32_t known = network_.known_mines + network_.settled_mines;
  if (prior_.kind == Prior::Kind::count) {
    const std::int32_t left = prior_.mines - known;
    rest_risk_ = rest > 0 ? mixture_.mean([&](int s) { return (left - s) / rest; }) : 0;
  } else {
    const double cells = view_.shape.size() - rest;
    rest_risk_ = mixture_.mean([&](int s) { return (known + s + 1) / (cells + 2); });
  }
  return true;
}

// Weighs the totals at this tilt: by products of ratios where they stay in range,
// else by logarithms. False if all weights vanish.
bool Engine::mix_at(double tilt) {
  mixture_.multiply(leaves_, tilt);
  const std::int32_t low = mixture_.low();
  const auto length = static_cast<std::size_t>(mixture_.length());
  outside_.assign(length, 0.0);
  // From the middle of what is allowed outwards.
  std::int32_t first = low;
  std::int32_t last = low + static_cast<std::int32_t>(length) - 1;
  if (prior_.kind == Prior::Kind::count) {
    const std::int32_t left = prior_.mines - network_.known_mines - network_.settled_mines;
    first = std::max(first, left - network_.rest);
    last = std::min(last, left);
  }
  if (first > last) return false;
  const std::int32_t middle = first + (last - first) / 2;
  log_top_ = log_outside(middle) - tilt * middle;
  const double odds = (1 - p_) / p_ * std::exp(-tilt);
  const auto at = [&](std::int32_t mines) -> double& {
    return outside_[static_cast<std::size_t>(mines - low)];
  };
  at(middle) = 1;
  double largest = 1;
  for (std::int32_t s = middle; s < last; ++s) at(s + 1) = at(s) * odds * step_up(s);
  for (std::int32_t s = middle; s > first; --s) at(s - 1) = at(s) / (odds * step_up(s - 1));
  for (std::int32_t s = first; s <= last; ++s) largest = std::max(largest, at(s));
  if (largest > 1e200) {  // out of range: by logarithms, from the top
    double top = nothing;
    for (std::int32_t s = first; s <= last; ++s) top = std::max(top, log_outside(s) - tilt * s);
    for (std::int32_t s = first; s <= last; ++s) at(s) = std::exp(log_outside(s) - tilt * s - top);
    log_top_ = top;
  }
  return mixture_.descend(leaves_, outside_);
}

// How the weight of the rest of the board changes from s to s + 1 mines here.
double Engine::step_up(std::int32_t s) const {
  const std::int32_t elsewhere = network_.known_mines + network_.settled_mines + s;
  const auto rest = network_.rest;
  if (prior_.kind == Prior::Kind::count) {
    const double left = prior_.mines - elsewhere;
    return left / (rest - left + 1);
  }
  const double cells = view_.shape.size() - rest;
  return (elsewhere + 1) / (cells - elsewhere);
}

// The tilt at which the components' mean number of mines is the one that the
// whole board needs: the saddle point.
double Engine::find_tilt() const {
  const auto rest = static_cast<double>(network_.rest);
  const std::int32_t known = network_.known_mines + network_.settled_mines;
  const double odds = std::log(p_) - std::log1p(-p_);
  const auto mean = [&](double tilt) {
    double sum = 0;
    for (const Polynomial& leaf : leaves_) {
      double top = nothing;
      for (std::size_t i = 0; i < leaf.at.size(); ++i)
        if (leaf.at[i] > 0)
          top = std::max(top, std::log(leaf.at[i]) + tilt * static_cast<double>(i));
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
  };
  double low = -80;
  double high = 80;
  for (int i = 0; i < 60; ++i) {
    const double tilt = (low + high) / 2;
    const double inside = mean(tilt);
    bool too_many = false;
    if (prior_.kind == Prior::Kind::count) {
      too_many = inside + rest / (1 + std::exp(-odds - tilt)) > prior_.mines - known;
    } else {
      const double cells = view_.shape.size() - rest;
      const double share = (known + inside + 0.5) / (cells + 1);
      too_many = odds + tilt > std::log(share) - std::log1p(-share);
    }
    (too_many ? high : low) = tilt;
  }
  return (low + high) / 2;
}

// Backwards through every component: the risk of each box. True if every box and
// the rest were seen, with a positive weight, both mined and safe: then nothing is
// certain but what single clues settled.
bool Engine::weigh() {
  box_risk_.resize(network_.boxes.size());
  all_open_.assign(leaves_.size(), 0);
  bool all_open = network_.rest == 0 || (rest_risk_ > 0 && rest_risk_ < 1);
  for (std::size_t c = 0, g = 0; c < leaves_.size(); ++c) {
    if (prior_.kind == Prior::Kind::density) ones_.assign(leaves_[c].at.size(), 1.0);
    const std::span<const double> outside =
        prior_.kind == Prior::Kind::density ? ones_ : mixture_.outside(c);
    if (g < estimates_.size() && estimates_[g].component() == c) {
      risks_.resize(component(c).size());
      error_ = std::max(error_, estimates_[g++].weigh(outside, p_, risks_));
      for (std::size_t i = 0; i < risks_.size(); ++i)
        box_risk_[static_cast<std::size_t>(component(c)[i])] = risks_[i];
      continue;
    }
    Sweep& counted = *sweeps_[c];
    counted.marginals(outside);
    bool open = true;
    for (std::size_t i = 0; i < counted.order().size(); ++i) {
      const auto [mines, gaps] = counted.halves(i);
      box_risk_[box_id(c, counted.order()[i])] = mines / (mines + gaps);
      open &= mines > 0 && gaps > 0;
    }
    all_open_[c] = open;
    all_open &= open;
  }
  return all_open;
}

std::pair<double, double> Engine::least_risks(std::span<const std::uint8_t> without) const {
  double least = 1;
  double second = 1;
  const auto take = [&](double risk) {
    second = std::min(second, std::max(least, risk));
    least = std::min(least, risk);
  };
  if (network_.rest > 0 && rest_verdict_ == Verdict::open) take(rest_risk_);
  for (std::size_t b = 0; b < network_.boxes.size(); ++b) {
    const auto cell = static_cast<std::size_t>(network_.boxes[b].cells[0]);
    if (network_.verdicts[cell] == Verdict::open && (without.empty() || !without[cell]))
      take(box_risk_[b]);
  }
  return {least, second};
}

std::int32_t Engine::safe_cells() const {
  std::int32_t cells = network_.settled_safe;
  for (const Box& box : network_.boxes)
    if (verdict(box) == Verdict::safe) cells += box.size;
  return rest_verdict_ == Verdict::safe ? cells + network_.rest : cells;
}

std::span<const std::int32_t> Engine::rest_cells() {
  if (std::cmp_not_equal(rest_cells_.size(), network_.rest)) rest_cells_ = network_.rest_cells();
  return rest_cells_;
}

void Engine::write_risk(std::span<double> risk) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto by = [](Verdict verdict, double chance) {
    return verdict == Verdict::open ? chance : verdict == Verdict::mine ? 1.0 : 0.0;
  };
  // What a cell's state says by itself; cells that clues touch are written below.
  std::array<double, 16> by_state{};
  by_state.fill(none);
  by_state[told_safe] = 0;
  by_state[hidden] = by(rest_verdict_, rest_risk_);
  by_state[flagged] = view_.trust_flags ? 1 : by_state[hidden];
  const std::uint8_t* const states = view_.states.data();
  for (std::size_t i = 0; i < risk.size(); ++i) risk[i] = by_state[states[i] & 15];
  for (const std::int32_t each : network_.settled) {
    const auto cell = static_cast<std::size_t>(each);
    risk[cell] = by(network_.verdicts[cell], none);
  }
  for (std::size_t b = 0; b < network_.boxes.size(); ++b) {
    const Box& box = network_.boxes[b];
    for (int j = 0; j < box.size; ++j) {
      const auto cell = static_cast<std::size_t>(box.cells[static_cast<std::size_t>(j)]);
      risk[cell] = by(network_.verdicts[cell], box_risk_[b]);
    }
  }
}

Engine::Figures Engine::figures() const {
  Figures found{leaves_.size(), 0, 0, 0, 0, reused_};
  for (std::size_t c = 0; c < leaves_.size(); ++c) {
    found.largest_component = std::max(found.largest_component, sweeps_[c]->order().size());
    found.widest = std::max(found.widest, sweeps_[c]->width());
    found.states += sweeps_[c]->states();
    found.most_open = std::max(found.most_open, sweeps_[c]->most_open());
  }
  return found;
}

}  // namespace mineproof
