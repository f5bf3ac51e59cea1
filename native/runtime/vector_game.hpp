// Validated vector games, stepped on several threads.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "mineproof/vector_game.hpp"

namespace mineproof::runtime {

class VectorGames {
 public:
  // Throws Invalid if such games cannot be played. Uses at most `threads` threads, and fewer for
  // steps that take less time than starting a thread.
  VectorGames(EnvConfig terms, std::size_t games, Autoreset renewal, unsigned threads);

  [[nodiscard]] VectorGame& games() { return games_; }
  [[nodiscard]] const VectorGame& games() const { return games_; }

  // Starts a new game in each of these slots, which must be ascending. With `seeds`, one per slot,
  // each slot starts the series of its seed; without, it continues its series. Throws Invalid.
  void reset(std::span<const std::int64_t> places, std::span<const std::uint64_t> seeds);
  // Makes one move per game; `moves` must have one valid move for each. If it throws Invalid, no
  // game has changed.
  void step(std::span<const std::int64_t> moves);

 private:
  template <class Work>
  void share(std::size_t count, const Work& work);

  std::mutex using_it_;
  VectorGame games_;
  unsigned threads_;
};

}  // namespace mineproof::runtime
