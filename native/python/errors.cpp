// Maps the runtime's exceptions to Python types.
#include "runtime/errors.hpp"

#include "convert.hpp"

namespace mineproof::python {

namespace {

PyObject* invalid_input = nullptr;
PyObject* broken_opening = nullptr;

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const runtime::Invalid& invalid) {
    PyErr_SetString(invalid_input, invalid.what());
  } catch (const runtime::BrokenOpening& broken) {
    nb::object made = nb::handle(broken_opening)(broken.what());
    made.attr("game") = broken.game;
    PyErr_SetObject(broken_opening, made.ptr());
  }
}

}  // namespace

void bind_errors(nb::module_& m) {
  const nb::module_ ours = nb::module_::import_("mineproof.errors");
  const nb::object family = ours.attr("MineproofError");
  const auto add = [&]<class Error>(const char* name, const char* about) {
    nb::exception<Error> type(m, name, family);
    type.attr("__doc__") = about;
    return type;
  };
  add.operator()<runtime::Cancelled>("Cancelled", "The call was cancelled.");
  add.operator()<runtime::TooManyStates>("TooManyStates",
                                         "A search needs more states than allowed.");
  add.operator()<runtime::Overflow>("Overflow", "A coefficient exceeds 64 bits.");
  broken_opening = add.operator()<runtime::BrokenOpening>(
                          "BrokenOpening",
                          "A board has a mine where the opening rule allows none; `game` is the "
                          "number of its game.")
                       .release()
                       .ptr();
  nb::handle(broken_opening).attr("game") = 0;
  invalid_input = nb::object(ours.attr("InvalidInput")).release().ptr();
  nb::register_exception_translator(translate);  // translators registered later are tried first
}

}  // namespace mineproof::python
