#include "mineproof/sweep.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

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
  for (std::size_t m = 0; m < 9; ++m)
    for (std::size_t k = 0; k <= m; ++k) {
      double weight = choose[m][k];
      for (std::size_t i = 0; i < k; ++i) weight *= p;
      for (std::size_t i = k; i < m; ++i) weight *= 1 - p;
      of[m][k] = weight;
    }
}

std::span<const double> Sweep::total() const {
  return {forward_.data() + place_.back(), static_cast<std::size_t>(length_.back())};
}

bool Sweep::run(const Network& network, std::span<const std::int32_t> boxes, const Weights& weights,
                std::size_t budget) {
  plan(network, boxes);
  assign(network);
  if (most_open_ <= 16) return count<WideKey<1>>(weights, budget);
  if (most_open_ <= 32) return count<WideKey<2>>(weights, budget);
  if (most_open_ <= 64) return count<WideKey<4>>(weights, budget);
  return false;
}

// Takes boxes greedily from `start`: the one that closes most clues and opens
// fewest, among those next to open clues. Returns an estimate of the work: the sum
// over steps of the product of what the open clues can have so far.
double Sweep::greedy(const Network& network, std::span<const std::int32_t> boxes,
                     std::int32_t start, int rule, std::vector<std::int32_t>& order) {
  order.clear();
  candidates_.clear();
  for (const std::int32_t id : boxes) {
    const Box& box = network.boxes[static_cast<std::size_t>(id)];
    mark_[static_cast<std::size_t>(id)] = 0;
    for (int i = 0; i < box.clue_count; ++i) {
      const auto clue = static_cast<std::size_t>(box.clues[static_cast<std::size_t>(i)]);
      left_[clue] = network.clues[clue].box_count;
    }
  }
  candidates_.push_back(start);
  mark_[static_cast<std::size_t>(start)] = 1;
  double work = 0;
  double log_states = 0;
  while (!candidates_.empty()) {
    std::size_t best = 0;
    int best_score = -1000;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Box& box = network.boxes[static_cast<std::size_t>(candidates_[i])];
      int score = 0;
      for (int j = 0; j < box.clue_count; ++j) {
        const auto clue = static_cast<std::size_t>(box.clues[static_cast<std::size_t>(j)]);
        const bool fresh = left_[clue] == network.clues[clue].box_count;
        const bool closes = left_[clue] == 1;
        score += rule == 1 ? 3 * closes - 2 * fresh : 2 * closes - 2 * fresh;
        if (rule == 2) score += !fresh && !closes && left_[clue] == 2;
      }
      if (score > best_score) {
        best_score = score;
        best = i;
      }
    }
    const std::int32_t taken = candidates_[best];
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
    order.push_back(taken);
    const Box& box = network.boxes[static_cast<std::size_t>(taken)];
    for (int j = 0; j < box.clue_count; ++j) {
      const auto id = static_cast<std::size_t>(box.clues[static_cast<std::size_t>(j)]);
      const Clue& clue = network.clues[id];
      if (left_[id] == clue.box_count) {
        log_states +=
            std::log2(1.0 + std::min({clue.high, clue.cells - clue.low, clue.cells / 2 + 1}));
        for (int b = 0; b < clue.box_count; ++b) {
          const std::int32_t other = clue.boxes[static_cast<std::size_t>(b)];
          if (mark_[static_cast<std::size_t>(other)]) continue;
          mark_[static_cast<std::size_t>(other)] = 1;
          candidates_.push_back(other);
        }
      }
      if (--left_[id] == 0)
        log_states -=
            std::log2(1.0 + std::min({clue.high, clue.cells - clue.low, clue.cells / 2 + 1}));
    }
    work += std::exp2(log_states);
  }
  return work;
}

// Chooses an order: from the far end of a breadth-first walk; where that looks
// expensive, several starts and tie rules are tried and the cheapest is taken.
void Sweep::plan(const Network& network, std::span<const std::int32_t> boxes) {
  if (left_.size() < network.clues.size()) left_.resize(network.clues.size());
  if (slot_.size() < network.clues.size()) slot_.resize(network.clues.size());
  if (mark_.size() < network.boxes.size()) mark_.resize(network.boxes.size());
  double best = greedy(network, boxes, boxes.back(), 0, order_);
  constexpr double hard = 4000;
  if (best < hard) return;
  const std::size_t starts = std::min<std::size_t>(boxes.size(), 16);
  for (std::size_t i = 0; i < starts; ++i) {
    const std::int32_t start = boxes[i * boxes.size() / starts];
    for (int rule = 0; rule < 3; ++rule) {
      const double work = greedy(network, boxes, start, rule, trial_);
      if (work >= best) continue;
      best = work;
      order_.swap(trial_);
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
      left_[clue] = network.clues[clue].cells;
      slot_[clue] = -1;
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
      if (slot_[id] < 0) {
        ++open;
        slot_[id] = std::min(std::countr_one(used), 63);
        used |= std::uint64_t{1} << slot_[id];
        most_open_ = std::max({most_open_, open, slot_[id] + 1});
      }
      left_[id] -= box.size;
      step.slot[j] = slot_[id];
      step.capacity[j] = left_[id];
      step.low[j] = clue.low;
      step.high[j] = clue.high;
      step.closing[j] = left_[id] == 0 ? clue.table : nullptr;
      step.weighs |= step.closing[j] != nullptr;
      if (left_[id] == 0) closed |= std::uint64_t{1} << slot_[id];
    }
    used &= ~closed;
    open -= std::popcount(closed);
  }
  if (most_open_ > 63) most_open_ = 65;  // a slot may have been given twice: too many
}

// Finds the states layer by layer; `accumulate` then weighs each layer.
template <class Key>
bool Sweep::count(const Weights& weights, std::size_t budget) {
  static thread_local std::vector<Key> keys, next_keys;
  begin(weights);
  keys.assign(1, Key{});
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
      const Key& key = keys[s - from];
      int least = least_of_[static_cast<std::size_t>(step.size)];
      int greatest = greatest_of_[static_cast<std::size_t>(step.size)];
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
          const std::uint64_t entry = table_[at];
          if (entry >> 32 != stamp_) {
            t += next_keys.size();
            table_[at] = std::uint64_t{stamp_} << 32 | next_keys.size();
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
    keys.swap(next_keys);
  }
  first_.push_back(static_cast<std::uint32_t>(target_.size()));
  return true;
}

void Sweep::begin(const Weights& weights) {
  box_weight_ = weights.of;
  for (std::size_t m = 0; m < 9; ++m) {
    least_of_[m] = weights.p >= 1 ? static_cast<int>(m) : 0;
    greatest_of_[m] = weights.p <= 0 ? 0 : static_cast<int>(m);
  }
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
  const std::size_t room = std::bit_ceil(2 * std::min(most, budget + 16) + 2);
  if (table_.size() < room) {
    table_.assign(room, 0);
    stamp_ = 0;
  }
  if (++stamp_ == 0) {
    std::fill(table_.begin(), table_.end(), 0);
    stamp_ = 1;
  }
  return room - 1;
}

template <class Key>
double Sweep::closing(const Step& step, const Key& key, int k) {
  double factor = 1;
  if (step.weighs)
    for (std::size_t j = 0; j < static_cast<std::size_t>(step.clue_count); ++j)
      if (step.closing[j] != nullptr) factor *= step.closing[j][key.at(step.slot[j]) + k];
  return factor;
}

double Sweep::weight(std::size_t step, std::size_t transition, int k) const {
  const double plain =
      box_weight_[static_cast<std::size_t>(steps_[step].size)][static_cast<std::size_t>(k)];
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
