"""Minimal premises of a certain cell: a smallest set of clues, and the known cells that these need.

A clue concerns all cells around it, but not every known one of them matters: once all its mines are
found, it is irrelevant which of its other neighbours are open. The premises here are all needed: if
any of them were unknown, the cell would be undecided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mineproof.errors import Contradiction
from mineproof.reasoning.posterior import posterior
from mineproof.reasoning.premises import Premises
from mineproof.reasoning.proofs import Proof, explain
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.view import EXPLODED, KNOWN_SAFE, UNKNOWN, Event, View


class SmallestPremiseFinder:
    """Finds minimal premises of certain cells in one view.

    If there is a choice, the cells with the largest `depths` are left out first.
    """

    def __init__(
        self,
        view: View,
        clues: ClueModel = Exact(),
        *,
        density: float | None = None,
        depths: Mapping[Cell, int] | None = None,
    ) -> None:
        self._view, self._clues, self._density = view, clues, density
        self._events = {event.cell: event for event in view.events}
        self._depths = {} if depths is None else depths

    def premises(self, cell: Cell, *, mine: bool) -> Premises | None:
        """Return the premises of a hidden cell that is a mine (or safe); None if not certain."""
        try:
            proof = explain(self._view, cell, self._clues, density=self._density)
        except Contradiction:  # the clues do not follow the clue model, so they prove nothing
            return None
        if proof.mine is not mine:
            return None
        grid = self._view.grid
        near = {other for clue in proof.clues for other in grid.neighbours(grid.index(clue))}
        known = range(grid.size) if proof.count_used else sorted(near)
        opened = [i for i in known if self._view.states[i] not in UNKNOWN]
        cells = [one for one in grid.cells(opened) if one not in proof.clues]
        cells.sort(key=lambda one: -self._depths.get(one, 0))
        needed = self._needed(proof, cells, ())
        return Premises(proof.clues, tuple(sorted(needed)), proof.count_used)

    def _needed(self, proof: Proof, cells: Sequence[Cell], kept: Iterable[Cell]) -> list[Cell]:
        """Return the cells that the proof needs in addition to those that are kept.

        All cells are tried at once, then halves of them (divide and conquer).
        """
        kept = list(kept)
        if not cells or self._holds(proof, kept):
            return []
        if len(cells) == 1:
            return [*cells]
        first, second = cells[: len(cells) // 2], cells[len(cells) // 2 :]
        needed = self._needed(proof, first, [*kept, *second])
        return [*needed, *self._needed(proof, second, [*kept, *needed])]

    def _holds(self, proof: Proof, known: Iterable[Cell]) -> bool:
        """Whether the clues of a proof prove its cell if these are the only known cells."""
        view = self._view
        mines, density = (view.mines, self._density) if proof.count_used else (None, None)
        marked = [
            Event(cell, EXPLODED if view.state(cell) == EXPLODED else KNOWN_SAFE) for cell in known
        ]
        shown = [self._events[cell] for cell in proof.clues]
        seen = View.hidden(view.rows, view.cols, mines).after([*marked, *shown])
        odds = posterior(seen, self._clues, density=density)
        return proof.cell in (odds.mined if proof.mine else odds.safe)
