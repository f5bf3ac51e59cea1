"""A game played by hand, turn by turn; agents may make some of the turns."""

from __future__ import annotations

from dataclasses import replace

from mineproof.errors import IllegalMove
from mineproof.games.record import Record
from mineproof.phrases import say
from mineproof.world.game import Game
from mineproof.world.turn import Turn
from mineproof.world.view import View

_CLICKS = frozenset(("open", "flag", "unflag", "chord"))


class ManualGame:
    """A game in progress and its turns.

    What the turns ask for, on the same board, gives the same game, so that is enough to store it.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.turns: list[Turn] = []
        self._first = game.view

    def play(self, turn: Turn) -> Turn:
        """Play a turn; return it with its moves and events."""
        played = self.game.turn(turn)
        self.turns.append(played)
        return played

    def view_at(self, number: int) -> View:
        """Return the view after the first `number` turns."""
        return self._first.after(event for turn in self.turns[:number] for event in turn.events)

    def record(self, player: str, seconds: float) -> Record:
        """Return the record of the finished game; times are counted from the first turn."""
        if not self.game.over:
            raise IllegalMove(say("refusal.no-record"))
        begun = self.turns[0].seconds if self.turns else None
        turns = [
            turn
            if turn.seconds is None
            else turn._replace(seconds=round(turn.seconds - (begun or 0.0), 3))
            for turn in self.turns
        ]
        record = Record.of(self.game, player, turns, seconds)
        clicked = sum(not turn.by and turn.action in _CLICKS for turn in turns)
        return replace(record, clicks=clicked) if clicked else record
