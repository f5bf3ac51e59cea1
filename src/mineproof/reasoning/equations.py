"""Equations over unresolved cells: what all reasoners work on.

Every clue is an equation: a set of cells and the number of mines among them. An uncertain clue
gives a lower and an upper bound instead of one number. Deducing a cell changes only the
equations that contain it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from mineproof.reasoning.components import component
from mineproof.reasoning.deductions import Deduction, Entry
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import COVERED

COUNT = -1
"""Replaces a clue's cell in the equation of all unresolved cells and the mines left."""


class Equation:
    """Between `least` and `most` of `cells` are mines; for an exact clue both are equal.

    `clue` is the cell that shows it (or `COUNT`), `known` its neighbours that are resolved, and
    `mines` the number of mines among these. All cells are indices.
    """

    __slots__ = ("cells", "clue", "known", "least", "mines", "most")

    def __init__(
        self, clue: int, cells: set[int], known: list[int], least: int, most: int, mines: int = 0
    ) -> None:
        self.clue = clue
        self.cells = cells
        self.known = known
        self.least = least
        self.most = most
        self.mines = mines

    @property
    def is_exact(self) -> bool:
        """Return whether both bounds are equal."""
        return self.least == self.most

    def copy(self) -> Equation:
        """Return a copy."""
        cells, known = set(self.cells), list(self.known)
        return Equation(self.clue, cells, known, self.least, self.most, self.mines)


def is_one_sided(equations: Iterable[Equation]) -> bool:
    """Return whether all equations are only lower bounds, or all only upper bounds."""
    said = list(equations)
    only_least = all(equation.most >= len(equation.cells) for equation in said)
    return only_least or all(equation.least <= 0 for equation in said)


def premises(
    equations: Iterable[Equation], grid: Grid
) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Return the cells of the clues of equations, and the resolved cells around them."""
    said = list(equations)
    clues = sorted(equation.clue for equation in said)
    known = sorted({index for equation in said for index in equation.known})
    return tuple(grid.cells(clues)), tuple(grid.cells(known))


class System:
    """Equations, and the cells deduced from them."""

    def __init__(self, grid: Grid, states: bytes | bytearray) -> None:
        self.grid = grid
        self.states = states
        """One byte per cell, as in a view."""
        self.equations: dict[int, Equation] = {}
        """The equations by the cell of their clue."""
        self.settled: dict[int, Deduction] = {}
        """Covered cells that are deduced."""
        self.deductions: list[Deduction] = []
        """All deductions so far, in order."""
        self.report: Callable[[Entry], None] | None = None
        """Called with each step of a reasoner; None if there is no log."""
        self._holding: dict[int, list[Equation]] = {}
        self._fresh: dict[str, _ChangeQueue] = {}
        self._memos: dict[str, dict[Any, Any]] = {}

    def memo(self, reader: str) -> dict[Any, Any]:
        """Return a dictionary in which a reader can keep results for its next call."""
        return self._memos.setdefault(reader, {})

    def deduce(self, deduction: Deduction) -> None:
        """Add a deduction and update the equations."""
        index = self.grid.index(deduction.cell)
        self._learn(index, mine=deduction.mine)
        self.settled[index] = deduction
        self.deductions.append(deduction)

    def holding(self, index: int) -> Sequence[Equation]:
        """Return the equations that contain a cell."""
        return self._holding.get(index, ())

    def fresh(self, reader: str) -> Iterator[Equation]:
        """Yield the equations that changed since this reader last saw them, until there are none.

        Equations that change during the iteration are yielded again.
        """
        if reader not in self._fresh:
            self._fresh[reader] = _ChangeQueue(self.equations.values())
        queue = self._fresh[reader]
        while queue.waiting:
            yield queue.pop()

    def is_open(self, index: int) -> bool:
        """Return whether a cell is unresolved: covered and not deduced."""
        return self.states[index] in COVERED and index not in self.settled

    def component(self, start: Equation) -> list[Equation]:
        """Return the equations linked with this one by shared cells, starting with itself."""
        return component(start, self._holding)

    def components_of(self, equations: Iterable[Equation]) -> Iterator[list[Equation]]:
        """Yield the components of these equations, each once."""
        seen: set[int] = set()
        for equation in equations:
            if equation.clue not in seen:
                linked = self.component(equation)
                seen.update(other.clue for other in linked)
                yield linked

    def _drop(self, clue: int) -> None:
        """Remove an equation that will be replaced."""
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
        """Remove a cell that is now resolved from the equations that contain it."""
        for equation in self._holding.pop(index, ()):
            equation.cells.discard(index)
            equation.known.append(index)
            if mine:
                equation.least -= 1
                equation.most -= 1
                equation.mines += 1
            self._touch(equation)

    def _touch(self, equation: Equation) -> None:
        for queue in self._fresh.values():
            queue.add(equation)


class Excerpt(System):
    """A copy of some equations, so that reasoning leaves the original unchanged."""

    def __init__(self, whole: System, equations: Iterable[Equation]) -> None:
        super().__init__(whole.grid, whole.states)
        self.report = whole.report
        for equation in equations:
            self._add(equation.copy())


class _ChangeQueue:
    """Equations that wait for a reader, each once, first in, first out.

    Not an ordered dict: removing its first item repeatedly takes quadratic time.
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
