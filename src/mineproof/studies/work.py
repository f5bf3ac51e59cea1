"""One chunk of a study, done by whoever has the time: here, in a process, on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

from mineproof import __version__, _engine
from mineproof.errors import EngineError, MineproofError
from mineproof.studies import tasks
from mineproof.studies.columns import columns
from mineproof.studies.plan import Chunk


class Done(NamedTuple):
    """What came of a chunk, and who did it."""

    columns: dict[str, Any]
    seconds: float
    version: str
    engine: str


def perform_all(chunks: Sequence[tuple[Chunk, int]]) -> list[Done]:
    """Do some chunks, each with its study's seed, one after the other."""
    return [perform(chunk, seed) for chunk, seed in chunks]


def perform(chunk: Chunk, seed: int) -> Done:
    """Do what the point asks for the chunk's games."""
    begun = perf_counter()
    point = chunk.point
    try:
        rows = tasks.find(point.task)(point, seed, chunk.numbers)
        found = columns(rows, chunk.numbers)
    except MineproofError as error:
        where = f"task {point.task!r}, agent {point.agent!r}, board {point.board!r}"
        error.args = (f"{where}, games from {chunk.first}: {error}", *error.args[1:])
        raise
    return Done(found, perf_counter() - begun, __version__, _engine.name())


def check_done(done: Done) -> None:
    """Refuse the work of another version or engine: it would not be the same."""
    ours, theirs = (__version__, _engine.name()), (done.version, done.engine)
    if theirs != ours:
        raise EngineError(
            "a worker has mineproof {} (engine: {}), this is {} (engine: {})".format(*theirs, *ours)
        )
