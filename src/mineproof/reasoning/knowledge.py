"""What follows so far, in one game.

Every clue is an equation: a set of cells whose truth is open, and how many mines
are among them. A clue under a noisy model gives a least and a most instead of
one number; nothing else is different. Opening or settling a cell touches the
equations that hold it, at most eight, and no others: the cost of a move does not
grow with the board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from mineproof.clues import ClueModel, Exact
from mineproof.geometry import Grid
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.posterior import Posterior, Tracker
from mineproof.rules import Rules
from mineproof.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, TOLD_SAFE, Event, View


class Equation:
    """Between `least` and `most` of `cells` are mines; for an exact clue both are equal.

    `clue` is the cell that says so, `known` its neighbours whose truth is settled.
    All are indices.
    """

    __slots__ = ("cells", "clue", "known", "least", "most")

    def __init__(self, clue: int, cells: set[int], known: list[int], least: int, most: int) -> None:
        self.clue = clue
        self.cells = cells
        self.known = known
        self.least = least
        self.most = most


class Knowledge:
    """What one player knows: fed with events, kept incrementally."""

    def __init__(
        self, view: View, rules: Rules | None = None, clues: ClueModel | None = None
    ) -> None:
        """Begin from a view; `clues` is how the player reads what is shown."""
        self.rules = rules or Rules()
        self.clues = clues or Exact()
        self.grid: Grid = view.grid
        self.mines = view.mines
        self.states = bytearray([HIDDEN]) * view.grid.size
        self.settled: dict[int, Deduction] = {}
        """Covered cells whose truth is proved."""
        self.deductions: list[Deduction] = []
        """All that was proved so far, in order."""
        self.equations: dict[int, Equation] = {}
        """By the cell of their clue."""
        self.latest: Equation | None = None
        """The equation that the latest event brought, if it did."""
        self.covered = view.grid.size
        """Cells neither opened nor exploded."""
        self.mines_known = 0
        """Exploded cells, and settled ones that are mined."""
        self._holding: dict[int, list[Equation]] = {}
        self._bounds: dict[int, int] = {}
        self._fresh: dict[str, _Queue] = {}
        self._tracker: Tracker | None = None
        bounds = dict(view.bounds)
        cell = view.grid.cell
        self.observe(
            Event(cell(index), state, bounds.get(index))
            for index, state in enumerate(view.states)
            if state != HIDDEN
        )

    @property
    def view(self) -> View:
        """A snapshot of what is seen."""
        bounds = tuple(sorted(self._bounds.items()))
        return View(self.grid, bytes(self.states), self.mines, bounds)

    def posterior(self) -> Posterior:
        """The exact posterior; what moves did not touch is not counted again."""
        if self._tracker is None:
            self._tracker = Tracker(self.clues, self.rules.density)
        return self._tracker.posterior(self.view)

    def observe(self, events: Iterable[Event]) -> None:
        """Take in what the referee told."""
        for event in events:
            self._observe(event)

    def settle(self, deduction: Deduction) -> None:
        """Take in what was proved."""
        index = self.grid.index(deduction.cell)
        self._learn(index, mine=deduction.mine)
        self.settled[index] = deduction
        self.deductions.append(deduction)

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
        return self.states[index] in _COVERED and index not in self.settled

    def _observe(self, event: Event) -> None:
        row, col = event.cell
        index = row * self.grid.cols + col
        before, state = self.states[index], event.state
        self.states[index] = state
        self.latest = None
        if state in _MARKS:
            return
        if state == TOLD_SAFE:
            self.settle(Deduction(event.cell, mine=False, rule="opening", why="told by the rules"))
            return
        if before in _COVERED:
            self.covered -= 1
            self._learn(index, mine=state == EXPLODED)
            self.settled.pop(index, None)
        if state not in {EXPLODED, NO_CLUE}:
            self._add_equation(index, state, event.bound)

    def _learn(self, index: int, *, mine: bool) -> None:
        """The truth of a cell came to be known: take it out of the equations that hold it."""
        earlier = self.settled.get(index)
        if earlier is not None:
            if earlier.mine != mine:
                self._correct(index, mine=mine)
            return
        self.mines_known += mine
        for equation in self._holding.pop(index, ()):
            equation.cells.discard(index)
            equation.known.append(index)
            if mine:
                equation.least -= 1
                equation.most -= 1
            self._touch(equation)

    def _correct(self, index: int, *, mine: bool) -> None:
        """A verdict turned out wrong (an unsound reading of the clues): repair what used it."""
        change = 1 if mine else -1
        self.mines_known += change
        for near in self.grid.around(index):
            equation = self.equations.get(near)
            if equation is not None:
                equation.least -= change
                equation.most -= change
                self._touch(equation)

    def _add_equation(self, index: int, clue: int, bound: int | None) -> None:
        around = self.grid.around(index)
        least, most = self._range(clue, len(around), bound)
        if bound is not None:
            self._bounds[index] = bound
        cells: set[int] = set()
        known: list[int] = []
        for near in around:
            if self.states[near] not in _COVERED:
                mine = self.states[near] == EXPLODED
            elif near in self.settled:
                mine = self.settled[near].mine
            else:
                cells.add(near)
                continue
            known.append(near)
            if mine:
                least -= 1
                most -= 1
        equation = Equation(index, cells, known, least, most)
        self.equations[index] = self.latest = equation
        for near in cells:
            self._holding.setdefault(near, []).append(equation)
        self._touch(equation)

    def _range(self, clue: int, degree: int, bound: int | None) -> tuple[int, int]:
        """The least and the most mines that the clue leaves possible."""
        if isinstance(self.clues, Exact):
            return clue, clue
        table = self.clues.likelihood(clue, degree, bound)
        possible = [count for count, chance in enumerate(table) if chance > 0]
        return (possible[0], possible[-1]) if possible else (0, degree)

    def _touch(self, equation: Equation) -> None:
        for queue in self._fresh.values():
            queue.add(equation)


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


_COVERED = frozenset({HIDDEN, TOLD_SAFE, FLAGGED})
_MARKS = frozenset({HIDDEN, FLAGGED})
