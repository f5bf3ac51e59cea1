"""Speed and efficiency of a game: 3BV per second, and 3BV per click."""

from __future__ import annotations

from typing import Any, NamedTuple

from mineproof.games.record import Record
from mineproof.world.board import Board, openings_of
from mineproof.world.view import View, is_opened


class Speed(NamedTuple):
    """The figures by which players compare games.

    `bbbv` is the 3BV of the board, the fewest clicks that open it without chords; `solved` is the
    part of it that was opened. `clicks` counts all clicks if the record has them, otherwise the
    openings and chords. `seconds` is None unless the record has times.
    """

    bbbv: int
    solved: int
    clicks: int
    seconds: float | None

    @property
    def bbbv_per_second(self) -> float | None:
        """Solved 3BV per second; None without times."""
        return self.solved / self.seconds if self.seconds else None

    @property
    def efficiency(self) -> float | None:
        """Solved 3BV per click; only chords make it more than 1."""
        return self.solved / self.clicks if self.clicks else None

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON data."""
        rates = {"bbbv_per_second": self.bbbv_per_second, "efficiency": self.efficiency}
        return {**self._asdict(), **rates}


def speed_of(record: Record) -> Speed:
    """Return the speed and efficiency of a game."""
    clicks = record.clicks
    if clicks is None:
        clicks = sum(turn.action in {"open", "chord"} for turn in record.turns)
    bbbv = record.board.figures.bbbv
    return Speed(bbbv, solved_bbbv(record.board, record.view), clicks, record.time)


def solved_bbbv(board: Board, view: View) -> int:
    """Return the 3BV of the open part: complete openings, and numbers next to none."""
    openings = openings_of(board)
    done = {index for index, state in enumerate(view.states) if is_opened(state)}
    return len(done.difference(*openings)) + sum(opening <= done for opening in openings)
