// Shared by the programs in this folder: CPU time, and numbers from the command line.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace mineproof {

inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The mean of some numbers, with its standard error.
class Mean {
 public:
  void add(double number) {
    sum_ += number;
    squares_ += number * number;
    ++count_;
  }
  [[nodiscard]] double value() const { return sum_ / count_; }
  [[nodiscard]] double error() const {
    return std::sqrt((squares_ / count_ - value() * value()) / count_);
  }

 private:
  double sum_ = 0, squares_ = 0, count_ = 0;
};

inline std::int32_t number(const char* text) { return static_cast<std::int32_t>(std::atol(text)); }

}  // namespace mineproof
