#include "runtime/series.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "mineproof/cells.hpp"
#include "runtime/clock.hpp"
#include "runtime/errors.hpp"
#include "runtime/question.hpp"
#include "runtime/reused_engines.hpp"

namespace mineproof::runtime {

namespace {

constexpr double block_seconds = 1e-3;  // of games that are timed and written together
constexpr std::uint64_t certainty = std::uint64_t{1} << 53;  // the threshold for probability 1

// Plays a game; throws if the kernel reports a fault.
Played play_game(Match& match, const GameSetup& ground, const GameRules& rules,
                 const ClueModel& clues, const Strategy& strategy, std::int32_t start, Seeds seeds,
                 bool record, std::uint64_t number, Cancel cancel) {
  if (cancel.stop_requested()) throw Cancelled();
  const Played played = match.play(ground, rules, clues, strategy, start, seeds, record, cancel);
  check(played.fault, number);
  return played;
}

}  // namespace

Source::Source(Shape shape, std::int32_t mines, std::optional<std::uint64_t> threshold,
               std::optional<std::vector<Cells>> boards)
    : shape_(shape), mines_(mines), threshold_(threshold), boards_(std::move(boards)) {
  check_shape(shape);
  if (mines < 0 || mines > shape.size())
    throw Invalid("a board of this shape cannot have " + std::to_string(mines) + " mines");
  if (threshold && *threshold > certainty) throw Invalid("the mine probability must be at most 1");
  if (!boards_) return;
  for (const Cells& board : *boards_) {
    if (board.size() != at(shape.size())) throw Invalid("a board does not have the given shape");
    if (*std::max_element(board.begin(), board.end()) > 1)
      throw Invalid("the cells of a board must be 0 or 1");
  }
}

GameSetup Source::ground(std::size_t place) const {
  std::span<const std::uint8_t> board;
  if (boards_) board = (*boards_)[place];
  return {shape_, board, mines_, threshold_};
}

void Source::check(const GameRules& rules, const Strategy& strategy, std::int32_t start,
                   std::size_t games) const {
  for (const std::int32_t cell : {start, strategy.first})
    if (cell < -1 || cell >= shape_.size()) throw Invalid("the first cell is outside the board");
  check_density(rules.density);
  check_budget(strategy.budget);
  if (strategy.shares.cap < 1 || strategy.shares.cap > largest_cap)
    throw Invalid("the cap on a component's cells must be from 1 to " +
                  std::to_string(largest_cap));
  if (boards_) {
    if (boards_->size() == games) return;
    throw Invalid("expected " + std::to_string(games) + " boards, one per game, got " +
                  std::to_string(boards_->size()));
  }
  if (!threshold_ && mines_ > shape_.size() - count_promised(shape_, rules.opening, start))
    throw Invalid("the mines do not fit: the opening rule keeps too many cells free");
  if (threshold_ && rules.count_known && rules.opening != Opening::any && start < 0)
    throw Invalid("the mine count is unknown before the first move");
}

Series::Series(const Source& source, const GameRules& rules, const ClueModel& clues,
               const Strategy& strategy, std::int32_t start, std::uint64_t seed,
               std::uint64_t first, std::size_t games, std::vector<Target> targets,
               std::optional<std::vector<Seeds>> seeds)
    : source_(source),
      rules_(rules),
      clues_(clues),
      strategy_(strategy),
      start_(start),
      seed_(seed),
      first_(first),
      games_(games),
      targets_(std::move(targets)),
      seeds_(std::move(seeds)) {
  source.check(rules, strategy, start, games);
  check_model(clues);
  check_luck(rules, clues);
  if (seeds_ && seeds_->size() != games)
    throw Invalid("expected " + std::to_string(games) + " pairs of seeds, one per game, got " +
                  std::to_string(seeds_->size()));
}

Seeds Series::seeds_of(std::size_t place) const {
  return seeds_ ? (*seeds_)[place] : Seeds(game_seed(seed_, first_ + place));
}

void Series::play(Cancel cancel) {
  std::vector<Finished> block;
  double block_cpu = cpu_seconds();
  double block_begun = wall_seconds();
  double begun = block_begun;
  for (std::size_t place = written_; place < games_; ++place) {
    const std::uint64_t number = first_ + place;
    const Seeds seeds = seeds_of(place);
    const Played played = with_own<Match>([&](Match& match) {
      return play_game(match, source_.ground(place), rules_, clues_, strategy_, start_, seeds,
                       false, number, cancel);
    });
    const double now = wall_seconds();
    block.push_back({seeds.game, played, now - begun});
    begun = now;
    if (now - block_begun < block_seconds && place + 1 < games_) continue;
    const double cpu = cpu_seconds();
    const double share = (cpu - block_cpu) / std::max(now - block_begun, 1e-9);
    for (Finished& game : block) game.cpu_seconds *= share;
    write(block);
    block.clear();
    block_cpu = cpu;
    block_begun = begun = now;
  }
}

void Series::write(std::span<Finished> games) {
  for (const auto& [column, values] : targets_) {
    const std::size_t size = size_of(column->type);
    auto* to = static_cast<std::byte*>(values) + written_ * size;
    for (const Finished& game : games) {
      column->write(game, to);
      to += size;
    }
  }
  written_ += games.size();
}

RecordedGame record(const Source& source, const GameRules& rules, const ClueModel& clues,
                    const Strategy& strategy, std::int32_t start, std::uint64_t seed,
                    Cancel cancel) {
  source.check(rules, strategy, start, 1);
  check_model(clues);
  check_luck(rules, clues);
  return with_own<Match>([&](Match& match) {
    const Played played =
        play_game(match, source.ground(0), rules, clues, strategy, start, seed, true, 0, cancel);
    return RecordedGame{played, {match.moves().begin(), match.moves().end()}};
  });
}

}  // namespace mineproof::runtime
