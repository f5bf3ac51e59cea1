// Runs long work without the interpreter lock, and stops it soon after Ctrl-C or after a Cancel
// object is set.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <utility>

#include "mineproof/cancel.hpp"
#include "runtime/errors.hpp"

namespace mineproof::python {

// Python's Cancel: a flag that any thread can set.
struct Flag {
  std::atomic<bool> is_set = false;
};

// While armed, Ctrl-C also sets `asked`, before Python's own handler runs. Arms itself only on the
// main thread, where Python handles signals, and only if there is a handler. Arming takes some
// microseconds; nested objects share one arming. First lets Python handle any earlier signal, and
// throws what its handler raises; otherwise that signal would go unnoticed until the work is
// done.
class Interrupt {
 public:
  explicit Interrupt(bool wanted);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Never requests a stop if this is not armed.
  [[nodiscard]] Cancel cancel() const;
  // Lets Python handle pending signals, and throws what its handler raises. Returns whether there
  // were any.
  [[nodiscard]] bool handle() const;

 private:
  void disarm();

  bool armed_ = false;
};

// Calls work(cancel) without the lock. If a signal stopped the work but Python's handler raises
// nothing, starts the work again.
template <class Work>
auto run(const Flag* flag, bool may_last, Work&& work) {
  const Interrupt interrupt(may_last);
  const Cancel by_signal = interrupt.cancel();
  for (;;) try {
      const nanobind::gil_scoped_release release;
      return work(flag != nullptr ? Cancel(flag->is_set, &by_signal) : by_signal);
    } catch (const runtime::Cancelled&) {
      if (!interrupt.handle()) throw;
    }
}

}  // namespace mineproof::python
