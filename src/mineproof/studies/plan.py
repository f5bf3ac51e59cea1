"""The points of a study cut into chunks of games: the unit of work and of storage.

Where chunks begin follows from the study alone, never from the machine or the clock,
so that any run can take up where another stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from zlib import crc32

from mineproof import _engine, agents
from mineproof.agents.champion import Champion
from mineproof.studies.spec import Point, Study

_CELLS = 16_000
"""About so many cells of boards are a whole chunk: a fraction of a second to seconds of play."""
_COMPILED_CELLS = 1_000_000
_COSTLY_CELLS = 4_000


class Chunk(NamedTuple):
    """Some games of one point."""

    point: Point
    first: int
    last: int
    """Not among them."""
    cost: float
    """A rough guess of the work: 1 for a whole chunk, less where a point has few games."""

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"p{self.point.index:05}-g{self.first:06}.parquet"

    @property
    def numbers(self) -> range:
        """The numbers of its games."""
        return range(self.first, self.last)


def chunks(study: Study) -> tuple[Chunk, ...]:
    """All chunks, by point, then by game."""
    return tuple(chunk for point in study.points() for chunk in _cut(point))


def signature(some: Iterable[Chunk]) -> int:
    """A number that changes when games are cut into other chunks."""
    return crc32(" ".join(f"{chunk.name}-{chunk.last}" for chunk in some).encode())


def mixed(some: Iterable[tuple[Chunk, int]]) -> list[tuple[Chunk, int]]:
    """Chunks of numbered studies in an order that looks random and is always the same.

    So what is done first is like what is left, which makes the time left a fair guess.
    """
    return sorted(some, key=lambda one: (crc32(f"{one[1]} {one[0].name}".encode()), one[1]))


def _cut(point: Point) -> Iterator[Chunk]:
    cells = point.rows * point.cols
    most = _most(point)
    size = max(1, most // cells)
    for first in range(0, point.games, size):
        last = min(first + size, point.games)
        yield Chunk(point, first, last, (last - first) * cells / most)


def _most(point: Point) -> int:
    """How many cells of boards a chunk has."""
    agent = agents.get(point.agent)
    if isinstance(agent.guess, Champion) or point.agent.startswith("linopt"):
        return _COSTLY_CELLS
    compiled = point.task == "games" and _engine.compiles(agent, point.clue_model)
    return _COMPILED_CELLS if compiled else _CELLS
