#include "mineproof/least_share.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "mineproof/board.hpp"

namespace mineproof {

void SmallComponents::begin(std::int32_t size) {
  count_ = last_count_ = 0;
  round_ = 0;
  seen_.assign(at(size), 0);
  inside_.assign(at(size), 0);
  place_.resize(at(size));
}

bool SmallComponents::count(const PlayerKnowledge& knowledge, std::int32_t cap,
                            std::optional<std::int32_t> left, Cancel cancel) {
  ++round_;
  components_.swap(last_);
  last_count_ = std::exchange(count_, 0);
  next_last_ = 0;
  outside_ = knowledge.open_cells();
  fewest_ = most_ = 0;
  for (std::int32_t clue = 0; clue < knowledge.size(); ++clue) {
    if (!knowledge.is_unspent(clue) || seen_[clue] == round_) continue;
    gather(knowledge, clue);
    if (std::cmp_less_equal(cells_.size(), cap) && !add(knowledge, cancel)) return false;
  }
  for (Component& one : std::span(components_.data(), count_)) {
    if (!one.feasible) continue;
    // The other components have their fewest mines, or their most and all cells outside are mines.
    const std::int32_t most = left ? *left - (fewest_ - one.fewest) : one.most;
    const std::int32_t fewest = left ? *left - (most_ - one.most) - outside_ : one.fewest;
    const std::int32_t from = std::max(fewest, one.fewest);
    const std::int32_t to = std::min(most, one.most);
    if (one.from == from && one.to == to) continue;
    one.from = from;
    one.to = to;
    if (!weigh(one, cancel)) return false;
  }
  return true;
}

// Collects the clues and cells of a component.
void SmallComponents::gather(const PlayerKnowledge& knowledge, std::int32_t start) {
  const Neighbourhood& board = knowledge.board();
  clues_.assign(1, start);
  cells_.clear();
  seen_[start] = round_;
  const auto linked_to = [&](std::int32_t clue, auto&& f) {
    board.each(clue, knowledge.ways_open(clue), [&](std::int32_t cell) {
      if (std::exchange(seen_[cell], round_) == round_) return;
      cells_.push_back(cell);
      board.each(cell, f);
    });
  };
  flood(clues_, linked_to, [&](std::int32_t near) {
    return knowledge.is_clue(near) && std::exchange(seen_[near], round_) != round_;
  });
}

// Adds the component that was gathered: as it was counted by the last call, if it has not changed.
bool SmallComponents::add(const PlayerKnowledge& knowledge, Cancel cancel) {
  key_.clear();
  for (const std::int32_t clue : clues_) {
    const auto bounds = knowledge.least(clue) * 256 + knowledge.most(clue);
    key_.push_back(static_cast<std::uint64_t>(bounds) << 32 |
                   std::uint64_t{knowledge.ways_open(clue)} << 24 |
                   static_cast<std::uint64_t>(clue));
  }
  if (components_.size() == count_) components_.emplace_back();
  Component& one = components_[count_];
  while (next_last_ < last_count_ && last_[next_last_].start < clues_[0]) ++next_last_;
  if (next_last_ < last_count_ && last_[next_last_].clues == key_)
    std::swap(one, last_[next_last_++]);
  else if (!sweep(knowledge, one, cancel))
    return false;
  ++count_;
  if (!one.feasible) return true;
  for (const std::int32_t cell : cells_) inside_[cell] = round_;
  outside_ -= static_cast<std::int32_t>(cells_.size());
  fewest_ += one.fewest;
  most_ += one.most;
  return true;
}

bool SmallComponents::sweep(const PlayerKnowledge& knowledge, Component& one, Cancel cancel) {
  static const Weights equal(0.5);
  form_groups(knowledge);
  order_.resize(graph_.groups.size());
  std::iota(order_.begin(), order_.end(), 0);
  const Swept swept = one.sweep.run(graph_, order_, equal, state_budget, least_bytes,
                                    std::numeric_limits<double>::max(), scratch_, cancel);
  if (swept == Swept::cancelled) return false;
  one.start = clues_[0];
  one.clues = key_;
  one.groups = graph_.groups;
  one.shares.clear();
  one.from = one.to = -1;
  one.feasible = swept == Swept::all && one.sweep.feasible();
  if (!one.feasible) return true;
  one.fewest = one.sweep.low();
  one.most = one.fewest + static_cast<std::int32_t>(one.sweep.total().size()) - 1;
  return true;
}

void SmallComponents::form_groups(const PlayerKnowledge& knowledge) {
  graph_.clues.clear();
  graph_.groups.clear();
  for (const std::int32_t clue : clues_) {
    place_[clue] = static_cast<std::int32_t>(graph_.clues.size());
    graph_.clues.push_back({.cell = clue,
                            .cells = knowledge.open_around(clue),
                            .low = knowledge.least(clue),
                            .high = knowledge.most(clue),
                            .table = nullptr,
                            .group_count = 0,
                            .groups = {}});
  }
  for (const std::int32_t cell : cells_) {
    CellGroup own{1, 0, {cell}, {}};
    knowledge.board().each(cell, [&](std::int32_t near) {
      if (knowledge.is_clue(near)) own.clues[at(own.clue_count++)] = place_[near];
    });
    const auto same =
        std::find_if(graph_.groups.begin(), graph_.groups.end(), [&](const CellGroup& group) {
          return group.clue_count == own.clue_count && group.clues == own.clues;
        });
    if (same != graph_.groups.end()) {
      same->cells[at(same->size++)] = cell;
      continue;
    }
    for (std::size_t i = 0; i < at(own.clue_count); ++i) {
      Clue& clue = graph_.clues[at(own.clues[i])];
      clue.groups[at(clue.group_count++)] = static_cast<std::int32_t>(graph_.groups.size());
    }
    graph_.groups.push_back(own);
  }
}

// Computes the shares among the configurations that are allowed; there may be none.
bool SmallComponents::weigh(Component& one, Cancel cancel) {
  one.shares.clear();
  allowed_.clear();
  for (std::int32_t mines = one.fewest; mines <= one.most; ++mines)
    allowed_.push_back(one.from <= mines && mines <= one.to);
  if (std::inner_product(allowed_.begin(), allowed_.end(), one.sweep.total().begin(), 0.0) == 0)
    return true;
  if (!one.sweep.marginals(allowed_, cancel)) return false;
  one.shares.resize(one.groups.size());
  for (std::size_t i = 0; i < one.groups.size(); ++i) {
    const auto [mines, gaps] = one.sweep.halves(i);
    one.shares[at(one.sweep.order()[i])] = mines / (mines + gaps);
  }
  return true;
}

}  // namespace mineproof
