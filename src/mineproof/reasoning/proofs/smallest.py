"""The smallest sets of clues that prove a cell, by implicit hitting sets.

An *escape* is a set of clues such that all other clues are consistent with the opposite of the
verdict; so every proof contains at least one clue of every escape. A set that hits every known
escape is a candidate. The oracle either confirms it as a proof, or the candidate is consistent with
the opposite: then it is extended until no more clues can be added, and the remaining clues are a
new escape. Candidates are tried in order of increasing size; a size is skipped if there are more
disjoint escapes.

Without the mine count a smallest proof is connected: clues that are not linked to the cell through
shared cells and other clues of the proof can be left out, because they are consistent by
themselves. So for a proof of size k only clues within k links are considered.
Twin of `native/src/proof_smallest.cpp`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from mineproof.reasoning.proofs.statements import OutOfBudget

Clues = int
"""A set of clues: bit n is the clue at place n."""

MOST_CLUES = 512
"""The most clues considered in one search."""

MOST_EQUALS = 32
"""The most proofs of the smallest size that are compared."""

_MORE = 400
"""Consistency checks spent on further proofs of the same size."""


_NODES = 200
"""Nodes of a hard check that cost as much as an easy check."""


class Oracle:
    """Checks whether clues prove the cell; every check has a cost.

    `nodes` returns the search nodes of the last check; `cost` is the price of an easy check and its
    effort in nodes. `order` lists the clues by place.
    """

    def __init__(
        self,
        proves: Callable[[Sequence[int]], bool],
        nodes: Callable[[], int],
        order: Sequence[int],
        cost: tuple[int, int],
        budget: int,
    ) -> None:
        self._proves, self._nodes, self._order = proves, nodes, order
        self._price, self._effort = cost
        self.left = budget
        self.ended = False
        """Whether a check was refused because the budget was used up."""
        self.work = 0
        """The effort of all checks so far, in nodes."""

    def look_at(self, order: Sequence[int]) -> None:
        """Use this order of the clues from now on."""
        self._order = order

    def __call__(self, chosen: Clues) -> bool:
        """Whether these clues prove the cell."""
        if self.left < self._price:
            self.ended = True
            raise OutOfBudget
        self.left -= self._price
        proved = self._proves([self._order[place] for place in _places(chosen)])
        self.left -= self._nodes() // _NODES
        self.work += self._effort + self._nodes()
        return proved


class SmallestProofSearch:
    """A search for the smallest proofs among clues in a given order.

    The first `rings[k]` clues are within k links of the cell; `linked[place]` are the clues that
    share cells with a clue, `near` those that touch the cell itself. With the mine count, clues
    need not be linked: then `near` is None.
    """

    def __init__(
        self, oracle: Oracle, rings: Sequence[int], linked: Sequence[Clues], near: Clues | None
    ) -> None:
        self.oracle, self.rings, self.linked, self.near = oracle, rings, linked, near
        self.known: list[Clues] = []
        """For each escape, the clues that are consistent with the opposite."""
        self.escapes: list[Clues] = []
        self.found: list[Clues] = []
        self.until = 0

    def run(self) -> list[Clues]:
        """Return all smallest proofs that the budget allows to find; none if it is too small."""
        try:
            for size, looked_at in enumerate(self.rings):
                if looked_at > MOST_CLUES:
                    break
                self._widen(size)
                if not self._is_hopeless(self.escapes, size):
                    self._choose(0, 0, 0, size)
                if self.found:
                    break
        except OutOfBudget:
            pass
        return self.found

    def _widen(self, size: int) -> None:
        """Include the clues that are `size` links away."""
        self.all = (1 << self.rings[size]) - 1
        before = self.rings[size - 1] if size else 0
        fresh = range(before, self.rings[size])
        if not fresh:
            return
        self.known = [self._grow(held, fresh) for held in self.known]
        rings = [0, *self.rings[: size + 1]]
        places = range(self.rings[size])
        for low, high in pairwise(rings):
            # One escape per ring: few of them overlap, so their number is a lower bound.
            if low < high:
                late = range(low, high)
                self.known.append(self._grow(0, [p for p in places if p not in late] + [*late]))
        self.escapes = [self.all & ~held for held in self.known]

    def _grow(self, held: Clues, order: Sequence[int]) -> Clues:
        """Add clues in this order as long as all are consistent with the opposite."""
        for place in order:
            if not held >> place & 1 and not self.oracle(held | 1 << place):
                held |= 1 << place
        return held

    def _choose(self, chosen: Clues, count: int, excluded: Clues, size: int) -> None:
        """Extend a set of clues to all proofs of this size that contain it."""
        open_escapes = [escape & ~excluded for escape in self.escapes if not escape & chosen]
        if not open_escapes:
            if (count == size and not self._is_linked(chosen)) or self._is_proof(chosen):
                return
            open_escapes = [self.escapes[-1] & ~excluded]
        if self._is_hopeless(open_escapes, size - count):
            return
        for place in _places(min(open_escapes, key=int.bit_count)):
            self._choose(chosen | 1 << place, count + 1, excluded, size)
            excluded |= 1 << place
            if self.found and (len(self.found) == MOST_EQUALS or self.oracle.left < self.until):
                return

    def _is_proof(self, chosen: Clues) -> bool:
        """Whether the clues are a proof; note it if so, otherwise add a new escape."""
        if self.oracle(chosen):
            if not self.found:
                self.until = self.oracle.left - _MORE
            self.found.append(chosen)
            return True
        self.known.append(self._grow(chosen, range(self.all.bit_length() - 1, -1, -1)))
        self.escapes.append(self.all & ~self.known[-1])
        return False

    @staticmethod
    def _is_hopeless(escapes: Sequence[Clues], more: int) -> bool:
        """Whether there are more disjoint escapes than clues left to choose."""
        taken, apart = 0, 0
        for escape in sorted(escapes, key=int.bit_count):
            if not escape & taken:
                taken |= escape
                apart += 1
                if apart > more:
                    return True
        return not all(escapes)

    def _is_linked(self, chosen: Clues) -> bool:
        """Whether every clue is linked to the cell through other clues of the set."""
        if self.near is None:
            return True
        reached = new = chosen & self.near
        while new:
            place = new.bit_length() - 1
            fresh = self.linked[place] & chosen & ~reached
            reached |= fresh
            new = (new ^ 1 << place) | fresh
        return reached == chosen


def reduce(oracle: Oracle, clues: int) -> tuple[Clues, bool]:
    """Reduce the first `clues` clues to an irreducible proof.

    Far clues are left out first, many at a time, then one by one. The second value is False if the
    budget was used up before the end.
    """
    kept = (1 << clues) - 1
    step = 1 << max(clues.bit_length() - 1, 0)
    try:
        while step:
            for low in range((clues - 1) // step * step, -1, -step):
                part = ((1 << step) - 1) << low
                if kept & part and oracle(kept & ~part):
                    kept &= ~part
            step >>= 1
    except OutOfBudget:
        return kept, False
    return kept, True


def _places(chosen: Clues) -> list[int]:
    return [place for place in range(chosen.bit_length()) if chosen >> place & 1]
