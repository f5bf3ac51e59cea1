"""The oracle: enumerates every mine configuration, one by one.

The shortest code that can be right. It works from the view and the clue model alone and shares
nothing with the engines that it judges; it can handle about a dozen unknown cells.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from mineproof.world.clues import ClueModel, Exact
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, View


class Verdict(NamedTuple):
    fits: dict[frozenset[int], float]
    """What every arrangement that fits weighs, by its mined unknown cells."""
    unknown: list[int]

    @property
    def weight(self) -> float:
        return math.fsum(self.fits.values())

    @property
    def risk(self) -> dict[int, float]:
        total = self.weight
        return {
            cell: math.fsum(weight for mined, weight in self.fits.items() if cell in mined) / total
            for cell in self.unknown
        }

    @property
    def mined(self) -> set[int]:
        return {cell for cell in self.unknown if all(cell in mined for mined in self.fits)}

    @property
    def safe(self) -> set[int]:
        return {cell for cell in self.unknown if not any(cell in mined for mined in self.fits)}


def bits(cells: Iterable[int]) -> int:
    """A set of cells as one integer, so that intersections are fast."""
    return sum(1 << cell for cell in cells)


def judge(
    view: View,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    trust_flags: bool = False,
    only: set[int] | None = None,
) -> Verdict:
    """Weigh every configuration; `only` restricts the clues to these cells."""
    size, cols, states = view.grid.size, view.cols, view.states
    known = {
        i for i in range(size) if states[i] == EXPLODED or (states[i] == FLAGGED and trust_flags)
    }
    unknown = [i for i in range(size) if states[i] in {HIDDEN, FLAGGED} and i not in known]
    speaking = []
    for i in range(size):
        if (states[i] <= 8 or states[i] == NO_CLUE) and (only is None or i in only):
            row, col = divmod(i, cols)
            around = [
                j for j in range(size) if j != i and abs(j // cols - row) < 2 > abs(j % cols - col)
            ]
            shown = None if states[i] == NO_CLUE else states[i]
            table = clues.likelihood(shown, len(around), dict(view.bounds).get(i))
            speaking.append((bits(around), table))
    fits = {}
    for count in range(len(unknown) + 1):
        total = count + len(known)
        if view.mines is not None:
            prior = float(total == view.mines)
        elif density is not None:
            prior = density**count * (1 - density) ** (len(unknown) - count)
        else:
            prior = 1 / (size + 1) / math.comb(size, total)
        for mined in combinations(unknown, count) if prior else ():
            all_mines = bits(known.union(mined))
            each = (table[(around & all_mines).bit_count()] for around, table in speaking)
            weight = prior * math.prod(each)
            if weight > 0:
                fits[frozenset(mined)] = weight
    return Verdict(fits, unknown)
