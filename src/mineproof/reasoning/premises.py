"""Which clues a certain cell rests on: enough of them, and none that can be left out.

A cell is certain exactly if its opposite contradicts the clues. So its premises are the
clues that contradict the opposite, taken as one clue more.
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
    """What makes a cell certain.

    `clues` are cells whose clues are enough, together with the mine count where
    `count_used` says so; without any one of them the cell is not certain. `known` are the cells
    around them whose truth is seen.
    """

    clues: tuple[Cell, ...]
    known: tuple[Cell, ...]
    count_used: bool


class Prover:
    """Finds premises in one view, for one cell after the other."""

    def __init__(
        self, view: View, clues: ClueModel = Exact(), *, density: float | None = None
    ) -> None:
        self._view = view
        self._evidence = gather(view, clues, density=check_density(view, density))

    def premises(self, cell: Cell, *, mine: bool) -> Premises | None:
        """What makes a covered cell certain to be a mine, or to be safe; None if it is not.

        Clues near the cell are tried before those further off, and all of them before the
        count, so that it takes part only where it must.
        """
        index = self._view.grid.index(cell)
        opposite = Constraint(index, (index,), (1.0, 0.0) if mine else (0.0, 1.0))
        for evidence in self._wider(opposite):
            if not fits(evidence):
                found, count, _ = core(evidence, budget=math.inf)
                clues = [clue for clue in found if clue != index]
                # Without the opposite something fits, unless the view itself is impossible.
                return self._named(clues, count) if len(clues) < len(found) else None
        return None

    def _wider(self, opposite: Constraint) -> Iterator[Evidence]:
        """The opposite with the clues about it, then with those linked to them, and so on."""
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
        around = {near for clue in clues for near in grid.around(clue)}
        known = sorted(near for near in around if states[near] not in UNKNOWN)
        return Premises(tuple(grid.cells(clues)), tuple(grid.cells(known)), count)
