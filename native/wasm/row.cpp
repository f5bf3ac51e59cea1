#include "row.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace mineproof::wasm {

namespace {

std::vector<double>& asked() {
  static std::vector<double> row;
  return row;
}

std::vector<double>& answer_row() {
  static std::vector<double> row;
  return row;
}

std::int32_t degree(Shape shape, std::int32_t cell) {
  std::int32_t count = 0;
  shape.each_neighbour(cell, [&](std::int32_t) { ++count; });
  return count;
}

}  // namespace

// Allocates a request of `count` numbers, for the page to write.
EXPORT("question") double* question(std::int32_t count) {
  asked().assign(at(std::max(count, 0)), 0);
  return asked().data();
}

// The response to the last request.
EXPORT("answer") const double* answer() { return answer_row().data(); }

double Reader::number() { return next_ < asked().size() ? asked()[next_++] : 0; }

std::uint64_t Reader::seed() {
  const auto high = static_cast<std::uint64_t>(number());
  return high << 32 | static_cast<std::uint64_t>(number());
}

std::optional<std::int32_t> Reader::maybe_whole() {
  const std::int32_t value = whole();
  return value < 0 ? std::nullopt : std::optional(value);
}

std::optional<double> Reader::maybe_number() {
  const double value = number();
  return value < 0 ? std::nullopt : std::optional(value);
}

Cells Reader::bytes(std::int32_t count) {
  Cells found(at(std::max(count, 0)));
  for (std::uint8_t& byte : found) byte = static_cast<std::uint8_t>(whole());
  return found;
}

std::vector<std::int32_t> Reader::list() {
  std::vector<std::int32_t> found(at(std::max(whole(), 0)));
  for (std::int32_t& value : found) value = whole();
  return found;
}

Writer::Writer() { answer_row().clear(); }

void Writer::number(double value) { answer_row().push_back(value); }

std::int32_t Writer::done() const { return static_cast<std::int32_t>(answer_row().size()); }

Seen::Seen(Reader& reader) : shape{reader.whole(), 0} {
  shape.cols = reader.whole();
  mines = reader.maybe_whole();
  density = reader.maybe_number();
  clues = read_clues(reader);
  states = reader.bytes(shape.size());
  const std::vector<std::int32_t> bounded = reader.list();
  if (bounded.empty() || clues.exact) return;
  bounds.assign(states.size(), ClueModel::unbounded);
  for (std::size_t i = 0; i + 1 < bounded.size(); i += 2) {
    const std::int32_t cell = bounded[i];
    bounds[at(cell)] = static_cast<std::int8_t>(bounded[i + 1]);
    overrides.push_back(
        {cell, clues.likelihood(states[at(cell)], degree(shape, cell), bounds[at(cell)])});
  }
}

bool Seen::informs(std::int32_t cell) const {
  const std::uint8_t state = states[at(cell)];
  return is_clue(state) || (state == no_clue && !clues.exact);
}

Prior Seen::prior() const {
  if (mines) return Prior::count(*mines);
  return density ? Prior::density(*density) : Prior::uniform();
}

ClueModel read_clues(Reader& reader) {
  switch (reader.whole()) {
    case 1: {
      const double p = reader.number();
      return ClueModel::sometimes(p, reader.truth());
    }
    case 2:
      return ClueModel::optimistic(reader.truth());
    case 3:
      return ClueModel::cautious(reader.truth());
    case 4: {
      std::array<std::array<double, 10>, 9> rows{};
      for (auto& row : rows)
        for (double& chance : row) chance = reader.number();
      return ClueModel::by_rows(rows);
    }
    default:
      return {};
  }
}

GameRules read_rules(Reader& reader) {
  GameRules rules;
  rules.mine_ends = reader.truth();
  rules.opening = static_cast<Opening>(reader.whole());
  rules.count_known = reader.truth();
  rules.flood = reader.truth();
  rules.density = reader.maybe_number();
  rules.luck = static_cast<Luck>(reader.whole());
  return rules;
}

}  // namespace mineproof::wasm
