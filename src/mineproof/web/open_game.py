"""A game at hand: what the store has of it, played."""

from __future__ import annotations

from time import time

from mineproof.games.sitting import Sitting
from mineproof.web.ground import Ground
from mineproof.web.store import Done, Ending, Row


class Open:
    """A game at hand: its row, what it is played on, and how it stands."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.ground = Ground.from_text(row.ground)
        self.sitting = Sitting(self.ground.begin())
        self.at: list[float] = []
        """When each deed was done."""
        self.weight = 20 + self.ground.grid.size // 50
        """What it costs to have it at hand, in events."""

    def play(self, done: Done) -> None:
        """Do something that was done, or is."""
        events = self.sitting.play(done.deed)
        self.at.append(done.at)
        self.weight += 4 + len(events)

    @property
    def seconds(self) -> float:
        """From the first deed to the last, or until now."""
        if self.row.seconds is not None:
            return self.row.seconds
        if not self.at:
            return 0.0
        return max((self.at[-1] if self.sitting.game.over else time()) - self.at[0], 0.0)

    @property
    def ending(self) -> Ending | None:
        """What came of it; None while it is on."""
        game = self.sitting.game
        if not game.over:
            return None
        return Ending(game.won, game.score, self.seconds, game.board.figures.bbbv)
