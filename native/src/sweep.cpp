#include "mineproof/sweep.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace mineproof {

namespace {

template <std::size_t W>
struct WideKey {
  std::array<std::uint64_t, W> words{};
  bool operator==(const WideKey&) const = default;
  [[nodiscard]] int at(int slot) const {
    return static_cast<int>(words[static_cast<std::size_t>(slot >> 4)] >> ((slot & 15) * 4) & 15);
  }
  void add(const WideKey& mask, std::uint64_t k) {
    for (std::size_t i = 0; i < W; ++i) words[i] += mask.words[i] * k;
  }
  void keep(const WideKey& mask) {
    for (std::size_t i = 0; i < W; ++i) words[i] &= mask.words[i];
  }
  void clear(int slot) {
    words[static_cast<std::size_t>(slot >> 4)] &= ~(std::uint64_t{15} << ((slot & 15) * 4));
  }
  void set(int slot, std::uint64_t nibble) {
    words[static_cast<std::size_t>(slot >> 4)] |= nibble << ((slot & 15) * 4);
  }
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t h = 0;
    for (const std::uint64_t word : words) h = (h ^ word) * 0x9E3779B97F4A7C15U + (h >> 29);
    return h ^ h >> 32;
  }
};

constexpr std::array<std::array<int, 9>, 9> choose = [] {
  std::array<std::array<int, 9>, 9> c{};
  for (std::size_t n = 0; n < 9; ++n) {
    c[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) c[n][k] = c[n - 1][k - 1] + (k < n ? c[n - 1][k] : 0);
  }
  return c;
}();

}  // namespace

Weights::Weights(double chance) : p(chance) {
  std::array<double, 9> mined{1};
  std::array<double, 9> safe{1};
  for (std::size_t i = 1; i < 9; ++i) {
    mined[i] = mined[i - 1] * p;
    safe[i] = safe[i - 1] * (1 - p);
  }
  for (std::size_t m = 0; m < 9; ++m)
    for (std::size_t k = 0; k <= m; ++k) of[m][k] = choose[m][k] * mined[k] * safe[m - k];
}

std::span<const double> Sweep::total() const {
  return {forward_.data() + place_.back(), static_cast<std::size_t>(length_.back())};
}

bool Sweep::run(const Network& network, std::span<const std::int32_t> boxes, const Weights& weights,
                std::size_t budget, Scratch& scratch) {
  scratch_ = &scratch;
  weights_ = &weights;
  plan(network, boxes);
  assign(network);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    scratch_->position[static_cast<std::size_t>(boxes[i])] = static_cast<std::int32_t>(i);
  for (std::int32_t& box : order_) box = scratch_->position[static_cast<std::size_t>(box)];
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  if (most_open_ <= 16) return count<WideKey<1>>(budget, no_limit, nullptr);
  if (most_open_ <= 32) return count<WideKey<2>>(budget, no_limit, nullptr);
  if (most_open_ <= 64) return count<WideKey<4>>(budget, no_limit, nullptr);
  return false;
}

void Sweep::estimate(const Sweep& planned, std::size_t width, Stream& stream) {
  scratch_ = planned.scratch_;
  weights_ = planned.weights_;
  order_ = planned.order_;
  steps_ = planned.steps_;
  most_open_ = planned.most_open_;
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max() / 4;
  if (most_open_ <= 16) {
    count<WideKey<1>>(no_limit, width, &stream);
  } else if (most_open_ <= 32) {
    count<WideKey<2>>(no_limit, width, &stream);
  } else if (most_open_ <= 64) {
    count<WideKey<4>>(no_limit, width, &stream);
  } else {  // too many clues are open at once: nothing can be said
    steps_.clear();
    order_.clear();
    begin();
    layer_.push_back(1);
    first_.assign(2, 0);
  }
}

namespace {

// How many values an open clue can have when `taken` of its cells are.
double values(const Clue& clue, std::int32_t taken) {
  if (taken == 0 || taken == clue.cells) return 1;
  return std::min(clue.high, taken) - std::max(0, clue.low - (clue.cells - taken)) + 1;
}

}  // namespace

// Takes boxes greedily from `start`, always one next to an open clue: by rule 0 and 1
// the one that closes most clues and opens fewest, by rule 2 and 3 the one after which
// the open clues together can have the fewest values. Returns an estimate of the
// work: the sum of those numbers over all steps.
double Sweep::greedy(const Network& network, std::span<const std::int32_t> boxes,
                     std::int32_t start, int rule, std::vector<std::int32_t>& order) {
  order.clear();
  scratch_->candidates.clear();
  for (const std::int32_t id : boxes) {
    const Box& box = network.boxes[static_cast<std::size_t>(id)];
    scratch_->mark[static_cast<std::size_t>(id)] = 0;
    for (int i = 0; i < box.clue_count; ++i)
      scratch_->left[static_cast<std::size_t>(box.clues[static_cast<std::size_t>(i)])] = 0;
  }
  scratch_->candidates.push_back(start);
  scratch_->mark[static_cast<std::size_t>(start)] = 1;
  const bool estimated = boxes.size() > 12;  // a small component is never hard
  double work = 0;
  double states = 1;
  while (!scratch_->candidates.empty()) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < scratch_->candidates.size(); ++i) {
      const double cost =
          cost_of(network, network.boxes[static_cast<std::size_t>(scratch_->candidates[i])], rule);
      if (cost < least || (rule == 3 && cost == least)) {
        least = cost;
        best = i;
      }
    }
    const std::int32_t taken = scratch_->candidates[best];
    scratch_->candidates.erase(scratch_->candidates.begin() + static_cast<std::ptrdiff_t>(best));
    order.push_back(taken);
    const Box& box = network.boxes[static_cast<std::size_t>(taken)];
    for (std::size_t j = 0; j < static_cast<std::size_t>(box.clue_count); ++j) {
      const auto id = static_cast<std::size_t>(box.clues[j]);
      const Clue& clue = network.clues[id];
      if (estimated)
        states *= values(clue, scratch_->left[id] + box.size) / values(clue, scratch_->left[id]);
      if (scratch_->left[id] == 0)
        for (int b = 0; b < clue.box_count; ++b) {
          const std::int32_t other = clue.boxes[static_cast<std::size_t>(b)];
          if (scratch_->mark[static_cast<std::size_t>(other)]) continue;
          scratch_->mark[static_cast<std::size_t>(other)] = 1;
          scratch_->candidates.push_back(other);
        }
      scratch_->left[id] += box.size;
    }
    work += states;
  }
  return work;
}

double Sweep::cost_of(const Network& network, const Box& box, int rule) const {
  double factor = 1;
  int score = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(box.clue_count); ++j) {
    const auto id = static_cast<std::size_t>(box.clues[j]);
    const Clue& clue = network.clues[id];
    if (rule >= 2) {
      factor *= values(clue, scratch_->left[id] + box.size) / values(clue, scratch_->left[id]);
    } else {
      score += scratch_->left[id] == 0 ? 2 : 0;
      score -= scratch_->left[id] + box.size == clue.cells ? 2 + rule : 0;
    }
  }
  return rule >= 2 ? factor : score;
}

// Chooses an order: from the far end of a breadth-first walk; where that looks
// expensive, several starts and tie rules are tried and the cheapest is taken.
void Sweep::plan(const Network& network, std::span<const std::int32_t> boxes) {
  if (scratch_->left.size() < network.clues.size()) scratch_->left.resize(network.clues.size());
  if (scratch_->slot.size() < network.clues.size()) scratch_->slot.resize(network.clues.size());
  if (scratch_->mark.size() < network.boxes.size()) {
    scratch_->mark.resize(network.boxes.size());
    scratch_->position.resize(network.boxes.size());
  }
  double best = greedy(network, boxes, boxes.back(), 0, order_);
  constexpr double hard = 2000;
  if (best < hard) return;
  const std::size_t starts = std::min<std::size_t>(boxes.size(), 16);
  for (std::size_t i = 0; i < starts; ++i) {
    const std::int32_t start = boxes[i * boxes.size() / starts];
    for (int rule = 0; rule < 4; ++rule) {
      const double work = greedy(network, boxes, start, rule, scratch_->trial);
      if (work >= best) continue;
      best = work;
      order_.swap(scratch_->trial);
    }
  }
}

// Gives each clue a slot while it is open.
void Sweep::assign(const Network& network) {
  steps_.resize(order_.size());
  for (const std::int32_t id : order_) {
    const Box& box = network.boxes[static_cast<std::size_t>(id)];
    for (int j = 0; j < box.clue_count; ++j) {
      const auto clue = static_cast<std::size_t>(box.clues[static_cast<std::size_t>(j)]);
      scratch_->left[clue] = network.clues[clue].cells;
      scratch_->slot[clue] = -1;
    }
  }
  std::uint64_t used = 0;
  int open = 0;
  most_open_ = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Box& box = network.boxes[static_cast<std::size_t>(order_[i])];
    Step& step = steps_[i];
    step.size = box.size;
    step.clue_count = box.clue_count;
    step.weighs = false;
    std::uint64_t closed = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(box.clue_count); ++j) {
      const auto id = static_cast<std::size_t>(box.clues[j]);
      const Clue& clue = network.clues[id];
      if (scratch_->slot[id] < 0) {
        ++open;
        scratch_->slot[id] = std::min(std::countr_one(used), 63);
        used |= std::uint64_t{1} << scratch_->slot[id];
        most_open_ = std::max({most_open_, open, scratch_->slot[id] + 1});
      }
      scratch_->left[id] -= box.size;
      step.slot[j] = scratch_->slot[id];
      step.capacity[j] = scratch_->left[id];
      step.low[j] = clue.low;
      step.high[j] = clue.high;
      step.closing[j] = scratch_->left[id] == 0 ? clue.table : nullptr;
      step.weighs |= step.closing[j] != nullptr;
      if (scratch_->left[id] == 0) closed |= std::uint64_t{1} << scratch_->slot[id];
    }
    used &= ~closed;
    open -= std::popcount(closed);
  }
  if (most_open_ > 63) most_open_ = 65;  // a slot may have been given twice: too many
}

// Finds the states layer by layer; `accumulate` then weighs each layer.
template <class Key>
bool Sweep::count(std::size_t budget, std::size_t most, Stream* stream) {
  static thread_local std::vector<Key> keys, next_keys;
  begin();
  weighs_ |= stream != nullptr;
  gone_.assign(stream != nullptr, 0);
  keys.assign(1, Key{});
  const bool certain_mines = weights_->p >= 1;
  const bool no_mines = weights_->p <= 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const auto clue_count = static_cast<std::size_t>(step.clue_count);
    Key ones{};
    Key kept{};
    for (auto& word : kept.words) word = ~std::uint64_t{0};
    for (std::size_t j = 0; j < clue_count; ++j) {
      ones.set(step.slot[j], 1);
      if (step.capacity[j] == 0) kept.clear(step.slot[j]);
    }
    const std::size_t from = layer_[i];
    const std::size_t end = layer_[i + 1];
    const std::size_t mask =
        make_room((end - from) * static_cast<std::size_t>(step.size + 1), budget);
    next_keys.clear();
    for (std::size_t s = from; s < end; ++s) {
      if (stream != nullptr && gone_[s]) {
        first_.push_back(static_cast<std::uint32_t>(target_.size()));
        least_.push_back(0);
        continue;
      }
      const Key& key = keys[s - from];
      int least = certain_mines ? step.size : 0;
      int greatest = no_mines ? 0 : step.size;
      for (std::size_t j = 0; j < clue_count; ++j) {
        const int so_far = key.at(step.slot[j]);
        least = std::max(least, step.low[j] - step.capacity[j] - so_far);
        greatest = std::min(greatest, step.high[j] - so_far);
      }
      first_.push_back(static_cast<std::uint32_t>(target_.size()));
      least_.push_back(static_cast<std::uint8_t>(std::max(least, 0)));
      const std::int32_t low = low_[s];
      const std::int32_t length = length_[s];
      for (int k = least; k <= greatest; ++k) {
        if (weighs_) factor_.push_back(closing(step, key, k));
        Key moved = key;
        moved.add(ones, static_cast<std::uint64_t>(k));
        moved.keep(kept);
        std::size_t at = moved.hash() & mask;
        std::size_t t = end;
        for (;; at = (at + 1) & mask) {
          const std::uint64_t entry = scratch_->table[at];
          if (entry >> 32 != scratch_->stamp) {
            t += next_keys.size();
            scratch_->table[at] = std::uint64_t{scratch_->stamp} << 32 | next_keys.size();
            next_keys.push_back(moved);
            low_.push_back(low + k);
            length_.push_back(low + k + length);  // for now, where it ends
            break;
          }
          if (next_keys[static_cast<std::uint32_t>(entry)] == moved) {
            t += static_cast<std::uint32_t>(entry);
            low_[t] = std::min(low_[t], low + k);
            length_[t] = std::max(length_[t], low + k + length);
            break;
          }
        }
        target_.push_back(static_cast<std::uint32_t>(t));
      }
      if (low_.size() > budget) return false;
    }
    layer_.push_back(static_cast<std::uint32_t>(low_.size()));
    width_ = std::max(width_, low_.size() - end);
    accumulate(i);
    if (stream != nullptr) thin(i, most, *stream);
    keys.swap(next_keys);
  }
  first_.push_back(static_cast<std::uint32_t>(target_.size()));
  return true;
}

void Sweep::begin() {
  layer_.assign({0, 1});
  low_.assign(1, 0);
  length_.assign(1, 1);
  place_.assign(1, 0);
  first_.clear();
  least_.clear();
  target_.clear();
  factor_.clear();
  forward_.assign(1, 1.0);
  log_scale_ = 0;
  width_ = 1;
  weighs_ = std::any_of(steps_.begin(), steps_.end(), [](const Step& s) { return s.weighs; });
  reach_words_ = 0;
  source_.clear();
}

// The hash table: room for twice what can come, or what the budget allows.
std::size_t Sweep::make_room(std::size_t most, std::size_t budget) {
  const std::size_t room = std::bit_ceil(2 * std::min(most, std::min(most, budget) + 16) + 2);
  if (scratch_->table.size() < room) {
    scratch_->table.assign(room, 0);
    scratch_->stamp = 0;
  }
  if (++scratch_->stamp == 0) {
    std::fill(scratch_->table.begin(), scratch_->table.end(), 0);
    scratch_->stamp = 1;
  }
  return room - 1;
}

// What the tables that close with k mines in this box say together. Zero only if one
// of them is: proofs rest on that.
template <class Key>
double Sweep::closing(const Step& step, const Key& key, int k) {
  if (!step.weighs) return 1;
  double factor = 1;
  bool possible = true;
  for (std::size_t j = 0; j < static_cast<std::size_t>(step.clue_count); ++j)
    if (step.closing[j] != nullptr) {
      const double entry = step.closing[j][key.at(step.slot[j]) + k];
      possible &= entry > 0;
      factor *= entry;
    }
  return possible ? std::max(factor, std::numeric_limits<double>::min()) : 0;
}

double Sweep::weight(std::size_t step, std::size_t transition, int k) const {
  const double plain =
      weights_->of[static_cast<std::size_t>(steps_[step].size)][static_cast<std::size_t>(k)];
  return weighs_ ? plain * factor_[transition] : plain;
}

// Adds up the polynomials of layer `step` + 1 from those before, and scales them
// where they leave the middle of a double's range.
void Sweep::accumulate(std::size_t step) {
  const std::size_t from = layer_[step];
  const std::size_t end = layer_[step + 1];
  std::size_t room = forward_.size();
  const std::size_t first_place = room;
  for (std::size_t t = end; t < low_.size(); ++t) {
    length_[t] -= low_[t];
    place_.push_back(static_cast<std::uint32_t>(room));
    room += static_cast<std::size_t>(length_[t]);
  }
  forward_.resize(room, 0.0);
  double* weights = forward_.data();
  for (std::size_t s = from; s < end; ++s) {
    const std::size_t last = s + 1 < end ? first_[s + 1] : target_.size();
    const double* source = weights + place_[s];
    for (std::size_t i = first_[s]; i < last; ++i) {
      const int k = least_[s] + static_cast<int>(i - first_[s]);
      const std::size_t t = target_[i];
      const double factor = weight(step, i, k);
      double* sum = weights + place_[t] + (low_[s] + k - low_[t]);
      for (std::int32_t j = 0; j < length_[s]; ++j) sum[j] += factor * source[j];
    }
  }
  log_scale_ += rescale({weights + first_place, room - first_place});
}

// Keeps about `width` states of the layer after `step`.
void Sweep::thin(std::size_t step, std::size_t width, Stream& stream) {
  const std::size_t end = layer_[step + 1];
  const std::size_t count = low_.size() - end;
  gone_.resize(low_.size(), 0);
  if (count <= width) return;
  std::vector<double> weight(count);
  for (std::size_t t = 0; t < count; ++t) {
    const double* at = forward_.data() + place_[end + t];
    for (std::int32_t j = 0; j < length_[end + t]; ++j) weight[t] += at[j];
  }
  // The threshold: those above stay, those below stay with chance weight / threshold.
  std::vector<double> sorted(weight);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double below = 0;
  for (const double w : sorted) below += w;
  std::size_t kept = 0;
  while (kept < width && sorted[kept] * static_cast<double>(width - kept) >= below)
    below -= sorted[kept++];
  const double threshold = below / static_cast<double>(std::max<std::size_t>(width - kept, 1));
  std::vector<double> inflate(count, 1.0);
  double walk = stream.uniform();  // systematic: one draw for all, evenly spread
  for (std::size_t t = 0; t < count; ++t) {
    if (weight[t] >= threshold) continue;
    walk -= threshold > 0 ? weight[t] / threshold : 0;
    const bool stays = walk < 0;
    if (stays) walk += 1;
    inflate[t] = stays ? threshold / weight[t] : 0;
    gone_[end + t] = !stays;
    double* at = forward_.data() + place_[end + t];
    for (std::int32_t j = 0; j < length_[end + t]; ++j) at[j] *= inflate[t];
  }
  const std::size_t first = first_[layer_[step]];
  for (std::size_t i = first; i < target_.size(); ++i) factor_[i] *= inflate[target_[i] - end];
}

double Sweep::rescale(std::span<double> weights) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, weight);
  if (largest == 0 || (largest > 1e-100 && largest < 1e100)) return 0;
  for (double& weight : weights) weight /= largest;
  return std::log(largest);
}

void Sweep::marginals(std::span<const double> outside) {
  backward_.resize(forward_.size());
  std::copy(outside.begin(), outside.end(), backward_.begin() + place_.back());
  marginal_.assign(steps_.size(), {});
  for (std::size_t i = steps_.size(); i-- > 0;) {
    auto& mass = marginal_[i];
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s) {
      const double* forward = forward_.data() + place_[s];
      double* sum = backward_.data() + place_[s];
      std::fill_n(sum, length_[s], 0.0);
      for (std::size_t at = first_[s]; at < first_[s + 1]; ++at) {
        const int k = least_[s] + static_cast<int>(at - first_[s]);
        const std::size_t t = target_[at];
        const double factor = weight(i, at, k);
        const double* next = backward_.data() + place_[t] + (low_[s] + k - low_[t]);
        double together = 0;
        for (std::int32_t j = 0; j < length_[s]; ++j) {
          sum[j] += factor * next[j];
          together += forward[j] * next[j];
        }
        mass[static_cast<std::size_t>(k)] += factor * together;
      }
    }
    const std::size_t from = place_[layer_[i]];
    rescale({backward_.data() + from, place_[layer_[i + 1]] - from});
  }
}

namespace {

// Sets in `to` what is set in `from`, `shift` places higher.
void merge_up(std::uint64_t* to, const std::uint64_t* from, std::size_t words, int shift) {
  const auto skip = static_cast<std::size_t>(shift >> 6);
  const int bits = shift & 63;
  for (std::size_t i = skip; i < words; ++i) {
    to[i] |= from[i - skip] << bits;
    if (bits && i > skip) to[i] |= from[i - skip - 1] >> (64 - bits);
  }
}

// Sets in `to` what is set in `from`, `shift` places lower, and in `within`.
// Whether there was any.
bool merge_down(std::uint64_t* to, const std::uint64_t* from, const std::uint64_t* within,
                std::size_t words, int shift) {
  const auto skip = static_cast<std::size_t>(shift >> 6);
  const int bits = shift & 63;
  std::uint64_t any = 0;
  for (std::size_t i = 0; i + skip < words; ++i) {
    std::uint64_t moved = from[i + skip] >> bits;
    if (bits && i + skip + 1 < words) moved |= from[i + skip + 1] << (64 - bits);
    moved &= within[i];
    any |= moved;
    to[i] |= moved;
  }
  return any != 0;
}

}  // namespace

// Which numbers of mines each state can have so far.
void Sweep::reach() {
  if (reach_words_ != 0) return;
  const std::int32_t longest = *std::max_element(length_.begin(), length_.end());
  reach_words_ = static_cast<std::size_t>(std::max(longest, 1) + 63) / 64;
  reached_.assign(low_.size() * reach_words_, 0);
  reached_[0] = 1;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s)
      for (std::size_t at = first_[s]; at < first_[s + 1]; ++at) {
        if (weighs_ && factor_[at] <= 0) continue;
        const int k = least_[s] + static_cast<int>(at - first_[s]);
        const std::size_t t = target_[at];
        merge_up(&reached_[t * reach_words_], &reached_[s * reach_words_], reach_words_,
                 low_[s] + k - low_[t]);
      }
}

bool Sweep::feasible() const { return layer_.back() != layer_[layer_.size() - 2]; }

Numbers Sweep::support() {
  if (!feasible()) return {};
  reach();
  const std::uint64_t* last = &reached_[(low_.size() - 1) * reach_words_];
  return {low_.back(), length_.back(), {last, last + reach_words_}};
}

void Sweep::possibilities(const Numbers& outside) {
  reach();
  const std::size_t words = reach_words_;
  std::vector<std::uint64_t> allowed(low_.size() * words, 0);
  for (std::int32_t j = 0; j < length_.back(); ++j)
    if (outside.has(low_.back() + j))
      allowed[(low_.size() - 1) * words + static_cast<std::size_t>(j >> 6)] |= std::uint64_t{1}
                                                                               << (j & 63);
  possible_.assign(steps_.size(), 0);
  for (std::size_t i = steps_.size(); i-- > 0;)
    for (std::size_t s = layer_[i]; s < layer_[i + 1]; ++s)
      for (std::size_t at = first_[s]; at < first_[s + 1]; ++at) {
        if (weighs_ && factor_[at] <= 0) continue;
        const int k = least_[s] + static_cast<int>(at - first_[s]);
        const std::size_t t = target_[at];
        if (merge_down(&allowed[s * words], &allowed[t * words], &reached_[s * words], words,
                       low_[s] + k - low_[t]))
          possible_[i] = static_cast<std::uint16_t>(possible_[i] | 1U << k);
      }
}

void Sweep::prepare_draws() {
  if (!source_.empty()) return;
  source_.resize(target_.size());
  incoming_.assign(low_.size() + 1, 0);
  for (std::size_t s = 0; s + 1 < first_.size(); ++s)
    for (std::size_t at = first_[s]; at < first_[s + 1]; ++at)
      source_[at] = static_cast<std::uint32_t>(s);
  for (const std::uint32_t t : target_) ++incoming_[t + 1];
  for (std::size_t t = 0; t < low_.size(); ++t) incoming_[t + 1] += incoming_[t];
  arrival_.resize(target_.size());
  std::vector<std::uint32_t> next(incoming_.begin(), incoming_.end() - 1);
  for (std::size_t at = 0; at < target_.size(); ++at)
    arrival_[next[target_[at]]++] = static_cast<std::uint32_t>(at);
}

// Backwards from the end: each step is drawn by the weight of the ways to get there.
void Sweep::draw(std::int32_t mines, Stream& stream, std::span<std::int32_t> mines_of_box) const {
  std::size_t state = low_.size() - 1;
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const auto ways = [&](std::uint32_t at) {
      const std::size_t s = source_[at];
      const int k = least_[s] + static_cast<int>(at - first_[s]);
      const std::int32_t j = mines - k - low_[s];
      if (j < 0 || j >= length_[s]) return 0.0;
      return weight(i, at, k) * forward_[place_[s] + static_cast<std::size_t>(j)];
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
    const std::size_t s = source_[chosen];
    const int k = least_[s] + static_cast<int>(chosen - first_[s]);
    mines_of_box[i] = k;
    mines -= k;
    state = s;
  }
}

}  // namespace mineproof
