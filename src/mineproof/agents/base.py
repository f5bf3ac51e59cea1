"""The interface of agents: `Agent` and `Player`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from mineproof.world.clues import ClueModel
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View

Decision = Move
"""A player's decision: the move that is made and recorded."""


class Player(Protocol):
    """An agent in one game."""

    def observe(self, events: Iterable[Event]) -> None:
        """Receive the events of the game since the last call."""

    def decide(self) -> Move:
        """Return the next move."""
        ...


@runtime_checkable
class Agent(Protocol):
    """A strategy. It never has access to a board or a game, only to what a player sees."""

    @property
    def name(self) -> str:
        """Return its name."""
        ...

    def begin(self, view: View, *, rules: Rules, clues: ClueModel, seed: int) -> Player:
        """Start a game with this view, and return the player for it."""
        ...
