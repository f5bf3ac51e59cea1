"""What follows so far, in one game.

Events become equations. Opening or settling a cell touches the equations that hold
it, at most eight, and no others: the cost of a move does not grow with the board.
"""

from __future__ import annotations

from collections.abc import Iterable

from mineproof.clues import ClueModel, Exact
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import COUNT, COVERED, Equation, System
from mineproof.reasoning.posterior import Posterior, Tracker
from mineproof.rules import Rules
from mineproof.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, TOLD_SAFE, Event, View


class Knowledge(System):
    """What one player knows: fed with events, kept incrementally."""

    def __init__(
        self, view: View, rules: Rules | None = None, clues: ClueModel | None = None
    ) -> None:
        """Begin from a view; `clues` is how the player reads what is shown."""
        self.rules = rules or Rules()
        self.clues = clues or Exact()
        self.states: bytearray
        super().__init__(view.grid, bytearray([HIDDEN]) * view.grid.size)
        self.mines = view.mines
        self.latest: Equation | None = None
        """The equation that the latest event brought, if it did."""
        self.covered = view.grid.size
        """Cells neither opened nor exploded."""
        self.mines_known = 0
        """Exploded cells, and settled ones that are mined."""
        self.version = 0
        """Goes up whenever a cell or a clue came to be known."""
        self._bounds: dict[int, int] = {}
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

    @property
    def mines_left(self) -> int | None:
        """Mines whose cells are not known; None where the count is not."""
        return None if self.mines is None else self.mines - self.mines_known

    def count(self) -> Equation | None:
        """The equation of all open cells, if the mine count is known."""
        left = self.mines_left
        if left is None:
            return None
        cells = {index for index in range(self.grid.size) if self.is_open(index)}
        return Equation(COUNT, cells, [], left, left)

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
        if before in COVERED:
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
        self.version += 1
        self.mines_known += mine
        super()._learn(index, mine=mine)

    def _correct(self, index: int, *, mine: bool) -> None:
        """A verdict turned out wrong (an unsound reading of the clues): repair what used it."""
        change = 1 if mine else -1
        self.version += 1
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
            if self.states[near] not in COVERED:
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
        self.version += 1
        self.latest = Equation(index, cells, known, least, most)
        self._add(self.latest)

    def _range(self, clue: int, degree: int, bound: int | None) -> tuple[int, int]:
        """The least and the most mines that the clue leaves possible."""
        if isinstance(self.clues, Exact):
            return clue, clue
        table = self.clues.likelihood(clue, degree, bound)
        possible = [count for count, chance in enumerate(table) if chance > 0]
        return (possible[0], possible[-1]) if possible else (0, degree)


_MARKS = frozenset({HIDDEN, FLAGGED})
