"""A turn: the action requested, by whom and when, and its effects on the game."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.world.geometry import Cell
from mineproof.world.move import Act, Move
from mineproof.world.view import Event


class Turn(NamedTuple):
    """One turn of a game. A chord is a turn with several moves, anything else one move.

    Until it is played it only says what was `asked`; `Game.turn` adds the moves and what each of
    them changed.
    """

    asked: Move
    by: str = ""
    """The name of the agent that asked; empty for a person."""
    seconds: float | None = None
    """When, in seconds since the first turn, if known."""
    moves: tuple[Move, ...] = ()
    changes: tuple[tuple[Event, ...], ...] = ()
    """The events of each move."""

    @property
    def cell(self) -> Cell:
        """The cell that was asked for."""
        return self.asked.cell

    @property
    def action(self) -> Act:
        """The action that was asked for."""
        return self.asked.action

    @property
    def reason(self) -> str:
        """The reason as text; empty for most people's turns."""
        return self.asked.reason

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that changed, in order."""
        return tuple(event for events in self.changes for event in events)


def by_hand(cell: Cell, action: Act = "open", seconds: float | None = None) -> Turn:
    """Return a person's turn, before it is played."""
    return Turn(Move(cell, action, None, False, ""), seconds=seconds)
