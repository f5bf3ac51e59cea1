// Python bindings of the native library. They only convert.
#include "convert.hpp"

NB_MODULE(_native, m) {
  using namespace mineproof::python;
  m.doc() = "The compiled counterparts of performance-critical code; same results as in Python.";
  bind_errors(m);
  bind_interrupt(m);
  bind_boards(m);
  bind_games(m);
  bind_posterior(m);
  bind_advice(m);
  bind_proofs(m);
  bind_generation(m);
  bind_vector_game(m);
  bind_positions(m);
}
