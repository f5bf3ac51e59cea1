// Instances that live from one query to the next, so that their memory is reused.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace mineproof::runtime {

// Calls work(*kept). If memory runs out, the instance may be in any state, so it is destroyed, and
// the next call makes a new one.
template <class Kept, class Work>
auto with_kept(std::unique_ptr<Kept>& kept, Work&& work) {
  try {
    return work(*kept);
  } catch (const std::bad_alloc&) {
    kept.reset();
    throw;
  }
}

// The instance of this thread.
template <class Kept>
std::unique_ptr<Kept>& own() {
  static thread_local std::unique_ptr<Kept> kept;
  if (kept == nullptr) kept = std::make_unique<Kept>();
  return kept;
}

// The same for the instance of this thread; afterwards releases its memory if that is large.
template <class Kept, class Work>
auto with_own(Work&& work) {
  std::unique_ptr<Kept>& kept = own<Kept>();
  auto answer = with_kept(kept, work);
  constexpr std::size_t much = std::size_t{32} << 20;
  if constexpr (requires { kept->bytes(); })
    if (kept->bytes() > much) kept.reset();
  return answer;
}

}  // namespace mineproof::runtime
