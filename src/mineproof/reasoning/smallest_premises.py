"""What a certain cell cannot do without: a smallest set of clues, and what these lean on.

A clue speaks of all cells around it. Of those that are known by then some are idle: where its
mines are all found, it does not matter that its other neighbours are open. What is left here is
needed: with any of it unknown, the cell would be open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mineproof.errors import Contradiction
from mineproof.reasoning.posterior import posterior
from mineproof.reasoning.premises import Premises
from mineproof.reasoning.proofs import Proof, explain
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.view import EXPLODED, HIDDEN, TOLD_SAFE, UNKNOWN, View


class SmallestProver:
    """Finds such premises in one view, for one cell after the other.

    Of what may be left out, the deepest goes first: `depths` tells how deep cells lie.
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
        self._depths = {} if depths is None else depths

    def premises(self, cell: Cell, *, mine: bool) -> Premises | None:
        """What makes a covered cell certain to be a mine, or to be safe; None if it is not."""
        try:
            proof = explain(self._view, cell, self._clues, density=self._density)
        except Contradiction:  # clues that are not what they are taken for prove nothing
            return None
        if proof.mine is not mine:
            return None
        grid = self._view.grid
        near = {other for clue in proof.clues for other in grid.around(grid.index(clue))}
        known = range(grid.size) if proof.count_used else sorted(near)
        opened = [i for i in known if self._view.states[i] not in UNKNOWN]
        cells = [one for one in grid.cells(opened) if one not in proof.clues]
        cells.sort(key=lambda one: -self._depths.get(one, 0))
        needed = self._needed(proof, cells, ())
        return Premises(proof.clues, tuple(sorted(needed)), proof.count_used)

    def _needed(self, proof: Proof, cells: Sequence[Cell], kept: Iterable[Cell]) -> list[Cell]:
        """Those of some cells that the proof cannot do without, given others that are kept.

        Many are tried at once, and halves of them where that was too many.
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
        """Whether the clues of a proof prove its cell if only these cells are known besides."""
        view = self._view
        states = bytearray([HIDDEN]) * view.grid.size
        for cell in known:
            index = view.grid.index(cell)
            states[index] = EXPLODED if view.states[index] == EXPLODED else TOLD_SAFE
        for cell in proof.clues:
            states[view.grid.index(cell)] = view.state(cell)
        shown = {view.grid.index(cell) for cell in proof.clues}
        bounds = tuple(pair for pair in view.bounds if pair[0] in shown)
        mines = view.mines if proof.count_used else None
        density = self._density if proof.count_used else None
        odds = posterior(
            View(view.grid, bytes(states), mines, bounds), self._clues, density=density
        )
        return proof.cell in (odds.mined if proof.mine else odds.safe)
