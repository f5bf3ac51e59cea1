// Kernel input, generated from arbitrary bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mineproof/engine.hpp"
#include "mineproof/search.hpp"

namespace fuzz {

// Continues with random numbers when the bytes run out, as on a large board.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size)
      : at_(data), end_(data + size), more_(size, mineproof::Purpose::game) {}
  std::uint8_t next() { return at_ == end_ ? static_cast<std::uint8_t>(more_.next()) : *at_++; }
  std::int32_t below(std::int32_t n) { return next() % n; }
  // A likelihood: often 0, often a simple number, sometimes as small as a user may write it.
  double chance();

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  mineproof::Stream more_;
};

struct Case {
  mineproof::Shape shape{1, 1};
  mineproof::Cells states;
  mineproof::ClueModel model;
  std::vector<mineproof::Override> overrides;
  bool trust_flags = false;
  mineproof::Prior prior;
  std::size_t budget = 0;
  bool mine_ends = true;
  mineproof::Opening opening{};
  mineproof::Budget thought;  // of a search

  [[nodiscard]] mineproof::View view() const {
    return {shape, states, &model, overrides, trust_flags};
  }
  // The same as View::is_known_mine and View::is_unknown, by cell.
  [[nodiscard]] bool is_mine(std::size_t cell) const {
    return states[cell] == mineproof::exploded ||
           (states[cell] == mineproof::flagged && trust_flags);
  }
  [[nodiscard]] bool is_unknown(std::size_t cell) const {
    return states[cell] == mineproof::hidden ||
           (states[cell] == mineproof::flagged && !trust_flags);
  }
  // How many cells are known to be mines, and how many may be.
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> mines() const {
    std::pair<std::int32_t, std::int32_t> found;
    for (std::size_t i = 0; i < states.size(); ++i) {
      found.first += is_mine(i);
      found.second += is_unknown(i);
    }
    return found;
  }
};

Case read_case(Bytes& bytes);

// Prints the failure with the view, and aborts.
[[noreturn]] void fail(const char* what, const Case& made, std::size_t cell, double number);

// Each runs its subject and fails on an impossible result. Returns whether there was a result.
bool check_posterior(const Case& made, mineproof::Engine& engine, mineproof::Outcome outcome);
bool check_closure(const Case& made, mineproof::Engine& engine);
bool check_proofs(const Case& made, mineproof::Engine& engine);
bool check_list(const Case& made, mineproof::Engine& engine);
bool check_advice(const Case& made, mineproof::Engine& engine, mineproof::Search& search);
bool check_chance(const Case& made, mineproof::Engine& engine, mineproof::Search& search);

}  // namespace fuzz
