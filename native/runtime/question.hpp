// What is asked of a view, checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mineproof/cells.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/search.hpp"

namespace mineproof::runtime {

// As a caller states it, anything at all; it owns what it is made of, so that nothing the caller
// does later can change or free it. `model` is null for exact clues; a prior by `mines`, without
// them by `density`, without that every total is as likely.
struct Asked {
  Shape shape{0, 0};
  Cells states;
  std::optional<std::int32_t> mines;
  std::shared_ptr<const Model> model;
  std::vector<Override> overrides;
  std::optional<double> density;
  bool trust_flags = false;
  std::size_t budget = state_budget;
  std::vector<std::int32_t> watched;  // as View has them
};

// Throws Invalid where that cannot be asked: this is the one place where it is checked, whoever
// asks.
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

// The same for what else comes from outside: each throws Invalid unless it can be.
void check_shape(Shape shape);
void check_density(std::optional<double> density);
void check_model(const Model& model);
void check_budget(const Budget& budget);

}  // namespace mineproof::runtime
