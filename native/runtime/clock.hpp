// The CPU time of this thread, in seconds.
#pragma once

#include <ctime>

namespace mineproof::runtime {

namespace detail {
inline double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
}  // namespace detail

// Costs a system call: half a microsecond or more.
inline double cpu_seconds() { return detail::seconds(CLOCK_THREAD_CPUTIME_ID); }

// Reads the vDSO page without a system call: some 20 nanoseconds.
inline double wall_seconds() { return detail::seconds(CLOCK_MONOTONIC); }

}  // namespace mineproof::runtime
