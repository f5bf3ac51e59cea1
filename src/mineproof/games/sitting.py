"""A game that somebody plays by hand, deed by deed, and in which agents may move, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple, get_args

from mineproof.errors import IllegalMove, unknown_name
from mineproof.games.record import Record
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.view import Event, View

Act = Literal["open", "flag", "unflag", "chord", "ask", "stop"]
ACTS: tuple[Act, ...] = get_args(Act)
_CLICKS = frozenset(("open", "flag", "unflag", "chord"))


class Deed(NamedTuple):
    """What one did at once: a move, or a chord, which is some moves."""

    cell: Cell
    action: Act
    by: str = ""
    """The agent that did it; nothing for a person."""
    risk: float | None = None
    certain: bool = False
    reason: str = ""
    rule: str = ""
    estimated: bool = False
    """The last five as in `Move`; a person gives none."""

    @classmethod
    def of(cls, move: Move, by: str) -> Deed:
        """The move of an agent."""
        why = move.risk, move.certain, move.reason, move.rule, move.estimated
        return cls(move.cell, move.action, by, *why)

    def move(self, cell: Cell) -> Move:
        """The move that it is at a cell; what a chord is made of are openings."""
        action = "open" if self.action == "chord" else self.action
        why = self.risk, self.certain, self.reason, self.rule, self.estimated
        return Move(cell, action, *why)


class Sitting:
    """A game in progress and all that was done in it; the referee decides what it comes to.

    The same deeds on the same ground give the same game: whoever keeps both keeps all of it.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.deeds: list[Deed] = []
        self.moves: list[Move] = []
        self.events: list[list[Event]] = []
        """What each deed changed."""
        self._first = game.view

    def play(self, deed: Deed) -> list[Event]:
        """Do something; what changed, in order."""
        if deed.action not in ACTS:
            raise unknown_name("action", str(deed.action), ACTS)
        if deed.action == "chord":
            opened = self.game.chord(deed.cell)
            self.moves += map(deed.move, opened)
            events = [event for some in opened.values() for event in some]
        else:
            move = deed.move(deed.cell)
            events = self.game.play(move.cell, move.action)
            self.moves.append(move)
        self.deeds.append(deed)
        self.events.append(events)
        return events

    def view_at(self, number: int) -> View:
        """What was seen after so many deeds."""
        return self._first.after(event for some in self.events[:number] for event in some)

    def record(self, player: str, seconds: float) -> Record:
        """The finished game."""
        if not self.game.over:
            raise IllegalMove("a record is of a finished game: play on, or stop")
        record = Record.of(self.game, player, self.moves, seconds)
        clicked = sum(not deed.by and deed.action in _CLICKS for deed in self.deeds)
        return replace(record, clicks=clicked) if clicked else record
