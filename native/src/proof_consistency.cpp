#include "mineproof/proof_consistency.hpp"

#include <algorithm>
#include <map>

#include "mineproof/cells.hpp"

namespace mineproof {

namespace {
constexpr std::int64_t most_nodes = 200'000;  // assignments tried in one query
constexpr std::int64_t patience = 128;  // nodes before failures are stored: most queries end sooner

std::uint64_t hash_of(std::span<const std::uint64_t> key) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : key) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash;
}
}  // namespace

void KeySet::clear() {
  count_ = in_use_ = 0;
  words_.clear();
  if (++round_ == 0) {
    slots_.clear();
    round_ = 1;
  }
}

// The slot of a key, or the slot where it belongs.
std::size_t KeySet::find(std::span<const std::uint64_t> key, std::uint64_t hash) const {
  const std::size_t mask = in_use_ - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.round != round_) return i;
    if (slot.hash == hash && words_[slot.place] == key[0] &&
        std::equal(key.begin(), key.end(), words_.data() + slot.place))
      return i;
  }
}

bool KeySet::contains(std::span<const std::uint64_t> key) const {
  return count_ > 0 && slots_[find(key, hash_of(key))].round == round_;
}

void KeySet::insert(std::span<const std::uint64_t> key) {
  if (2 * count_ >= in_use_) grow();
  const std::uint64_t hash = hash_of(key);
  Slot& slot = slots_[find(key, hash)];
  if (slot.round == round_) return;
  slot = {round_, static_cast<std::uint32_t>(words_.size()), hash};
  words_.insert(words_.end(), key.begin(), key.end());
  ++count_;
}

// Slots occupied in earlier rounds are free.
void KeySet::grow() {
  std::vector<Slot> taken;
  for (Slot& slot : std::span(slots_).first(in_use_))
    if (slot.round == round_) {
      taken.push_back(slot);
      slot.round = 0;
    }
  in_use_ = std::max<std::size_t>(2 * in_use_, 256);
  if (slots_.size() < in_use_) slots_.resize(in_use_);
  const std::size_t mask = in_use_ - 1;
  for (const Slot& slot : taken) {
    std::size_t i = slot.hash & mask;
    while (slots_[i].round == round_) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

void Consistency::read(std::span<const ProofConstraint> statements, std::int32_t cells) {
  statements_ = statements;
  std::vector<std::pair<std::int32_t, std::int32_t>> touching;  // cell and statement
  for (std::size_t t = 0; t < statements.size(); ++t)
    for (const std::int32_t cell : statements[t].cells)
      touching.emplace_back(cell, static_cast<std::int32_t>(t));
  std::sort(touching.begin(), touching.end());
  std::map<std::vector<std::int32_t>, std::int32_t> numbers;
  group_of_.assign(at(cells), -1);
  sizes_.clear();
  statements_of.clear();
  groups_of.assign(statements.size(), {});
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
      for (const std::int32_t t : around) groups_of[at(t)].push_back(place->second);
    }
    group_of_[at(cell)] = place->second;
    ++sizes_[at(place->second)];
  }
  chosen_.assign(statements.size(), 0);
  seen_.assign(statements.size(), 0);
  seen_groups_.assign(sizes_.size(), 0);
  done_.assign(statements.size(), 0);
  rest_.assign(statements.size(), 0);
  last_.assign(statements.size(), -1);
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
    for (const std::int32_t group : groups_of[at(t)]) seen_groups_[at(group)] = 0;
  }
}

bool Consistency::refutes(std::span<const std::int32_t> chosen, std::int32_t cell, bool mine) {
  const std::int32_t group = group_of_[at(cell)];
  if (group < 0) return false;
  choose(chosen);
  order(group);
  const std::int32_t size = sizes_[at(group)];
  const bool fit = mine ? fits(1, size) : fits(0, size - 1);
  seen_groups_[at(group)] = 0;
  forget(chosen);
  gave_up = gave_up || nodes > most_nodes;
  return !fit;
}

bool Consistency::clash(std::span<const std::int32_t> chosen) {
  choose(chosen);
  bool fit = true;
  for (std::size_t i = 0; i < chosen.size() && fit && nodes <= most_nodes; ++i) {
    const auto& groups = groups_of[at(chosen[i])];
    if (seen_[at(chosen[i])] || groups.empty()) continue;
    order(groups[0]);
    fit = fits(0, sizes_[at(groups[0])]);
  }
  forget(chosen);
  gave_up = gave_up || nodes > most_nodes;
  return !fit;
}

// Orders the groups from the one in question outwards, statement by statement.
void Consistency::order(std::int32_t group) {
  order_.assign(1, {group, 0, 0});
  touching_.clear();
  seen_groups_[at(group)] = 1;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::int32_t reached = order_[i].group;
    order_[i].first = static_cast<std::int32_t>(touching_.size());
    for (const std::int32_t t : statements_of[at(reached)]) {
      if (!chosen_[at(t)]) continue;
      touching_.push_back(t);
      if (seen_[at(t)]) continue;
      seen_[at(t)] = 1;
      for (const std::int32_t near : groups_of[at(t)])
        if (!seen_groups_[at(near)]) {
          seen_groups_[at(near)] = 1;
          order_.push_back({near, 0, 0});
        }
    }
    order_[i].last = static_cast<std::int32_t>(touching_.size());
  }
}

// Whether some assignment of mine counts to the groups satisfies the statements, with `low` to
// `high` mines in the first group; also true if the search gives up.
bool Consistency::fits(std::int32_t low, std::int32_t high) {
  failed_.clear();
  open_begin_.clear();
  const auto give = [this](std::size_t place, std::int32_t mines, std::int32_t room) {
    for (std::int32_t i = order_[place].first; i < order_[place].last; ++i) {
      done_[at(touching_[at(i)])] += mines;
      rest_[at(touching_[at(i)])] += room;
    }
  };
  const auto size_of = [this](std::size_t place) { return sizes_[at(order_[place].group)]; };
  std::size_t place = 0;
  given_.assign(order_.size(), -1);
  given_[0] = low - 1;
  bool enters = true;
  while (place < order_.size()) {
    const std::int32_t most = place == 0 ? high : size_of(place);
    if (enters) {
      if (!failed_.empty() && failed_.contains(key(place))) {
        enters = false;
        --place;  // the first place is never in failed_
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

// The mines assigned so far to statements that are partly assigned: all that the rest of the search
// depends on.
std::span<const std::uint64_t> Consistency::key(std::size_t place) {
  if (open_begin_.empty()) find_open();
  key_.assign(1, place);  // also determines the number of words that follow
  std::uint64_t word = 0;
  int bits = 0;
  for (std::int32_t i = open_begin_[place]; i < open_begin_[place + 1]; ++i) {
    word |= static_cast<std::uint64_t>(done_[at(open_[at(i)])]) << bits;
    bits = (bits + 8) % 64;
    if (bits != 0) continue;
    key_.push_back(word);
    word = 0;
  }
  if (bits != 0) key_.push_back(word);
  return key_;
}

// For each place, finds the statements with groups both before it and from it on.
void Consistency::find_open() {
  for (std::size_t p = 0; p < order_.size(); ++p)
    for (std::int32_t i = order_[p].first; i < order_[p].last; ++i)
      last_[at(touching_[at(i)])] = static_cast<std::int32_t>(p);
  open_.clear();
  open_begin_.assign(1, 0);
  for (std::size_t p = 0; p < order_.size(); ++p) {
    open_begin_.push_back(static_cast<std::int32_t>(open_.size()));
    if (p + 1 == order_.size()) break;
    const std::int32_t first = open_begin_[p], end = open_begin_[p + 1];
    const auto next = static_cast<std::int32_t>(p + 1);
    for (std::int32_t i = first; i < end; ++i)
      if (const std::int32_t t = open_[at(i)]; last_[at(t)] >= next) open_.push_back(t);
    for (std::int32_t i = order_[p].first; i < order_[p].last; ++i) {
      const std::int32_t t = touching_[at(i)];
      const bool is_open =
          std::find(open_.begin() + first, open_.begin() + end, t) != open_.begin() + end;
      if (!is_open && last_[at(t)] >= next) open_.push_back(t);
    }
  }
}

}  // namespace mineproof
