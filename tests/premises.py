"""Whether the premises of a reason prove it, by the exact posterior of what they show."""

from __future__ import annotations

import mineproof as mp
from mineproof.world.geometry import Cell
from mineproof.world.move import Why
from mineproof.world.view import EXPLODED, is_opened


def verdicts(view: mp.View) -> dict[Cell, bool]:
    """Whether each cell whose verdict follows from what is shown is a mine."""
    odds = mp.posterior(view)
    found = dict.fromkeys(odds.mined, True) | dict.fromkeys(odds.safe, False)
    for index, state in enumerate(view.states):
        if is_opened(state) or state == EXPLODED:
            found[view.grid.cell(index)] = state == EXPLODED
    return found


def restricted(view: mp.View, why: Why, known: dict[Cell, bool]) -> mp.View:
    """A view that shows only the premises of a move."""
    shown = [["?"] * view.cols for _ in range(view.rows)]
    for row, col in why.known:
        shown[row][col] = "*" if known[row, col] else "s"
    for row, col in why.clues:
        shown[row][col] = str(view.states[view.grid.index((row, col))])
    return mp.View.from_text("\n".join(map("".join, shown)))


def follows(view: mp.View, cell: Cell, mine: bool, why: Why, known: dict[Cell, bool]) -> bool:
    """Whether the premises alone prove a cell; with the mine count, the whole view counts."""
    if why.count_used or not why.clues:
        return known.get(cell) is mine
    odds = mp.posterior(restricted(view, why, known), density=0.2)
    return cell in (odds.mined if mine else odds.safe)
