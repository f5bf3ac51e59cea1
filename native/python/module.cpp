// The border between Python and the native library: converts, and does nothing else.
#include "convert.hpp"

NB_MODULE(_native, m) {
  using namespace mineproof::python;
  m.doc() = "The native twins of what must be fast; the same results as the Python code.";
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
