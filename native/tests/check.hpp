// The smallest test kit that does: CHECK prints what failed and where, and the
// program's exit code tells.
#pragma once

#include <cstdio>

inline int failures = 0;

// What main returns. Not the count itself: an exit code wraps at 256.
[[nodiscard]] inline int exit_code() { return failures > 0 ? 1 : 0; }

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      ++failures;                                                                  \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                              \
  } while (false)
