// Copies a view into the planes, and finds the components of what remains undecided.
// constraint_graph_deduce.cpp has the deductions from single clues, constraint_graph_groups.cpp the
// groups.
#include "mineproof/constraint_graph.hpp"

#include <algorithm>
#include <cstring>

#include "mineproof/simd.hpp"

namespace mineproof {

using namespace lanes;

bool ConstraintGraph::read(const View& view) {
  clues.clear();
  groups.clear();
  component_groups.clear();
  component_begin.assign(1, 0);
  deduced.clear();
  deduced_mines = deduced_safe = 0;
  log_constant = 0;
  broken = -1;
  shape(view.shape);
  load(view);
  if (!deduce(view)) return false;
  form_groups(view);
  link();
  return true;
}

// Sets up everything that depends only on the shape.
void ConstraintGraph::shape(Shape wanted) {
  if (wanted.rows == shape_.rows && wanted.cols == shape_.cols) return;
  shape_ = wanted;
  stride_ = wanted.cols + 1;
  places_ = at((wanted.rows + 3) * stride_ + 2);
  // Includes whatever a vector operation, or a block near the last place, may touch.
  dirty_.resize((places_ + 2 * at(stride_)) / block + 2);
  const std::size_t room = dirty_.size() * block;
  shown_.assign(room, outside);
  known_.assign(room, 0);
  sums_.assign(room, 0);
  live_clues_.assign(room, 0);
  clue_id_.assign(places_, 0);
  cell_at_.assign(places_, -1);
  for (std::int32_t cell = 0; cell < wanted.size(); ++cell) cell_at_[place_of(cell)] = cell;
  for (std::int32_t i = 0; i < 9; ++i) step_[at(i)] = (i / 3 - 1) * stride_ + i % 3 - 1;
}

// Copies the states to their places. Bytes written past the end of a row are overwritten by the
// next row.
void ConstraintGraph::copy_rows(const View& view) {
  const std::size_t cols = at(view.shape.cols);
  const std::size_t stride = at(stride_);
  const std::uint8_t* state = view.states.data();
  const std::uint8_t* const end = state + view.states.size();
  std::uint8_t* to = shown_.data() + place_of(0);
  for (; state != end; state += cols, to += stride) {
    if (static_cast<std::size_t>(end - state) < cols + width)
      std::memcpy(to, state, cols);
    else
      for (std::size_t i = 0; i < cols; i += width) put(to + i, take(state + i));
    to[cols] = outside;
  }
  std::memset(to, outside, width);
}

// Fills the planes from the view.
void ConstraintGraph::load(const View& view) {
  verdicts.assign(view.states.size(), Verdict::open);
  std::fill(dirty_.begin(), dirty_.end(), std::uint8_t{1});
  simple_ = view.model->exact && view.overrides.empty() && view.watched.empty();
  copy_rows(view);
  const Bytes trusted = all(view.trust_flags ? 255 : 0);
  const Bytes silent = all(simple_ ? 0 : 255);  // whether cells without a clue can be informative
  unknown = known_mines = 0;
  Bytes opens{};
  Bytes hits{};
  for (std::size_t place = 0, i = 1; place < places_; place += width, ++i) {
    const Bytes state = take(&shown_[place]);
    const Bytes flags = equal(state, flagged);
    const Bytes open = equal(state, hidden) | (flags & ~trusted);
    const Bytes hit = equal(state, exploded) | (flags & trusted);
    put(&known_[place], (open & all(is_unknown)) | (hit & all(is_mine)));
    put(&live_clues_[place], Bytes(state <= all(largest_clue)) | (equal(state, no_clue) & silent));
    opens -= open;  // adds 1 per unknown cell: the mask is -1
    hits -= hit;
    if (i % 255 != 0 && place + width < places_) continue;
    unknown += sum_of(opens);  // before a lane can overflow
    known_mines += sum_of(hits);
    opens = hits = Bytes{};
  }
  const std::size_t stride = at(stride_);
  const auto across = [this](std::size_t place) {
    return take(&known_[place - 1]) + take(&known_[place]) + take(&known_[place + 1]);
  };
  for (std::size_t place = stride + 1; place < places_; place += width)
    put(&sums_[place], across(place - stride) + across(place) + across(place + stride));
  override_at_.clear();
  if (!view.overrides.empty()) {
    override_at_.assign(places_, 0);
    for (std::size_t i = 0; i < view.overrides.size(); ++i) {
      const std::int32_t cell = view.overrides[i].cell;
      override_at_[place_of(cell)] = static_cast<std::int32_t>(i + 1);
    }
  }
  watch_at_.clear();
  if (!view.watched.empty()) {
    watch_at_.assign(places_, 0);
    for (std::size_t i = 0; i < view.watched.size(); ++i)
      watch_at_[place_of(view.watched[i])] = static_cast<std::int32_t>(i + 1);
  }
}

// Finds the components, and the number of cells that belong to none.
void ConstraintGraph::link() {
  seen_groups_.assign(groups.size(), 0);
  seen_clues_.assign(clues.size(), 0);
  component_groups.resize(groups.size() + 1);
  std::size_t end = 0;
  for (std::size_t start = 0; start < groups.size(); ++start) {
    if (seen_groups_[start]) continue;
    std::size_t next = end;
    component_groups[end++] = static_cast<std::int32_t>(start);
    seen_groups_[start] = 1;
    for (; next < end; ++next) {
      const CellGroup& group = groups[at(component_groups[next])];
      for (std::size_t i = 0; i < at(group.clue_count); ++i) {
        const std::size_t id = at(group.clues[i]);
        if (seen_clues_[id]) continue;
        seen_clues_[id] = 1;
        const Clue& clue = clues[id];
        for (std::size_t j = 0; j < at(clue.group_count); ++j) {
          std::uint8_t& seen = seen_groups_[at(clue.groups[j])];
          component_groups[end] = clue.groups[j];
          end += seen == 0;
          seen = 1;
        }
      }
    }
    component_begin.push_back(static_cast<std::int32_t>(end));
  }
  component_groups.resize(end);
  rest = unknown - deduced_mines - deduced_safe;
  for (const CellGroup& group : groups) rest -= group.size;
}

std::vector<std::int32_t> ConstraintGraph::rest_cells() const {
  std::vector<std::int32_t> cells;
  cells.reserve(at(rest));
  for (std::size_t place = 0; place < places_; ++place)
    if (known_[place] == is_unknown) cells.push_back(cell_at_[place]);
  return cells;
}

}  // namespace mineproof
