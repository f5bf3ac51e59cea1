#include "mineproof/endgame.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "mineproof/chance.hpp"

namespace mineproof {

namespace {

constexpr std::uint8_t a_mine = 9;

}  // namespace

double Arrangements::all() const {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return sum;
}

double Arrangements::risk(std::int32_t cell) const {
  const auto place =
      static_cast<std::size_t>(std::find(cells.begin(), cells.end(), cell) - cells.begin());
  double mines = 0;
  for (std::size_t i = 0; i < size(); ++i)
    if (mined[i * cells.size() + place]) mines += weights[i];
  return mines / all();
}

// Tabulates what each cell shows in each configuration, not counting mines that are known. False if
// cancelled.
bool Endgame::tabulate(Shape shape, const Arrangements& arrangements) {
  cells_ = arrangements.cells;
  weights_ = arrangements.weights;
  count_ = arrangements.size();
  place_.assign(at(shape.size()), -1);
  for (std::size_t i = 0; i < cells_.size(); ++i) place_[cells_[i]] = static_cast<std::int32_t>(i);
  table_.assign(cells_.size() * count_, 0);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cancel_.stop_requested()) return false;
    std::uint8_t* const row = table_.data() + i * count_;
    shape.each_neighbour(cells_[i], [&](std::int32_t near) {
      const std::int32_t place = place_[near];
      if (place < 0) return;
      const std::uint8_t* mined = arrangements.mined.data() + place;
      for (std::size_t s = 0; s < count_; ++s, mined += cells_.size())
        row[s] = static_cast<std::uint8_t>(row[s] + *mined);
    });
    const std::uint8_t* mined = arrangements.mined.data() + i;
    for (std::size_t s = 0; s < count_; ++s, mined += cells_.size())
      if (*mined) row[s] = a_mine;
  }
  // A hash per configuration: a set is identified by the sum of its hashes.
  while (names_.size() < 2 * count_) {
    const Block block = philox({static_cast<std::uint32_t>(names_.size()), 0, 0, 0}, 0);
    names_.push_back(block[0] | std::uint64_t{block[1]} << 32);
    names_.push_back(block[2] | std::uint64_t{block[3]} << 32);
  }
  return true;
}

std::optional<Choice> Endgame::solve(Shape shape, const Arrangements& arrangements,
                                     std::int64_t work, Cancel cancel, Aim aim,
                                     std::int32_t first) {
  if (arrangements.size() > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
  cancel_ = cancel;
  aim_ = aim;
  if (!tabulate(shape, arrangements)) return std::nullopt;
  work_ = work;
  given_up_ = false;
  kept_ = 0;
  if (++stamp_ == 0 || memo_.empty()) {
    memo_.assign(std::max<std::size_t>(memo_.size(), 1024), {});
    stamp_ = 1;
  }
  pool_.resize(count_);
  for (std::size_t s = 0; s < count_; ++s) pool_[s] = static_cast<std::uint16_t>(s);
  if (count_ == 1 && first == the_best) {  // nothing to find out: open any safe cell
    std::size_t safe = 0;
    while (safe < cells_.size() && table_[safe] == a_mine) ++safe;
    return Choice{safe < cells_.size() ? cells_[safe] : -1, aim_ == Aim::win ? weights_[0] : 0};
  }
  options_.clear();
  for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) options_.push_back({0, cell, 0});
  if (first != the_best) {
    const double worth = open_first(static_cast<std::uint32_t>(place_[first]));
    return given_up_ ? std::nullopt : std::optional(Choice{first, worth});
  }
  std::int32_t best = 0;
  const double wins = search({0, count_}, {0, cells_.size()}, &best);
  if (given_up_) return std::nullopt;
  return Choice{best < 0 ? -1 : cells_[at(best)], wins};
}

Endgame::Entry& Endgame::entry_of(std::uint64_t key, std::uint64_t check) {
  if (2 * kept_ >= memo_.size()) grow();
  const std::size_t mask = memo_.size() - 1;
  for (std::size_t i = static_cast<std::size_t>(key) & mask;; i = (i + 1) & mask) {
    Entry& entry = memo_[i];
    if (entry.stamp != stamp_ || (entry.key == key && entry.check == check)) return entry;
  }
}

void Endgame::grow() {
  std::vector<Entry> before(2 * memo_.size());
  before.swap(memo_);
  const std::size_t mask = memo_.size() - 1;
  for (const Entry& entry : before) {
    if (entry.stamp != stamp_) continue;
    std::size_t i = static_cast<std::size_t>(entry.key) & mask;
    while (memo_[i].stamp == stamp_) i = (i + 1) & mask;
    memo_[i] = entry;
  }
}

// The weight that best play wins in a set, or minus what it loses. `cells` are the options that may
// give information: a cell that gives none for a set gives none for its subsets.
double Endgame::worth(Set set, Range cells) {
  if (set.size == 1) return aim_ == Aim::win ? weights_[pool_[set.from]] : 0;
  std::uint64_t key = 0;
  std::uint64_t check = 0;
  for (std::size_t i = set.from; i < set.from + set.size; ++i) {
    key += names_[2 * std::size_t{pool_[i]}];
    check += names_[2 * std::size_t{pool_[i]} + 1];
  }
  const Entry& known = entry_of(key, check);
  if (known.stamp == stamp_) return known.worth;
  const double found = search(set, cells, nullptr);
  if (given_up_) return 0;
  entry_of(key, check) = {key, check, found, stamp_};
  ++kept_;
  return found;
}

// Appends the cells that may give information in this set to the options. If some cell is safe in
// all configurations and gives information, returns it instead: opening it costs nothing. `stop`
// becomes the value of opening nothing more.
std::optional<Endgame::Option> Endgame::find_options(Set set, Range cells, double& stop) {
  double all = 0;
  for (std::size_t i = set.from; i < set.from + set.size; ++i) all += weights_[pool_[i]];
  for (std::size_t c = cells.from; c < cells.to; ++c) {
    const std::uint32_t cell = options_[c].cell;
    const std::uint8_t* const row = table_.data() + cell * count_;
    std::uint32_t values = 0;
    double mines = 0;
    for (std::size_t i = set.from; i < set.from + set.size; ++i) {
      const std::uint8_t value = row[pool_[i]];
      values |= 1U << value;
      if (value == a_mine) mines += weights_[pool_[i]];
    }
    const std::uint32_t shows = values & ~(1U << a_mine);
    if (shows == 0) continue;                    // a mine in all configurations
    if (shows == values) {                       // safe in all configurations
      if (std::has_single_bit(shows)) continue;  // and gives no information
      return Option{aim_ == Aim::win ? all : 0, cell, shows};
    }
    if (aim_ == Aim::win) {
      options_.push_back({all - mines, cell, shows});
    } else {
      options_.push_back({-mines, cell, values});
      stop -= std::min(mines, all - mines);
    }
  }
  return std::nullopt;
}

double Endgame::search(Set set, Range cells, std::int32_t* best_cell) {
  work_ -= static_cast<std::int64_t>(set.size * (cells.to - cells.from));
  given_up_ = given_up_ || work_ < 0 || cancel_.stop_requested();
  if (given_up_) return 0;
  const std::size_t first = options_.size();
  double best = 0;
  if (const auto free = find_options(set, cells, best)) {
    options_.resize(first);
    if (best_cell != nullptr) *best_cell = static_cast<std::int32_t>(free->cell);
    return after(set, cells, *free, std::numeric_limits<double>::lowest());
  }
  const Range open{first, options_.size()};
  std::sort(options_.begin() + static_cast<std::ptrdiff_t>(first), options_.end(),
            [](const Option& a, const Option& b) {
              if (a.most != b.most) return a.most > b.most;
              const int many = std::popcount(a.values);
              const int few = std::popcount(b.values);
              return many != few ? many > few : a.cell < b.cell;
            });
  // For a score, opening a cell is preferred to stopping if both are worth the same.
  bool opens = aim_ == Aim::win;
  if (best_cell != nullptr && !opens) *best_cell = -1;
  for (std::size_t i = open.from; i < open.to; ++i) {
    const Option option = options_[i];
    if (opens ? option.most <= best : option.most < best) break;
    const double wins = after(set, open, option, best);
    if (given_up_) break;
    if (opens ? wins <= best : wins < best) continue;
    best = wins;
    opens = true;
    if (best_cell != nullptr) *best_cell = static_cast<std::int32_t>(option.cell);
  }
  options_.resize(first);
  return best;
}

// The value of opening this cell before all others.
double Endgame::open_first(std::uint32_t cell) {
  const std::uint8_t* const row = table_.data() + cell * count_;
  Option option{0, cell, 0};
  for (std::size_t s = 0; s < count_; ++s) {
    const bool is_mine = row[s] == a_mine;
    if (aim_ == Aim::score || !is_mine) option.values |= 1U << row[s];
    if (aim_ == Aim::win ? !is_mine : is_mine)
      option.most += aim_ == Aim::win ? weights_[s] : -weights_[s];
  }
  return after({0, count_}, {0, cells_.size()}, option, std::numeric_limits<double>::lowest());
}

// The value after opening a cell: for Aim::win over the configurations in which it is safe, for
// Aim::score over all. Stops early, with at most `needed`, once the result cannot exceed that.
double Endgame::after(Set set, Range cells, const Option& option, double needed) {
  const std::size_t top = pool_.size();
  double wins = aim_ == Aim::win ? 0 : option.most;
  double open = aim_ == Aim::win ? option.most : 0;
  for (std::uint32_t left = option.values; left; left &= left - 1) {
    if (wins + open <= needed && aim_ == Aim::win) break;
    if (wins < needed && aim_ == Aim::score) break;
    const auto value = static_cast<std::uint8_t>(std::countr_zero(left));
    double weight = 0;
    pool_.resize(top + set.size);
    std::size_t size = 0;
    const std::uint8_t* const row = table_.data() + option.cell * count_;
    for (std::size_t i = set.from; i < set.from + set.size; ++i) {
      const std::uint16_t arrangement = pool_[i];
      if (row[arrangement] != value) continue;
      pool_[top + size++] = arrangement;
      weight += weights_[arrangement];
    }
    pool_.resize(top + size);
    if (aim_ == Aim::win) open -= weight;
    wins += worth({top, size}, cells);
    pool_.resize(top);
    if (given_up_) break;
  }
  return wins;
}

}  // namespace mineproof
