// Deductions beyond the rules that a Mind applies itself: by subsets, by linear algebra, by the
// exact posterior. Python twin: closure.py.
//
// These classes own the memory for that, so that a Mind stays cheap to copy; they are not copied.
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

// The posterior of what a Mind knows, computed once for each version of it.
class KnowledgePosterior {
 public:
  // Call before the first use with another Mind, or in another game.
  void forget(Cancel cancel) {
    version_ = never;
    cancel_ = cancel;
  }
  // Computes the posterior unless it is up to date. Returns a fault if there is no configuration or
  // if cancelled.
  [[nodiscard]] Fault count(const PlayerKnowledge& mind);
  // After count().
  [[nodiscard]] Engine& engine() { return engine_; }
  [[nodiscard]] Cancel cancel() const { return cancel_; }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  Engine engine_;
  std::uint64_t version_ = never;
  Cancel cancel_;
};

// What was proved for one Mind in one game, beyond its own rules.
class Deductions {
 public:
  void begin(const PlayerKnowledge& mind);
  // Updates the findings where something changed. Call after Mind::reason().
  [[nodiscard]] Fault find(PlayerKnowledge& mind, AdvancedRule beyond, KnowledgePosterior& counted);
  // Uses subsets or linear algebra, separately for each component of these clues.
  [[nodiscard]] Fault find_by_component(const PlayerKnowledge& mind,
                                        std::span<const std::int32_t> clues, bool subsets);

  // The cells with a finding; each is covered, and undecided in the Mind.
  [[nodiscard]] std::span<const std::int32_t> cells() const { return cells_; }
  [[nodiscard]] Verdict verdict(std::int32_t cell) const { return verdicts_[cell]; }
  [[nodiscard]] Rule rule(std::int32_t cell) const { return rules_[cell]; }

 private:
  Fault find_what_changed(PlayerKnowledge& mind, bool subsets);
  Fault find_with_count(const PlayerKnowledge& mind);
  Fault find_exact(const PlayerKnowledge& mind, KnowledgePosterior& counted);
  void find_rest(const PlayerKnowledge& mind);
  void gather_component(const PlayerKnowledge& mind, std::int32_t start);
  void add_clue(const PlayerKnowledge& mind, std::int32_t clue);
  void keep(std::int32_t cell, Verdict verdict, Rule rule);
  Fault close(bool subsets);
  void forget_played(const PlayerKnowledge& mind);
  void forget_all();

  ByCell<Verdict> verdicts_;
  ByCell<Rule> rules_;
  std::vector<std::int32_t> cells_;
  std::uint64_t version_ = 0;
  Part part_;
  Cancel cancel_;
  std::vector<std::int32_t> walk_, around_;
  ByCell<std::uint32_t> seen_;  // by cell: the last walk that visited it
  std::uint32_t walks_ = 0;
};

// What can be deduced from a view with exact clues, by cell. Flags are ignored.
class Closure {
 public:
  [[nodiscard]] Fault close(Shape shape, std::span<const std::uint8_t> states,
                            PlayerKnowledge::Expected expected,
                            PlayerKnowledge::InferenceOptions habits, AdvancedRule beyond,
                            std::span<Verdict> verdicts, Cancel cancel = {});

 private:
  PlayerKnowledge mind_;
  KnowledgePosterior counted_;
  Deductions findings_;
  SharedNeighbourhood neighbourhood_;
};

}  // namespace mineproof
