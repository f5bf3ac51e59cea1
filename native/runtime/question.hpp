// What is asked of a view, checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/engine.hpp"
#include "mineproof/search.hpp"

namespace mineproof::runtime {

// As a caller states it, who keeps the states and the model until there is an answer. `model` is
// null for exact clues; a prior by `mines`, without them by `density`, without that every total
// is as likely.
struct Asked {
  Shape shape{0, 0};
  std::span<const std::uint8_t> states;
  std::optional<std::int32_t> mines;
  const Model* model = nullptr;
  std::vector<Override> overrides;
  std::optional<double> density;
  bool trust_flags = false;
  std::size_t budget = state_budget;
};

// Throws Invalid where that cannot be asked: this is the one place where it is checked.
class Question {
 public:
  explicit Question(Asked asked);

  [[nodiscard]] View view() const;  // into this question
  [[nodiscard]] const Prior& prior() const { return prior_; }
  [[nodiscard]] std::size_t budget() const { return asked_.budget; }
  [[nodiscard]] const std::optional<std::int32_t>& mines() const { return asked_.mines; }
  // Whether an answer may take longer than a person waits, as far as that can be told without
  // thinking: most answers take microseconds.
  [[nodiscard]] bool may_last() const;

 private:
  void check() const;

  Asked asked_;
  Prior prior_;
};

// Throws Invalid unless a board may have this shape.
void check_shape(Shape shape);

}  // namespace mineproof::runtime
