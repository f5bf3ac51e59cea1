"""Divide the points of a study into chunks of games; each is one task and one file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from zlib import crc32

from mineproof import agents
from mineproof.series.chunks import GameRange, cells_of_chunk, cut
from mineproof.studies.grid import Point
from mineproof.studies.spec import Study


class Chunk(NamedTuple):
    """Some games of one point, in a study with this seed."""

    point: Point
    span: GameRange
    seed: int
    study: int = 0
    """Its index among the studies that are run together."""

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"p{self.point.index:05}-g{self.span.first:06}.parquet"

    @property
    def numbers(self) -> range:
        """The numbers of its games."""
        return self.span.numbers

    @property
    def cost(self) -> float:
        """A rough estimate of the work: 1 for a full chunk, below 1 for a point with few games."""
        return self.span.cost


def chunks(study: Study) -> tuple[Chunk, ...]:
    """Return all chunks, ordered by point and game."""
    return tuple(
        Chunk(point, span, study.seed)
        for point in study.points()
        for span in cut(range(point.games), point.cells, _most(point))
    )


def single(point: Point, game: int, seed: int) -> Chunk:
    """Return a chunk of a single game, for replaying it."""
    return Chunk(point, GameRange(game, game + 1, point.cells / _most(point)), seed)


def signature(some: Iterable[Chunk]) -> int:
    """Return a number that changes when games are divided into other chunks."""
    return crc32(" ".join(f"{chunk.name}-{chunk.span.last}" for chunk in some).encode())


def mixed(some: Iterable[Chunk]) -> list[Chunk]:
    """Return the chunks in a fixed order that looks random.

    The first chunks are then like the rest, so the time left can be estimated from them.
    """
    return sorted(some, key=lambda one: crc32(one.name.encode()))


def _most(point: Point) -> int:
    """The number of board cells in a full chunk of this point."""
    plays = point.task == "games"
    return cells_of_chunk(agents.get(point.agent), point.clue_model, plays=plays)
