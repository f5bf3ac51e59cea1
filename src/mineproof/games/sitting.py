"""A game played by hand, action by action; agents may make some of the moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

from mineproof.errors import IllegalMove, unknown_name
from mineproof.games.record import Record
from mineproof.phrases import say
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.move import Move, Why
from mineproof.world.view import Event, View

Act = Literal["open", "flag", "unflag", "chord", "ask", "stop"]
ACTS: tuple[Act, ...] = get_args(Act)
_CLICKS = frozenset(("open", "flag", "unflag", "chord"))


class Deed(NamedTuple):
    """One action of the player: a move, or a chord, which is several moves."""

    cell: Cell
    action: Act
    by: str = ""
    """The name of the agent that did it; empty for a person."""
    risk: float | None = None
    certain: bool = False
    reason: str = ""
    rule: str = ""
    estimated: bool = False
    why: dict[str, Any] | None = None
    """The reason as JSON data. Risk to why are as in `Move`; a person gives none of them."""

    @classmethod
    def of(cls, move: Move, by: str) -> Deed:
        """Return the action for an agent's move."""
        said = move.risk, move.certain, move.reason, move.rule, move.estimated
        return cls(move.cell, move.action, by, *said, move.to_json().get("why"))

    def move(self, cell: Cell) -> Move:
        """Return the move made at a cell; a chord consists of openings."""
        action = "open" if self.action == "chord" else self.action
        reason = Why.from_json(self.why) if self.why else self.reason
        return Move(cell, action, self.risk, self.certain, reason, self.rule, self.estimated)


class Sitting:
    """A game in progress, and every action in it; the game decides what each one does.

    The same actions on the same board give the same game, so board and actions are enough to store
    it.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.deeds: list[Deed] = []
        self.moves: list[Move] = []
        self.events: list[list[Event]] = []
        """What each action changed."""
        self._first = game.view

    def play(self, deed: Deed) -> list[Event]:
        """Perform an action; return what changed, in order."""
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
        """Return the view after the first `number` actions."""
        return self._first.after(event for some in self.events[:number] for event in some)

    def record(self, player: str, seconds: float) -> Record:
        """Return the record of the finished game."""
        if not self.game.over:
            raise IllegalMove(say("refusal.no-record"))
        record = Record.of(self.game, player, self.moves, seconds)
        clicked = sum(not deed.by and deed.action in _CLICKS for deed in self.deeds)
        return replace(record, clicks=clicked) if clicked else record
