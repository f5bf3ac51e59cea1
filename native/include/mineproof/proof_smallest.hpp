// The smallest sets of clues that prove a cell, by the duality of proofs and escapes.
//
// An *escape* is a set of clues whose complement is consistent with the opposite of the cell, so
// every proof contains at least one clue of each escape. A candidate is a set that meets all known
// escapes. The oracle either confirms it as a proof, or it is consistent with the opposite; then it
// is grown until no more clues can join, and the clues left outside are a new escape. Candidates
// are tried in order of size; a size is skipped if more than that many escapes are pairwise
// disjoint.
//
// Without the mine count a smallest proof is connected: clues that are not linked to the cell,
// through shared cells and other clues of the proof, can be satisfied by themselves, so they can be
// left out. Hence a proof of size k needs only clues at most k links away. Python twin:
// reasoning/proofs/smallest.py. Cost: the budget limits the number of questions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "mineproof/cancel.hpp"

namespace mineproof {

// The maximum number of clues in one search.
constexpr std::size_t most_clues = 512;

// A set of clues, by their places in the order of a search.
class ClueSet {
 public:
  [[nodiscard]] static ClueSet first(std::int32_t count);
  [[nodiscard]] ClueSet with(std::int32_t place) const;
  void add(std::int32_t place) {
    words_[static_cast<std::size_t>(place) / 64] |= 1ULL << (place % 64);
  }
  [[nodiscard]] bool has(std::int32_t place) const;
  [[nodiscard]] ClueSet operator&(const ClueSet& other) const;
  [[nodiscard]] ClueSet operator|(const ClueSet& other) const;
  [[nodiscard]] ClueSet without(const ClueSet& other) const;
  [[nodiscard]] bool meets(const ClueSet& other) const;
  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::int32_t size() const;
  [[nodiscard]] std::vector<std::int32_t> places() const;
  bool operator==(const ClueSet&) const = default;

 private:
  std::array<std::uint64_t, most_clues / 64> words_{};
};

// Answers whether clues prove the cell. Every question has a cost.
struct Oracle {
  // std::nullopt if cancelled.
  std::function<std::optional<bool>(std::span<const std::int32_t>)> proves;
  std::int64_t price;   // of a question, in units of the budget; harder questions cost more
  std::int64_t effort;  // of an easy question, in nodes of a hard one
  std::int64_t left;
  Cancel cancel;
  const std::int64_t* nodes = nullptr;  // of the last question, if it counts nodes
  std::int64_t work = 0;                // approximate nodes so far: 30 million per second
  bool ended = false;                   // out of budget or cancelled: discard all answers
  bool cancelled = false;               // more budget would not help

  bool ask(std::span<const std::int32_t> chosen);
  // Whether to stop; callable at any time.
  bool stops() { return ended = ended || (cancelled = cancelled || cancel.stop_requested()); }
};

class Smallest {
 public:
  // rings[k]: how many clues, counted from the front, are at most k links from the cell;
  // linked[place]: the clues that share cells with that one; `near`: the clues next to the cell.
  // With `free` the mine count takes part, and proofs need not be connected.
  Smallest(Oracle& oracle, std::span<const std::int32_t> rings, std::span<const ClueSet> linked,
           const ClueSet& near, bool free)
      : oracle_(oracle), rings_(rings), linked_(linked), near_(near), free_(free) {}

  // All smallest proofs that can be found within the budget; none if it runs out before the first.
  std::vector<ClueSet> run();

 private:
  void widen(std::size_t size);
  ClueSet grow(ClueSet held, std::span<const std::int32_t> order);
  void choose(const ClueSet& chosen, std::int32_t count, ClueSet excluded, std::int32_t size);
  bool is_proof(const ClueSet& chosen);
  [[nodiscard]] bool is_linked(const ClueSet& chosen) const;

  Oracle& oracle_;
  std::span<const std::int32_t> rings_;
  std::span<const ClueSet> linked_;
  ClueSet near_;
  bool free_;
  std::int32_t looked_at_ = 0;
  std::vector<ClueSet> known_;  // by escape: its complement, the clues consistent with the opposite
  std::vector<ClueSet> escapes_, found_;
  std::int64_t until_ = 0;
};

// A subset of the first `clues` clues that still proves the cell and from which no clue can be left
// out. Removes distant clues first, many at a time, then one by one. If it could not finish,
// oracle.ended is set.
[[nodiscard]] std::vector<std::int32_t> reduce(Oracle& oracle, std::int32_t clues);

}  // namespace mineproof
