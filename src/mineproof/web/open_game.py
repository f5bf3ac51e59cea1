"""A game in memory, replayed from the store."""

from __future__ import annotations

from time import time

from mineproof.games.sitting import Sitting
from mineproof.web.ground import Ground
from mineproof.web.store import Done, Ending, Row


class Open:
    """A game in memory: its row in the store, its conditions and its state."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.ground = Ground.from_text(row.ground)
        self.sitting = Sitting(self.ground.begin())
        self.at: list[float] = []
        """The time of each deed."""
        self.weight = 20 + self.ground.grid.size // 50
        """The memory that the game takes, in events."""

    def play(self, done: Done) -> None:
        """Play a deed, new or from the store."""
        events = self.sitting.play(done.deed)
        self.at.append(done.at)
        self.weight += 4 + len(events)

    @property
    def seconds(self) -> float:
        """Seconds from the first deed to the last one or, during the game, to now."""
        if self.row.seconds is not None:
            return self.row.seconds
        if not self.at:
            return 0.0
        return max((self.at[-1] if self.sitting.game.over else time()) - self.at[0], 0.0)

    @property
    def ending(self) -> Ending | None:
        """The outcome; None during the game."""
        game = self.sitting.game
        if not game.over:
            return None
        return Ending(game.won, game.score, self.seconds, game.board.figures.bbbv)
