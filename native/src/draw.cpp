// Boards drawn from the posterior: the forward pass, walked backwards by chance.
#include "mineproof/posterior.hpp"
#include "mineproof/sweep.hpp"

namespace mineproof {

void Sweep::prepare_draws() {
  if (!source_.empty()) return;
  source_.resize(transitions_);
  incoming_.assign(states() + 1, 0);
  for (std::size_t s = 0; s + 1 < states(); ++s)
    for (std::size_t at = states_[s].first; at < end_of(s); ++at) {
      source_[at] = static_cast<std::uint32_t>(s);
      ++incoming_[target_[at] + 1];
    }
  for (std::size_t t = 0; t < states(); ++t) incoming_[t + 1] += incoming_[t];
  arrival_.resize(transitions_);
  std::vector<std::uint32_t> next(incoming_.begin(), incoming_.end() - 1);
  for (std::size_t at = 0; at < transitions_; ++at)
    arrival_[next[target_[at]]++] = static_cast<std::uint32_t>(at);
}

// Backwards from the end: each step is drawn by the weight of the ways to get there.
void Sweep::draw(std::int32_t mines, Stream& stream, std::span<std::int32_t> mines_of_box) const {
  std::size_t state = states() - 1;
  for (std::size_t i = order_.size(); i-- > 0;) {
    const auto mines_at = [&](std::uint32_t at) {
      const State& from = states_[source_[at]];
      return from.least + static_cast<std::int32_t>(at - from.first);
    };
    const auto ways = [&](std::uint32_t at) {
      const State& from = states_[source_[at]];
      const std::int32_t k = mines_at(at);
      const std::int32_t j = mines - k - from.low;
      if (j < 0 || j >= from.length) return 0.0;
      const double factor = weighs_ ? chances(i)[k] * factor_[at] : chances(i)[k];
      return factor * forward_[from.place + static_cast<std::size_t>(j)];
    };
    double all = 0;
    for (std::size_t a = incoming_[state]; a < incoming_[state + 1]; ++a) all += ways(arrival_[a]);
    double point = stream.uniform() * all;
    std::uint32_t chosen = arrival_[incoming_[state]];
    for (std::size_t a = incoming_[state]; a < incoming_[state + 1]; ++a) {
      const double weight_here = ways(arrival_[a]);
      if (weight_here <= 0) continue;
      chosen = arrival_[a];
      point -= weight_here;
      if (point < 0) break;
    }
    mines_of_box[i] = mines_at(chosen);
    mines -= mines_of_box[i];
    state = source_[chosen];
  }
}

void Engine::draw(Stream& stream, std::span<std::uint8_t> mined) {
  rest_cells();
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
      const Box& one = box(c, counted.order()[i]);
      scatter({one.cells.data(), static_cast<std::size_t>(one.size)}, of_box_[i], stream, mined);
    }
    total += drawn_[c];
  }
  const std::int32_t known = network_.known_mines + network_.settled_mines + total;
  const auto rest = network_.rest;
  std::int32_t left = 0;
  if (prior_.kind == Prior::Kind::count) {
    left = prior_.mines - known;
  } else if (prior_.kind == Prior::Kind::density) {
    for (const std::int32_t cell : rest_cells_)
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
  scatter(rest_cells_, left, stream, mined);
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

}  // namespace mineproof
