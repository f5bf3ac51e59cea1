// A minimal test kit: CHECK prints the condition that failed and its location, and the program's
// exit code reports whether any did.
#pragma once

#include <cstdio>

inline int failures = 0;

// The return value of main. Not the number of failures: an exit code wraps at 256.
[[nodiscard]] inline int exit_code() { return failures > 0 ? 1 : 0; }

#define CHECK(condition)                                                           \
  do {                                                                             \
    if (!(condition)) {                                                            \
      ++failures;                                                                  \
      std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                              \
  } while (false)
