"""Equations over cells whose truth is open: what all reasoners work on.

Every clue is an equation: a set of cells and how many mines are among them. A clue
under a noisy model gives a least and a most instead of one number; nothing else is
different. Settling a cell touches the equations that hold it and no others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mineproof.reasoning.components import component
from mineproof.reasoning.deductions import Deduction
from mineproof.world.geometry import Grid
from mineproof.world.view import COVERED

COUNT = -1
"""In place of a clue's cell: the equation of all open cells and the mines left."""


class Equation:
    """Between `least` and `most` of `cells` are mines; for an exact clue both are equal.

    `clue` is the cell that says so (or `COUNT`), `known` its neighbours whose truth is
    settled. All are indices.
    """

    __slots__ = ("cells", "clue", "known", "least", "most")

    def __init__(self, clue: int, cells: set[int], known: list[int], least: int, most: int) -> None:
        self.clue = clue
        self.cells = cells
        self.known = known
        self.least = least
        self.most = most

    @property
    def is_exact(self) -> bool:
        """Whether it says one number."""
        return self.least == self.most

    def copy(self) -> Equation:
        """Another one that says the same."""
        return Equation(self.clue, set(self.cells), list(self.known), self.least, self.most)


def is_one_sided(equations: Iterable[Equation]) -> bool:
    """Whether all equations give only a least number, or all only a most."""
    said = list(equations)
    only_least = all(equation.most >= len(equation.cells) for equation in said)
    return only_least or all(equation.least <= 0 for equation in said)


class System:
    """Equations, and what was settled in them."""

    def __init__(self, grid: Grid, states: bytes | bytearray) -> None:
        self.grid = grid
        self.states = states
        """One byte a cell, as in a view; what an equation's clue shows."""
        self.equations: dict[int, Equation] = {}
        """By the cell of their clue."""
        self.settled: dict[int, Deduction] = {}
        """Covered cells whose truth is proved."""
        self.deductions: list[Deduction] = []
        """All that was proved so far, in order."""
        self.tell: Callable[[str], None] | None = None
        """Called with what a reasoner does, if somebody wants to know."""
        self._holding: dict[int, list[Equation]] = {}
        self._fresh: dict[str, _Queue] = {}
        self._memos: dict[str, dict[Any, Any]] = {}

    def memo(self, reader: str) -> dict[Any, Any]:
        """What a reader wants to keep for the next time."""
        return self._memos.setdefault(reader, {})

    def settle(self, deduction: Deduction) -> None:
        """Take in what was proved."""
        index = self.grid.index(deduction.cell)
        self._learn(index, mine=deduction.mine)
        self.settled[index] = deduction
        self.deductions.append(deduction)

    def holding(self, index: int) -> Sequence[Equation]:
        """The equations that hold a cell."""
        return self._holding.get(index, ())

    def fresh(self, reader: str) -> Iterator[Equation]:
        """The equations that changed since this reader last saw them, until there are none.

        Those that change while they are read come again.
        """
        if reader not in self._fresh:
            self._fresh[reader] = _Queue(self.equations.values())
        queue = self._fresh[reader]
        while queue.waiting:
            yield queue.pop()

    def is_open(self, index: int) -> bool:
        """Whether the truth of a cell is not known yet."""
        return self.states[index] in COVERED and index not in self.settled

    def component(self, start: Equation) -> list[Equation]:
        """The equations that are linked with this one by shared cells, itself first."""
        return component(start, self._holding)

    def _drop(self, clue: int) -> None:
        """Take an equation out, where another one comes in its place."""
        equation = self.equations.pop(clue, None)
        if equation is not None:
            for index in equation.cells:
                self._holding[index].remove(equation)

    def _add(self, equation: Equation) -> None:
        self.equations[equation.clue] = equation
        for index in equation.cells:
            self._holding.setdefault(index, []).append(equation)
        self._touch(equation)

    def _learn(self, index: int, *, mine: bool) -> None:
        """The truth of a cell came to be known: take it out of the equations that hold it."""
        for equation in self._holding.pop(index, ()):
            equation.cells.discard(index)
            equation.known.append(index)
            if mine:
                equation.least -= 1
                equation.most -= 1
            self._touch(equation)

    def _touch(self, equation: Equation) -> None:
        for queue in self._fresh.values():
            queue.add(equation)


class Excerpt(System):
    """A copy of some equations, to reason in without touching what it was taken from."""

    def __init__(self, whole: System, equations: Iterable[Equation]) -> None:
        super().__init__(whole.grid, whole.states)
        self.tell = whole.tell
        for equation in equations:
            self._add(equation.copy())


class _Queue:
    """Equations that wait for a reader, each once, first in first out.

    Not an ordered dict: taking its first item again and again is quadratic.
    """

    __slots__ = ("_names", "waiting")

    def __init__(self, equations: Iterable[Equation]) -> None:
        self.waiting = deque(equations)
        self._names = {equation.clue for equation in self.waiting}

    def add(self, equation: Equation) -> None:
        if equation.clue not in self._names:
            self._names.add(equation.clue)
            self.waiting.append(equation)

    def pop(self) -> Equation:
        equation = self.waiting.popleft()
        self._names.discard(equation.clue)
        return equation
