// Many pieces of work on some threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace mineproof::runtime {

// Calls work(i) once for each i below `count`; this thread is one of the `threads`. What the
// first piece that fails throws is thrown here, when all threads have ended; no piece is begun
// after that. Where no more threads can be had, fewer do the work.
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
    } catch (const std::system_error&) {  // as many as there are
    }
    take();
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace mineproof::runtime
