#include "mineproof/count_set.hpp"

#include <algorithm>

namespace mineproof {

CountSet CountSet::all(std::int32_t low, std::int32_t count) {
  CountSet made(low, count);
  for (std::int32_t n = low; n < low + count; ++n) made.add(n);
  return made;
}

bool CountSet::any(std::int32_t from, std::int32_t to) const {
  for (std::int32_t n = std::max(from, low); n <= std::min(to, low + count - 1); ++n)
    if (has(n)) return true;
  return false;
}

void CountSet::add_shifted(const CountSet& other, std::int32_t by) {
  const std::int32_t shift = other.low + by - low;
  const std::size_t skip = at(shift >> 6);
  const int bits = shift & 63;
  for (std::size_t i = 0; i < other.words(); ++i) {
    const std::uint64_t moved = other.word(i);
    if (moved == 0) continue;
    word(i + skip) |= moved << bits;
    if (bits && moved >> (64 - bits)) word(i + skip + 1) |= moved >> (64 - bits);
  }
}

namespace {

CountSet sum(const CountSet& a, const CountSet& b) {
  CountSet made(a.low + b.low, a.count + b.count - 1);
  for (std::int32_t n = a.low; n < a.low + a.count; ++n)
    if (a.has(n)) made.add_shifted(b, n);
  return made;
}

// The members of a to which some member of b can be added to give an allowed sum.
CountSet fitting(const CountSet& allowed, const CountSet& a, const CountSet& b) {
  CountSet made(a.low, a.count);
  for (std::int32_t n = a.low; n < a.low + a.count; ++n)
    for (std::int32_t m = b.low; m < b.low + b.count; ++m)
      if (b.has(m) && allowed.has(n + m)) {
        made.add(n);
        break;
      }
  return made;
}

}  // namespace

bool Sums::combine(std::span<const CountSet> leaves, std::int32_t least, std::int32_t most,
                   Cancel cancel) {
  nodes_.clear();
  for (const CountSet& leaf : leaves) nodes_.push_back({leaf, -1, -1});
  if (leaves.empty()) nodes_.push_back({CountSet::all(0, 1), -1, -1});
  std::size_t level = 0;
  for (std::size_t end = nodes_.size(); end - level > 1; end = nodes_.size()) {
    std::size_t i = level;
    for (; i + 1 < end; i += 2) {
      if (cancel.stop_requested()) return false;
      CountSet made = sum(nodes_[i].numbers, nodes_[i + 1].numbers);
      nodes_.push_back(
          {std::move(made), static_cast<std::int32_t>(i), static_cast<std::int32_t>(i + 1)});
    }
    if (i < end) {  // an unpaired set moves up unchanged
      CountSet odd = nodes_[i].numbers;
      nodes_.push_back({std::move(odd), static_cast<std::int32_t>(i), -1});
    }
    level = end;
  }
  above_.resize(nodes_.size());
  CountSet& root = above_.back();
  root = nodes_.back().numbers;
  for (std::int32_t n = root.low; n < root.low + root.count; ++n)
    if (n < least || n > most) root.drop(n);
  for (std::size_t i = nodes_.size(); i-- > leaves.size();) {
    const Node& node = nodes_[i];
    if (node.left < 0) break;
    if (cancel.stop_requested()) return false;
    const std::size_t left = at(node.left);
    if (node.right < 0) {
      above_[left] = above_[i];
      continue;
    }
    const std::size_t right = at(node.right);
    above_[left] = fitting(above_[i], nodes_[left].numbers, nodes_[right].numbers);
    above_[right] = fitting(above_[i], nodes_[right].numbers, nodes_[left].numbers);
  }
  return true;
}

}  // namespace mineproof
