// The exact posterior: the chance of a mine in every unknown cell of a view.
//
// An Engine keeps its memory between calls and is used by one thread at a time; any
// number of engines may work at once. Answers depend on the view, the model, the
// prior and the budget, and on nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mineproof/combine.hpp"
#include "mineproof/network.hpp"
#include "mineproof/sweep.hpp"

namespace mineproof {

// What is known of the total number of mines.
struct Prior {
  enum class Kind { count, density, uniform } kind;
  std::int32_t mines;  // count: on the whole board
  double density;      // density: of each cell
};

enum class Outcome { exact, estimate, contradiction };

class Engine {
 public:
  // `budget` bounds the states of a component; beyond it the component is estimated.
  Outcome solve(const View& view, const Prior& prior, std::size_t budget);

  // After solve(), unless it was a contradiction.

  // By cell; nan where a cell is opened or exploded.
  void write_risk(std::span<double> risk) const;
  // By cell: what is proved.
  [[nodiscard]] std::span<const Verdict> verdicts() const { return network_.verdicts; }
  // Log of the weight of all arrangements that fit, as evidence.py defines it.
  [[nodiscard]] double log_weight() const { return log_weight_; }
  // The largest standard error of a risk; 0 where everything is exact.
  [[nodiscard]] double error() const { return error_; }
  // After an exact solve(): draws a board, one byte a cell.
  void draw(Stream& stream, std::span<std::uint8_t> mined);

  // What was counted, for the curious.
  struct Figures {
    std::size_t components, largest_component, widest, states;
    int most_open;
  };
  [[nodiscard]] Figures figures() const;

 private:
  [[nodiscard]] double chance_guess() const;
  [[nodiscard]] double log_outside(std::int32_t mines) const;
  [[nodiscard]] bool allowed(std::int32_t mines) const;
  [[nodiscard]] double find_tilt() const;
  bool mix();
  bool weigh();
  void prove();
  void settle(std::int32_t cell, bool mine);
  static std::int32_t pick(const Polynomial& weights, Stream& stream);
  static void scatter(std::span<const std::int32_t> cells, std::int32_t count, Stream& stream,
                      std::span<std::uint8_t> mined);
  Sweep& sweep(std::size_t i);

  View view_{};
  Prior prior_{};
  Network network_;
  std::vector<std::unique_ptr<Sweep>> sweeps_;
  std::vector<Polynomial> leaves_;
  Mixture mixture_;
  std::vector<double> box_risk_, ones_;
  std::vector<std::int32_t> drawn_, of_box_;
  double rest_risk_ = 0;
  double p_ = 0.5;
  std::int32_t cells_in_components_ = 0;
  double log_weight_ = 0;
  double error_ = 0;
};

}  // namespace mineproof
