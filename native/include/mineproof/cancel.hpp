// A request to stop, set from outside: by Ctrl-C, by the web page, by another thread.
//
// Every loop that may run longer than a fraction of a second polls it. A cancelled call reports
// that in its return value, never by an exception; discard its partial results. A
// default-constructed Cancel never stops anything. A poll costs one or two relaxed loads.
#pragma once

#include <atomic>

namespace mineproof {

class Cancel {
 public:
  Cancel() = default;
  // The flag must outlive this object and all its copies; so must `other`, a second request that is
  // also honoured.
  explicit Cancel(const std::atomic<bool>& flag, const Cancel* other = nullptr)
      : flag_(&flag), other_(other) {}

  [[nodiscard]] bool stop_requested() const noexcept {
    return (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) ||
           (other_ != nullptr && other_->stop_requested());
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
  const Cancel* other_ = nullptr;
};

}  // namespace mineproof
