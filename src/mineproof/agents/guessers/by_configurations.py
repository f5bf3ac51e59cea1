"""Guess by the configurations of a component, all weighted equally, as in report 000."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, islice
from time import perf_counter
from typing import NamedTuple

from mineproof._engine import twin
from mineproof.agents.guessers.by_clues import in_order
from mineproof.agents.guessers.shared_order import CLOSE, SharedOrder, can_be_opened
from mineproof.phrases import Phrase
from mineproof.reasoning import sweep
from mineproof.reasoning.components import components
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.equations import Equation, premises
from mineproof.reasoning.evidence import Constraint
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.reason_phrases import shares_entry
from mineproof.world.geometry import Grid
from mineproof.world.move import Move, MoveReason

CAP = 20
"""Components with more cells are skipped, as in the report."""

MOST_SHOWN = 1000
"""The most configurations that a log lists for a component."""
BUDGET = 200_000
"""The most states for counting a component, about a second; larger ones are skipped, too."""


class IndexedEquation(NamedTuple):
    """An equation as plain numbers: cells and bounds."""

    cells: tuple[int, ...]
    least: int
    most: int


Mines = range
"""The numbers of mines that a component can have."""


class ByConfigurations(NamedTuple):
    """The configurations of a component, counted by their number of mines."""

    cells: tuple[int, ...]
    number: Mapping[int, int]
    """How many there are, by number of mines; empty if the clues are inconsistent."""
    swept: sweep.Component | None = None

    @property
    def fewest(self) -> int | None:
        """Return the smallest number of mines; None if there is no configuration."""
        return min(self.number, default=None)

    def within(self, mines: Mines) -> int:
        """Return how many configurations have one of these numbers of mines."""
        return sum(number for count, number in self.number.items() if count in mines)

    def shares(self, mines: Mines) -> dict[int, float]:
        """Return the share of those configurations in which each cell is a mine; may be empty."""
        total = self.within(mines)
        if not total or self.swept is None:
            return {}
        around = {count: int(count in mines) for count in self.number}
        return {
            index: expected / (total * len(step.cells))
            for step, expected in sweep.backwards(self.swept, around)
            for index in step.cells
        }


@lru_cache(maxsize=4096)
def count_all(said: tuple[IndexedEquation, ...]) -> ByConfigurations:
    """Count the configurations of a component; unchanged components come from the cache.

    If it takes more than `BUDGET` states, counting stops and the result is empty.
    """
    cells = tuple(sorted({index for equation in said for index in equation.cells}))
    fits = [
        Constraint(
            number, one.cells, tuple(float(one.least <= mines <= one.most) for mines in counts)
        )
        for number, one in enumerate(said)
        for counts in (range(len(one.cells) + 1),)
    ]
    try:
        swept = sweep.forwards(fits, BUDGET)
    except sweep.OverBudget:
        return ByConfigurations(cells, {})
    return ByConfigurations(cells, {m: n for m, n in sorted(swept.weights.items()) if n}, swept)


def listed(cells: tuple[int, ...], said: tuple[IndexedEquation, ...]) -> Iterator[list[int]]:
    """Yield all configurations that satisfy every equation."""
    place = {index: i for i, index in enumerate(cells)}
    holding: list[list[int]] = [[] for _ in cells]
    for number, equation in enumerate(said):
        for index in equation.cells:
            holding[place[index]].append(number)
    left = [len(equation.cells) for equation in said]
    mines = [0] * len(said)
    chosen = [0] * len(cells)

    def extend(at_place: int) -> Iterator[list[int]]:
        if at_place == len(cells):
            yield chosen
            return
        for mine in (0, 1):
            chosen[at_place] = mine
            fits = True
            for number in holding[at_place]:
                left[number] -= 1
                mines[number] += mine
                equation = said[number]
                fits &= mines[number] <= equation.most
                fits &= mines[number] + left[number] >= equation.least
            if fits:
                yield from extend(at_place + 1)
            for number in holding[at_place]:
                left[number] += 1
                mines[number] -= mine

    return extend(0)


def room(left: int, others: Iterable[ByConfigurations], outside: int) -> Mines:
    """Return the numbers of mines possible in a component, given the others and the rest."""
    counts = [one.number for one in others if one.number]
    fewest = left - sum(max(number) for number in counts) - outside
    return range(max(fewest, 0), max(left - sum(min(number) for number in counts) + 1, 0))


@twin("least_share")
@dataclass(frozen=True)
class LeastShare:
    """Guesses the cell that is a mine in the lowest share of its component's configurations.

    If the mine count is known, configurations that cannot add up to it are dropped: those with too
    many mines even if the other components have their fewest, or too few even if these have their
    most and all cells outside the components are mines. The average risk outside is at most the
    mines left when every component has its fewest, divided by the number of cells there; if that is
    lower, the guess is the next cell outside. `cap` 0 means no cap.
    """

    count: bool
    cap: int = CAP

    def __str__(self) -> str:
        return "least_share" if self.count else "least_share without count"

    def __call__(self, knowledge: Knowledge, order: SharedOrder) -> Move | None:
        """Return the guess, if there is a cell to open."""
        left = knowledge.mines_left if self.count else None
        return _Choice(knowledge, order, left, self.cap).guess()


class _Choice:
    """One guess among the components of a position."""

    def __init__(
        self, knowledge: Knowledge, order: SharedOrder, left: int | None, cap: int
    ) -> None:
        self.knowledge, self.order, self.left = knowledge, order, left
        self.found: list[ByConfigurations] = []
        for said in _components(knowledge, cap):
            begun = perf_counter()
            one = count_all(said)
            if one.number:
                self.found.append(one)
            if knowledge.report is not None:
                self._log_listing(said, one, perf_counter() - begun, knowledge.report)
        self.skipped = self._skipped()
        self.leasts = sum(one.fewest or 0 for one in self.found)
        inside = sum(len(one.cells) for one in self.found)
        self.outside = knowledge.covered - len(knowledge.settled) - inside
        if knowledge.report is not None:
            self._log_shares(knowledge.report)

    def guess(self) -> Move | None:
        best = self._inside()
        outside = self._outside()
        if outside is not None and (best is None or outside[0] < best[0] - CLOSE):
            risk, index = outside
            why = Phrase("guess.outside", {"risk": risk, "average": self.skipped})
            return Move(self.knowledge.grid.cell(index), "open", risk, False, why)
        if best is None:
            return in_order(self.knowledge, self.order)
        risk, index, total = best
        cell = self.knowledge.grid.cell(index)
        if risk == 0:
            return Move(cell, "open", 0.0, True, self._proof(index, total), rule="arrangements")
        why = Phrase("guess.arrangements", {"risk": risk, "total": total})
        return Move(cell, "open", risk, False, why)

    def _skipped(self) -> bool:
        """Whether some components were not counted: outside, cells then differ in their risk."""
        counted = {index for one in self.found for index in one.cells}
        return any(one.cells - counted for one in self.knowledge.equations.values())

    def _proof(self, index: int, total: int) -> MoveReason:
        """Return why a cell is safe; without the mine count, by the clues of its component."""
        knowledge = self.knowledge
        one = next(one for one in self.found if index in one.cells)
        count_used = total < one.within(range(len(one.cells) + 1))
        used = knowledge.component(knowledge.holding(index)[0])
        if count_used:
            used = [equation for equation in knowledge.equations.values() if equation.cells]
        why = Phrase("arrangements.safe", {"total": total})
        return MoveReason(why, *premises(used, knowledge.grid), count_used, every_clue=True)

    def _mines(self, one: ByConfigurations) -> Mines:
        """Return the numbers of mines that a component can have."""
        if self.left is None:
            return range(len(one.cells) + 1)
        others = (other for other in self.found if other is not one)
        return room(self.left, others, self.outside)

    def _inside(self) -> tuple[float, int, int] | None:
        """Return the lowest share, its cell, and its component's number of configurations."""
        shares = {}
        for one in self.found:
            mines = self._mines(one)
            for index, share in one.shares(mines).items():
                if can_be_opened(self.knowledge, index):
                    shares[index] = (share, one.within(mines))
        if not shares:
            return None
        least = min(share for share, _ in shares.values())
        index = self.order.least(i for i, (share, _) in shares.items() if share <= least + CLOSE)
        return least, index, shares[index][1]

    def _outside(self) -> tuple[float, int] | None:
        """Return the bound on the risk outside the components, and the next cell there."""
        if self.left is None:
            return None
        inside = {index for one in self.found for index in one.cells}
        index = self.order.first(self.knowledge, lambda index: index not in inside)
        if index is None or self.outside <= 0:
            return None
        return min(max((self.left - self.leasts) / self.outside, 0.0), 1.0), index

    def _log_listing(
        self,
        said: tuple[IndexedEquation, ...],
        one: ByConfigurations,
        seconds: float,
        report: Callable[[Entry], None],
    ) -> None:
        """Log every configuration of a component as the list of its mines."""
        grid, number = self.knowledge.grid, sum(one.number.values())
        values = {"cells": grid.cells(one.cells), "number": number, "seconds": seconds}
        report(Entry(Phrase("log.listing", values), "scope"))
        listing = islice(listed(one.cells, said), MOST_SHOWN)
        for entry in listed_mines(grid, (compress(one.cells, mined) for mined in listing), number):
            report(entry)

    def _log_shares(self, report: Callable[[Entry], None]) -> None:
        """Log how often each cell is a mine, and the bound for the cells outside."""
        for one in self.found:
            shares = one.shares(self._mines(one))
            report(shares_entry(Phrase("log.mine-shares"), shares, self.knowledge.grid))
        outside = self._outside()
        if outside is not None:
            about = {"risk": outside[0], "average": self.skipped}
            report(Entry(Phrase("log.outside", about)))


def _components(knowledge: Knowledge, cap: int) -> Iterator[tuple[IndexedEquation, ...]]:
    """Yield the components with at most `cap` cells (0: no limit), as plain numbers."""
    for linked in components(e for e in knowledge.equations.values() if e.cells):
        cells = {index for equation in linked for index in equation.cells}
        if not cap or len(cells) <= cap:
            yield tuple(sorted(indexed_equation(equation) for equation in linked))
        elif knowledge.report is not None:
            values = {"cells": len(cells), "cap": cap}
            knowledge.report(Entry(Phrase("log.too-large", values), "scope"))


def listed_mines(grid: Grid, found: Iterable[Iterable[int]], number: int) -> Iterator[Entry]:
    """Yield the mines of each solution found, and how many of the `number` are not listed."""
    for mines in found:
        number -= 1
        yield Entry(Phrase("log.mines", {"cells": grid.cells(mines)}), "columns")
    if number > 0:
        yield Entry(Phrase("log.more", {"more": number}), "columns")


def indexed_equation(equation: Equation) -> IndexedEquation:
    """Return an equation as plain numbers."""
    return IndexedEquation(tuple(sorted(equation.cells)), equation.least, equation.most)
