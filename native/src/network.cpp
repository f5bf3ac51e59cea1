#include "mineproof/network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace mineproof {

namespace {

bool test(const std::vector<std::uint64_t>& set, std::int32_t at) {
  return set[static_cast<std::size_t>(at) >> 6] >> (at & 63) & 1;
}
void put(std::vector<std::uint64_t>& set, std::int32_t at) {
  set[static_cast<std::size_t>(at) >> 6] |= std::uint64_t{1} << (at & 63);
}
void drop(std::vector<std::uint64_t>& set, std::int32_t at) {
  set[static_cast<std::size_t>(at) >> 6] &= ~(std::uint64_t{1} << (at & 63));
}

// Sets up to eight bits from place `at` on.
void put_bits(std::vector<std::uint64_t>& set, std::int32_t at, std::uint64_t bits) {
  const auto word = static_cast<std::size_t>(at) >> 6;
  const int shift = at & 63;
  set[word] |= bits << shift;
  if (shift > 56) set[word + 1] |= bits >> (64 - shift);
}

// Three bits from place `at` on.
std::uint32_t three(const std::uint64_t* words, std::int32_t at) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const char*>(words) + (at >> 3), sizeof bits);
    return static_cast<std::uint32_t>(bits) >> (at & 7) & 7;
  } else {
    const auto word = static_cast<std::size_t>(at) >> 6;
    const int shift = at & 63;
    std::uint64_t bits = words[word] >> shift;
    if (shift > 61) bits |= words[word + 1] << (64 - shift);
    return static_cast<std::uint32_t>(bits & 7);
  }
}

// How many of nine bits are set; a table, since not every machine has the instruction.
constexpr std::array<std::uint8_t, 512> bit_counts = [] {
  std::array<std::uint8_t, 512> counts{};
  for (std::size_t i = 0; i < 512; ++i)
    counts[i] = static_cast<std::uint8_t>(std::popcount(static_cast<unsigned>(i)));
  return counts;
}();
int count_bits(std::uint32_t nine) { return bit_counts[nine]; }

template <class F>
void each_bit(std::uint64_t bits, F&& f) {
  for (; bits; bits &= bits - 1) f(std::countr_zero(bits));
}

// Eight states at a time, a byte each, all below 128. The results have the top
// bit of each byte set where the byte passes; `gather` makes them eight bits.
constexpr std::uint64_t ones = 0x0101010101010101U;
constexpr std::uint64_t tops = 0x8080808080808080U;
std::uint64_t equal(std::uint64_t bytes, std::uint8_t state) {
  return ~((bytes ^ ones * state) + (tops - ones)) & tops;
}
std::uint64_t below_nine(std::uint64_t bytes) { return ~(bytes + ones * 0x77) & tops; }
std::uint64_t gather(std::uint64_t passed) { return (passed >> 7) * 0x0102040810204080U >> 56; }

}  // namespace

// The 3x3 square of a set around a place, row by row from the lowest bit.
inline std::uint32_t Network::around(const Words& set, std::int32_t at) const {
  const std::uint64_t* words = set.data();
  return three(words, at - stride_ - 1) | three(words, at - 1) << 3 |
         three(words, at + stride_ - 1) << 6;
}

bool Network::read(const View& view) {
  clues.clear();
  boxes.clear();
  component_boxes.clear();
  component_begin.assign(1, 0);
  settled.clear();
  rest.clear();
  settled_mines = settled_safe = 0;
  log_constant = 0;
  broken = -1;
  shape(view.shape);
  load(view);
  find_frontier();
  if (!check_inner(view) || !settle(view)) return false;
  group(view);
  link();
  return true;
}

// What depends on the shape alone.
void Network::shape(Shape wanted) {
  if (wanted.rows == shape_.rows && wanted.cols == shape_.cols) return;
  shape_ = wanted;
  stride_ = wanted.cols + 1;
  const auto places = static_cast<std::size_t>((wanted.rows + 2) * stride_ + 3);
  shown_.assign(places, 0);
  clue_id_.assign(places, 0);
  cell_at_.assign(places, -1);
  for (std::int32_t cell = 0; cell < wanted.size(); ++cell)
    cell_at_[static_cast<std::size_t>((cell / wanted.cols + 1) * stride_ + cell % wanted.cols +
                                      1)] = cell;
  for (std::int32_t i = 0; i < 9; ++i)
    step_[static_cast<std::size_t>(i)] = (i / 3 - 1) * stride_ + i % 3 - 1;
}

// Fills the sets from the view.
void Network::load(const View& view) {
  const auto [rows, cols] = view.shape;
  const std::size_t words = shown_.size() / 64 + 2;
  for (Words* set : {&unknown_, &mines_, &active_, &queued_, &assigned_}) set->assign(words, 0);
  verdicts.assign(view.states.size(), Verdict::open);
  unknown = known_mines = 0;
  const std::uint8_t* state = view.states.data();
  const std::uint8_t* const end = state + view.states.size();
  for (std::int32_t row = 0; row < rows; ++row, state += cols) {
    const std::int32_t first = (row + 1) * stride_ + 1;
    std::memcpy(&shown_[static_cast<std::size_t>(first)], state, static_cast<std::size_t>(cols));
    for (std::int32_t col = 0; col < cols; col += 8) {
      std::uint64_t bytes = 0;
      if (end - (state + col) >= 8)
        std::memcpy(&bytes, state + col, 8);
      else
        std::memcpy(&bytes, state + col, static_cast<std::size_t>(end - (state + col)));
      // What is past the row's end is the next row's.
      const std::uint64_t row_only = cols - col >= 8 ? 255U : (1U << (cols - col)) - 1;
      if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
      const std::uint64_t flags = equal(bytes, flagged);
      const std::uint64_t open =
          gather(equal(bytes, hidden) | (view.trust_flags ? 0 : flags)) & row_only;
      const std::uint64_t hit =
          gather(equal(bytes, exploded) | (view.trust_flags ? flags : 0)) & row_only;
      const std::uint64_t told = gather(below_nine(bytes) | equal(bytes, no_clue)) & row_only;
      put_bits(unknown_, first + col, open);
      put_bits(active_, first + col, told);
      unknown += count_bits(static_cast<std::uint32_t>(open));
      if (hit) {
        put_bits(mines_, first + col, hit);
        known_mines += count_bits(static_cast<std::uint32_t>(hit));
      }
    }
  }
  simple_ = view.model->exact && view.overrides.empty();
  override_at_.clear();
  if (!view.overrides.empty()) {
    override_at_.assign(shown_.size(), 0);
    for (std::size_t i = 0; i < view.overrides.size(); ++i) {
      const std::int32_t cell = view.overrides[i].cell;
      const auto at = static_cast<std::size_t>((cell / cols + 1) * stride_ + cell % cols + 1);
      override_at_[at] = static_cast<std::int32_t>(i + 1);
    }
  }
}

// The clues next to unknown cells, all at once.
void Network::find_frontier() {
  const std::size_t words = unknown_.size();
  const auto up = [words](const Words& set, std::size_t i, int by) {
    const std::size_t skip = static_cast<std::size_t>(by) / 64;
    const int shift = by % 64;
    if (i < skip) return std::uint64_t{0};
    std::uint64_t word = set[i - skip] << shift;
    if (shift && i > skip) word |= set[i - skip - 1] >> (64 - shift);
    return word;
  };
  const auto down = [words](const Words& set, std::size_t i, int by) {
    const std::size_t skip = static_cast<std::size_t>(by) / 64;
    const int shift = by % 64;
    if (i + skip >= words) return std::uint64_t{0};
    std::uint64_t word = set[i + skip] >> shift;
    if (shift && i + skip + 1 < words) word |= set[i + skip + 1] << (64 - shift);
    return word;
  };
  frontier_.resize(words);
  queued_.resize(words);
  Words& wide = assigned_;  // borrowed, and given back empty
  for (std::size_t i = 0; i < words; ++i)
    wide[i] = unknown_[i] | up(unknown_, i, 1) | down(unknown_, i, 1);
  for (std::size_t i = 0; i < words; ++i)
    frontier_[i] = (wide[i] | up(wide, i, stride_) | down(wide, i, stride_)) & active_[i];
  std::fill(wide.begin(), wide.end(), 0);
}

// Clues with no unknown cell around them must hold as they are; they are done.
bool Network::check_inner(const View& view) {
  for (std::size_t word = 0; word < active_.size(); ++word) {
    const std::uint64_t inner = active_[word] & ~frontier_[word];
    active_[word] &= frontier_[word];
    for (std::uint64_t bits = inner; bits; bits &= bits - 1) {
      const auto at = static_cast<std::int32_t>(word * 64) + std::countr_zero(bits);
      const int shows = shown_[static_cast<std::size_t>(at)];
      const int mined = known_mines ? count_bits(around(mines_, at)) : 0;
      if (simple_) {
        if (shows == mined || shows == no_clue) continue;
      } else {
        int low = 0;
        int high = 0;
        const double* table = nullptr;
        if (range(view, at, 0, mined, low, high, table)) {
          if (table != nullptr) log_constant += std::log(table[0]);
          continue;
        }
      }
      broken = cell_at_[static_cast<std::size_t>(at)];
      return false;
    }
  }
  return true;
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
    const std::int32_t row = (at - 1) / stride_ - 1;
    const std::int32_t col = (at - 1) % stride_;
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
// frees the rest around it; one that needs all its cells mines them all. What is
// left in `active_` are the clues that still say something.
bool Network::settle(const View& view) {
  stack_.clear();
  for (std::size_t word = 0; word < frontier_.size(); ++word)
    for (std::uint64_t bits = frontier_[word]; bits; bits &= bits - 1) {
      const auto at = static_cast<std::int32_t>(word * 64) + std::countr_zero(bits);
      cursor_ = at;
      if (test(active_, at) && !settle_clue(view, at)) return false;
      while (!stack_.empty()) {
        const std::int32_t next = stack_.back();
        stack_.pop_back();
        drop(queued_, next);
        if (test(active_, next) && !settle_clue(view, next)) return false;
      }
    }
  return true;
}

bool Network::settle_clue(const View& view, std::int32_t at) {
  const std::uint32_t cells = around(unknown_, at);
  const int count = count_bits(cells);
  const int mined = count_bits(around(mines_, at));
  int low = 0;
  int high = 0;
  const double* table = nullptr;
  if (simple_ && shown_[static_cast<std::size_t>(at)] != no_clue) {
    low = high = shown_[static_cast<std::size_t>(at)] - mined;
    if (low > 0 && low < count) return true;  // the most common case
    if (low < 0 || low > count) {
      broken = cell_at_[static_cast<std::size_t>(at)];
      return false;
    }
  } else if (!range(view, at, count, mined, low, high, table)) {
    broken = cell_at_[static_cast<std::size_t>(at)];
    return false;
  }
  if (low != count && high != 0) {
    bool tells = table == nullptr && low == high;
    if (table != nullptr)
      for (int k = 1; k <= count; ++k) tells |= table[k] != table[0];
    if (tells) return true;
    if (table != nullptr) log_constant += std::log(table[0]);
    drop(active_, at);
    return true;
  }
  // Every unknown cell around is settled by this clue.
  drop(active_, at);
  if (table != nullptr) log_constant += std::log(table[low == count ? count : 0]);
  settle_around(at, cells, low == count);
  return true;
}

void Network::settle_around(std::int32_t at, std::uint32_t cells, bool mine) {
  for (; cells; cells &= cells - 1) {
    const std::int32_t place = at + step_[static_cast<std::size_t>(std::countr_zero(cells))];
    drop(unknown_, place);
    if (mine) put(mines_, place);
    const std::int32_t cell = cell_at_[static_cast<std::size_t>(place)];
    verdicts[static_cast<std::size_t>(cell)] = mine ? Verdict::mine : Verdict::safe;
    settled.push_back(cell);
    ++(mine ? settled_mines : settled_safe);
    for (std::uint32_t near = around(active_, place); near; near &= near - 1) {
      const std::int32_t other = place + step_[static_cast<std::size_t>(std::countr_zero(near))];
      // Those ahead are looked at anyway.
      if (other > cursor_ || test(queued_, other)) continue;
      put(queued_, other);
      stack_.push_back(other);
    }
  }
}

// Makes clues and boxes. Cells of one box share their first clue, so it is enough
// to compare the cells around each clue: by the clues they touch, as a set of
// places in the 5x5 square around it.
void Network::group(const View& view) {
  for (std::size_t word = 0; word < active_.size(); ++word)
    each_bit(active_[word], [&](int bit) {
      const auto at = static_cast<std::int32_t>(word * 64) + bit;
      clue_id_[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(clues.size());
      clues.push_back({.cell = at,
                       .cells = 0,
                       .low = 0,
                       .high = 0,
                       .table = nullptr,
                       .box_count = 0,
                       .boxes = {}});
    });
  for (std::size_t id = 0; id < clues.size(); ++id) {
    const std::int32_t at = clues[id].cell;
    Clue& self = clues[id];
    self.cell = cell_at_[static_cast<std::size_t>(at)];
    self.cells = count_bits(around(unknown_, at));
    range(view, at, self.cells, count_bits(around(mines_, at)), self.low, self.high, self.table);
    std::array<std::uint32_t, 8> signs{};
    const std::size_t first = boxes.size();
    each_bit(around(unknown_, at) & ~around(assigned_, at), [&](int bit) {
      const std::int32_t place = at + step_[static_cast<std::size_t>(bit)];
      put(assigned_, place);
      const std::uint32_t near = around(active_, place);
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

// Finds the components, and the cells that belong to none.
void Network::link() {
  box_component_.assign(boxes.size(), -1);
  for (std::size_t start = 0; start < boxes.size(); ++start) {
    if (box_component_[start] >= 0) continue;
    const auto component = static_cast<std::int32_t>(component_begin.size() - 1);
    std::size_t next = component_boxes.size();
    component_boxes.push_back(static_cast<std::int32_t>(start));
    box_component_[start] = component;
    for (; next < component_boxes.size(); ++next) {
      const Box& box = boxes[static_cast<std::size_t>(component_boxes[next])];
      for (int i = 0; i < box.clue_count; ++i) {
        const Clue& clue = clues[static_cast<std::size_t>(box.clues[static_cast<std::size_t>(i)])];
        for (int j = 0; j < clue.box_count; ++j) {
          const std::int32_t other = clue.boxes[static_cast<std::size_t>(j)];
          if (box_component_[static_cast<std::size_t>(other)] >= 0) continue;
          box_component_[static_cast<std::size_t>(other)] = component;
          component_boxes.push_back(other);
        }
      }
    }
    component_begin.push_back(static_cast<std::int32_t>(component_boxes.size()));
  }
  rest.resize(static_cast<std::size_t>(unknown));
  std::int32_t* to = rest.data();
  for (std::size_t word = 0; word < unknown_.size(); ++word)
    each_bit(unknown_[word] & ~assigned_[word],
             [&](int bit) { *to++ = cell_at_[word * 64 + static_cast<std::size_t>(bit)]; });
  rest.resize(static_cast<std::size_t>(to - rest.data()));
}

}  // namespace mineproof
