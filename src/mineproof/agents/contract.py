"""What an agent is, to the rest of the program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from mineproof.world.clues import ClueModel
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.view import Event, View

Decision = Move
"""What a player decides is the move that is made and recorded."""


class Player(Protocol):
    """An agent in one game."""

    def observe(self, events: Iterable[Event]) -> None:
        """Take in what the referee told."""

    def decide(self) -> Move:
        """The next move."""
        ...


@runtime_checkable
class Agent(Protocol):
    """A way to play. It never touches a board or a game, only what a player sees."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def begin(self, view: View, *, rules: Rules, clues: ClueModel, seed: int) -> Player:
        """Sit down to a game that shows this view."""
        ...
