"""Replay stored games from their seeds, and compare them with what was stored.

A seal shows that a file is undamaged, but anyone can write a file with its seal. A game depends
only on its point, seed and number, so replaying it shows whether its row is genuine.
Which games a sample has cannot be known in advance: it is drawn when it is requested.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from mineproof.agents.registry import is_own
from mineproof.errors import InvalidInput, check_integer, shorten
from mineproof.extras import need
from mineproof.interrupts import undisturbed
from mineproof.series.chunks import GameRange
from mineproof.series.columns import PROVED, Arrays
from mineproof.series.parallel import Backend, ParallelWork, Progress
from mineproof.studies import tasks
from mineproof.studies.chunk_plan import Chunk, chunks, signature, single
from mineproof.studies.chunk_work import ChunkResult, ChunkWorker, check_done
from mineproof.studies.manifest import differences, new_manifest
from mineproof.studies.parquet_columns import stored_column
from mineproof.studies.stored_games import StoredGames
from mineproof.studies.study_folder import StudyResults, open_folders
from mineproof.world.chance import Purpose, Stream, check_seed, fresh_seed

SECONDS = 5.0
"""How long games are replayed by default, in seconds."""
_MOST_NAMED = 20
"""At most this many differences per study are listed; all are counted."""


class Mismatch(NamedTuple):
    """A stored value that differs from the replayed game; None means unknown."""

    point: int
    game: int
    column: str
    stored: Any
    replayed: Any


@dataclass
class VerificationResult:
    """The results of replaying games of a folder so far."""

    folder: StudyResults
    stored: StoredGames
    replayed: dict[int, int] = field(default_factory=dict)
    """The number of replayed games of each point."""
    differing: int = 0
    """The number of games that differ."""
    mismatches: list[Mismatch] = field(default_factory=list)
    """The first differences."""

    @property
    def games(self) -> int:
        """The number of stored games."""
        return sum(len(self.stored.numbers(point)) for point in self.folder.points)

    @property
    def planned(self) -> int:
        """The number of games of a finished run."""
        return sum(point.games for point in self.folder.points)

    @property
    def chance(self) -> float | None:
        """The probability that a single forged game, chosen at random, was replayed."""
        return sum(self.replayed.values()) / self.games if self.games else None

    @property
    def least_chance(self) -> float | None:
        """The same for a game of the point where this probability is lowest."""
        counts = ((one.index, len(self.stored.numbers(one))) for one in self.folder.points)
        return min((self.replayed.get(at, 0) / n for at, n in counts if n), default=None)

    def compare(self, chunk: Chunk, columns: Arrays) -> None:
        """Compare the replayed games of a chunk with the stored ones."""
        at = chunk.point.index
        self.replayed[at] = self.replayed.get(at, 0) + len(chunk.numbers)
        found = list(_mismatches(chunk, self.stored.of(chunk.point), columns))
        self.differing += len({one.game for one in found})
        self.mismatches += found[: _MOST_NAMED - len(self.mismatches)]


class Verification:
    """Verifies folders: `sample` games of each point, all, or as many as time allows."""

    def __init__(
        self,
        path: str | Path,
        *,
        sample: int | None = None,
        every: bool = False,
        seed: int | None = None,
        workers: int | None = None,
        run_own_agents: bool = False,
    ) -> None:
        need("duckdb", "studies")
        if every and sample is not None:
            raise InvalidInput("give --sample or --all, not both")
        self._sample = None if sample is None else check_integer(sample, "the sample", 1, 10**9)
        self._every = every
        self.seed = fresh_seed() if seed is None else check_seed(seed)
        self._place = Backend.chosen(workers)
        self._kept: set[tuple[int, int, int]] = set()
        folders = open_folders(path)
        for folder in folders:
            if not run_own_agents:
                _refuse_own_agents(folder)
            _check_replayable(folder)
        self.verified = [VerificationResult(folder, StoredGames(folder)) for folder in folders]

    def work(self) -> Generator[Progress, None, None]:
        """Replay games; after Ctrl-C, `verified` has the results so far."""
        work = ParallelWork(ChunkWorker.of(self._drawn(most=1)), self._keep)
        if not self._every and self._sample is None:
            return work.carry_out(_until(SECONDS, self._drawn()), self._place, None, 0.0)
        pieces = list(self._all() if self._every else self._drawn(self._sample))
        games, cost = sum(len(one.numbers) for one in pieces), sum(one.cost for one in pieces)
        return work.carry_out(pieces, self._place, games, cost)

    def _keep(self, chunk: Chunk, done: ChunkResult) -> None:
        """Compare a piece once; after Ctrl-C some pieces arrive again."""
        check_done(done)
        piece = chunk.study, chunk.point.index, chunk.span.first
        with undisturbed():
            if piece not in self._kept:
                self._kept.add(piece)
                self.verified[chunk.study].compare(chunk, done.columns)

    def _drawn(self, most: int | None = None) -> Iterator[Chunk]:
        """Yield one game of each point, then another of each, and so on; at most `most` per point.

        The seed determines the order of points and games.
        """
        points = [(at, one) for at, it in enumerate(self.verified) for one in it.folder.points]
        points = [points[place] for place in _shuffled(len(points), self.seed, 0)]
        stored = [self.verified[at].stored.numbers(point) for at, point in points]
        drawn = [
            islice(_shuffled(len(games), self.seed, number), most)
            for number, games in enumerate(stored, 1)
        ]
        for turn in zip_longest(*drawn):
            for (at, point), games, place in zip(points, stored, turn, strict=True):
                if place is not None:
                    seed = self.verified[at].folder.study.seed
                    yield single(point, int(games[place]), seed)._replace(study=at)

    def _all(self) -> Iterator[Chunk]:
        """Yield every stored game, in the chunks of the plan."""
        for number, one in enumerate(self.verified):
            for chunk in chunks(one.folder.study):
                games = one.stored.numbers(chunk.point)
                mine = games[(games >= chunk.span.first) & (games < chunk.span.last)]
                for run in np.split(mine, np.flatnonzero(np.diff(mine) != 1) + 1):
                    if len(run):
                        cost = chunk.cost * len(run) / len(chunk.numbers)
                        span = GameRange(int(run[0]), int(run[-1]) + 1, cost)
                        yield chunk._replace(span=span, study=number)


def verify(
    path: str | Path,
    *,
    sample: int | None = None,
    every: bool = False,
    seed: int | None = None,
    workers: int | None = None,
    run_own_agents: bool = False,
) -> list[VerificationResult]:
    """Replay games of the study in a folder, or of all studies in it, and compare them.

    Replays `sample` games of each point, or `every` game, or by default as many as possible in
    five seconds. `seed` determines the sample (default: a new one). Your own agents only play if
    `run_own_agents` allows their code to run.
    """
    verifying = Verification(
        path, sample=sample, every=every, seed=seed, workers=workers, run_own_agents=run_own_agents
    )
    for _ in verifying.work():
        pass
    return verifying.verified


def _shuffled(size: int, seed: int, index: int) -> Iterator[int]:
    """Yield the numbers below `size` in random order, lazily."""
    stream = Stream(seed, Purpose.ORDER, index)
    moved: dict[int, int] = {}
    for place in range(size):
        other = place + stream.below(size - place)
        yield moved.get(other, other)
        moved[other] = moved.get(place, place)


def _until(seconds: float, pieces: Iterable[Chunk]) -> Iterator[Chunk]:
    """Yield pieces while there is time, but always the first."""
    begun = monotonic()
    for number, piece in enumerate(pieces):
        if number and monotonic() - begun > seconds:
            return
        yield piece


def _refuse_own_agents(folder: StudyResults) -> None:
    """Refuse a folder with the user's own agents: replaying it would run unknown code."""
    for point in folder.points:
        if is_own(point.agent):
            raise InvalidInput(
                f"{str(folder.path)!r}: {shorten(point.agent)!r} is not one of mineproof's agents, "
                "and replaying its games runs its code; to allow it, use --run-own-agents"
            )


def _check_replayable(folder: StudyResults) -> None:
    """Refuse a run of another version or engine, which may play other games."""
    study = folder.study
    here = new_manifest(study, signature(chunks(study)), None)
    changes = differences(folder.manifest, here)
    if changes:
        raise InvalidInput(f"{str(folder.path)!r} cannot be replayed here: {'; '.join(changes)}")


def _mismatches(chunk: Chunk, stored: Mapping[str, Any], columns: Arrays) -> Iterator[Mismatch]:
    """Yield every value that differs, game by game; times are not compared."""
    first = int(np.searchsorted(stored["game"], chunk.span.first))
    rows = slice(first, first + len(chunk.numbers))
    listed = {column.name for column in tasks.find(chunk.point.task).columns}
    for name in dict.fromkeys((*columns, *stored)):
        if name == "game" or tasks.is_time(name):
            continue
        # A chunk has a column for a rule of a user's agent only if the rule proved a move in it.
        usual = 0 if name.startswith(PROVED) and name not in listed else None
        there = stored[name][rows] if name in stored else None
        here = stored_column(columns[name]) if name in columns else None
        if _same(there, here):
            continue
        pairs = zip(_values(there, usual, chunk), _values(here, usual, chunk), strict=True)
        for game, (one, other) in zip(chunk.numbers, pairs, strict=True):
            if _bits(one) != _bits(other):
                yield Mismatch(chunk.point.index, game, name, _plain(one), _plain(other))


def _same(one: Any, other: Any) -> bool:
    """Whether both columns exist and are identical bit by bit."""
    if one is None or other is None or one.dtype != other.dtype:
        return False
    if (np.ma.getmaskarray(one) != np.ma.getmaskarray(other)).any():
        return False
    known, others = (np.ma.masked_array(it).compressed() for it in (one, other))
    return bool(known.tobytes() == others.tobytes())


def _values(array: Any, usual: int | None, chunk: Chunk) -> list[Any]:
    """Convert to Python numbers and booleans, with `usual` for missing values."""
    values = [None] * len(chunk.numbers) if array is None else array.tolist()
    return [usual if value is None else value for value in values]


def _bits(value: Any) -> tuple[type, str]:
    """A key that distinguishes 0.0 from -0.0, and 1 from 1.0 and True."""
    return type(value), value.hex() if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    """Convert infinity and nan to text for JSON."""
    return value if not isinstance(value, float) or isfinite(value) else str(value)
