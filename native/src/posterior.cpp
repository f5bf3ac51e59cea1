#include "mineproof/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mineproof {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

double log_choose(std::int32_t n, std::int32_t k) {
  if (k < 0 || k > n) return nothing;
  return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
}

}  // namespace

Sweep& Engine::sweep(std::size_t i) {
  while (sweeps_.size() <= i) sweeps_.push_back(std::make_unique<Sweep>());
  return *sweeps_[i];
}

// The chance of a mine to weigh components with. For a known count any number
// gives the same posterior; one near the truth keeps weights in range.
double Engine::chance_guess() const {
  if (prior_.kind == Prior::Kind::density) return prior_.density;
  if (prior_.kind == Prior::Kind::uniform) return 0.25;
  const double left = prior_.mines - network_.known_mines - network_.settled_mines;
  const double cells = network_.unknown - network_.settled_mines - network_.settled_safe;
  return std::clamp(cells > 0 ? left / cells : 0.5, 1.0 / 64, 63.0 / 64);
}

// Whether the components may have this many mines in all.
bool Engine::allowed(std::int32_t mines) const {
  if (prior_.kind != Prior::Kind::count) return true;
  const std::int32_t left = prior_.mines - network_.known_mines - network_.settled_mines - mines;
  return left >= 0 && left <= static_cast<std::int32_t>(network_.rest.size());
}

// Log of the weight of the rest of the board if the components have this many
// mines. Components were weighed with chance p: that is taken back here.
double Engine::log_outside(std::int32_t mines) const {
  const auto rest = static_cast<std::int32_t>(network_.rest.size());
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
  if (!network_.read(view)) return Outcome::contradiction;
  p_ = chance_guess();
  const Weights weights(p_);
  cells_in_components_ = 0;
  leaves_.resize(network_.components());
  for (std::size_t c = 0; c < network_.components(); ++c) {
    const auto begin = static_cast<std::size_t>(network_.component_begin[c]);
    const auto end = static_cast<std::size_t>(network_.component_begin[c + 1]);
    Sweep& counted = sweep(c);
    if (!counted.run(network_, {network_.component_boxes.data() + begin, end - begin}, weights,
                     budget))
      return Outcome::estimate;
    if (!counted.feasible()) return Outcome::contradiction;
    for (std::size_t b = begin; b < end; ++b)
      cells_in_components_ +=
          network_.boxes[static_cast<std::size_t>(network_.component_boxes[b])].size;
    leaves_[c].low = counted.low();
    const auto total = counted.total();
    leaves_[c].at.assign(total.begin(), total.end());
  }
  if (!mix()) return Outcome::contradiction;
  if (!weigh()) prove();
  return Outcome::exact;
}

// Puts the components together. False if no total fits.
bool Engine::mix() {
  const auto rest = static_cast<double>(network_.rest.size());
  double log_scales = network_.log_constant;
  for (std::size_t c = 0; c < leaves_.size(); ++c) log_scales += sweeps_[c]->log_scale();
  const bool impossible_density =
      (p_ <= 0 && network_.settled_mines > 0) || (p_ >= 1 && network_.settled_safe > 0);
  if (prior_.kind == Prior::Kind::density) {
    if (impossible_density) return false;
    log_weight_ = log_scales;
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
  const auto log_weight = [this](int mines) { return log_outside(mines); };
  const bool many = leaves_.size() > 64;
  bool mixed = !many && mixture_.combine(leaves_, log_weight, 0);
  if (!mixed) mixed = mixture_.combine(leaves_, log_weight, find_tilt());
  if (!mixed) return false;
  log_weight_ = mixture_.log_total() + log_scales;
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

// The tilt at which the components' mean number of mines is the one that the
// whole board needs: the saddle point.
double Engine::find_tilt() const {
  const auto rest = static_cast<double>(network_.rest.size());
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
  bool all_open = network_.rest.empty() || (rest_risk_ > 0 && rest_risk_ < 1);
  const bool independent = prior_.kind == Prior::Kind::density;
  for (std::size_t c = 0; c < leaves_.size(); ++c) {
    Sweep& counted = *sweeps_[c];
    if (independent) ones_.assign(leaves_[c].at.size(), 1.0);
    counted.marginals(independent ? std::span<const double>(ones_) : mixture_.outside(c));
    for (std::size_t i = 0; i < counted.order().size(); ++i) {
      const auto box = static_cast<std::size_t>(counted.order()[i]);
      const auto size = static_cast<std::size_t>(network_.boxes[box].size);
      double mines = 0;
      double gaps = 0;
      for (std::size_t k = 0; k <= size; ++k) {
        mines += static_cast<double>(k) * counted.marginal(i, k);
        gaps += static_cast<double>(size - k) * counted.marginal(i, k);
      }
      box_risk_[box] = mines / (mines + gaps);
      all_open &= mines > 0 && gaps > 0;
    }
  }
  return all_open;
}

// What is certain, in booleans: which numbers of mines are possible at all.
void Engine::prove() {
  std::vector<Numbers> supports;
  for (std::size_t c = 0; c < leaves_.size(); ++c) supports.push_back(sweeps_[c]->support());
  const Possible possible = combine_numbers(supports, [this](int mines) { return allowed(mines); });
  for (std::size_t c = 0; c < leaves_.size(); ++c) {
    Sweep& counted = *sweeps_[c];
    counted.possibilities(possible.outside[c]);
    for (std::size_t i = 0; i < counted.order().size(); ++i) {
      const Box& box = network_.boxes[static_cast<std::size_t>(counted.order()[i])];
      bool can_be_mined = false;
      bool can_be_safe = false;
      for (int k = 0; k <= box.size; ++k)
        if (counted.possible(i, static_cast<std::size_t>(k))) {
          can_be_mined |= k > 0;
          can_be_safe |= k < box.size;
        }
      if (can_be_mined && can_be_safe) continue;
      for (int j = 0; j < box.size; ++j)
        settle(box.cells[static_cast<std::size_t>(j)], can_be_mined);
    }
  }
  if (prior_.kind == Prior::Kind::uniform ||
      (prior_.kind == Prior::Kind::density && p_ > 0 && p_ < 1))
    return;
  bool can_be_mined = p_ > 0;
  bool can_be_safe = p_ < 1;
  if (prior_.kind == Prior::Kind::count) {
    const std::int32_t left = prior_.mines - network_.known_mines - network_.settled_mines;
    const auto rest = static_cast<std::int32_t>(network_.rest.size());
    can_be_mined = possible.totals.any(left - rest, left - 1);
    can_be_safe = possible.totals.any(left - rest + 1, left);
  }
  if (!can_be_mined || !can_be_safe)
    for (const std::int32_t cell : network_.rest) settle(cell, can_be_mined);
}

void Engine::settle(std::int32_t cell, bool mine) {
  network_.verdicts[static_cast<std::size_t>(cell)] = mine ? Verdict::mine : Verdict::safe;
}

void Engine::write_risk(std::span<double> risk) const {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < risk.size(); ++i) {
    const std::uint8_t shows = view_.states[i];
    const Verdict verdict = network_.verdicts[i];
    if (verdict != Verdict::open)
      risk[i] = verdict == Verdict::mine ? 1.0 : 0.0;
    else
      risk[i] = shows == told_safe ? 0.0 : shows == flagged ? 1.0 : nan;
  }
  for (std::size_t b = 0; b < network_.boxes.size(); ++b) {
    const Box& box = network_.boxes[b];
    for (int j = 0; j < box.size; ++j) {
      const auto cell = static_cast<std::size_t>(box.cells[static_cast<std::size_t>(j)]);
      if (network_.verdicts[cell] == Verdict::open) risk[cell] = box_risk_[b];
    }
  }
  for (const std::int32_t cell : network_.rest)
    if (network_.verdicts[static_cast<std::size_t>(cell)] == Verdict::open)
      risk[static_cast<std::size_t>(cell)] = rest_risk_;
}

void Engine::draw(Stream& stream, std::span<std::uint8_t> mined) {
  for (std::size_t i = 0; i < mined.size(); ++i)
    mined[i] = view_.states[i] == exploded || (view_.states[i] == flagged && view_.trust_flags) ||
               (network_.verdicts[i] == Verdict::mine);
  const std::size_t components = leaves_.size();
  drawn_.assign(components, 0);
  if (prior_.kind == Prior::Kind::density) {
    for (std::size_t c = 0; c < components; ++c) drawn_[c] = pick(leaves_[c], stream);
  } else {
    mixture_.draw(stream, drawn_);
  }
  std::int32_t total = 0;
  for (std::size_t c = 0; c < components; ++c) {
    Sweep& counted = *sweeps_[c];
    counted.prepare_draws();
    of_box_.resize(counted.order().size());
    counted.draw(drawn_[c], stream, of_box_);
    for (std::size_t i = 0; i < of_box_.size(); ++i) {
      const Box& box = network_.boxes[static_cast<std::size_t>(counted.order()[i])];
      scatter({box.cells.data(), static_cast<std::size_t>(box.size)}, of_box_[i], stream, mined);
    }
    total += drawn_[c];
  }
  const std::int32_t known = network_.known_mines + network_.settled_mines + total;
  const auto rest = static_cast<std::int32_t>(network_.rest.size());
  std::int32_t left = 0;
  if (prior_.kind == Prior::Kind::count) {
    left = prior_.mines - known;
  } else if (prior_.kind == Prior::Kind::density) {
    for (const std::int32_t cell : network_.rest)
      mined[static_cast<std::size_t>(cell)] = stream.uniform() < p_;
    return;
  } else {
    // Polya's urn: each further cell is mined by the share of mines among those before.
    double mines = known + 1.0;
    double cells = view_.shape.size() - rest + 2.0;
    for (std::int32_t i = 0; i < rest; ++i, cells += 1)
      if (stream.uniform() * cells < mines) {
        ++left;
        mines += 1;
      }
  }
  scatter(network_.rest, left, stream, mined);
}

// A number of mines by its weight.
std::int32_t Engine::pick(const Polynomial& weights, Stream& stream) {
  double all = 0;
  for (const double weight : weights.at) all += weight;
  double point = stream.uniform() * all;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < weights.at.size(); ++i) {
    if (weights.at[i] <= 0) continue;
    chosen = i;
    point -= weights.at[i];
    if (point < 0) break;
  }
  return weights.low + static_cast<std::int32_t>(chosen);
}

// Mines on `count` of the cells, each choice alike (Floyd's sampling).
void Engine::scatter(std::span<const std::int32_t> cells, std::int32_t count, Stream& stream,
                     std::span<std::uint8_t> mined) {
  const auto size = static_cast<std::uint32_t>(cells.size());
  for (const std::int32_t cell : cells) mined[static_cast<std::size_t>(cell)] = 0;
  for (std::uint32_t last = size - static_cast<std::uint32_t>(count); last < size; ++last) {
    const auto drawn = static_cast<std::size_t>(cells[stream.below(last + 1)]);
    mined[mined[drawn] ? static_cast<std::size_t>(cells[last]) : drawn] = 1;
  }
}

Engine::Figures Engine::figures() const {
  Figures found{leaves_.size(), 0, 0, 0, 0};
  for (std::size_t c = 0; c < leaves_.size(); ++c) {
    found.largest_component = std::max(found.largest_component, sweeps_[c]->order().size());
    found.widest = std::max(found.widest, sweeps_[c]->width());
    found.states += sweeps_[c]->states();
    found.most_open = std::max(found.most_open, sweeps_[c]->most_open());
  }
  return found;
}

}  // namespace mineproof
