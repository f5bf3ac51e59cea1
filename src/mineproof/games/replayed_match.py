"""Replay a record with the interface of a match in progress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mineproof.games.record import Record
from mineproof.world.board import Board
from mineproof.world.clues import ClueModel
from mineproof.world.rules import Rules
from mineproof.world.turn import Turn


class NamedPlayer(NamedTuple):
    """The player of a record, of whom only the name is known."""

    name: str


class ReplayedMatch:
    """A record as a match in progress; iterate over it to see its turns again."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.agent = NamedPlayer(record.agent or "unknown player")
        self.turns: list[Turn] = []
        self.view = record.first
        """The current view."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.record.rules

    @property
    def clues(self) -> ClueModel:
        """The clue model of the game."""
        return self.record.clues

    @property
    def truth(self) -> Board:
        """The board with its mines."""
        return self.record.board

    @property
    def over(self) -> bool:
        """Whether all turns were shown."""
        return len(self.turns) == len(self.record.turns)

    def __iter__(self) -> Iterator[Turn]:
        for turn in self.record.turns[len(self.turns) :]:
            self.view = self.view.after(turn.events)
            self.turns.append(turn)
            yield turn
