"""A player's knowledge in one game: equations and deductions, updated event by event.

Opening or deducing a cell changes only the equations that contain it, at most eight, so the cost
of a move does not grow with the board.
"""

from __future__ import annotations

from collections.abc import Iterable

from mineproof.arguments import each, of_type
from mineproof.errors import Contradiction
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import COUNT, Equation, System
from mineproof.reasoning.posterior import Posterior, Tracker
from mineproof.world.clues import ClueModel, Exact, as_clues
from mineproof.world.rules import RulesLike, as_rules
from mineproof.world.view import (
    COVERED,
    EXPLODED,
    HIDDEN,
    KNOWN_SAFE,
    NO_CLUE,
    UNKNOWN,
    Event,
    View,
    is_clue,
)

_GUARANTEED = Phrase("opening.guaranteed")


class Knowledge(System):
    """What one player knows in a game, updated incrementally from events."""

    def __init__(
        self,
        view: View,
        rules: RulesLike | None = None,
        clues: ClueModel | str | None = None,
        *,
        naive: bool = False,
        imputes: bool = False,
    ) -> None:
        """Start from a view; `clues` is the clue model by which the player reads clues.

        A `naive` player reads every clue as exact, whatever the model. One that `imputes` replaces
        a missing clue by the expected number of mines.
        """
        of_type(view, View, "view")
        self.rules = as_rules(rules, dealt=False)
        given = as_clues(clues, view.grid)
        self.clues = Exact() if naive else given
        self.naive = naive
        self._imputes = imputes
        self.states: bytearray
        super().__init__(view.grid, bytearray([HIDDEN]) * view.grid.size)
        self.mines = view.mines
        self.latest: Equation | None = None
        """The equation that the latest event added, if any."""
        self.covered = view.grid.size
        """The number of cells neither opened nor exploded."""
        self.mines_known = 0
        """The number of exploded cells and deduced mines."""
        self.version = 0
        """Increases whenever a cell is resolved or a clue is added."""
        self._bounds: dict[int, int] = {}
        self._tracker: Tracker | None = None
        self.observe(view.events)

    @property
    def view(self) -> View:
        """Return a snapshot of what the player sees."""
        return View(self.grid, bytes(self.states), self.mines, tuple(self._bounds.items()))

    def posterior(self) -> Posterior | None:
        """Return the posterior; unchanged components are not counted again.

        Raises `Contradiction` if the clues are inconsistent. A naive player, which may misread
        clues, gets None instead.
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
        """Update the knowledge with events of the game."""
        for event in each(events, Event, "events"):
            self._observe(event)

    @property
    def mines_left(self) -> int | None:
        """Return the number of mines not yet located; None if the mine count is unknown."""
        return None if self.mines is None else self.mines - self.mines_known

    def count(self) -> Equation | None:
        """Return the equation of all unresolved cells; None if the mine count is unknown."""
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
        if state == KNOWN_SAFE:
            self.deduce(Deduction(event.cell, mine=False, rule="opening", phrase=_GUARANTEED))
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
        """Remove a cell that is now resolved from the equations that contain it."""
        earlier = self.settled.get(index)
        if earlier is not None:
            if earlier.mine != mine:
                self._correct(index, mine=mine)
            return
        self.version += 1
        self.mines_known += mine
        super()._learn(index, mine=mine)

    def _correct(self, index: int, *, mine: bool) -> None:
        """Correct the equations after a wrong deduction (from clues read unsoundly)."""
        change = 1 if mine else -1
        self.version += 1
        self.mines_known += change
        for near in self.grid.neighbours(index):
            equation = self.equations.get(near)
            if equation is not None:
                equation.least -= change
                equation.most -= change
                equation.mines += change
                self._touch(equation)

    def _read(self, index: int, clue: int, bound: int | None) -> None:
        if bound is not None:
            self._bounds[index] = bound
        least, most = self._range(clue, self.grid.neighbour_count(index), bound)
        self._add_equation(index, *self._around(index), least, most)

    def _impute(self, index: int) -> None:
        """Replace a missing clue by the expected number of mines, rounded down (report 002)."""
        left, hidden = self.mines_left, self.covered - len(self.settled)
        if left is not None and hidden > 0:
            cells, known, mines = self._around(index)
            clue = mines + max(len(cells) * left // hidden, 0)
            self._add_equation(index, cells, known, mines, clue, clue)

    def _around(self, index: int) -> tuple[set[int], list[int], int]:
        """Return the unresolved and the resolved neighbours of a cell, and the known mines."""
        cells: set[int] = set()
        known: list[int] = []
        mines = 0
        for near in self.grid.neighbours(index):
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
        """Add a clue with `least` to `most` mines around it, of which `mines` are known."""
        self.version += 1
        self._drop(index)
        self.latest = Equation(index, cells, known, least - mines, most - mines, mines)
        self._add(self.latest)

    def _range(self, clue: int, degree: int, bound: int | None) -> tuple[int, int]:
        """Return the smallest and the largest number of mines possible with this clue."""
        if isinstance(self.clues, Exact):
            return clue, clue
        table = self.clues.likelihood(clue, degree, bound)
        possible = [count for count, chance in enumerate(table) if chance > 0]
        return (possible[0], possible[-1]) if possible else (0, degree)
