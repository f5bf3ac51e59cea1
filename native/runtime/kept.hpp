// What is kept from one question to the next: engines, whose memory is used again.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace mineproof::runtime {

// Calls work(*kept). Where memory runs out half way the kernel may be left in any state: what was
// kept is given up, and made anew for the next call.
template <class Kept, class Work>
auto with_kept(std::unique_ptr<Kept>& kept, Work&& work) {
  try {
    return work(*kept);
  } catch (const std::bad_alloc&) {
    kept.reset();
    throw;
  }
}

// The one of this thread.
template <class Kept>
std::unique_ptr<Kept>& own() {
  static thread_local std::unique_ptr<Kept> kept;
  if (kept == nullptr) kept = std::make_unique<Kept>();
  return kept;
}

// The same for the one of this thread, which gives back what it holds if that is much.
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
