#include "mineproof/component_product.hpp"

#include <algorithm>
#include <cmath>

namespace mineproof {

// Rescales a node, and trims tails that cannot matter from a long one.
void ComponentProduct::finish(Node& node) {
  double* values = values_.data() + node.place;
  const double largest = *std::max_element(values, values + node.length);
  if (node.length > 256) {
    std::int32_t head = 0;
    while (values[head] < 1e-40 * largest) ++head;
    std::int32_t tail = node.length;
    while (values[tail - 1] < 1e-40 * largest) --tail;
    node.low += head;
    node.place += at(head);
    node.length = tail - head;
    values += head;
  }
  if (largest > 1e-50 && largest < 1e50) return;
  for (std::int32_t i = 0; i < node.length; ++i) values[i] /= largest;
  log_scale_ += std::log(largest);
}

bool ComponentProduct::multiply(std::span<const Polynomial> leaves, double tilt, Cancel cancel) {
  nodes_.clear();
  values_.clear();
  leaves_ = leaves.size();
  tilt_ = tilt;
  log_scale_ = 0;
  if (leaves.empty()) {  // one empty component: no mines, one configuration
    nodes_.push_back({0, 1, 0, -1, -1});
    values_.push_back(1);
  }
  for (const Polynomial& leaf : leaves) {
    nodes_.push_back({leaf.low, static_cast<std::int32_t>(leaf.at.size()), values_.size(), -1, -1});
    values_.insert(values_.end(), leaf.at.begin(), leaf.at.end());
    if (tilt != 0)
      for (std::size_t i = 0; i < leaf.at.size(); ++i)
        values_[nodes_.back().place + i] *= std::exp(tilt * static_cast<double>(i));
    log_scale_ += tilt * leaf.low;
    finish(nodes_.back());
  }
  // Pair adjacent nodes, level by level; the last node is the root.
  std::size_t level = 0;
  for (std::size_t end = nodes_.size(); end - level > 1; end = nodes_.size()) {
    std::size_t i = level;
    for (; i + 1 < end; i += 2) {
      if (cancel.stop_requested()) return false;
      nodes_.push_back(product(i));
    }
    if (i < end) {  // an unpaired node moves up unchanged
      const Node odd = nodes_[i];
      nodes_.push_back({odd.low, odd.length, odd.place, static_cast<std::int32_t>(i), -1});
    }
    level = end;
  }
  return true;
}

// The product of the i-th node and the next one.
ComponentProduct::Node ComponentProduct::product(std::size_t i) {
  const Node a = nodes_[i];
  const Node b = nodes_[i + 1];
  Node made{a.low + b.low, a.length + b.length - 1, values_.size(), static_cast<std::int32_t>(i),
            static_cast<std::int32_t>(i + 1)};
  values_.resize(values_.size() + at(made.length), 0.0);
  double* to = values_.data() + made.place;
  const double* x = values_.data() + a.place;
  const double* y = values_.data() + b.place;
  for (std::int32_t u = 0; u < a.length; ++u)
    for (std::int32_t v = 0; v < b.length; ++v) to[u + v] += x[u] * y[v];
  finish(made);
  return made;
}

bool ComponentProduct::descend(std::span<const Polynomial> leaves, std::span<const double> weights,
                               Cancel cancel) {
  const Node& root = nodes_.back();
  adjoints_.assign(values_.size(), 0.0);
  double total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    adjoints_[root.place + i] = weights[i];
    total += weights[i] * values_[root.place + i];
  }
  if (!(total > 1e-200)) return false;
  log_total_ = std::log(total) + log_scale_;
  for (std::size_t i = nodes_.size(); i-- > leaves_;) {
    if (cancel.stop_requested()) return false;
    down(nodes_[i]);
  }
  outside_.clear();
  outside_place_.clear();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Node& node = nodes_[i];
    const std::size_t begin = outside_.size();
    outside_place_.push_back(begin);
    outside_.resize(begin + leaves[i].at.size(), 0.0);
    for (std::int32_t j = 0; j < node.length; ++j) {
      const std::int32_t m = node.low + j - leaves[i].low;
      const double adjoint = adjoints_[node.place + at(j)];
      outside_[begin + at(m)] = tilt_ == 0 ? adjoint : adjoint * std::exp(tilt_ * m);
    }
  }
  outside_place_.push_back(outside_.size());
  return true;
}

void ComponentProduct::down(const Node& node) {
  if (node.left < 0) return;
  if (node.right < 0) return;  // shares its storage with its only child
  const Node& a = nodes_[at(node.left)];
  const Node& b = nodes_[at(node.right)];
  const double* above = adjoints_.data() + node.place;
  const double* x = values_.data() + a.place;
  const double* y = values_.data() + b.place;
  double* to_x = adjoints_.data() + a.place;
  double* to_y = adjoints_.data() + b.place;
  const std::int32_t shift = a.low + b.low - node.low;  // trimming raises the low end
  double largest_x = 0;
  double largest_y = 0;
  for (std::int32_t u = 0; u < a.length; ++u) {
    const std::int32_t from = std::max(0, -(u + shift));
    const std::int32_t to = std::min(b.length, node.length - u - shift);
    double sum = 0;
    for (std::int32_t v = from; v < to; ++v) {
      sum += y[v] * above[u + v + shift];
      to_y[v] += x[u] * above[u + v + shift];
    }
    to_x[u] += sum;
    largest_x = std::max(largest_x, to_x[u]);
  }
  for (std::int32_t v = 0; v < b.length; ++v) largest_y = std::max(largest_y, to_y[v]);
  const auto scale = [](double* values, std::int32_t length, double largest) {
    if (largest > 0 && (largest < 1e-100 || largest > 1e100))
      for (std::int32_t i = 0; i < length; ++i) values[i] /= largest;
  };
  scale(to_x, a.length, largest_x);
  scale(to_y, b.length, largest_y);
}

std::span<const double> ComponentProduct::outside(std::size_t leaf) const {
  return {outside_.data() + outside_place_[leaf], outside_place_[leaf + 1] - outside_place_[leaf]};
}

void ComponentProduct::draw(Stream& stream, std::span<std::int32_t> mines) const {
  std::vector<std::int32_t> given(nodes_.size(), 0);
  const auto choose = [&](std::int32_t low, std::int32_t high, auto&& weight) {
    double all = 0;
    for (std::int32_t i = low; i < high; ++i) all += weight(i);
    double point = stream.uniform() * all;
    std::int32_t chosen = low;
    for (std::int32_t i = low; i < high; ++i) {
      const double here = weight(i);
      if (here <= 0) continue;
      chosen = i;
      point -= here;
      if (point < 0) break;
    }
    return chosen;
  };
  const auto value = [&](const Node& node, std::int32_t n) {
    const std::int32_t i = n - node.low;
    return i < 0 || i >= node.length ? 0.0 : values_[node.place + at(i)];
  };
  const Node& root = nodes_.back();
  given.back() = choose(root.low, root.low + root.length, [&](std::int32_t s) {
    const std::size_t place = root.place + at(s - root.low);
    return values_[place] * adjoints_[place];
  });
  for (std::size_t i = nodes_.size(); i-- > leaves_;) {
    const Node& node = nodes_[i];
    if (node.left < 0) continue;
    const std::size_t left = at(node.left);
    if (node.right < 0) {
      given[left] = given[i];
      continue;
    }
    const std::size_t right = at(node.right);
    const Node& a = nodes_[left];
    const Node& b = nodes_[right];
    given[left] = choose(a.low, a.low + a.length,
                         [&](std::int32_t n) { return value(a, n) * value(b, given[i] - n); });
    given[right] = given[i] - given[left];
  }
  std::copy_n(given.begin(), mines.size(), mines.begin());
}

}  // namespace mineproof
