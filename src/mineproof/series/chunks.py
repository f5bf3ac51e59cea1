"""Games cut into chunks: the unit of work, and of what a study stores.

Where a study's chunks begin follows from its games alone, never from the machine or the
clock, so that any run can take up where another stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mineproof import _engine
from mineproof.world.clues import ClueModel

_CELLS = 16_000
"""About so many cells of boards are a whole chunk: a fraction of a second to seconds of play."""
_COMPILED_CELLS = 1_000_000
_COSTLY_CELLS = 4_000


class Span(NamedTuple):
    """Some games of a series, from first to before last.

    `cost` is a rough guess of the work: 1 for a whole chunk, less for a shorter one.
    """

    first: int
    last: int
    cost: float

    @property
    def numbers(self) -> range:
        """The numbers of its games."""
        return range(self.first, self.last)


def cells_of_chunk(agent: object, clues: ClueModel, *, plays: bool = True) -> int:
    """How many cells of boards a chunk of an agent's games has, if nothing but play is done."""
    if getattr(agent, "costly", False):
        return _COSTLY_CELLS
    return _COMPILED_CELLS if plays and _engine.compiles(agent, clues) else _CELLS


def cut(games: range, cells: int, most: int) -> Iterator[Span]:
    """Games on boards of so many cells in chunks of at most so many cells, or of one game."""
    size = max(1, most // cells)
    for first in range(games.start, games.stop, size):
        last = min(first + size, games.stop)
        yield Span(first, last, (last - first) * cells / most)
