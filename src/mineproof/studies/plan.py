"""The points of a study cut into chunks of games: what is done at once, and stored in a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from zlib import crc32

from mineproof import agents
from mineproof.series.chunks import Span, cells_of_chunk, cut
from mineproof.studies.grid import Point
from mineproof.studies.spec import Study


class Chunk(NamedTuple):
    """Some games of one point, in a study of this seed."""

    point: Point
    span: Span
    seed: int
    study: int = 0
    """Its place among the studies that are run together."""

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"p{self.point.index:05}-g{self.span.first:06}.parquet"

    @property
    def numbers(self) -> range:
        """The numbers of its games."""
        return self.span.numbers

    @property
    def cost(self) -> float:
        """A rough guess of the work: 1 for a whole chunk, less where a point has few games."""
        return self.span.cost


def chunks(study: Study) -> tuple[Chunk, ...]:
    """All chunks, by point, then by game."""
    return tuple(
        Chunk(point, span, study.seed)
        for point in study.points()
        for span in cut(range(point.games), point.cells, _most(point))
    )


def single(point: Point, game: int, seed: int) -> Chunk:
    """One game, which no file has for itself: to be replayed."""
    return Chunk(point, Span(game, game + 1, point.cells / _most(point)), seed)


def signature(some: Iterable[Chunk]) -> int:
    """A number that changes when games are cut into other chunks."""
    return crc32(" ".join(f"{chunk.name}-{chunk.span.last}" for chunk in some).encode())


def mixed(some: Iterable[Chunk]) -> list[Chunk]:
    """Chunks of a study in an order that looks random and is always the same.

    So what is done first is like what is left, which makes the time left a fair guess.
    """
    return sorted(some, key=lambda one: crc32(one.name.encode()))


def _most(point: Point) -> int:
    """How many cells of boards a chunk has."""
    plays = point.task == "games"
    return cells_of_chunk(agents.get(point.agent), point.clue_model, plays=plays)
