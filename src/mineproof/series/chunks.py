"""Games cut into chunks: the unit of work, and of what a study stores.

The chunks of a study depend on its games alone, never on the machine or the clock, so that any run
can continue where another one stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mineproof import _engine
from mineproof.world.clues import ClueModel

_CELLS = 16_000
"""Cells of all boards in a whole chunk, roughly: seconds of play, or less."""
_COMPILED_CELLS = 1_000_000
_COSTLY_CELLS = 4_000


class GameRange(NamedTuple):
    """Games `first` to `last - 1` of a series.

    `cost` estimates the work: 1 for a whole chunk, below 1 for a shorter one.
    """

    first: int
    last: int
    cost: float

    @property
    def numbers(self) -> range:
        """The numbers of its games."""
        return range(self.first, self.last)


def cells_of_chunk(agent: object, clues: ClueModel, *, plays: bool = True) -> int:
    """Return the number of cells in a chunk of an agent's games; `plays`: with no analysis."""
    if getattr(agent, "costly", False):
        return _COSTLY_CELLS
    quick = clues.is_exact or not _engine.counts(agent)
    return _COMPILED_CELLS if plays and quick and _engine.compiles(agent, clues) else _CELLS


def cut(games: range, cells: int, most: int) -> Iterator[GameRange]:
    """Cut games on boards with `cells` cells into chunks of at most `most` cells, or one game."""
    size = max(1, most // cells)
    for first in range(games.start, games.stop, size):
        last = min(first + size, games.stop)
        yield GameRange(first, last, (last - first) * cells / most)
