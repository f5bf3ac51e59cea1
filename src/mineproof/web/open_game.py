"""A game in memory, replayed from the store."""

from __future__ import annotations

from time import time

from mineproof.games.manual import ManualGame
from mineproof.web.ground import Ground
from mineproof.web.store import Ending, StoredGame
from mineproof.world.game import Game
from mineproof.world.turn import Turn


class Open:
    """A game in memory: its row in the store, its conditions and its state."""

    def __init__(self, row: StoredGame) -> None:
        self.row = row
        self.ground = Ground.from_text(row.ground)
        self.manual = ManualGame(self.ground.begin())
        """Its turns; their times are in seconds since 1970."""
        self.weight = 20 + self.ground.grid.size // 50
        """The memory that the game takes, in events."""

    def play(self, turn: Turn) -> None:
        """Play a turn, new or from the store."""
        self.weight += 4 + len(self.manual.play(turn).events)

    @property
    def turns(self) -> list[Turn]:
        """The turns so far."""
        return self.manual.turns

    @property
    def referee(self) -> Game:
        """The referee."""
        return self.manual.game

    @property
    def seconds(self) -> float:
        """Seconds from the first turn to the last one or, during the game, to now."""
        if self.row.seconds is not None:
            return self.row.seconds
        if not self.turns:
            return 0.0
        first, last = (self.turns[at].seconds or 0.0 for at in (0, -1))
        return max((last if self.referee.over else time()) - first, 0.0)

    @property
    def ending(self) -> Ending | None:
        """The outcome; None during the game."""
        game = self.referee
        if not game.over:
            return None
        return Ending(game.won, game.score, self.seconds, game.board.figures.bbbv)
