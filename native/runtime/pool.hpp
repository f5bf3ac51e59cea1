// Runs many tasks on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace mineproof::runtime {

// Calls work(i) once for each i below `count`, on up to `threads` threads including this one.
// Rethrows the exception of the first task that failed, when all threads have ended; no task is
// started after a failure. If the system cannot create more threads, uses those it has.
template <class Work>
void for_each(std::size_t count, unsigned threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex failing;
  const auto take = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(failing);
      if (!failed) failed = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned i = 1; i < threads && i < count; ++i) others.emplace_back(take);
    } catch (const std::system_error&) {  // continue with the threads created so far
    }
    take();
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace mineproof::runtime
