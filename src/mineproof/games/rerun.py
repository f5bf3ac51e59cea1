"""Replay a record with the interface of a match in progress."""

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
    """The player of a record, of whom only the name is known."""

    name: str


class Rerun:
    """A record as a match in progress; iterate over it to replay its moves."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.agent = Named(record.agent or "unknown player")
        self.moves: list[Move] = []
        self._game = record.begin()
        self._rest = iter(record.moves)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.record.rules

    @property
    def clues(self) -> ClueModel:
        """The clue model of the game."""
        return self.record.clues

    @property
    def view(self) -> View:
        """The current view."""
        return self._game.view

    @property
    def truth(self) -> Board:
        """The board with its mines."""
        return self.record.board

    @property
    def over(self) -> bool:
        """Whether all moves were replayed."""
        return self._game.over or len(self.moves) == len(self.record.moves)

    def __iter__(self) -> Iterator[Turn]:
        for move in self._rest:
            events = self._game.play(move.cell, move.action)
            self.moves.append(move)
            yield Turn(move, events)
