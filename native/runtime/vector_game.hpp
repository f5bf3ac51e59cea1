// Many games at once, checked, on some threads.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "mineproof/vector_game.hpp"

namespace mineproof::runtime {

class VectorGames {
 public:
  // Throws Invalid where that cannot be played. At most `threads` threads work at a time, fewer
  // where a step is so small that a thread would take longer to begin than to work.
  VectorGames(Terms terms, std::size_t games, Renewal renewal, unsigned threads);

  [[nodiscard]] VectorGame& games() { return games_; }
  [[nodiscard]] const VectorGame& games() const { return games_; }

  // New games in these places, rising; those with a seed begin its series anew, all others go on
  // with theirs. Throws Invalid.
  void reset(std::span<const std::int64_t> places, std::span<const std::uint64_t> seeds);
  // One move in each game, or none where it throws Invalid: a move for each game, that there is.
  void step(std::span<const std::int64_t> moves);

 private:
  template <class Work>
  void share(std::size_t count, const Work& work);

  std::mutex using_it_;
  VectorGame games_;
  unsigned threads_;
};

}  // namespace mineproof::runtime
