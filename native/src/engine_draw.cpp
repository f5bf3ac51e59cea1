// Boards drawn from the posterior.
#include "mineproof/engine.hpp"

namespace mineproof {

bool Engine::draw(Stream& stream, std::span<std::uint8_t> mined, Cancel cancel) {
  rest_cells();
  for (std::size_t i = 0; i < mined.size(); ++i)
    mined[i] = view_.is_known_mine(view_.states[i]) || network_.verdicts[i] == Verdict::mine;
  const std::size_t components = leaves_.size();
  drawn_.assign(components, 0);
  if (prior_.is_independent()) {
    for (std::size_t c = 0; c < components; ++c) drawn_[c] = pick(leaves_[c], stream);
  } else {
    mixture_.draw(stream, drawn_);
  }
  std::int32_t inside = 0;
  for (std::size_t c = 0; c < components; ++c) {
    Sweep& counted = *sweeps_[c];
    if (cancel.asked() || !counted.prepare_draws(cancel)) return false;
    of_box_.resize(counted.order().size());
    counted.draw(drawn_[c], stream, of_box_);
    for (std::size_t i = 0; i < of_box_.size(); ++i) {
      const Box& one = box(c, counted.order()[i]);
      scatter({one.cells.data(), at(one.size)}, of_box_[i], stream, mined);
    }
    inside += drawn_[c];
  }
  if (prior_.is_independent()) {
    for (const std::int32_t cell : rest_cells_) mined[at(cell)] = stream.uniform() < p_;
    return true;
  }
  scatter(rest_cells_, prior_.draw_rest(uncounted_, inside, stream), stream, mined);
  return true;
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
  for (const std::int32_t cell : cells) mined[at(cell)] = 0;
  for (std::uint32_t last = size - static_cast<std::uint32_t>(count); last < size; ++last) {
    const std::size_t drawn = at(cells[stream.below(last + 1)]);
    mined[mined[drawn] ? at(cells[last]) : drawn] = 1;
  }
}

}  // namespace mineproof
