// Lists all configurations if there are few.
#include <algorithm>
#include <cmath>

#include "mineproof/engine.hpp"

namespace mineproof {

// Alternative numbers of mines for several groups of cells.
struct Engine::ListedGroups {
  std::vector<std::vector<std::size_t>> cells;  // by group: positions in `Arrangements::cells`
  std::vector<std::int32_t> ways;               // one number per group, alternative by alternative
  std::vector<std::int32_t> totals;             // by alternative: the total number of mines

  void add(std::span<const std::int32_t> members, const Arrangements& found) {
    auto& places = cells.emplace_back();
    for (const std::int32_t cell : members)
      places.push_back(static_cast<std::size_t>(
          std::lower_bound(found.cells.begin(), found.cells.end(), cell) - found.cells.begin()));
  }
};

// Enumerates configurations cell by cell, for all alternatives.
class Engine::Lister {
 public:
  Lister(std::size_t most, Arrangements& found, Cancel cancel)
      : most_(most), found_(found), cancel_(cancel) {}

  std::vector<ListedGroups> parts;

  // Places `left` mines in total, or any number if that is negative. False if there are too many
  // configurations, or if cancelled.
  bool place(std::int32_t left) {
    mined_.assign(found_.cells.size(), 0);
    least_.assign(parts.size() + 1, 0);
    most_mines_.assign(parts.size() + 1, 0);
    for (std::size_t p = parts.size(); p-- > 0;) {
      const auto [low, high] = std::minmax_element(parts[p].totals.begin(), parts[p].totals.end());
      if (low == parts[p].totals.end()) return true;  // no alternative at all
      least_[p] = least_[p + 1] + *low;
      most_mines_[p] = most_mines_[p + 1] + *high;
    }
    counts_ = left >= 0;
    return next_part(0, left);
  }
  [[nodiscard]] std::span<const std::int32_t> mines() const { return mines_; }

 private:
  bool next_part(std::size_t p, std::int32_t left) {
    if (cancel_.stop_requested()) return false;
    if (p == parts.size()) {
      if (mines_.size() == most_) return false;
      found_.mined.insert(found_.mined.end(), mined_.begin(), mined_.end());
      std::int32_t total = 0;
      for (const std::uint8_t mine : mined_) total += mine;
      mines_.push_back(total);
      return true;
    }
    for (std::size_t way = 0; way < parts[p].totals.size(); ++way) {
      const std::int32_t rest = left - parts[p].totals[way];
      if (counts_ && (rest < least_[p + 1] || rest > most_mines_[p + 1])) continue;
      if (!next_group(p, way, 0, rest)) return false;
    }
    return true;
  }
  // Places the mines of an alternative on its groups from the g-th on, trying all choices of cells
  // in ascending order. Iterative within a group, since a group may have more mines than the stack
  // allows calls.
  bool next_group(std::size_t p, std::size_t way, std::size_t g, std::int32_t left) {
    const ListedGroups& part = parts[p];
    if (g == part.cells.size()) return next_part(p + 1, left);
    const auto& members = part.cells[g];
    const std::size_t mines = at(part.ways[way * part.cells.size() + g]);
    const std::size_t from = chosen_.size();
    chosen_.resize(from + mines);
    const auto put = [&](std::size_t i, std::size_t place) {
      mined_[members[chosen_[from + i] = place]] = 1;
    };
    const auto lift = [&](std::size_t i) { mined_[members[chosen_[from + i]]] = 0; };
    for (std::size_t i = 0; i < mines; ++i) put(i, i);
    for (;;) {
      if (!next_group(p, way, g + 1, left)) return false;
      std::size_t moving = mines;  // the last mine that can move on; all after it follow
      while (moving-- > 0) {
        lift(moving);
        if (chosen_[from + moving] != members.size() - mines + moving) break;
      }
      if (moving >= mines) break;
      for (std::size_t place = chosen_[from + moving] + 1; moving < mines; ++moving, ++place)
        put(moving, place);
    }
    chosen_.resize(from);
    return true;
  }

  std::size_t most_;
  Arrangements& found_;
  Cancel cancel_;
  std::vector<std::uint8_t> mined_;
  std::vector<std::size_t> chosen_;  // group by group: positions of its mines, ascending
  std::vector<std::int32_t> mines_, least_, most_mines_;
  bool counts_ = true;
};

// Lists every way to fill a component, as numbers of mines on its undecided groups; decided groups
// count only towards the totals. False if there are too many.
bool Engine::list_ways(std::size_t c, std::size_t most, const Arrangements& found,
                       ListedGroups& listed, Cancel cancel) const {
  const Sweep& counted = *sweeps_[c];
  std::vector<std::uint8_t> ways;
  if (!counted.list(most, ways, cancel)) return false;
  const auto order = counted.order();
  for (const std::int32_t position : order) {
    const CellGroup& one = group(c, position);
    if (verdict(one) == Verdict::open) listed.add({one.cells.data(), at(one.size)}, found);
  }
  for (std::size_t way = 0; way < ways.size(); way += order.size()) {
    std::int32_t total = 0;
    bool fits = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const CellGroup& one = group(c, order[i]);
      const std::int32_t mines = ways[way + i];
      total += mines;
      if (verdict(one) == Verdict::open) continue;
      fits &= mines == (verdict(one) == Verdict::mine ? one.size : 0);
    }
    if (!fits) continue;
    for (std::size_t i = 0; i < order.size(); ++i)
      if (verdict(group(c, order[i])) == Verdict::open) listed.ways.push_back(ways[way + i]);
    listed.totals.push_back(total);
  }
  return true;
}

bool Engine::list(std::size_t most, Arrangements& found, bool all, Cancel cancel) {
  found.clear();
  const bool counts = prior_.knows_total();
  if (counts && log_weight_ > std::log(static_cast<double>(most) + 0.5)) return false;
  if (!counts && graph_.rest > 16) return false;
  if (!over_budget_.empty() || !view_.model->exact || !view_.overrides.empty()) return false;
  each_group([&](std::span<const std::int32_t> cells, double) {
    found.cells.insert(found.cells.end(), cells.begin(), cells.end());
  });
  for (std::size_t i = 0; all && i < graph_.verdicts.size(); ++i)
    if (graph_.verdicts[i] == Verdict::safe || view_.states[i] == known_safe)
      found.cells.push_back(static_cast<std::int32_t>(i));
  std::sort(found.cells.begin(), found.cells.end());

  Lister lister(most, found, cancel);
  std::int32_t left = prior_.mines() - uncounted_.mines;
  for (std::size_t c = 0; c < graph_.components(); ++c) {
    ListedGroups& part = lister.parts.emplace_back();
    if (!list_ways(c, 8 * most, found, part, cancel)) return false;
    if (!part.cells.empty() || part.totals.size() != 1) continue;
    left -= part.totals[0];  // the whole component is decided: nothing to place
    lister.parts.pop_back();
  }
  if (rest_verdict_ == Verdict::mine) left -= graph_.rest;
  if (graph_.rest > 0 && rest_verdict_ == Verdict::open) {
    ListedGroups& rest = lister.parts.emplace_back();
    rest.add(rest_cells(), found);
    for (std::int32_t mines = 0; mines <= graph_.rest; ++mines) {
      rest.ways.push_back(mines);
      rest.totals.push_back(mines);
    }
  }
  if (!lister.place(counts ? left : -1)) return false;
  std::int32_t proved = 0;
  for (const Verdict one : graph_.verdicts) proved += one == Verdict::mine;
  for (const std::int32_t mines : lister.mines())
    found.weights.push_back(
        prior_.log_weight(mines + proved, graph_.unknown, graph_.known_mines, uncounted_.size));
  const auto top = std::max_element(found.weights.begin(), found.weights.end());
  const double largest = top == found.weights.end() ? 0 : *top;
  for (double& weight : found.weights) weight = std::exp(weight - largest);
  return true;
}

// The undecided cells of a component, ascending.
std::vector<std::int32_t> Engine::open_cells(std::size_t c) const {
  std::vector<std::int32_t> cells;
  for (const std::int32_t id : component(c)) {
    const CellGroup& one = graph_.groups[at(id)];
    if (verdict(one) == Verdict::open)
      cells.insert(cells.end(), one.cells.begin(), one.cells.begin() + one.size);
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

bool Engine::is_closed(std::size_t c) const {
  const auto cells = open_cells(c);
  bool closed = !cells.empty();
  for (const std::int32_t cell : cells)
    view_.shape.each_neighbour(cell, [&](std::int32_t near) {
      const std::uint8_t state = view_.states[at(near)];
      const bool unknown = view_.is_unknown(state) && graph_.verdicts[at(near)] == Verdict::open;
      closed &= !unknown || std::binary_search(cells.begin(), cells.end(), near);
    });
  return closed;
}

bool Engine::has_fixed_mines(std::size_t c) const {
  const auto& weights = leaves_[c].at;
  return std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; }) == 1;
}

bool Engine::list_component(std::size_t c, std::size_t most, Arrangements& found, Cancel cancel) {
  found.clear();
  if (!prior_.knows_total() || is_over_budget(c) || !view_.model->exact || !view_.overrides.empty())
    return false;
  std::int32_t proved = 0;
  for (const std::int32_t id : component(c)) {
    const CellGroup& one = graph_.groups[at(id)];
    if (verdict(one) == Verdict::mine) proved += one.size;
  }
  found.cells = open_cells(c);
  Lister lister(most, found, cancel);
  if (!list_ways(c, most, found, lister.parts.emplace_back(), cancel)) return false;
  if (!lister.place(-1)) return false;
  const auto outside = product_.outside(c);
  for (const std::int32_t mines : lister.mines()) {
    const std::size_t place = at(mines + proved - leaves_[c].low);
    found.weights.push_back(std::pow(p_ / (1 - p_), mines) * outside[place]);
  }
  const double all = found.all();
  if (!(all > 0)) return false;
  for (double& weight : found.weights) weight /= all;
  return true;
}

}  // namespace mineproof
