// A request to stop, made from outside: by Ctrl-C, by a page, by another program.
//
// Every loop that may run longer than a fraction of a second asks now and then. Whoever was
// stopped says so with its result, never by an exception; what it had found is worth nothing.
// Without a flag nothing is ever asked to stop. Costs a load or two a question.
#pragma once

#include <atomic>

namespace mineproof {

class Cancel {
 public:
  Cancel() = default;
  // The flag must live as long as this and all its copies; so must another request that is to
  // be heeded as well.
  explicit Cancel(const std::atomic<bool>& flag, const Cancel* other = nullptr)
      : flag_(&flag), other_(other) {}

  [[nodiscard]] bool asked() const noexcept {
    return (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) ||
           (other_ != nullptr && other_->asked());
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
  const Cancel* other_ = nullptr;
};

}  // namespace mineproof
