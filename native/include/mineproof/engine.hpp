// The exact posterior: the mine probability of every unknown cell of a view.
//
// An Engine reuses its memory between calls and must be used by one thread at a time; any number of
// engines may work concurrently. Results depend only on the view, the model, the prior and the
// budget.
//
// The data that a view refers to must stay alive until the last query about it; the next solve() no
// longer reads it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "mineproof/cancel.hpp"
#include "mineproof/component_product.hpp"
#include "mineproof/constraint_graph.hpp"
#include "mineproof/endgame.hpp"
#include "mineproof/estimate.hpp"
#include "mineproof/gibbs_sampler.hpp"
#include "mineproof/named_enum.hpp"
#include "mineproof/prior.hpp"
#include "mineproof/sweep.hpp"

namespace mineproof {

// The default limit on the states that are counted per component.
constexpr std::size_t state_budget = 1'000'000;
// The memory limit of one solve(): bytes per state of the budget, and the minimum. It covers
// everything that is counted, and separately all estimates of what cannot be counted; building a
// layer takes some tens of megabytes on top.
constexpr std::size_t bytes_per_state = 320;
constexpr std::size_t least_bytes = std::size_t{64} << 20;

// `cancelled`: the caller asked to stop, and there is no result.
NAMED_ENUM(enum class, Outcome, std::uint8_t, exact, estimate, contradiction, cancelled)

class Engine {
 public:
  // With `remembers`, the engine reuses unchanged components from one call to the next: for
  // successive views of one game.
  explicit Engine(bool remembers = false) : remembers_(remembers) {}
  // Forgets the last view, before the first one of another game.
  void forget() { contents_.clear(); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Computes the posterior. `budget` limits the states per component and, times bytes_per_state,
  // the memory of all components; a component beyond either limit is estimated.
  Outcome solve(const View& view, const Prior& prior, std::size_t budget, Cancel cancel = {});
  // Computes verdicts() only. Estimates prove nothing and take most of the time, so components
  // beyond the budget are not estimated; the outcome is nevertheless `estimate`.
  Outcome find_certain(const View& view, const Prior& prior, std::size_t budget,
                       Cancel cancel = {});
  // After find_certain() returned `estimate`, with the same budget: computes the estimates, with
  // the same result as solve(), without counting again.
  Outcome weigh_certain(std::size_t budget, Cancel cancel = {});
  // After find_certain(): reduces verdicts() to what is certain without using the mine count. False
  // if cancelled.
  bool forget_count(Cancel cancel = {});

  // The following queries are valid after solve(), unless it returned a contradiction or was
  // cancelled.

  // Writes the risk by cell; nan for opened and exploded cells.
  void write_risk(std::span<double> risk) const;
  // What is proved, by cell.
  [[nodiscard]] std::span<const Verdict> verdicts() const { return graph_.verdicts; }
  // The log of the total weight of all configurations, as defined in evidence.py.
  [[nodiscard]] double log_weight() const { return log_weight_; }
  // The largest standard error of any risk: 0 if and only if everything is exact; 0.5 or more if
  // almost nothing is known.
  [[nodiscard]] double error() const { return error_; }
  // The standard error of log_weight(): 0 if everything is exact; 1 or more if almost nothing is
  // known.
  [[nodiscard]] double log_error() const { return log_error_; }
  // By watched cell: the probability of each number of mines around it, and the largest standard
  // error of these probabilities, which is 0 if they were counted.
  struct CountOdds {
    std::array<double, 9> chance{};
    double error = 0;
  };
  [[nodiscard]] std::span<const CountOdds> count_odds() const { return count_odds_; }
  // Whether a covered cell is proved safe.
  [[nodiscard]] bool any_safe() const { return any_safe_ || graph_.deduced_safe > 0; }
  // The number of covered cells that are proved safe.
  [[nodiscard]] std::int32_t safe_cells() const;
  // The lowest risk of a cell that is not certain (1 if there is none), and the lowest risk of any
  // other group. Ignores cells marked in `without`.
  [[nodiscard]] std::pair<double, double> least_risks(std::span<const std::uint8_t> without) const;
  // The sum of min(risk, 1 - risk) over the frontier cells that are not certain.
  [[nodiscard]] double doubt() const;
  // The number of interior cells that are not certain, and their risk; 0 if there are none.
  [[nodiscard]] std::pair<std::int32_t, double> rest() const;
  // Calls f(cells, risk) for each set of unknown cells that share a risk and are not certain: each
  // group, and the interior.
  template <class F>
  void each_group(F&& f) {
    for (std::size_t b = 0; b < graph_.groups.size(); ++b) {
      const CellGroup& group = graph_.groups[b];
      if (verdict(group) != Verdict::open) continue;
      f(std::span(group.cells.data(), at(group.size)), group_risk_[b]);
    }
    if (graph_.rest > 0 && rest_verdict_ == Verdict::open) f(rest_cells(), rest_risk_);
  }
  // After solve() returned `exact`: lists all configurations, if there are no more than `most`.
  // `all` includes cells that are proved safe but still covered, because their clues may be
  // informative. False if there are more than `most`, or if cancelled.
  bool list(std::size_t most, Arrangements& found, bool all = false, Cancel cancel = {});
  // A component is closed if no unknown cell outside it is next to its cells: apart from the mine
  // count, opening its cells gives no information about the others, and vice versa.
  [[nodiscard]] std::size_t components() const { return leaves_.size(); }
  [[nodiscard]] bool is_closed(std::size_t c) const;
  // Whether a component has the same number of mines in all configurations.
  [[nodiscard]] bool has_fixed_mines(std::size_t c) const;
  // Like list(), for one component, weighted by the rest of the board.
  bool list_component(std::size_t c, std::size_t most, Arrangements& found, Cancel cancel = {});
  // After solve() returned `exact`: draws a board from the posterior, one byte per cell. False if
  // cancelled.
  bool draw(Stream& stream, std::span<std::uint8_t> mined, Cancel cancel = {});

  // Approximate memory use in bytes. Larger amounts are released at the next solve().
  [[nodiscard]] std::size_t bytes() const;

  // Statistics of the last count.
  struct Figures {
    std::size_t components, largest_component, widest, states;
    int most_open;
    std::size_t reused;
  };
  [[nodiscard]] Figures figures() const;

 private:
  struct ListedGroups;
  class Lister;

  // engine.cpp: counts the components and assembles the result. Where a function returns a bool,
  // false may mean that cancelled_ was set.
  bool begin(const View& view, const Prior& prior, Cancel cancel);
  Outcome find(std::size_t budget);
  Outcome conclude(std::size_t budget);
  Outcome deduce_counted();
  const Weights& weights_of(double p);
  [[nodiscard]] double chance_guess() const;
  bool count(std::size_t budget);
  bool count_again(std::size_t budget);
  bool count_what_changed(std::size_t budget);
  Swept count_component(std::size_t c, std::size_t budget, const Weights& weights);
  bool estimate_all(std::size_t budget);
  bool put_together();
  bool gather();
  void gather_sampled(std::size_t c);
  bool run_sampler();
  bool weigh_all();
  bool weigh();
  void weigh_watched();
  void give_up();
  [[nodiscard]] bool is_over_budget(std::size_t c) const;
  [[nodiscard]] bool is_sampled(std::size_t c) const;
  [[nodiscard]] std::size_t group_id(std::size_t i, std::int32_t position) const;
  [[nodiscard]] std::span<const std::int32_t> component(std::size_t i) const;
  [[nodiscard]] std::int32_t cells_of(std::size_t i) const;
  [[nodiscard]] const CellGroup& group(std::size_t i, std::int32_t position) const;
  [[nodiscard]] std::vector<std::int64_t> content(std::size_t i) const;
  [[nodiscard]] Verdict verdict(const CellGroup& group) const {
    return graph_.verdicts[at(group.cells[0])];
  }

  // engine_mix.cpp: the effect of the total number of mines on the components.
  bool mix();
  bool mix_alone();
  [[nodiscard]] std::span<const double> outside_of(std::size_t c) const;
  bool mix_at(double tilt);
  [[nodiscard]] double log_outside(std::int32_t mines) const;
  [[nodiscard]] double find_tilt();
  [[nodiscard]] double mean_mines(double tilt) const;
  bool recount(std::size_t budget);

  // engine_prove.cpp
  bool fits();
  bool combine();
  bool prove();
  void deduce(std::int32_t cell, bool mine);

  // engine_list.cpp, engine_draw.cpp
  std::span<const std::int32_t> rest_cells();
  [[nodiscard]] std::vector<std::int32_t> open_cells(std::size_t c) const;
  bool list_ways(std::size_t c, std::size_t most, const Arrangements& found, ListedGroups& listed,
                 Cancel cancel) const;
  [[nodiscard]] std::int32_t pick(std::size_t c, Stream& stream) const;
  static void scatter(std::span<const std::int32_t> cells, std::int32_t count, Stream& stream,
                      std::span<std::uint8_t> mined);

  // Whether to stop; stays true until the next solve().
  bool stops() { return cancelled_ = cancelled_ || cancel_.stop_requested(); }
  // Records that a part of the work was cancelled. Always returns false, for the caller to return.
  bool stop() { return !(cancelled_ = true); }

  Cancel cancel_;  // of the current call
  bool cancelled_ = false;
  bool remembers_ = false;
  bool estimates_wanted_ = true;          // by the current call
  std::vector<Verdict> by_single_clues_;  // by cell, after find_certain()
  std::vector<std::vector<std::int64_t>> contents_;
  std::size_t reused_ = 0;

  View view_{};
  Prior prior_;
  ConstraintGraph graph_;
  Uncounted uncounted_{};
  Scratch scratch_;
  std::unique_ptr<Weights> weights_;
  double last_p_ = -1;
  std::vector<std::unique_ptr<Sweep>> sweeps_;
  std::size_t room_ = 0;                  // bytes still available
  std::vector<std::size_t> over_budget_;  // components, ascending
  std::vector<Estimate> estimates_;       // of over_budget_, except for sampled_
  std::vector<std::size_t> sampled_;  // components with loose clues (see GibbsSampler), ascending
  std::vector<std::int32_t> sampled_groups_;
  std::size_t sampler_steps_ = 0;
  GibbsSampler sampler_;  // samples all components in sampled_ together
  double log_scales_ = 0;
  std::vector<Polynomial> leaves_;
  ComponentProduct product_;
  std::vector<CountSet> supports_;
  Sums sums_;
  std::vector<std::uint8_t> all_open_;  // by component: every group can be a mine and safe
  std::vector<double> group_risk_, risks_, outside_;
  std::vector<std::vector<double>> alone_;  // outside_of() by component, for independent cells
  std::vector<CountOdds> count_odds_;       // by watched cell
  double log_top_ = 0;
  std::vector<std::int32_t> drawn_, of_group_, rest_cells_;  // for drawing
  double rest_risk_ = 0;
  bool any_safe_ = false;
  Verdict rest_verdict_ = Verdict::open;
  double p_ = 0.5;
  std::int32_t cells_in_components_ = 0;
  double log_weight_ = 0;
  double error_ = 0;
  double log_error_ = 0;
};

}  // namespace mineproof
