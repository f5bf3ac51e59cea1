// Best play on a small board, for callers that want to hear how far it is.
#pragma once

#include <cstdint>
#include <functional>

#include "mineproof/cancel.hpp"
#include "mineproof/search.hpp"
#include "mineproof/solve.hpp"

namespace mineproof::runtime {

// See Optimal. `report` is called now and then with the number of states; what it throws ends
// the search and is thrown here. Throws TooManyStates, Cancelled, Invalid.
[[nodiscard]] Optimum best_play(Shape shape, std::int32_t mines, Opening opening,
                                std::uint64_t most_states,
                                const std::function<void(std::uint64_t)>& report, Cancel cancel);
// The same for the score.
[[nodiscard]] OptimalScore best_score(Shape shape, std::int32_t mines, Opening opening,
                                      std::uint64_t most_states,
                                      const std::function<void(std::uint64_t)>& report,
                                      Cancel cancel);

}  // namespace mineproof::runtime
