// Best play on a small board, with progress reports.
#pragma once

#include <cstdint>
#include <functional>

#include "mineproof/cancel.hpp"
#include "mineproof/search.hpp"
#include "mineproof/solve.hpp"

namespace mineproof::runtime {

// See Optimal. Calls `report` from time to time with the number of states; an exception that it
// throws ends the search and is rethrown. Throws TooManyStates, Cancelled, Invalid.
[[nodiscard]] Optimum best_play(Shape shape, std::int32_t mines, Opening opening,
                                std::uint64_t most_states,
                                const std::function<void(std::uint64_t)>& report, Cancel cancel);
// The same for the score.
[[nodiscard]] OptimalScore best_score(Shape shape, std::int32_t mines, Opening opening,
                                      std::uint64_t most_states,
                                      const std::function<void(std::uint64_t)>& report,
                                      Cancel cancel);

}  // namespace mineproof::runtime
