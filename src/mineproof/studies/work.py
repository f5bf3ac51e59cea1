"""One chunk of a study, done by whoever has the time: here, in a process, on a cluster."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

from mineproof import __version__, _engine
from mineproof.errors import EngineError, MineproofError
from mineproof.series.columns import Arrays
from mineproof.studies import tasks
from mineproof.studies.plan import Chunk


class Done(NamedTuple):
    """What came of a chunk, and who did it."""

    columns: Arrays
    seconds: float
    version: str
    engine: str


def perform(chunk: Chunk) -> Done:
    """Do what the point asks for the chunk's games."""
    begun = perf_counter()
    point = chunk.point
    try:
        columns = tasks.find(point.task).do(point, chunk.seed, chunk.numbers)
    except MineproofError as error:
        where = f"task {point.task!r}, agent {point.agent!r}, board {point.board!r}"
        error.args = (f"{where}, games from {chunk.span.first}: {error}", *error.args[1:])
        raise
    return Done(columns, perf_counter() - begun, __version__, _engine.name())


def check_done(done: Done) -> None:
    """Refuse the work of another version or engine: it would not be the same."""
    ours, theirs = (__version__, _engine.name()), (done.version, done.engine)
    if theirs != ours:
        raise EngineError(
            "a worker has mineproof {} (engine: {}), this is {} (engine: {})".format(*theirs, *ours)
        )
