"""Compute one chunk of a study: in this process, in a worker process or on a cluster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

from mineproof import __version__, _engine, agents
from mineproof.agents import Agent, Recipe
from mineproof.agents.registry import remember
from mineproof.errors import EngineError, MineproofError
from mineproof.series.columns import Arrays
from mineproof.studies import tasks
from mineproof.studies.chunk_plan import Chunk


class ChunkResult(NamedTuple):
    """The result of a chunk, with the version and engine that computed it."""

    columns: Arrays
    seconds: float
    version: str
    engine: str


@dataclass(frozen=True)
class ChunkWorker:
    """A callable that computes chunks in a worker and brings the user's own agents along."""

    own: tuple[Agent, ...] = ()

    @classmethod
    def of(cls, chunks: Iterable[Chunk]) -> ChunkWorker:
        """Return one with all the agents that these chunks need."""
        found = (agents.get(text) for text in dict.fromkeys(one.point.agent for one in chunks))
        return cls(tuple(agent for agent in found if not isinstance(agent, Recipe)))

    def __call__(self, chunk: Chunk) -> ChunkResult:
        """Compute a chunk."""
        for agent in self.own:
            remember(agent.name, agent)
        return perform(chunk)


def perform(chunk: Chunk) -> ChunkResult:
    """Run the point's task on the games of a chunk."""
    begun = perf_counter()
    point = chunk.point
    try:
        columns = tasks.find(point.task).do(point, chunk.seed, chunk.numbers)
    except MineproofError as error:
        where = f"task {point.task!r}, agent {point.agent!r}, board {point.board!r}"
        error.args = (f"{where}, games from {chunk.span.first}: {error}", *error.args[1:])
        raise
    return ChunkResult(columns, perf_counter() - begun, __version__, _engine.name())


def check_done(done: ChunkResult) -> None:
    """Refuse results of another version or engine, which could differ from ours."""
    ours, theirs = (__version__, _engine.name()), (done.version, done.engine)
    if theirs != ours:
        raise EngineError(
            "a worker has mineproof {} (engine: {}), but this process has {} (engine: {}): "
            "install the same version and engine on both".format(*theirs, *ours)
        )
