"""Studies run: on all cores or a cluster, chunk by chunk, from where the last run stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from mineproof.errors import InvalidInput, MineproofError
from mineproof.games.match import Match
from mineproof.series.workers import check_workers, pool
from mineproof.studies.files import Parquet
from mineproof.studies.plan import Chunk, mixed
from mineproof.studies.spec import Study
from mineproof.studies.store import Folder, Keeper
from mineproof.studies.work import Done, check_done, perform_all

_SAVE_SECONDS = 10.0
"""How often the manifest is brought up to date, for the seconds in it."""
_LOAD = 0.75
"""The most that small chunks add up to on one trip to a worker, in whole chunks."""

Job = tuple[Keeper, Chunk]
Waiting = dict[Future[list[Done]], list[Job]]
"""What is being done, and what each piece of it is."""


class Progress(NamedTuple):
    """How far a run is. Games count from where it began; costs are rough guesses."""

    games: int
    all_games: int
    cost: float
    all_cost: float

    @property
    def part(self) -> float:
        """Done, from 0 to 1."""
        return self.cost / self.all_cost if self.all_cost else 1.0


def run(
    study: Study,
    out: str | Path = "studies",
    *,
    games: int | None = None,
    workers: int | None = None,
    dask: str | None = None,
    fresh: bool = False,
) -> Folder:
    """Run a study, or the rest of it, and give its folder: `out` / its name.

    `games` replaces the number of games at every point. `workers` are processes (one
    for each core unless told otherwise); `dask` is the address of a cluster's scheduler
    instead. With `fresh` what is in the folder is thrown away.
    """
    if games is not None:
        study = study.with_games(games)
    with Running([study], out, workers=workers, dask=dask, fresh=fresh) as running:
        for _ in running.work():
            pass
        return running.folders()[0]


class Running:
    """Some studies being run together. Their folders are locked until it is closed."""

    def __init__(
        self,
        studies: Sequence[Study],
        out: str | Path,
        *,
        workers: int | None = None,
        dask: str | None = None,
        fresh: bool = False,
        command: str | None = None,
    ) -> None:
        if dask is not None and workers is not None:
            raise InvalidInput("a cluster has its own workers: give workers or dask, not both")
        self._workers = check_workers(workers)
        self._dask = dask
        _check(studies)
        self._parquet = Parquet()
        self.keepers: list[Keeper] = []
        try:
            for study in studies:
                place = Path(out) / study.name
                self.keepers.append(
                    Keeper(study, place, self._parquet, fresh=fresh, command=command)
                )
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the folders to others."""
        self._parquet.close()
        for keeper in self.keepers:
            keeper.close()

    def folders(self) -> list[Folder]:
        """What is there now."""
        return [keeper.folder() for keeper in self.keepers]

    @property
    def left(self) -> list[Job]:
        """What is still to be done, mixed."""
        owner = {
            (chunk, number): keeper
            for number, keeper in enumerate(self.keepers)
            for chunk in keeper.left.values()
        }
        return [(owner[key], key[0]) for key in mixed(owner)]

    def work(self) -> Generator[Progress, None, None]:
        """Do all that is left; tell how far it is, first when the workers are there.

        Stopped by Ctrl-C or an error, it keeps every chunk that is finished.
        """
        left = self.left
        if not left:
            return
        progress = Progress(
            0,
            sum(len(chunk.numbers) for _, chunk in left),
            0.0,
            sum(chunk.cost for _, chunk in left),
        )
        with self._executor(len(left)) as (executor, ahead):
            waiting: Waiting = {}
            try:
                for chunk in self._gather(executor, ahead, left, waiting):
                    if chunk is not None:
                        progress = progress._replace(
                            games=progress.games + len(chunk.numbers),
                            cost=progress.cost + chunk.cost,
                        )
                    yield progress
            except BaseException:
                self._rescue(waiting)
                raise

    def _gather(
        self,
        executor: Executor,
        ahead: Callable[[], int],
        left: list[Job],
        waiting: Waiting,
    ) -> Iterator[Chunk | None]:
        """Chunks as they are finished and kept; first None, when the workers are there."""
        # In whole chunks, and so that all have something to do until the end.
        size = min(_LOAD, sum(chunk.cost for _, chunk in left) / (2 * ahead()))
        todo = _loads(left, size)
        saved = monotonic()
        told = False
        while True:
            while len(waiting) < ahead() and (load := next(todo, None)):
                jobs = [(chunk, keeper.study.seed) for keeper, chunk in load]
                waiting[executor.submit(perform_all, jobs)] = load
            if not told:
                told = True
                yield None
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                for (keeper, chunk), done in zip(waiting[future], future.result(), strict=True):
                    _keep(keeper, chunk, done)
                    yield chunk
                del waiting[future]
            if monotonic() - saved > _SAVE_SECONDS:
                saved = monotonic()
                for keeper in self.keepers:
                    keeper.save()

    def _rescue(self, waiting: Waiting) -> None:
        """Keep what was finished when something stopped us."""
        with suppress(MineproofError):
            for future, load in waiting.items():
                if future.done() and not future.cancelled() and future.exception() is None:
                    for (keeper, chunk), done in zip(load, future.result(), strict=True):
                        _keep(keeper, chunk, done)
            for keeper in self.keepers:
                keeper.save()

    @contextmanager
    def _executor(self, chunks: int) -> Iterator[tuple[Executor, Callable[[], int]]]:
        """Who does the work, and how many chunks they shall have before them."""
        workers = min(self._workers, chunks)
        if self._dask is not None:
            from mineproof.studies.cluster import connect

            with connect(self._dask) as found:
                yield found
        elif workers == 1:
            yield _Here(), lambda: 1
        else:
            locks = [keeper.lock for keeper in self.keepers]
            with pool(workers, _let_go, (locks,), what="its chunk was") as executor:
                yield executor, lambda: 2 * workers


class _Here(Executor):
    """Does the work at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*arguments, **named))
        except MineproofError as error:
            future.set_exception(error)
        return future


def _check(studies: Sequence[Study]) -> None:
    """Let every agent sit down to every kind of game: what cannot be played is refused."""
    names = [study.name for study in studies]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"study {name!r} was given twice")
    for study in studies:
        for point in study.points():
            try:
                Match(
                    point.deal,
                    point.agent,
                    rules=point.rules,
                    clues=point.clue_model,
                    start=point.start,
                )
            except MineproofError as error:
                where = f"study {study.name!r}: {point.agent!r} on {point.board!r}"
                error.args = (f"{where}: {error}", *error.args[1:])
                raise


def _loads(left: Iterable[Job], size: float) -> Iterator[list[Job]]:
    """Small chunks travel together: loads of about so many whole chunks each."""
    load: list[Job] = []
    for job in left:
        load.append(job)
        if sum(chunk.cost for _, chunk in load) >= size:
            yield load
            load = []
    if load:
        yield load


def _keep(keeper: Keeper, chunk: Chunk, done: Done) -> None:
    check_done(done)
    if chunk.name in keeper.left:
        keeper.write(chunk, done.columns, done.seconds)


def _let_go(locks: list[int]) -> None:
    """A worker does not hold the folders: who kills its parent can run again at once."""
    for lock in locks:
        os.close(lock)
