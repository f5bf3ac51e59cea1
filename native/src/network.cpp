#include "mineproof/network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mineproof {

namespace {

// What known_ holds of a place.
constexpr std::uint8_t is_unknown = 1;
constexpr std::uint8_t is_boxed = 2;  // added to is_unknown
constexpr std::uint8_t is_mine = 16;
constexpr std::uint8_t outside = 15;  // the state of a place beyond the board

// Sixteen places at once, in the compilers' own vectors; comparisons give 255 or 0.
constexpr std::size_t lanes = 16;
constexpr std::size_t block = 64;
using Bytes = std::uint8_t __attribute__((vector_size(16)));
using Shorts = std::uint16_t __attribute__((vector_size(16)));

Bytes take(const std::uint8_t* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}
void put(std::uint8_t* to, Bytes bytes) { std::memcpy(to, &bytes, sizeof bytes); }
Bytes all(std::uint8_t value) { return Bytes{} + value; }
Bytes equal(Bytes bytes, std::uint8_t value) { return Bytes(bytes == all(value)); }
Bytes high_nibbles(Bytes bytes) { return Bytes(Shorts(bytes) >> 4) & all(15); }

std::size_t block_of(std::int32_t place) { return static_cast<std::size_t>(place) / block; }

// One bit for each byte of a comparison.
std::uint32_t bits_of(Bytes mask) {
#ifdef __SSE2__
  return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(mask)));
#else
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < lanes; ++i) bits |= (mask[i] & 1U) << i;
  return bits;
#endif
}

std::int32_t sum_of(Bytes bytes) {
  std::int32_t sum = 0;
#ifdef __SSE2__
  const __m128i halves = _mm_sad_epu8(reinterpret_cast<__m128i>(bytes), _mm_setzero_si128());
  sum = _mm_cvtsi128_si32(halves) + _mm_cvtsi128_si32(_mm_srli_si128(halves, 8));
#else
  for (std::size_t i = 0; i < lanes; ++i) sum += bytes[i];
#endif
  return sum;
}

// Adds a number to each of three bytes; none overflows.
void add_to_three(std::uint8_t* bytes, int number) {
  constexpr std::uint32_t ones =
      std::endian::native == std::endian::little ? 0x00010101 : 0x01010100;
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  word += ones * static_cast<std::uint32_t>(number);
  std::memcpy(bytes, &word, sizeof word);
}

template <class F>
void each_bit(std::uint32_t bits, F&& f) {
  for (; bits; bits &= bits - 1) f(std::countr_zero(bits));
}

}  // namespace

// One bit of each byte of the 3x3 square around a place, row by row from the lowest.
inline std::uint32_t Network::around(const Plane& plane, std::int32_t at, std::uint32_t bit) const {
  const auto three = [&](std::int32_t from) {
    const std::uint8_t* bytes = plane.data() + from;
    if constexpr (std::endian::native == std::endian::little) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes, sizeof word);
      return ((word >> bit & 0x010101) * 0x4081) >> 14 & 7;  // bits 0, 8, 16 side by side
    } else {
      return (bytes[0] >> bit & 1U) | (bytes[1] >> bit & 1U) << 1 | (bytes[2] >> bit & 1U) << 2;
    }
  };
  return three(at - stride_ - 1) | three(at - 1) << 3 | three(at + stride_ - 1) << 6;
}

bool Network::read(const View& view) {
  clues.clear();
  boxes.clear();
  component_boxes.clear();
  component_begin.assign(1, 0);
  settled.clear();
  settled_mines = settled_safe = 0;
  log_constant = 0;
  broken = -1;
  shape(view.shape);
  load(view);
  if (!settle(view)) return false;
  group(view);
  link();
  return true;
}

// What depends on the shape alone.
void Network::shape(Shape wanted) {
  if (wanted.rows == shape_.rows && wanted.cols == shape_.cols) return;
  shape_ = wanted;
  stride_ = wanted.cols + 1;
  places_ = static_cast<std::size_t>((wanted.rows + 3) * stride_ + 2);
  // Whatever a vector, or a block near the last place, may touch.
  dirty_.resize((places_ + 2 * static_cast<std::size_t>(stride_)) / block + 2);
  const std::size_t room = dirty_.size() * block;
  shown_.assign(room, outside);
  known_.assign(room, 0);
  sums_.assign(room, 0);
  told_.assign(room, 0);
  clue_id_.assign(places_, 0);
  cell_at_.assign(places_, -1);
  for (std::int32_t cell = 0; cell < wanted.size(); ++cell) cell_at_[place_of(cell)] = cell;
  for (std::int32_t i = 0; i < 9; ++i)
    step_[static_cast<std::size_t>(i)] = (i / 3 - 1) * stride_ + i % 3 - 1;
}

// Puts the states in their places. What a vector writes past the end of a row is
// written over by the next.
void Network::copy_rows(const View& view) {
  const auto cols = static_cast<std::size_t>(view.shape.cols);
  const auto stride = static_cast<std::size_t>(stride_);
  const std::uint8_t* state = view.states.data();
  const std::uint8_t* const end = state + view.states.size();
  std::uint8_t* to = shown_.data() + place_of(0);
  for (; state != end; state += cols, to += stride) {
    if (static_cast<std::size_t>(end - state) < cols + lanes)
      std::memcpy(to, state, cols);
    else
      for (std::size_t i = 0; i < cols; i += lanes) put(to + i, take(state + i));
    to[cols] = outside;
  }
  std::memset(to, outside, lanes);
}

// Fills the planes from the view.
void Network::load(const View& view) {
  verdicts.assign(view.states.size(), Verdict::open);
  std::fill(dirty_.begin(), dirty_.end(), std::uint8_t{1});
  simple_ = view.model->exact && view.overrides.empty();
  copy_rows(view);
  const Bytes trusted = all(view.trust_flags ? 255 : 0);
  const Bytes silent = all(simple_ ? 0 : 255);  // whether a missing clue can tell something
  unknown = known_mines = 0;
  Bytes opens{};
  Bytes hits{};
  for (std::size_t at = 0, i = 1; at < places_; at += lanes, ++i) {
    const Bytes state = take(&shown_[at]);
    const Bytes flags = equal(state, flagged);
    const Bytes open = equal(state, hidden) | (flags & ~trusted);
    const Bytes hit = equal(state, exploded) | (flags & trusted);
    put(&known_[at], (open & all(is_unknown)) | (hit & all(is_mine)));
    put(&told_[at], Bytes(state < all(9)) | (equal(state, no_clue) & silent));
    opens -= open;  // adds 1 where there is one
    hits -= hit;
    if (i % 255 != 0 && at + lanes < places_) continue;
    unknown += sum_of(opens);  // before a lane can overflow
    known_mines += sum_of(hits);
    opens = hits = Bytes{};
  }
  const auto stride = static_cast<std::size_t>(stride_);
  const auto across = [this](std::size_t at) {
    return take(&known_[at - 1]) + take(&known_[at]) + take(&known_[at + 1]);
  };
  for (std::size_t at = stride + 1; at < places_; at += lanes)
    put(&sums_[at], across(at - stride) + across(at) + across(at + stride));
  override_at_.clear();
  if (!view.overrides.empty()) {
    override_at_.assign(places_, 0);
    for (std::size_t i = 0; i < view.overrides.size(); ++i) {
      const std::int32_t cell = view.overrides[i].cell;
      override_at_[place_of(cell)] = static_cast<std::int32_t>(i + 1);
    }
  }
}

// The numbers of mines among the unknown cells around that the clue leaves
// possible, and how it weighs them. False if none is.
bool Network::range(const View& view, std::int32_t at, int unknown_around, int mines_around,
                    int& low, int& high, const double*& table) const {
  const auto place = static_cast<std::size_t>(at);
  const bool overridden = !override_at_.empty() && override_at_[place] != 0;
  const int shows = shown_[place] == no_clue ? 9 : shown_[place];
  if (view.model->exact && !overridden) {
    table = nullptr;
    if (shows == 9) {
      low = 0;
      high = unknown_around;
    } else {
      low = high = shows - mines_around;
    }
    return low >= 0 && low <= unknown_around;
  }
  if (overridden) {
    table = view.overrides[static_cast<std::size_t>(override_at_[place] - 1)].table.data();
  } else {
    const std::int32_t row = (at - 2) / stride_ - 2;
    const std::int32_t col = (at - 2) % stride_;
    const int height = 1 + (row > 0) + (row < view.shape.rows - 1);
    const int width = 1 + (col > 0) + (col < view.shape.cols - 1);
    table =
        view.model
            ->table[static_cast<std::size_t>(shows)][static_cast<std::size_t>(height * width - 1)]
            .data();
  }
  table += mines_around;
  low = 0;
  high = unknown_around;
  while (low <= high && table[low] <= 0) ++low;
  while (high >= low && table[high] <= 0) --high;
  return low <= high;
}

// Applies single clues until nothing changes: a clue whose mines are all known
// frees the rest around it; one that needs all its cells mines them all. Blocks of
// places are looked at until nothing near them changes any more. What is left in
// `told_` are the clues that still say something.
bool Network::settle(const View& view) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < dirty_.size(); ++i) {
      if (!dirty_[i]) continue;
      dirty_[i] = 0;
      changed = true;
      const auto first = static_cast<std::int32_t>(i * block);
      for (std::uint64_t bits = ready(i * block); bits; bits &= bits - 1)
        if (!settle_clue(view, first + std::countr_zero(bits))) return false;
    }
  }
  return true;
}

// The clues of a block that settle something, or are broken; where tables weigh, all.
std::uint64_t Network::ready(std::size_t first) const {
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < block; i += lanes) {
    Bytes is_ready = take(&told_[first + i]);
    if (simple_) {
      const Bytes state = take(&shown_[first + i]);
      const Bytes sum = take(&sums_[first + i]);
      const Bytes mines = high_nibbles(sum);
      const Bytes at_most = mines + (sum & all(15));
      const Bytes done = Bytes(sum == Bytes(Shorts(state) << 4));
      is_ready &= (Bytes(mines >= state) | Bytes(at_most <= state)) & ~done;
    }
    found |= std::uint64_t{bits_of(is_ready)} << i;
  }
  return found;
}

bool Network::settle_clue(const View& view, std::int32_t at) {
  const auto place = static_cast<std::size_t>(at);
  const int count = sums_[place] & 15;
  const int mined = sums_[place] >> 4;
  if (simple_) {  // it was ready, so all are mines or none is
    const int missing = shown_[place] - mined;
    if (missing < 0 || missing > count) broken = cell_at_[place];
    if (count > 0) settle_around(at, missing > 0);
    return broken < 0;
  }
  int low = 0;
  int high = 0;
  const double* table = nullptr;
  if (!range(view, at, count, mined, low, high, table)) {
    broken = cell_at_[place];
    return false;
  }
  if (low != count && high != 0) {
    bool tells = table == nullptr && low == high;
    if (table != nullptr)
      for (int k = 1; k <= count; ++k) tells |= table[k] != table[0];
    if (tells) return true;
    if (table != nullptr) log_constant += std::log(table[0]);
    told_[place] = 0;
    return true;
  }
  // Every unknown cell around is settled by this clue.
  told_[place] = 0;
  if (table != nullptr) log_constant += std::log(table[low == count ? count : 0]);
  if (count) settle_around(at, low == count);
  return true;
}

void Network::settle_around(std::int32_t at, bool mine) {
  const int count = sums_[static_cast<std::size_t>(at)] & 15;
  const int change = mine ? is_mine - is_unknown : -is_unknown;
  each_bit(around(known_, at, 0), [&](int bit) {
    const std::int32_t place = at + step_[static_cast<std::size_t>(bit)];
    known_[static_cast<std::size_t>(place)] = mine ? is_mine : 0;
    std::uint8_t* const sums = sums_.data() + place - 1;
    add_to_three(sums - stride_, change);
    add_to_three(sums, change);
    add_to_three(sums + stride_, change);
    const std::int32_t cell = cell_at_[static_cast<std::size_t>(place)];
    verdicts[static_cast<std::size_t>(cell)] = mine ? Verdict::mine : Verdict::safe;
    settled.push_back(cell);
  });
  (mine ? settled_mines : settled_safe) += count;
  // The square of five rows around: block by block, or row by row where rows are long.
  const std::int32_t step = std::max(stride_, static_cast<std::int32_t>(block));
  for (std::int32_t near = at - 2 * stride_; near < at + 2 * stride_; near += step)
    dirty_[block_of(near - 2)] = dirty_[block_of(near + 2)] = 1;
  dirty_[block_of(at + 2 * stride_ - 2)] = dirty_[block_of(at + 2 * stride_ + 2)] = 1;
}

// Makes clues and boxes. Cells of one box share their first clue, so it is enough
// to compare the cells around each clue: by the clues they touch, as a set of
// places in the 5x5 square around it.
void Network::group(const View& view) {
  for (std::size_t at = 0; at < places_; at += lanes) {
    const Bytes left = take(&told_[at]) & ~equal(take(&sums_[at]) & all(15), 0);
    put(&told_[at], left);
    each_bit(bits_of(left), [&](int bit) {
      const std::size_t place = at + static_cast<std::size_t>(bit);
      clue_id_[place] = static_cast<std::int32_t>(clues.size());
      clues.push_back({.cell = static_cast<std::int32_t>(place),
                       .cells = 0,
                       .low = 0,
                       .high = 0,
                       .table = nullptr,
                       .box_count = 0,
                       .boxes = {}});
    });
  }
  for (Clue& self : clues) {
    const std::int32_t at = self.cell;
    const auto sum = sums_[static_cast<std::size_t>(at)];
    self.cell = cell_at_[static_cast<std::size_t>(at)];
    self.cells = sum & 15;
    range(view, at, self.cells, sum >> 4, self.low, self.high, self.table);
    std::array<std::uint32_t, 8> signs{};
    const std::size_t first = boxes.size();
    each_bit(around(known_, at, 0) & ~around(known_, at, 1), [&](int bit) {
      const std::int32_t place = at + step_[static_cast<std::size_t>(bit)];
      known_[static_cast<std::size_t>(place)] |= is_boxed;
      const std::uint32_t near = around(told_, place, 0);
      const std::uint32_t sign = ((near & 7) | (near & 56) << 2 | (near & 448) << 4)
                                 << (bit / 3 * 5 + bit % 3);
      std::size_t box = first;
      while (box < boxes.size() && signs[box - first] != sign) ++box;
      if (box == boxes.size()) {
        signs[box - first] = sign;
        boxes.emplace_back();
        Box& made = boxes.back();
        made.size = made.clue_count = 0;
        each_bit(near, [&](int other) {
          const auto by = static_cast<std::size_t>(place + step_[static_cast<std::size_t>(other)]);
          Clue& clue = clues[static_cast<std::size_t>(clue_id_[by])];
          clue.boxes[static_cast<std::size_t>(clue.box_count++)] = static_cast<std::int32_t>(box);
          made.clues[static_cast<std::size_t>(made.clue_count++)] = clue_id_[by];
        });
      }
      Box& chosen = boxes[box];
      chosen.cells[static_cast<std::size_t>(chosen.size++)] =
          cell_at_[static_cast<std::size_t>(place)];
    });
  }
}

// Finds the components, and how many cells belong to none.
void Network::link() {
  seen_boxes_.assign(boxes.size(), 0);
  seen_clues_.assign(clues.size(), 0);
  component_boxes.resize(boxes.size() + 1);
  std::size_t end = 0;
  for (std::size_t start = 0; start < boxes.size(); ++start) {
    if (seen_boxes_[start]) continue;
    std::size_t next = end;
    component_boxes[end++] = static_cast<std::int32_t>(start);
    seen_boxes_[start] = 1;
    for (; next < end; ++next) {
      const Box& box = boxes[static_cast<std::size_t>(component_boxes[next])];
      for (std::size_t i = 0; i < static_cast<std::size_t>(box.clue_count); ++i) {
        const auto id = static_cast<std::size_t>(box.clues[i]);
        if (seen_clues_[id]) continue;
        seen_clues_[id] = 1;
        const Clue& clue = clues[id];
        for (std::size_t j = 0; j < static_cast<std::size_t>(clue.box_count); ++j) {
          std::uint8_t& seen = seen_boxes_[static_cast<std::size_t>(clue.boxes[j])];
          component_boxes[end] = clue.boxes[j];
          end += seen == 0;
          seen = 1;
        }
      }
    }
    component_begin.push_back(static_cast<std::int32_t>(end));
  }
  component_boxes.resize(end);
  rest = unknown - settled_mines - settled_safe;
  for (const Box& box : boxes) rest -= box.size;
}

std::vector<std::int32_t> Network::rest_cells() const {
  std::vector<std::int32_t> cells;
  cells.reserve(static_cast<std::size_t>(rest));
  for (std::size_t at = 0; at < places_; ++at)
    if (known_[at] == is_unknown) cells.push_back(cell_at_[at]);
  return cells;
}

}  // namespace mineproof
