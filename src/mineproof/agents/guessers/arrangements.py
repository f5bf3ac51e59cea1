"""Every arrangement of a component, listed: the guess of report 000."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from textwrap import wrap
from time import perf_counter
from typing import NamedTuple

from mineproof.agents.guessers.by_clues import in_order
from mineproof.agents.guessers.order import CLOSE, SharedOrder, can_be_opened
from mineproof.errors import counted
from mineproof.reasoning.components import components
from mineproof.reasoning.describing import shares_text
from mineproof.reasoning.equations import Equation
from mineproof.reasoning.knowledge import Knowledge
from mineproof.world.geometry import name_cells
from mineproof.world.move import Move

CAP = 20
"""Components with more cells than these are skipped, as in the report."""

MOST_SHOWN = 64
"""Arrangements that a log shows of a component."""
MOST = 20_000
"""Components with more arrangements than these are skipped, too."""


class Said(NamedTuple):
    """An equation as plain numbers."""

    cells: tuple[int, ...]
    least: int
    most: int


class Arrangements(NamedTuple):
    """How many arrangements a component has by number of mines, and how often a cell is mined."""

    cells: tuple[int, ...]
    number: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]
    """By number of mines, then by cell."""

    @property
    def fewest(self) -> int | None:
        """The least number of mines; None if nothing fits."""
        return next((mines for mines, number in enumerate(self.number) if number), None)

    def shares(self, most: int | None) -> list[float] | None:
        """The share of arrangements in which each cell is mined, of those with at most so many."""
        end = len(self.number) if most is None else max(most + 1, 0)
        total = sum(self.number[:end])
        if not total:
            return None
        return [sum(by_cell) / total for by_cell in zip(*self.mined[:end], strict=True)]


@lru_cache(maxsize=4096)
def enumerate_all(said: tuple[Said, ...]) -> Arrangements:
    """List every arrangement that fits; a component that did not change is not listed again.

    One with more than `MOST` arrangements (noisy clues exclude little) is given up: none.
    """
    cells = tuple(sorted({index for equation in said for index in equation.cells}))
    number = [0] * (len(cells) + 1)
    mined = [[0] * len(cells) for _ in number]
    for listed_so_far, arrangement in enumerate(_arrangements(cells, said)):
        if listed_so_far == MOST:
            return Arrangements(cells, (0,) * len(number), ())
        mines = sum(arrangement)
        number[mines] += 1
        for place, mine in enumerate(arrangement):
            mined[mines][place] += mine
    return Arrangements(cells, tuple(number), tuple(map(tuple, mined)))


def _arrangements(cells: tuple[int, ...], said: tuple[Said, ...]) -> Iterator[list[int]]:
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


def room(left: int, components: Iterable[Arrangements], one: Arrangements) -> int:
    """The most mines that one component can have if the others have as few as they can."""
    return left - sum(other.fewest or 0 for other in components) + (one.fewest or 0)


@dataclass(frozen=True)
class LeastShare:
    """The cell that is mined in the fewest arrangements of its component.

    With the count, an arrangement is dropped if its mines and the least of the other
    components exceed the mines left; and outside the risk is at most the mines left
    after those leasts, over the cells there: if that is less, the next cell outside.
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
            one = enumerate_all(said)
            if one.fewest is not None:
                self.found.append(one)
            if knowledge.tell is not None:
                self._tell_listing(said, one, perf_counter() - begun, knowledge.tell)
        self.leasts = sum(one.fewest or 0 for one in self.found)
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

    def _limit(self, one: Arrangements) -> int | None:
        """The most mines that the others leave to a component."""
        return None if self.left is None else room(self.left, self.found, one)

    def _inside(self) -> tuple[float, int, int] | None:
        """The least share, its cell, and the arrangements of its component."""
        shares = {}
        for one in self.found:
            limit = self._limit(one)
            for index, share in zip(one.cells, one.shares(limit) or (), strict=False):
                if can_be_opened(self.knowledge, index):
                    end = None if limit is None else max(limit + 1, 0)
                    shares[index] = (share, sum(one.number[:end]))
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
        others = self.knowledge.covered - len(self.knowledge.settled) - len(inside)
        index = self.order.first(self.knowledge, lambda index: index not in inside)
        if index is None or others <= 0:
            return None
        return min(max((self.left - self.leasts) / others, 0.0), 1.0), index

    def _tell_listing(
        self, said: tuple[Said, ...], one: Arrangements, seconds: float, tell: Callable[[str], None]
    ) -> None:
        """The arrangements of a component, the first of them one by one."""
        cells, number = name_cells(self.knowledge.grid.cells(one.cells)), sum(one.number)
        shown = islice(_arrangements(one.cells, said), MOST_SHOWN)
        lines = wrap(" ".join("".join(".*"[mine] for mine in each) for each in shown), 96)
        if number > MOST_SHOWN:
            lines.append(f"and {number - MOST_SHOWN} more")
        title = f"component {cells}: {counted(number, 'arrangement')}, {seconds:.6f} seconds"
        tell("\n  ".join([title, *lines]))

    def _tell_shares(self, tell: Callable[[str], None]) -> None:
        """How often each cell is mined, and what is known of those outside."""
        for one in self.found:
            shares = one.shares(self._limit(one)) or ()
            each = dict(zip(one.cells, shares, strict=False))
            tell(shares_text("mined in these shares", each, self.knowledge.grid))
        outside = self._outside()
        if outside is not None:
            tell(f"outside the components at most {outside[0]:.1%} are mined")


def _components(knowledge: Knowledge, cap: int) -> Iterator[tuple[Said, ...]]:
    """The components of at most so many cells, as plain numbers."""
    for linked in components(e for e in knowledge.equations.values() if e.cells):
        cells = {index for equation in linked for index in equation.cells}
        if len(cells) <= cap:
            yield tuple(sorted(_said(equation) for equation in linked))
        elif knowledge.tell is not None:
            knowledge.tell(
                f"component of {counted(len(cells), 'cell')}: more than {cap}, not listed"
            )


def _said(equation: Equation) -> Said:
    return Said(tuple(sorted(equation.cells)), equation.least, equation.most)
