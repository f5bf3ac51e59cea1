// Ranks close candidates by a network trained on playouts (ranking_network.hpp).
#include <algorithm>
#include <cmath>
#include <optional>

#include "mineproof/search.hpp"

namespace mineproof {

namespace {

// The range of positions that the network was trained on, slightly extended.
constexpr std::int32_t smallest = 65;  // cells on the board
constexpr std::int32_t largest = 1000;
constexpr double fewest_mines = 0.1;  // per cell
constexpr double most_mines = 0.3;
constexpr double impossible = 1e-12;  // clues with a smaller probability are ignored
constexpr double little = 1e-3;       // lower bound on scores before taking logarithms
constexpr double negligible = 1e-9;   // risks below this count as 0

double log_of(double score) { return std::log(std::max(score, little)); }

}  // namespace

// Whether close candidates should be ranked by the network, and can be.
bool Search::can_rank_by_network(const Budget& budget, bool is_early) const {
  const double density = static_cast<double>(prior_.mines()) / view_.shape.size();
  return budget.learned && budget.fifties && !is_early && view_.shape.size() >= smallest &&
         view_.shape.size() <= largest && density >= fewest_mines && density <= most_mines;
}

// Ranks the candidates, best first: close candidates by the network's win probabilities, then the
// others. The best gets the score that the look-ahead gives to its own best.
void Search::rank_by_features(const Budget& budget) {
  rank(budget, close_by);
  auto& candidates = advice_.candidates;
  const std::size_t count = close_candidates();
  if (count < 2) return;
  std::vector<CandidateFeatures> features;
  for (std::size_t i = 0; i < count; ++i) features.push_back(features_of(candidates[i], budget));
  if (cancel_.stop_requested()) return;
  const std::vector<double> logs = rank_by_network(features, position_features());
  const double most = *std::max_element(logs.begin(), logs.end());
  const double best = candidates[0].score;
  for (std::size_t i = 0; i < count; ++i) candidates[i].score = best * std::exp(logs[i] - most);
  sort_by_score(count);
  advice_.method = Method::learned;
}

Search::Looked Search::look(const Position& position, const Budget& budget) {
  begin(position);
  Looked looked;
  if (!is_simple() || !prior_.knows_total() ||
      engine_.solve(view_, prior_, most_states(), cancel_) != Outcome::exact ||
      set_parts_apart(budget, Aim::win))
    return looked;
  list_forced_guesses();
  if (take_forced_guess(budget) || !can_rank_by_network(budget, false)) return looked;
  gather_candidates(budget);
  rank(budget, close_by);
  const auto count = static_cast<std::ptrdiff_t>(close_candidates());
  looked.candidates.assign(advice_.candidates.begin(), advice_.candidates.begin() + count);
  for (const Candidate& one : looked.candidates)
    looked.features.push_back(features_of(one, budget));
  looked.position = position_features();
  return looked;
}

CandidateFeatures Search::features_of(const Candidate& candidate, const Budget& budget) {
  CandidateFeatures features;
  const double safe = 1 - candidate.risk;
  double value = 0;
  std::optional<std::size_t> fewest_shown;
  for (const Shown& one : all_shown(candidate, premium_of(budget))) {
    if (one.chance <= impossible) continue;
    const double chance = one.chance / safe;
    value += one.chance * one.worth;
    if (one.stuck) {
      features.least += chance * one.least;
      features.second += chance * one.second;
    } else {
      features.goes_on += chance;
      features.many += chance * one.many;
    }
    features.entropy -= chance * std::log(chance);
    if (one.state == 0) features.zero = chance;
    features.likeliest = std::max(features.likeliest, chance);
    features.doubt += chance * one.doubt;
    if (!fewest_shown) fewest_shown = one.state;
    if (const std::size_t more = one.state - *fewest_shown; more < features.outcomes.size())
      features.outcomes[more] = {chance,
                                 one.stuck ? chance : 0,
                                 chance * one.least,
                                 chance * one.second,
                                 chance * one.many,
                                 chance * one.doubt};
    features.shows += 1;
  }
  features.log_score = log_of(candidate.score);
  features.log_value = log_of(value);
  features.log_safe = std::log(safe);
  features.load = load_after(candidate, true);
  for (const ForcedGuess& guess : forced_guesses_)
    if (guess.has(candidate.cell))
      features.half = std::max(features.half, guess.chance / candidate.risk);
  look_around(candidate.cell, features);
  features.square = square_around(candidate.cell);
  return features;
}

void Search::look_around(std::int32_t cell, CandidateFeatures& features) const {
  const Shape shape = view_.shape;
  const std::int32_t row = cell / shape.cols;
  const std::int32_t col = cell % shape.cols;
  features.edges = (row == 0) + (row == shape.rows - 1) + (col == 0) + (col == shape.cols - 1);
  shape.each_neighbour(cell, [&](std::int32_t near) {
    features.clues += is_opened(states_[near]);
    if (states_[near] != hidden) return;
    const double risk = risk_[near];
    features.covered += 1;
    features.beyond += !touches(near, is_opened);
    features.doubt_near += std::min(risk, 1 - risk);
    features.mines_near += risk;
    if (risk > negligible) features.least_near = std::min(features.least_near, risk);
  });
}

Square Search::square_around(std::int32_t cell) const {
  const Shape shape = view_.shape;
  Square square;
  auto* next = square.cells.data();
  for (std::int32_t down = -Square::reach; down <= Square::reach; ++down)
    for (std::int32_t right = -Square::reach; right <= Square::reach; ++right) {
      const std::int32_t row = cell / shape.cols + down;
      const std::int32_t col = cell % shape.cols + right;
      const bool is_off = row < 0 || col < 0 || row >= shape.rows || col >= shape.cols;
      *next++ = is_off ? std::uint8_t{Square::off_board} : seen_in_square(row * shape.cols + col);
    }
  square.turn();
  return square;
}

std::uint8_t Search::seen_in_square(std::int32_t cell) const {
  const auto is_mine = [this](std::int32_t one) {
    return states_[one] == exploded ||
           (states_[one] == hidden && engine_.verdicts()[at(one)] == Verdict::mine);
  };
  if (is_mine(cell)) return Square::mine;
  if (!is_opened(states_[cell]))
    return touches(cell, is_opened) ? Square::with_risk(risk_[cell])
                                    : std::uint8_t{Square::untouched};
  if (!is_clue(states_[cell])) return 0;
  int mines = states_[cell];
  view_.shape.each_neighbour(cell, [&](std::int32_t near) { mines -= is_mine(near); });
  return static_cast<std::uint8_t>(mines);
}

PositionFeatures Search::position_features() const {
  PositionFeatures features;
  for (const ForcedGuess& guess : forced_guesses_) features.fifties += guess.chance;
  features.log_weight = engine_.log_weight();
  const auto [rest, risk] = engine_.rest();
  features.rest = rest;
  features.rest_risk = risk;
  features.hidden =
      static_cast<double>(std::count(states_.begin(), states_.end(), std::uint8_t{hidden}));
  features.least = engine_.least_risks(apart_).first;
  return features;
}

}  // namespace mineproof
