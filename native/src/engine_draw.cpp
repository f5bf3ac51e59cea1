// Boards drawn from the posterior.
#include "mineproof/engine.hpp"

namespace mineproof {

bool Engine::draw(Stream& stream, std::span<std::uint8_t> mined, Cancel cancel) {
  rest_cells();
  for (std::size_t i = 0; i < mined.size(); ++i)
    mined[i] = view_.is_known_mine(view_.states[i]) || graph_.verdicts[i] == Verdict::mine;
  const std::size_t components = leaves_.size();
  drawn_.assign(components, 0);
  if (prior_.is_independent()) {
    for (std::size_t c = 0; c < components; ++c) drawn_[c] = pick(c, stream);
  } else {
    product_.draw(stream, drawn_);
  }
  std::int32_t inside = 0;
  for (std::size_t c = 0; c < components; ++c) {
    Sweep& counted = *sweeps_[c];
    if (cancel.stop_requested() || !counted.prepare_draws(cancel)) return false;
    of_group_.resize(counted.order().size());
    counted.draw(drawn_[c], stream, of_group_);
    for (std::size_t i = 0; i < of_group_.size(); ++i) {
      const CellGroup& one = group(c, counted.order()[i]);
      scatter({one.cells.data(), at(one.size)}, of_group_[i], stream, mined);
    }
    inside += drawn_[c];
  }
  if (prior_.is_independent()) {
    for (const std::int32_t cell : rest_cells_)
      mined[at(cell)] = stream.uniform() < prior_.density();
    return true;
  }
  scatter(rest_cells_, prior_.draw_rest(uncounted_, inside, stream), stream, mined);
  return true;
}

// Draws a component's number of mines by weight; for independent cells.
std::int32_t Engine::pick(std::size_t c, Stream& stream) const {
  const Polynomial& leaf = leaves_[c];
  const auto weight = [&](std::size_t i) { return leaf.at[i] * alone_[c][i]; };
  double all = 0;
  for (std::size_t i = 0; i < leaf.at.size(); ++i) all += weight(i);
  double point = stream.uniform() * all;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < leaf.at.size(); ++i) {
    if (weight(i) <= 0) continue;
    chosen = i;
    point -= weight(i);
    if (point < 0) break;
  }
  return leaf.low + static_cast<std::int32_t>(chosen);
}

// Puts mines on `count` of the cells, all choices equally likely (Floyd's sampling).
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
