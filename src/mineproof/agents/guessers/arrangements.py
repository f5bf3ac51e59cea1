"""Every arrangement of a component, counted alike: the guess of report 000."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, islice
from time import perf_counter
from typing import NamedTuple

from mineproof.agents.guessers.by_clues import in_order
from mineproof.agents.guessers.order import CLOSE, SharedOrder, can_be_opened
from mineproof.errors import counted
from mineproof.reasoning import sweep
from mineproof.reasoning.components import components
from mineproof.reasoning.describing import shares_text
from mineproof.reasoning.equations import Equation
from mineproof.reasoning.evidence import Constraint
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.geometry import name_cells
from mineproof.world.move import Move

CAP = 20
"""Components with more cells than these are skipped, as in the report."""

MOST_SHOWN = 1000
"""Configurations that a log lists for a component."""
BUDGET = 200_000
"""States that the count of a component may take: about a second. Beyond it is skipped, too."""


class Said(NamedTuple):
    """An equation as plain numbers."""

    cells: tuple[int, ...]
    least: int
    most: int


Mines = range
"""The numbers of mines that a component can have."""


class Arrangements(NamedTuple):
    """The arrangements of a component, counted by their number of mines."""

    cells: tuple[int, ...]
    number: Mapping[int, int]
    """How many there are, by number of mines; empty if nothing fits."""
    swept: sweep.Component | None = None

    @property
    def fewest(self) -> int | None:
        """The least number of mines; None if nothing fits."""
        return min(self.number, default=None)

    def within(self, mines: Mines) -> int:
        """How many have so many mines."""
        return sum(number for count, number in self.number.items() if count in mines)

    def shares(self, mines: Mines) -> dict[int, float]:
        """In what share of those with so many mines each cell is mined; empty if there are none."""
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
def count_all(said: tuple[Said, ...]) -> Arrangements:
    """Count every arrangement that fits; a component that did not change is not counted again.

    One that takes more than `BUDGET` is given up: none.
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
        return Arrangements(cells, {})
    return Arrangements(cells, {m: n for m, n in sorted(swept.weights.items()) if n}, swept)


def listed(cells: tuple[int, ...], said: tuple[Said, ...]) -> Iterator[list[int]]:
    """All ways to mine the cells such that every equation holds."""
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


def room(left: int, others: Iterable[Arrangements], outside: int) -> Mines:
    """The numbers of mines that the others, and so many cells outside, leave to a component."""
    counts = [one.number for one in others if one.number]
    fewest = left - sum(max(number) for number in counts) - outside
    return range(max(fewest, 0), max(left - sum(min(number) for number in counts) + 1, 0))


@dataclass(frozen=True)
class LeastShare:
    """The cell that is mined in the fewest arrangements of its component.

    With the count, an arrangement is dropped if its mines and the least of the other
    components exceed the mines left, or if with their most and all cells outside they do not
    reach them; and outside the risk is at most the mines left after those leasts, over the
    cells there: if that is less, the next cell outside. `cap` 0 lifts the cap.
    """

    count: bool
    cap: int = CAP

    def __str__(self) -> str:
        return "least_share" if self.count else "least_share without count"

    def __call__(self, knowledge: Knowledge, order: SharedOrder) -> Move | None:
        """The guess, if there is a cell to open."""
        left = knowledge.mines_left if self.count else None
        return _Choice(knowledge, order, left, self.cap).guess()


class _Choice:
    """One guess among the components of a position."""

    def __init__(
        self, knowledge: Knowledge, order: SharedOrder, left: int | None, cap: int
    ) -> None:
        self.knowledge, self.order, self.left = knowledge, order, left
        self.found: list[Arrangements] = []
        for said in _components(knowledge, cap):
            begun = perf_counter()
            one = count_all(said)
            if one.number:
                self.found.append(one)
            if knowledge.tell is not None:
                self._tell_listing(said, one, perf_counter() - begun, knowledge.tell)
        self.leasts = sum(one.fewest or 0 for one in self.found)
        inside = sum(len(one.cells) for one in self.found)
        self.outside = knowledge.covered - len(knowledge.settled) - inside
        if knowledge.tell is not None:
            self._tell_shares(knowledge.tell)

    def guess(self) -> Move | None:
        best = self._inside()
        outside = self._outside()
        if outside is not None and (best is None or outside[0] < best[0] - CLOSE):
            risk, index = outside
            why = f"outside the components at most {risk:.1%} of the cells are mined"
            return Move(self.knowledge.grid.cell(index), "open", risk, False, why)
        if best is None:
            return in_order(self.knowledge, self.order)
        risk, index, total = best
        cell = self.knowledge.grid.cell(index)
        if risk == 0:
            why = f"it is a mine in none of the {counted(total, 'arrangement')} of its component"
            return Move(cell, "open", 0.0, True, why, rule="arrangements")
        why = f"it is a mine in {risk:.1%} of the {counted(total, 'arrangement')}, the least"
        return Move(cell, "open", risk, False, why)

    def _mines(self, one: Arrangements) -> Mines:
        """The numbers of mines that a component can have."""
        if self.left is None:
            return range(len(one.cells) + 1)
        others = (other for other in self.found if other is not one)
        return room(self.left, others, self.outside)

    def _inside(self) -> tuple[float, int, int] | None:
        """The least share, its cell, and the arrangements of its component."""
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
        """The bound on the risk outside, and the next cell there."""
        if self.left is None:
            return None
        inside = {index for one in self.found for index in one.cells}
        index = self.order.first(self.knowledge, lambda index: index not in inside)
        if index is None or self.outside <= 0:
            return None
        return min(max((self.left - self.leasts) / self.outside, 0.0), 1.0), index

    def _tell_listing(
        self, said: tuple[Said, ...], one: Arrangements, seconds: float, tell: Callable[[str], None]
    ) -> None:
        """Every configuration of a component, as the list of its mines."""
        grid, number = self.knowledge.grid, sum(one.number.values())
        lines = [
            name_cells(grid.cells(compress(one.cells, mined))) or "no mine"
            for mined in islice(listed(one.cells, said), MOST_SHOWN)
        ]
        if number > MOST_SHOWN:
            lines.append(f"and {number - MOST_SHOWN} more")
        cells = name_cells(grid.cells(one.cells))
        title = f"component {cells}: {counted(number, 'configuration')}, {seconds:.6f} seconds"
        tell("\n  ".join([title, *lines]))

    def _tell_shares(self, tell: Callable[[str], None]) -> None:
        """How often each cell is mined, and what is known of those outside."""
        for one in self.found:
            shares = one.shares(self._mines(one))
            tell(shares_text("mined in these shares", shares, self.knowledge.grid))
        outside = self._outside()
        if outside is not None:
            tell(f"outside the components at most {outside[0]:.1%} are mined")


def _components(knowledge: Knowledge, cap: int) -> Iterator[tuple[Said, ...]]:
    """The components of at most so many cells (0: of any number), as plain numbers."""
    for linked in components(e for e in knowledge.equations.values() if e.cells):
        cells = {index for equation in linked for index in equation.cells}
        if not cap or len(cells) <= cap:
            yield tuple(sorted(said(equation) for equation in linked))
        elif knowledge.tell is not None:
            knowledge.tell(
                f"component of {counted(len(cells), 'cell')}: more than {cap}, not listed"
            )


def said(equation: Equation) -> Said:
    """An equation as plain numbers."""
    return Said(tuple(sorted(equation.cells)), equation.least, equation.most)
