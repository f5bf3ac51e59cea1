#include "mineproof/proof_smallest.hpp"

#include <algorithm>
#include <numeric>

#include "mineproof/cells.hpp"

namespace mineproof {

namespace {

constexpr std::size_t most_equals = 32;         // how many smallest proofs are compared
constexpr std::int64_t nodes_a_question = 200;  // nodes that cost as much as an easy question
constexpr std::int64_t more = 400;              // budget for further proofs of the same size

// Whether there are more pairwise disjoint escapes than clues to choose.
bool is_hopeless(std::vector<ClueSet> escapes, std::int32_t to_choose) {
  std::stable_sort(escapes.begin(), escapes.end(),
                   [](const ClueSet& a, const ClueSet& b) { return a.size() < b.size(); });
  ClueSet taken;
  std::int32_t apart = 0;
  for (const ClueSet& escape : escapes) {
    if (escape.meets(taken)) continue;
    taken = taken | escape;
    if (++apart > to_choose) return true;
  }
  return !escapes.empty() && escapes.front().empty();
}

}  // namespace

ClueSet ClueSet::first(std::int32_t count) {
  ClueSet set;
  for (std::int32_t place = 0; place < count; ++place) set.add(place);
  return set;
}

ClueSet ClueSet::with(std::int32_t place) const {
  ClueSet set = *this;
  set.add(place);
  return set;
}

bool ClueSet::has(std::int32_t place) const {
  return (words_[at(place / 64)] >> (place % 64) & 1) != 0;
}

ClueSet ClueSet::operator&(const ClueSet& other) const {
  ClueSet set = *this;
  for (std::size_t i = 0; i < words_.size(); ++i) set.words_[i] &= other.words_[i];
  return set;
}

ClueSet ClueSet::operator|(const ClueSet& other) const {
  ClueSet set = *this;
  for (std::size_t i = 0; i < words_.size(); ++i) set.words_[i] |= other.words_[i];
  return set;
}

ClueSet ClueSet::without(const ClueSet& other) const {
  ClueSet set = *this;
  for (std::size_t i = 0; i < words_.size(); ++i) set.words_[i] &= ~other.words_[i];
  return set;
}

bool ClueSet::meets(const ClueSet& other) const {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if ((words_[i] & other.words_[i]) != 0) return true;
  return false;
}

bool ClueSet::empty() const { return *this == ClueSet{}; }

std::int32_t ClueSet::size() const {
  std::int32_t count = 0;
  for (const std::uint64_t word : words_) count += std::popcount(word);
  return count;
}

std::vector<std::int32_t> ClueSet::places() const {
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < words_.size(); ++i)
    for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
      found.push_back(static_cast<std::int32_t>(64 * i) + std::countr_zero(word));
  return found;
}

bool Oracle::ask(std::span<const std::int32_t> chosen) {
  if (left < price) ended = true;
  if (stops()) return false;
  left -= price;
  const std::optional<bool> proved = proves(chosen);
  work += effort;
  if (nodes != nullptr) {
    left -= *nodes / nodes_a_question;
    work += *nodes;
  }
  cancelled = !proved;
  return !stops() && *proved;
}

std::vector<ClueSet> Smallest::run() {
  for (std::size_t size = 0; size < rings_.size() && found_.empty() && !oracle_.ended; ++size) {
    if (at(rings_[size]) > most_clues) break;
    widen(size);
    const auto count = static_cast<std::int32_t>(size);
    if (!oracle_.ended && !is_hopeless(escapes_, count)) choose({}, 0, {}, count);
  }
  return found_;
}

// Adds the clues that are `size` links away.
void Smallest::widen(std::size_t size) {
  const std::int32_t before = size > 0 ? rings_[size - 1] : 0;
  looked_at_ = rings_[size];
  if (before == looked_at_) return;
  std::vector<std::int32_t> order(at(looked_at_ - before));
  std::iota(order.begin(), order.end(), before);
  for (ClueSet& held : known_) held = grow(held, order);
  for (std::size_t ring = 0; ring <= size && !oracle_.ended; ++ring) {
    // Finds an escape in each ring: few of them overlap, and their number is a lower bound.
    const std::int32_t low = ring > 0 ? rings_[ring - 1] : 0, high = rings_[ring];
    if (low == high) continue;
    order.clear();
    for (std::int32_t place = 0; place < looked_at_; ++place)
      if (place < low || place >= high) order.push_back(place);
    for (std::int32_t place = low; place < high; ++place) order.push_back(place);
    known_.push_back(grow({}, order));
  }
  escapes_.clear();
  for (const ClueSet& held : known_) escapes_.push_back(ClueSet::first(looked_at_).without(held));
}

// Adds more clues, in this order, as long as the set stays consistent with the opposite.
ClueSet Smallest::grow(ClueSet held, std::span<const std::int32_t> order) {
  for (const std::int32_t place : order) {
    if (held.has(place)) continue;
    const ClueSet more_held = held.with(place);
    const bool proved = oracle_.ask(more_held.places());
    if (oracle_.ended) break;
    if (!proved) held = more_held;
  }
  return held;
}

// Extends a set of clues to all proofs of this size that contain it.
void Smallest::choose(const ClueSet& chosen, std::int32_t count, ClueSet excluded,
                      std::int32_t size) {
  if (oracle_.stops()) return;  // sets that are not connected cost no question
  std::vector<ClueSet> open;
  for (const ClueSet& escape : escapes_)
    if (!escape.meets(chosen)) open.push_back(escape.without(excluded));
  if (open.empty()) {
    if ((count == size && !is_linked(chosen)) || is_proof(chosen) || oracle_.ended) return;
    open.push_back(escapes_.back().without(excluded));
  }
  if (is_hopeless(open, size - count)) return;
  const auto least =
      std::min_element(open.begin(), open.end(),
                       [](const ClueSet& a, const ClueSet& b) { return a.size() < b.size(); });
  for (const std::int32_t place : least->places()) {
    choose(chosen.with(place), count + 1, excluded, size);
    excluded = excluded.with(place);
    const bool enough = found_.size() == most_equals || oracle_.left < until_;
    if (oracle_.ended || (!found_.empty() && enough)) return;
  }
}

// Tests a set: either records it as a proof, or adds a new escape.
bool Smallest::is_proof(const ClueSet& chosen) {
  const bool proved = oracle_.ask(chosen.places());
  if (oracle_.ended) return false;
  if (proved) {
    if (found_.empty()) until_ = oracle_.left - more;
    found_.push_back(chosen);
    return true;
  }
  std::vector<std::int32_t> order(at(looked_at_));
  std::iota(order.rbegin(), order.rend(), 0);
  known_.push_back(grow(chosen, order));
  escapes_.push_back(ClueSet::first(looked_at_).without(known_.back()));
  return false;
}

// Whether each clue is linked to the cell through others in the set.
bool Smallest::is_linked(const ClueSet& chosen) const {
  if (free_) return true;
  ClueSet reached = chosen & near_, fresh = reached;
  while (!fresh.empty()) {
    ClueSet next;
    for (const std::int32_t place : fresh.places()) next = next | linked_[at(place)];
    fresh = (next & chosen).without(reached);
    reached = reached | fresh;
  }
  return reached == chosen;
}

std::vector<std::int32_t> reduce(Oracle& oracle, std::int32_t clues) {
  std::vector<std::int32_t> kept(at(clues)), tried;
  std::iota(kept.begin(), kept.end(), 0);
  for (std::int32_t step = static_cast<std::int32_t>(std::bit_floor(at(clues))); step > 0;
       step /= 2)
    for (std::int32_t low = (clues - 1) / step * step; low >= 0; low -= step) {
      tried.clear();
      for (const std::int32_t place : kept)
        if (place < low || place >= low + step) tried.push_back(place);
      if (tried.size() == kept.size()) continue;
      const bool proved = oracle.ask(tried);
      if (oracle.ended) return kept;
      if (proved) kept.swap(tried);
    }
  return kept;
}

}  // namespace mineproof
