#include "interrupt.hpp"

#include <csignal>

#include "convert.hpp"

namespace mineproof::python {

namespace {

// One per process, like signal handlers; only the main thread arms and disarms it.
std::atomic<bool> interrupted = false;
struct sigaction before{};
int depth = 0;

extern "C" void on_interrupt(int number, siginfo_t* info, void* context) {
  interrupted.store(true, std::memory_order_relaxed);
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(number, info, context);
  else
    before.sa_handler(number);
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_interrupt;
}

bool is_main_thread() {
  static PyObject* const threading = nb::module_::import_("threading").release().ptr();
  const nb::object main = nb::handle(threading).attr("main_thread")();
  return nb::cast<unsigned long>(main.attr("ident")) == PyThread_get_thread_ident();
}

}  // namespace

Interrupt::Interrupt(bool wanted) {
  if (!wanted || !is_main_thread()) return;
  struct sigaction now{};
  sigaction(SIGINT, nullptr, &now);
  if (!is_ours(now)) {
    const bool no_one =
        !(now.sa_flags & SA_SIGINFO) && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN);
    if (no_one) return;
    before = now;
    interrupted = false;
    now.sa_flags |= SA_SIGINFO;
    now.sa_sigaction = on_interrupt;
    sigaction(SIGINT, &now, nullptr);
  }
  armed_ = true;
  ++depth;
  if (PyErr_CheckSignals() == 0) return;
  disarm();
  throw nb::python_error();
}

Interrupt::~Interrupt() { disarm(); }

void Interrupt::disarm() {
  if (!armed_ || --depth > 0) return;
  struct sigaction now{};
  sigaction(SIGINT, nullptr, &now);
  if (is_ours(now)) sigaction(SIGINT, &before, nullptr);
}

Cancel Interrupt::cancel() const { return armed_ ? Cancel(interrupted) : Cancel(); }

bool Interrupt::handle() const {
  if (!armed_ || !interrupted.exchange(false)) return false;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  return true;
}

void bind_interrupt(nb::module_& m) {
  nb::class_<Flag>(m, "Cancel", "A request to stop a running call; any thread may set it.")
      .def(nb::init<>())
      .def("set", [](Flag& self) { self.is_set = true; })
      .def("clear", [](Flag& self) { self.is_set = false; })
      .def("is_set", [](const Flag& self) { return self.is_set.load(); });
}

}  // namespace mineproof::python
