// Shared by the programs in this folder: CPU time, and numbers from the command line.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace mineproof {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline std::int32_t number(const char* text) { return static_cast<std::int32_t>(std::atol(text)); }

}  // namespace mineproof
