"""The clues that a certain cell rests on: an irreducible set.

A cell is certain if and only if the opposite contradicts the clues. So its premises are the clues
that contradict the opposite, which is treated as one more clue.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from mineproof.reasoning.contradiction import core, fits
from mineproof.reasoning.evidence import (
    Constraint,
    Evidence,
    UniformPrior,
    check_density,
    gather,
)
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.view import UNKNOWN, View


class Premises(NamedTuple):
    """The premises of a certain cell.

    `clues` are the cells whose clues prove it, together with the mine count if `count_used`;
    without any one of them the cell would not be certain. `known` are the known cells around them.
    """

    clues: tuple[Cell, ...]
    known: tuple[Cell, ...]
    count_used: bool


class PremiseFinder:
    """Finds the premises of certain cells in one view."""

    def __init__(
        self, view: View, clues: ClueModel = Exact(), *, density: float | None = None
    ) -> None:
        self._view = view
        self._evidence = gather(view, clues, density=check_density(view, density))

    def premises(self, cell: Cell, *, mine: bool) -> Premises | None:
        """Return the premises of a hidden cell that is a mine (or safe); None if not certain.

        Near clues are tried before far ones, and all clues before the mine count, which is used
        only if necessary.
        """
        index = self._view.grid.index(cell)
        opposite = Constraint(index, (index,), (1.0, 0.0) if mine else (0.0, 1.0))
        for evidence in self._wider(opposite):
            if not fits(evidence):
                found, count, _ = core(evidence, budget=math.inf)
                clues = [clue for clue in found if clue != index]
                # Without the opposite the clues are consistent, unless the view is impossible.
                return self._named(clues, count) if len(clues) < len(found) else None
        return None

    def _wider(self, opposite: Constraint) -> Iterator[Evidence]:
        """Yield the opposite with the clues that touch it, then with clues further away."""
        near, cells = [opposite], set(opposite.cells)
        nothing_known = UniformPrior(self._view.grid.size, 0)
        left = list(self._evidence.constraints)
        while ring := [clue for clue in left if not cells.isdisjoint(clue.cells)]:
            near += ring
            cells.update(index for clue in ring for index in clue.cells)
            left = [clue for clue in left if clue not in ring]
            yield self._evidence._replace(constraints=tuple(near), prior=nothing_known)
        yield self._evidence._replace(constraints=(*self._evidence.constraints, opposite))

    def _named(self, clues: list[int], count: bool) -> Premises:
        grid, states = self._view.grid, self._view.states
        around = {near for clue in clues for near in grid.neighbours(clue)}
        known = sorted(near for near in around if states[near] not in UNKNOWN)
        return Premises(tuple(grid.cells(clues)), tuple(grid.cells(known)), count)
