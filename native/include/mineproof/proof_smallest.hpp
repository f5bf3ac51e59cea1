// The smallest sets of clues that prove a cell, by the duality of proofs and escapes.
//
// An *escape* is a set of clues such that all others can hold together with the opposite of
// the cell: every proof has one of its clues, at least. So a set that misses no escape is a
// candidate; the oracle either calls it a proof, or it can hold with the opposite and is grown
// until no more clues can join: what is left outside is a new escape. Candidates are tried by
// rising size, and a size is skipped where more escapes than that share no clue.
//
// Without the mine count a smallest proof hangs together: clues that are not linked to the cell
// through cells they share and other clues of the proof can be left out, since what is not
// linked can hold by itself. So for a proof of size k only clues at k links or fewer are looked
// at. The twin of reasoning/proofs/smallest.py. Cost: the number of questions is limited by the
// budget.
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

// Clues that are looked at in one search.
constexpr std::size_t most_clues = 512;

// A set of clues by their places in the order of a search.
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

// Asks whether clues prove the cell; every question costs something.
struct Oracle {
  // Nothing if it was cancelled.
  std::function<std::optional<bool>(std::span<const std::int32_t>)> proves;
  std::int64_t price;   // of a question, in the budget's units; hard ones cost more
  std::int64_t effort;  // that an easy question takes, in nodes of a hard one
  std::int64_t left;
  Cancel cancel;
  const std::int64_t* nodes = nullptr;  // of the last question, if it has any
  std::int64_t work = 0;                // nodes so far, about: 30 million a second
  bool ended = false;      // the budget, or someone's patience: answers are worth nothing then
  bool cancelled = false;  // someone's patience, which no further budget mends

  bool ask(std::span<const std::int32_t> chosen);
  // Whether to stop, asked or not.
  bool stops() { return ended = ended || (cancelled = cancelled || cancel.asked()); }
};

class Smallest {
 public:
  // rings[k]: how many of the clues, the first ones, are k links from the cell or fewer;
  // linked[place]: the clues that share cells with one; `near`: those that touch the cell.
  // Where `free` the count takes part, and nothing need be linked.
  Smallest(Oracle& oracle, std::span<const std::int32_t> rings, std::span<const ClueSet> linked,
           const ClueSet& near, bool free)
      : oracle_(oracle), rings_(rings), linked_(linked), near_(near), free_(free) {}

  // All smallest proofs, as far as the budget lets it find them; none if it ends sooner.
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
  std::vector<ClueSet> known_;  // for each escape, the clues that can hold
  std::vector<ClueSet> escapes_, found_;
  std::int64_t until_ = 0;
};

// A part of the first `clues` clues that still proves, none of which can be left out. The far
// ones are left out first, many at a time, then one by one; oracle.ended is set if it came to
// no end.
[[nodiscard]] std::vector<std::int32_t> reduce(Oracle& oracle, std::int32_t clues);

}  // namespace mineproof
