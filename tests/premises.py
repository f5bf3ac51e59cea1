"""Check that the premises of a reason prove its move, by the exact posterior of those premises."""

from __future__ import annotations

import mineproof as mp
from mineproof.world.geometry import Cell
from mineproof.world.move import MoveReason
from mineproof.world.view import EXPLODED, KNOWN_SAFE, Event, is_opened


def verdicts(view: mp.View, clues: str = "exact") -> dict[Cell, bool]:
    """For each cell that the view proves or shows: whether it is a mine."""
    odds = mp.posterior(view, clues)
    found = dict.fromkeys(odds.mined, True) | dict.fromkeys(odds.safe, False)
    for index, state in enumerate(view.states):
        if is_opened(state) or state == EXPLODED:
            found[view.grid.cell(index)] = state == EXPLODED
    return found


def restricted(view: mp.View, why: MoveReason, known: dict[Cell, bool]) -> mp.View:
    """A view that shows only the premises of a move."""
    given = [Event(cell, EXPLODED if known[cell] else KNOWN_SAFE) for cell in why.known]
    shown = [event for event in view.events if event.cell in why.clues]
    return mp.View.hidden(view.rows, view.cols).after([*given, *shown])


def follows(
    view: mp.View,
    cell: Cell,
    mine: bool,
    why: MoveReason,
    known: dict[Cell, bool],
    clues: str = "exact",
) -> bool:
    """Whether the premises alone prove a cell; if the mine count is used, the whole view counts."""
    if why.count_used or not why.clues:
        return known.get(cell) is mine
    odds = mp.posterior(restricted(view, why, known), clues, density=0.2)
    return cell in (odds.mined if mine else odds.safe)
