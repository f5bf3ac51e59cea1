"""A move: what a player does, and why. One type from the guesser to the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mineproof.world.geometry import Cell, Grid

Action = Literal["open", "flag", "unflag", "ask", "stop"]


@dataclass(frozen=True, slots=True)
class Move:
    """What a player does and why.

    `risk` is the chance, as the player sees it, that the action is wrong; None if
    the player makes no estimate. `certain` means proved.
    """

    cell: Cell
    action: Action
    risk: float | None
    certain: bool
    reason: str
    rule: str = ""
    """The rule that proved it, if one did."""
    estimated: bool = False
    """Whether its risk is an estimate: there was too much to count."""


def most_moves(grid: Grid) -> int:
    """A limit for a game: no player that gets anywhere makes as many moves."""
    return 4 * grid.size + 16
