#include "mineproof/proof_consistency.hpp"

#include <algorithm>
#include <map>

#include "mineproof/cells.hpp"

namespace mineproof {

namespace {
constexpr std::int64_t most_nodes = 200'000;  // numbers tried for boxes in one question
constexpr std::int64_t patience = 128;        // before failures are remembered: most end sooner
}  // namespace

void Consistency::read(std::span<const Statement> statements, std::int32_t cells) {
  statements_ = statements;
  std::vector<std::pair<std::int32_t, std::int32_t>> touching;  // cell and statement
  for (std::size_t t = 0; t < statements.size(); ++t)
    for (const std::int32_t cell : statements[t].cells)
      touching.emplace_back(cell, static_cast<std::int32_t>(t));
  std::sort(touching.begin(), touching.end());
  std::map<std::vector<std::int32_t>, std::int32_t> numbers;
  box_of_.assign(at(cells), -1);
  sizes_.clear();
  statements_of.clear();
  boxes_of.assign(statements.size(), {});
  std::vector<std::int32_t> around;
  for (std::size_t i = 0; i < touching.size();) {
    const std::int32_t cell = touching[i].first;
    around.clear();
    for (; i < touching.size() && touching[i].first == cell; ++i)
      around.push_back(touching[i].second);
    const auto [place, is_new] =
        numbers.try_emplace(around, static_cast<std::int32_t>(sizes_.size()));
    if (is_new) {
      sizes_.push_back(0);
      statements_of.push_back(around);
      for (const std::int32_t t : around) boxes_of[at(t)].push_back(place->second);
    }
    box_of_[at(cell)] = place->second;
    ++sizes_[at(place->second)];
  }
  chosen_.assign(statements.size(), 0);
  seen_.assign(statements.size(), 0);
  seen_boxes_.assign(sizes_.size(), 0);
  done_.assign(statements.size(), 0);
  rest_.assign(statements.size(), 0);
}

void Consistency::choose(std::span<const std::int32_t> chosen) {
  for (const std::int32_t t : chosen) {
    chosen_[at(t)] = 1;
    done_[at(t)] = 0;
    rest_[at(t)] = static_cast<std::int32_t>(statements_[at(t)].cells.size());
  }
  nodes = 0;
}

void Consistency::forget(std::span<const std::int32_t> chosen) {
  for (const std::int32_t t : chosen) {
    chosen_[at(t)] = seen_[at(t)] = 0;
    for (const std::int32_t box : boxes_of[at(t)]) seen_boxes_[at(box)] = 0;
  }
}

bool Consistency::refutes(std::span<const std::int32_t> chosen, std::int32_t cell, bool mine) {
  const std::int32_t box = box_of_[at(cell)];
  if (box < 0) return false;
  choose(chosen);
  order(box);
  const std::int32_t size = sizes_[at(box)];
  const bool fit = mine ? fits(1, size) : fits(0, size - 1);
  seen_boxes_[at(box)] = 0;
  forget(chosen);
  gave_up = gave_up || nodes > most_nodes;
  return !fit;
}

bool Consistency::clash(std::span<const std::int32_t> chosen) {
  choose(chosen);
  bool fit = true;
  for (std::size_t i = 0; i < chosen.size() && fit && nodes <= most_nodes; ++i) {
    const auto& boxes = boxes_of[at(chosen[i])];
    if (seen_[at(chosen[i])] || boxes.empty()) continue;
    order(boxes[0]);
    fit = fits(0, sizes_[at(boxes[0])]);
  }
  forget(chosen);
  gave_up = gave_up || nodes > most_nodes;
  return !fit;
}

// The boxes from the asked one outwards, statement by statement.
void Consistency::order(std::int32_t box) {
  order_.assign(1, {box, 0, 0});
  touching_.clear();
  seen_boxes_[at(box)] = 1;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::int32_t reached = order_[i].box;
    order_[i].first = static_cast<std::int32_t>(touching_.size());
    for (const std::int32_t t : statements_of[at(reached)]) {
      if (!chosen_[at(t)]) continue;
      touching_.push_back(t);
      if (seen_[at(t)]) continue;
      seen_[at(t)] = 1;
      for (const std::int32_t near : boxes_of[at(t)])
        if (!seen_boxes_[at(near)]) {
          seen_boxes_[at(near)] = 1;
          order_.push_back({near, 0, 0});
        }
    }
    order_[i].last = static_cast<std::int32_t>(touching_.size());
  }
}

// Whether numbers of mines for the boxes satisfy the statements, from `low` to `high` in the
// first one; also true when that is given up.
bool Consistency::fits(std::int32_t low, std::int32_t high) {
  failed_.clear();
  open_at_.clear();
  const auto give = [this](std::size_t place, std::int32_t mines, std::int32_t room) {
    for (std::int32_t i = order_[place].first; i < order_[place].last; ++i) {
      done_[at(touching_[at(i)])] += mines;
      rest_[at(touching_[at(i)])] += room;
    }
  };
  const auto size_of = [this](std::size_t place) { return sizes_[at(order_[place].box)]; };
  std::size_t place = 0;
  given_.assign(order_.size(), -1);
  given_[0] = low - 1;
  bool enters = true;
  while (place < order_.size()) {
    const std::int32_t most = place == 0 ? high : size_of(place);
    if (enters) {
      if (!failed_.empty() && failed_.contains(key(place))) {
        enters = false;
        --place;  // the first is never among them
        give(place, -given_[place], 0);
        continue;
      }
      give(place, 0, -size_of(place));
      given_[place] = place == 0 ? low - 1 : -1;
    }
    enters = false;
    if (given_[place] < most) {
      if (++nodes > most_nodes) return true;
      give(place, ++given_[place], 0);
      if (can_hold(place)) {
        ++place;
        enters = true;
      } else {
        give(place, -given_[place], 0);
      }
      continue;
    }
    give(place, 0, size_of(place));
    if (nodes > patience) failed_.insert(key(place));
    if (place == 0) return false;
    --place;
    give(place, -given_[place], 0);
  }
  return true;
}

bool Consistency::can_hold(std::size_t place) const {
  for (std::int32_t i = order_[place].first; i < order_[place].last; ++i) {
    const std::int32_t t = touching_[at(i)];
    const std::uint32_t possible = statements_[at(t)].allowed >> done_[at(t)];
    if ((possible & ((2U << rest_[at(t)]) - 1)) == 0) return false;
  }
  return true;
}

// The mines given so far to the statements that are half done: all that the rest depends on.
std::string Consistency::key(std::size_t place) {
  if (open_at_.empty()) find_open();
  std::string found(reinterpret_cast<const char*>(&place), sizeof place);
  for (const std::int32_t t : open_at_[place]) found.push_back(static_cast<char>(done_[at(t)]));
  return found;
}

void Consistency::find_open() {
  std::vector<std::int32_t> last(statements_.size(), -1);
  for (std::size_t p = 0; p < order_.size(); ++p)
    for (std::int32_t i = order_[p].first; i < order_[p].last; ++i)
      last[at(touching_[at(i)])] = static_cast<std::int32_t>(p);
  open_at_.assign(order_.size(), {});
  std::vector<std::int32_t> open;
  std::vector<std::uint8_t> begun(statements_.size(), 0);
  for (std::size_t p = 0; p < order_.size(); ++p) {
    std::erase_if(open, [&](std::int32_t t) { return last[at(t)] < static_cast<std::int32_t>(p); });
    open_at_[p] = open;
    for (std::int32_t i = order_[p].first; i < order_[p].last; ++i)
      if (const std::int32_t t = touching_[at(i)]; !begun[at(t)]) {
        begun[at(t)] = 1;
        open.push_back(t);
      }
  }
}

}  // namespace mineproof
