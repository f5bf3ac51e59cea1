#include "mineproof/network.hpp"

#include <bit>
#include <cmath>

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

// Three bits from place `at` on.
std::uint32_t three(const std::uint64_t* words, std::int32_t at) {
  const auto word = static_cast<std::size_t>(at) >> 6;
  const int shift = at & 63;
  std::uint64_t bits = words[word] >> shift;
  if (shift > 61) bits |= words[word + 1] << (64 - shift);
  return static_cast<std::uint32_t>(bits & 7);
}

template <class F>
void each_bit(std::uint64_t bits, F&& f) {
  for (; bits; bits &= bits - 1) f(std::countr_zero(bits));
}

}  // namespace

// The 3x3 square of a set around a place, row by row from the lowest bit.
std::uint32_t Network::around(const Words& set, std::int32_t at) const {
  const std::uint64_t* words = set.data();
  return three(words, at - stride_ - 1) | three(words, at - 1) << 3 |
         three(words, at + stride_ - 1) << 6;
}

bool Network::read(const View& view) {
  clues.clear();
  boxes.clear();
  component_boxes.clear();
  component_begin.assign(1, 0);
  rest.clear();
  settled_mines = settled_safe = 0;
  log_constant = 0;
  broken = -1;
  load(view);
  if (!settle(view)) return false;
  group(view);
  link();
  return true;
}

// Fills the sets from the view and finds the clues next to unknown cells.
void Network::load(const View& view) {
  const auto [rows, cols] = view.shape;
  stride_ = cols + 1;
  const auto places = static_cast<std::size_t>((rows + 2) * stride_ + 3);
  const std::size_t words = places / 64 + 2;
  for (Words* set : {&unknown_, &mines_, &active_, &queued_, &assigned_}) set->assign(words, 0);
  shown_.resize(places);
  clue_id_.resize(places);
  verdicts.assign(view.states.size(), Verdict::open);
  unknown = known_mines = 0;
  const std::uint8_t* state = view.states.data();
  for (std::int32_t row = 0; row < rows; ++row) {
    const std::int32_t first = (row + 1) * stride_ + 1;
    for (std::int32_t at = first; at < first + cols; ++at) {
      const std::uint8_t shows = *state++;
      shown_[static_cast<std::size_t>(at)] = shows;
      if (shows == hidden || (shows == flagged && !view.trust_flags)) {
        put(unknown_, at);
        ++unknown;
      } else if (shows == exploded || shows == flagged) {
        put(mines_, at);
        ++known_mines;
      } else if (shows <= 8 || shows == no_clue) {
        put(active_, at);
      }
    }
  }
  override_at_.clear();
  if (!view.overrides.empty()) {
    override_at_.assign(places, 0);
    for (std::size_t i = 0; i < view.overrides.size(); ++i) {
      const std::int32_t cell = view.overrides[i].cell;
      const auto at = static_cast<std::size_t>((cell / cols + 1) * stride_ + cell % cols + 1);
      override_at_[at] = static_cast<std::int32_t>(i + 1);
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
  const std::size_t words = active_.size();
  for (std::size_t word = 0; word < words; ++word) {
    std::uint64_t bits = active_[word];
    while (bits) {
      const auto at = static_cast<std::int32_t>(word * 64) + std::countr_zero(bits);
      bits &= bits - 1;
      if (test(active_, at) && !settle_clue(view, at)) return false;
      while (!stack_.empty()) {
        const std::int32_t next = stack_.back();
        stack_.pop_back();
        drop(queued_, next);
        if (test(active_, next) && !settle_clue(view, next)) return false;
      }
    }
  }
  return true;
}

bool Network::settle_clue(const View& view, std::int32_t at) {
  const std::uint32_t cells = around(unknown_, at);
  const int count = std::popcount(cells);
  if (count == 0 && view.model->exact && override_at_.empty()) {
    // The most common case by far: an inner clue. It must still hold.
    drop(active_, at);
    const int shows = shown_[static_cast<std::size_t>(at)];
    if (shows == no_clue || shows == std::popcount(around(mines_, at))) return true;
    broken = cell_of(at);
    return false;
  }
  const int mined = std::popcount(around(mines_, at));
  int low = 0;
  int high = 0;
  const double* table = nullptr;
  if (!range(view, at, count, mined, low, high, table)) {
    broken = cell_of(at);
    return false;
  }
  if (low != count && high != 0) {
    bool tells = table != nullptr ? false : low == high;
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
  const bool mine = low == count && count > 0;
  each_bit(cells, [&](int bit) {
    const std::int32_t place = at + (bit / 3 - 1) * stride_ + bit % 3 - 1;
    drop(unknown_, place);
    if (mine) put(mines_, place);
    verdicts[static_cast<std::size_t>(cell_of(place))] = mine ? Verdict::mine : Verdict::safe;
    ++(mine ? settled_mines : settled_safe);
    each_bit(around(active_, place), [&](int near) {
      const std::int32_t other = place + (near / 3 - 1) * stride_ + near % 3 - 1;
      if (test(queued_, other)) return;
      put(queued_, other);
      stack_.push_back(other);
    });
  });
  return true;
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
    self.cell = cell_of(at);
    self.cells = std::popcount(around(unknown_, at));
    range(view, at, self.cells, std::popcount(around(mines_, at)), self.low, self.high, self.table);
    std::array<std::uint32_t, 8> signs{};
    const std::size_t first = boxes.size();
    each_bit(around(unknown_, at) & ~around(assigned_, at), [&](int bit) {
      const std::int32_t place = at + (bit / 3 - 1) * stride_ + bit % 3 - 1;
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
          const auto by =
              static_cast<std::size_t>(place + (other / 3 - 1) * stride_ + other % 3 - 1);
          Clue& clue = clues[static_cast<std::size_t>(clue_id_[by])];
          clue.boxes[static_cast<std::size_t>(clue.box_count++)] = static_cast<std::int32_t>(box);
          made.clues[static_cast<std::size_t>(made.clue_count++)] = clue_id_[by];
        });
      }
      Box& chosen = boxes[box];
      chosen.cells[static_cast<std::size_t>(chosen.size++)] = cell_of(place);
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
  for (std::size_t word = 0; word < unknown_.size(); ++word)
    each_bit(unknown_[word] & ~assigned_[word],
             [&](int bit) { rest.push_back(cell_of(static_cast<std::int32_t>(word * 64) + bit)); });
}

}  // namespace mineproof
