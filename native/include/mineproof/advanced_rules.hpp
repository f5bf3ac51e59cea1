// Deductions beyond the rules that PlayerKnowledge applies itself: by subsets, by linear algebra,
// by the exact posterior. Python twin: closure.py.
//
// These classes own the memory for that, so that PlayerKnowledge stays cheap to copy; they are not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/closure.hpp"
#include "mineproof/engine.hpp"
#include "mineproof/player_knowledge.hpp"
#include "mineproof/rules.hpp"

namespace mineproof {

// The states per component that a move may count with uncertain clues. These decide few cells, so
// almost all of the board stays one component. The same number as MOVE_BUDGET in posterior.py.
constexpr std::size_t uncertain_budget = 30'000;

// The posterior of what a player knows, computed once for each version of that knowledge.
class KnowledgePosterior {
 public:
  // Call before the first use for another player, or in another game.
  void forget(Cancel cancel) {
    version_ = never;
    cancel_ = cancel;
    remembering_.forget();
  }
  // Computes the posterior unless it is up to date. Returns a fault if there is no configuration or
  // if cancelled.
  [[nodiscard]] Fault count(const PlayerKnowledge& knowledge);
  // After count().
  [[nodiscard]] Engine& engine() { return *engine_; }
  [[nodiscard]] bool is_estimate() const { return is_estimate_; }
  [[nodiscard]] Cancel cancel() const { return cancel_; }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  Engine fresh_;              // for exact clues, whose components are small
  Engine remembering_{true};  // for uncertain clues
  Engine* engine_ = &fresh_;  // the one that was used last
  std::uint64_t version_ = never;
  Fault fault_ = Fault::none;
  bool is_estimate_ = false;
  Cancel cancel_;
};

// What was proved for one player in one game, beyond the rules of PlayerKnowledge.
class Deductions {
 public:
  void begin(const PlayerKnowledge& knowledge);
  // Updates the findings where something changed. Call after PlayerKnowledge::reason().
  [[nodiscard]] Fault find(PlayerKnowledge& knowledge, AdvancedRule beyond,
                           KnowledgePosterior& counted);
  // Uses subsets or linear algebra, separately for each component of these clues.
  [[nodiscard]] Fault find_by_component(const PlayerKnowledge& knowledge,
                                        std::span<const std::int32_t> clues, bool subsets);

  // Calls f(cell, verdict, rule) for each finding; its cell is covered, and PlayerKnowledge leaves
  // it undecided.
  template <class F>
  void each(F&& f) const {
    if (!only_rest_)
      for (const std::int32_t cell : cells_) f(cell, verdicts_[cell], rules_[cell]);
    for (const std::int32_t cell : rest_) f(cell, Verdict::safe, Rule::count);
  }

 private:
  Fault find_what_changed(PlayerKnowledge& knowledge, bool subsets);
  Fault find_with_count(const PlayerKnowledge& knowledge);
  Fault find_exact(const PlayerKnowledge& knowledge, KnowledgePosterior& counted);
  void find_rest(const PlayerKnowledge& knowledge);
  static void sort_by_age(const PlayerKnowledge& knowledge, std::vector<std::int32_t>& clues);
  void gather_component(const PlayerKnowledge& knowledge, std::int32_t start);
  void add_clue(const PlayerKnowledge& knowledge, std::int32_t clue);
  void keep(std::int32_t cell, Verdict verdict, Rule rule);
  Fault close(bool subsets, bool contradicts);
  void forget_played(const PlayerKnowledge& knowledge);
  void forget_all();

  ByCell<Verdict> verdicts_;
  ByCell<Rule> rules_;
  std::vector<std::int32_t> cells_;
  // Cells that are safe because all mines are found; whether that needs no findings.
  std::vector<std::int32_t> rest_;
  bool only_rest_ = false;
  std::uint64_t version_ = 0;
  Part part_;
  Cancel cancel_;
  std::vector<std::int32_t> reached_, around_, linked_;
  ByCell<std::uint32_t> seen_;  // by cell: the last walk that visited it
  std::uint32_t visits_ = 0;
};

// What can be deduced from a view with exact clues, by cell. Flags are ignored.
class Closure {
 public:
  [[nodiscard]] Fault close(Shape shape, std::span<const std::uint8_t> states,
                            PlayerKnowledge::Expected expected,
                            PlayerKnowledge::InferenceOptions options, AdvancedRule beyond,
                            std::span<Verdict> verdicts, Cancel cancel = {});

 private:
  PlayerKnowledge knowledge_;
  KnowledgePosterior counted_;
  Deductions findings_;
  SharedNeighbourhood neighbourhood_;
};

}  // namespace mineproof
