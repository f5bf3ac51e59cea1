// Work that may last: it runs without the interpreter lock, and ends soon after Ctrl-C or after
// somebody set a Cancel.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <utility>

#include "mineproof/cancel.hpp"
#include "runtime/errors.hpp"

namespace mineproof::python {

// What Python calls Cancel: a flag that any thread sets.
struct Flag {
  std::atomic<bool> is_set = false;
};

// While one is armed, Ctrl-C sets `asked`, too, before Python's own handler has its turn. Arms
// itself on the main thread only, where Python handles signals, and where somebody handles this
// one. Arming takes some microseconds; one within the other is one. What came just before is
// handled by Python first, and throws what its handler raises: otherwise nobody would hear of it
// before the work is done.
class Interrupt {
 public:
  explicit Interrupt(bool wanted);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Never asks if this is not armed.
  [[nodiscard]] Cancel cancel() const;
  // Lets Python handle what came, and throws what its handler raises. Whether anything came.
  [[nodiscard]] bool handle() const;

 private:
  void disarm();

  bool armed_ = false;
};

// Calls work(cancel) without the lock. Where a signal stopped it and Python's handler raises
// nothing, the work is done again.
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
