"""What follows so far, in one game.

Events become equations. Opening or settling a cell touches the equations that hold
it, at most eight, and no others: the cost of a move does not grow with the board.
"""

from __future__ import annotations

from collections.abc import Iterable

from mineproof.errors import Contradiction
from mineproof.given import each, of_type
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import COUNT, Equation, System
from mineproof.reasoning.posterior import Posterior, Tracker
from mineproof.world.clues import ClueModel, Exact, as_clues
from mineproof.world.rules import RulesLike, as_rules
from mineproof.world.view import (
    COVERED,
    EXPLODED,
    HIDDEN,
    NO_CLUE,
    TOLD_SAFE,
    UNKNOWN,
    Event,
    View,
    is_clue,
)


class Knowledge(System):
    """What one player knows: fed with events, kept incrementally."""

    def __init__(
        self,
        view: View,
        rules: RulesLike | None = None,
        clues: ClueModel | str | None = None,
        *,
        naive: bool = False,
        imputes: bool = False,
    ) -> None:
        """Begin from a view; `clues` is how the player reads what is shown.

        A `naive` player takes every clue at its word, whatever the model: as if it were exact.
        One that `imputes` takes a missing clue for the number of mines that it would expect.
        """
        of_type(view, View, "view")
        self.rules = as_rules(rules, dealt=False)
        given = as_clues(clues)
        self.clues = Exact() if naive else given
        self.naive = naive
        self._imputes = imputes
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

    def posterior(self) -> Posterior | None:
        """The exact posterior; what moves did not touch is not counted again.

        Clues that cannot hold together are a `Contradiction`. Only a naive player has to live
        with them: it has no posterior then.
        """
        if self._tracker is None:
            self._tracker = Tracker(self.clues, self.rules.density)
        try:
            return self._tracker.posterior(self.view)
        except Contradiction:
            if self.naive:
                return None
            raise

    def observe(self, events: Iterable[Event]) -> None:
        """Take in what the referee told."""
        for event in each(events, Event, "events"):
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
        if state in UNKNOWN:  # a flag, or one taken back
            return
        if state == TOLD_SAFE:
            self.settle(Deduction(event.cell, mine=False, rule="opening", why="told by the rules"))
            return
        if before in COVERED:
            self.covered -= 1
            self._learn(index, mine=state == EXPLODED)
            self.settled.pop(index, None)
        if is_clue(state):
            self._read(index, state, event.bound)
        elif state == NO_CLUE and self._imputes:
            self._impute(index)

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

    def _read(self, index: int, clue: int, bound: int | None) -> None:
        if bound is not None:
            self._bounds[index] = bound
        least, most = self._range(clue, self.grid.degree(index), bound)
        self._add_equation(index, *self._around(index), least, most)

    def _impute(self, index: int) -> None:
        """In place of a missing clue, the mines to be expected there, rounded down (report 002)."""
        left, hidden = self.mines_left, self.covered - len(self.settled)
        if left is not None and hidden > 0:
            cells, known, mines = self._around(index)
            clue = mines + max(len(cells) * left // hidden, 0)
            self._add_equation(index, cells, known, mines, clue, clue)

    def _around(self, index: int) -> tuple[set[int], list[int], int]:
        """The cells around one that are open, those that are known, and the mines among them."""
        cells: set[int] = set()
        known: list[int] = []
        mines = 0
        for near in self.grid.around(index):
            if self.states[near] not in COVERED:
                mine = self.states[near] == EXPLODED
            elif near in self.settled:
                mine = self.settled[near].mine
            else:
                cells.add(near)
                continue
            known.append(near)
            mines += mine
        return cells, known, mines

    def _add_equation(
        self, index: int, cells: set[int], known: list[int], mines: int, least: int, most: int
    ) -> None:
        """A clue that leaves from `least` to `most` mines around, of which some are known."""
        self.version += 1
        self._drop(index)
        self.latest = Equation(index, cells, known, least - mines, most - mines)
        self._add(self.latest)

    def _range(self, clue: int, degree: int, bound: int | None) -> tuple[int, int]:
        """The least and the most mines that the clue leaves possible."""
        if isinstance(self.clues, Exact):
            return clue, clue
        table = self.clues.likelihood(clue, degree, bound)
        possible = [count for count, chance in enumerate(table) if chance > 0]
        return (possible[0], possible[-1]) if possible else (0, degree)
