#include "mineproof/board.hpp"

#include <utility>

#include "mineproof/cells.hpp"

namespace mineproof {

Cells deal(Shape shape, std::int32_t mines, std::span<const std::int32_t> free,
           std::uint64_t seed) {
  Cells cells(at(shape.size()), 0);
  std::vector<std::int32_t> mined(at(mines));
  deal_into(cells, 1, mined, free, seed);
  return cells;
}

void deal_into(std::span<std::uint8_t> cells, std::uint8_t mark, std::span<std::int32_t> mined,
               std::span<const std::int32_t> free, std::uint64_t seed) {
  Stream stream(seed, Purpose::board);
  // Converts a rank among the cells that are not free to a cell.
  const auto cell_at = [free](std::uint32_t rank) {
    auto cell = static_cast<std::int32_t>(rank);
    for (const std::int32_t skipped : free) {
      if (skipped > cell) break;
      ++cell;
    }
    return cell;
  };
  auto last = static_cast<std::uint32_t>(cells.size() - free.size() - mined.size());
  for (std::int32_t& mine : mined) {
    const std::int32_t drawn = cell_at(stream.below(last + 1));
    mine = cells[at(drawn)] ? cell_at(last) : drawn;
    cells[at(mine)] = mark;
    ++last;
  }
}

Cells deal_each(Shape shape, std::uint64_t threshold, std::span<const std::int32_t> free,
                std::uint64_t seed) {
  Cells cells(at(shape.size()));
  Stream stream(seed, Purpose::board);
  for (auto& cell : cells) cell = stream.next53() < threshold;
  for (const std::int32_t cell : free) cells[at(cell)] = 0;
  return cells;
}

std::vector<std::uint64_t> order_keys(std::int32_t size, std::uint64_t seed) {
  std::vector<std::uint64_t> keys(at(size));
  Stream stream(seed, Purpose::order);
  for (auto& key : keys) key = stream.next64();
  return keys;
}

std::uint64_t order_key(std::int32_t cell, std::uint64_t seed) {
  const auto place = static_cast<std::uint32_t>(cell);
  const Block block = philox({place / 2, 0, 0, static_cast<std::uint32_t>(Purpose::order)}, seed);
  return block[place % 2 * 2] | std::uint64_t{block[place % 2 * 2 + 1]} << 32;
}

Cells count_mines(Shape shape, std::span<const std::uint8_t> mines) {
  Cells counts(mines.size(), 0);
  for (std::int32_t cell = 0; cell < shape.size(); ++cell)
    if (mines[at(cell)]) shape.each_neighbour(cell, [&](std::int32_t near) { ++counts[at(near)]; });
  return counts;
}

namespace {

// Counts the connected regions of the cells marked in `member`, clearing them.
std::int32_t count_regions(Shape shape, Cells& member) {
  std::int32_t regions = 0;
  std::vector<std::int32_t> queue;
  const auto around = [shape](std::int32_t cell, auto&& f) { shape.each_neighbour(cell, f); };
  const auto take = [&member](std::int32_t cell) {
    return std::exchange(member[at(cell)], std::uint8_t{0}) != 0;
  };
  for (std::int32_t start = 0; start < shape.size(); ++start) {
    if (!take(start)) continue;
    ++regions;
    queue.assign(1, start);
    flood(queue, around, take);
  }
  return regions;
}

}  // namespace

Figures figures(Shape shape, std::span<const std::uint8_t> mines) {
  const Cells counts = count_mines(shape, mines);
  Cells zero(mines.size(), 0);
  Cells lone(mines.size(), 0);  // safe cells that no opening reveals
  for (std::size_t i = 0; i < mines.size(); ++i) {
    zero[i] = !mines[i] && counts[i] == 0;
    lone[i] = !mines[i] && counts[i] != 0;
  }
  for (std::int32_t cell = 0; cell < shape.size(); ++cell)
    if (zero[at(cell)]) shape.each_neighbour(cell, [&](std::int32_t near) { lone[at(near)] = 0; });
  std::int32_t lone_cells = 0;
  for (const std::uint8_t mark : lone) lone_cells += mark;
  const std::int32_t openings = count_regions(shape, zero);
  const std::int32_t islands = count_regions(shape, lone);
  return {openings, islands, openings + lone_cells};
}

}  // namespace mineproof
