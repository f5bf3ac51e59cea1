"""A finished game shown again: what those who watch a match ask for, from its record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mineproof.games.match import Turn
from mineproof.games.record import Record
from mineproof.world.board import Board
from mineproof.world.clues import ClueModel
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.view import View


class Named(NamedTuple):
    """Whoever played: a name is all that is left."""

    name: str


class Rerun:
    """A record as a match in progress. Iterate to see it move by move."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.agent = Named(record.agent or "somebody")
        self.moves: list[Move] = []
        self._game = record.begin()
        self._rest = iter(record.moves)

    @property
    def rules(self) -> Rules:
        """Those of the game."""
        return self.record.rules

    @property
    def clues(self) -> ClueModel:
        """Those of the game."""
        return self.record.clues

    @property
    def view(self) -> View:
        """What was seen so far."""
        return self._game.view

    @property
    def truth(self) -> Board:
        """The board that was played."""
        return self.record.board

    @property
    def over(self) -> bool:
        """Whether all of it was shown."""
        return self._game.over or len(self.moves) == len(self.record.moves)

    def __iter__(self) -> Iterator[Turn]:
        for move in self._rest:
            events = self._game.play(move.cell, move.action)
            self.moves.append(move)
            yield Turn(move, events)
