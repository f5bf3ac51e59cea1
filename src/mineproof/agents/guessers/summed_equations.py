"""Report 004's backtracking: add equations up, and count all solutions of the sum.

The result is a risk, never a deduction: the sum loses most of the information in its equations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mineproof.agents.guessers.by_configurations import count_all, indexed_equation, listed_mines
from mineproof.agents.guessers.shared_order import Guesser, SharedOrder, can_be_opened
from mineproof.phrases import Phrase
from mineproof.reasoning.components import components
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.equations import Equation
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.reason_phrases import shares_entry
from mineproof.world.geometry import Grid
from mineproof.world.move import Move

MOST_SHOWN = 64
"""The most solutions that a log lists for a summed equation."""
ENOUGH = 0.85
"""A cell that is safe in more than this share of the solutions is opened."""


class ReducedEquation(NamedTuple):
    """An equation after subtracting its subsets: the number of mines among these cells."""

    clue: int
    cells: frozenset[int]
    mines: int


@dataclass(frozen=True)
class LikelyClear:
    """Guesses the first cell that is safe in more than `enough` of a summed equation's solutions.

    With `joint`, the solutions are those of all equations together instead of those of their
    sum. The sum approximates this; the comparison shows what its error costs.
    """

    otherwise: Guesser
    enough: float = ENOUGH
    joint: bool = False

    def __str__(self) -> str:
        return f"likely_clear, {getattr(self.otherwise, '__name__', self.otherwise)}"

    def __call__(self, knowledge: Knowledge, order: SharedOrder) -> Move | None:
        """Return the guess, if there is a cell to open."""
        likely = self._likely(knowledge)
        if knowledge.report is not None:
            if not self.joint:
                _log_sums(knowledge, knowledge.report)
            shares = {index: share for cells in likely.values() for index, share in cells}
            title = Phrase("log.likely-safe", {"enough": self.enough, "joint": self.joint})
            knowledge.report(shares_entry(title, shares, knowledge.grid))
        for clue in sorted(clue for clue, cells in likely.items() if cells):
            for index, share in likely[clue]:
                if can_be_opened(knowledge, index):
                    cell = knowledge.grid.cell(index)
                    at = knowledge.grid.cell(clue)
                    why = Phrase("guess.sum", {"safe": share, "joint": self.joint, "at": at})
                    return Move(cell, "open", 1.0 - share, False, why)
        return self.otherwise(knowledge, order)

    def _likely(self, knowledge: Knowledge) -> dict[int, Likely]:
        """Return, by clue, the cells of its sum that are likely safe; only changes are counted."""
        memo: dict[int, Likely] = knowledge.memo("backtracking")
        for linked in knowledge.components_of(knowledge.fresh("backtracking")):
            for other in linked:
                memo.pop(other.clue, None)
            if linked[0].cells:
                memo.update(self._likely_of(linked))
        return memo

    def _likely_of(self, linked: Sequence[Equation]) -> dict[int, Likely]:
        if self.joint:
            return {linked[0].clue: self._enough(_joint_shares(linked))}
        left = reduce_by_subsets(linked)
        found: dict[int, Likely] = {}
        for one in left:
            sharing = [other for other in left if one.cells & other.cells]
            found.setdefault(one.clue, []).extend(self._enough(clear_shares(sharing)))
        return found

    def _enough(self, shares: Mapping[int, float]) -> Likely:
        return [(index, share) for index, share in shares.items() if share > self.enough]


Likely = list[tuple[int, float]]


def _log_sums(knowledge: Knowledge, report: Callable[[Entry], None]) -> None:
    """Log each remaining equation summed with those that share cells with it, and the solutions."""
    for linked in components(e for e in knowledge.equations.values() if e.cells):
        left = reduce_by_subsets(linked)
        for one in left:
            sharing = [other for other in left if one.cells & other.cells]
            for entry in _sum_entries(one, sharing, knowledge.grid):
                report(entry)


def _sum_entries(
    one: ReducedEquation, sharing: Sequence[ReducedEquation], grid: Grid
) -> Iterator[Entry]:
    """Yield a summed equation, with its number of solutions and the first of them."""
    times = Counter(index for other in sharing for index in other.cells)
    total, cells = sum(other.mines for other in sharing), sorted(times)
    terms = (f"{times[i]} " * (times[i] > 1) + grid.name(i) for i in cells)
    number = _ways([times[i] for i in cells], total)[-1].get(total, 0)
    text = f"{' + '.join(terms)} = {total}"
    yield Entry(Phrase("log.sum", {"at": grid.cell(one.clue), "sum": text, "number": number}))
    yield from listed_mines(grid, _solutions(times, total), number)


def _solutions(times: Mapping[int, int], total: int) -> list[list[int]]:
    """Return the first sets of mines whose weights add up to the total."""
    cells = sorted(times)
    rest = [sum(times[i] for i in cells[place:]) for place in range(len(cells) + 1)]
    found: list[list[int]] = []

    def extend(place: int, chosen: list[int], left: int) -> None:
        if len(found) == MOST_SHOWN or not 0 <= left <= rest[place]:
            return
        if place == len(cells):
            found.append(chosen)
            return
        extend(place + 1, [*chosen, cells[place]], left - times[cells[place]])
        extend(place + 1, chosen, left)

    extend(0, [], total)
    return found


def _joint_shares(linked: Iterable[Equation]) -> dict[int, float]:
    """Return the share of the solutions of all these equations in which each cell is safe."""
    everything = count_all(tuple(sorted(indexed_equation(equation) for equation in linked)))
    shares = everything.shares(range(len(everything.cells) + 1))
    return {index: 1.0 - shares[index] for index in sorted(shares)}


def reduce_by_subsets(equations: Iterable[Equation]) -> list[ReducedEquation]:
    """Return the equations, by clue, after subtracting every equation that is a subset.

    An equation that was subtracted stays; duplicates are kept once.
    """
    left = [ReducedEquation(e.clue, frozenset(e.cells), e.least) for e in equations if e.cells]
    left.sort(key=lambda one: one.clue)
    changed = True
    while changed:
        changed = False
        left = list({(one.cells, one.mines): one for one in reversed(left)}.values())[::-1]
        for small in left:
            for place, large in enumerate(left):
                if small.cells < large.cells:
                    rest = large.cells - small.cells
                    left[place] = ReducedEquation(large.clue, rest, large.mines - small.mines)
                    changed = True
    return left


def clear_shares(equations: Iterable[ReducedEquation]) -> dict[int, float]:
    """Return the share of the solutions of the summed equations in which each cell is safe.

    The weight of a cell is the number of equations that contain it. Solutions are counted sum by
    sum, not listed, as there are up to 2^n of them. Empty if there is none.
    """
    times: Counter[int] = Counter()
    total = 0
    for equation in equations:
        times.update(equation.cells)
        total += equation.mines
    cells = sorted(times)
    before = _ways([times[index] for index in cells], total)
    after = _ways([times[index] for index in reversed(cells)], total)[::-1]
    solutions = before[-1].get(total, 0)
    if not solutions:
        return {}
    return {
        index: sum(n * after[i + 1].get(total - s, 0) for s, n in before[i].items()) / solutions
        for i, index in enumerate(cells)
    }


def _ways(times: list[int], most: int) -> list[dict[int, int]]:
    """Return in how many ways the first 0, 1, 2, ... cells, with these weights, make each sum."""
    ways = [{0: 1}]
    for each in times:
        longer = dict(ways[-1])
        for s, number in ways[-1].items():
            if s + each <= most:
                longer[s + each] = longer.get(s + each, 0) + number
        ways.append(longer)
    return ways
