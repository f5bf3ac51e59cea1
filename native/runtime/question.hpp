// Validated queries about a view.
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

// A query as the caller states it, not validated. It owns its data, so later changes by the caller
// have no effect. `model` is null for exact clues. The prior is `mines` if set, otherwise `density`
// if set, otherwise uniform over totals.
struct Asked {
  Shape shape{0, 0};
  Cells states;
  std::optional<std::int32_t> mines;
  std::shared_ptr<const ClueModel> model;
  std::vector<Override> overrides;
  std::optional<double> density;
  bool trust_flags = false;
  std::size_t budget = state_budget;
  std::vector<std::int32_t> watched;  // see View::watched
};

// A validated query. Its constructor is the only place where queries are checked; throws Invalid.
class Question {
 public:
  explicit Question(Asked asked);

  [[nodiscard]] View view() const;  // refers to data of this object
  [[nodiscard]] const Prior& prior() const { return prior_; }
  [[nodiscard]] std::size_t budget() const { return asked_.budget; }
  [[nodiscard]] const std::optional<std::int32_t>& mines() const { return asked_.mines; }
  // Whether the answer may take noticeably long, as far as a quick check can predict it: most
  // answers take microseconds.
  [[nodiscard]] bool may_last() const;

 private:
  void check() const;

  Asked asked_;
  Prior prior_;
};

// Checks of other input from outside. Each throws Invalid if its argument is not valid.
void check_shape(Shape shape);
void check_density(std::optional<double> density);
void check_model(const ClueModel& model);
void check_budget(const Budget& budget);
// Whether games with these clues can have these rules.
void check_luck(const GameRules& rules, const ClueModel& clues);

}  // namespace mineproof::runtime
