"""Work done chunk by chunk: in this process, on all cores, or on a cluster.

The caller provides pieces of work, a function that does one, and a function that keeps its result.
The number of workers and the order in which they finish change nothing.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from time import monotonic
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from mineproof.errors import InvalidInput, MineproofError
from mineproof.series.cluster import connect
from mineproof.series.workers import check_workers, forks, pool

_LOAD = 0.75
"""The largest load of small pieces that is sent to a worker at once, in whole chunks."""
_SAVE_SECONDS = 10.0
"""Seconds between calls of `save`."""


class Progress(NamedTuple):
    """The progress of the work: games since its start, and estimated costs."""

    games: int
    all_games: int | None
    """None if the number of games is unknown."""
    cost: float
    all_cost: float

    @property
    def part(self) -> float:
        """The finished part, from 0 to 1; 0 if it is unknown."""
        return self.cost / self.all_cost if self.all_cost else 0.0


class WorkUnit(Protocol):
    """A piece of work: some games, and the estimated cost in whole chunks."""

    @property
    def numbers(self) -> range:
        """The numbers of its games."""
        ...

    @property
    def cost(self) -> float:
        """The estimated cost; 1 for a whole chunk."""
        ...


P = TypeVar("P", bound=WorkUnit)
R = TypeVar("R")


@dataclass(frozen=True)
class _Workers(Generic[P, R]):
    """The workers: `submit` gives them a load of pieces, `ahead` counts the loads in flight."""

    submit: Callable[[list[P]], Future[list[R]]]
    ahead: Callable[[], int]


@dataclass(frozen=True)
class Backend:
    """Where work is done: in a number of processes, or on a Dask cluster at an address."""

    workers: int
    dask: str | None = None

    @classmethod
    def chosen(cls, workers: int | None, dask: str | None = None) -> Backend:
        """Return the chosen place: all cores by default, a number of processes, or a cluster."""
        if dask is not None and workers is not None:
            raise InvalidInput(
                "a Dask cluster has its own workers: give `workers` or `dask`, not both"
            )
        return cls(check_workers(workers), dask)


@dataclass(frozen=True)
class ParallelWork(Generic[P, R]):
    """The functions that do the work.

    `do` does a piece, in any process; `keep` takes its result, in this process. `begin` is called
    by every new process, `save` now and then and when the work is interrupted.
    """

    do: Callable[[P], R]
    keep: Callable[[P, R], None]
    begin: Callable[[], None] | None = None
    save: Callable[[], None] | None = None
    what: str = "its games were"

    def carry_out(
        self, pieces: Iterable[P], place: Backend, games: int | None, cost: float
    ) -> Generator[Progress, None, None]:
        """Do all pieces; yield the progress, first when the workers have started.

        If Ctrl-C or an error stops it, every finished piece is kept.
        """
        todo = iter(pieces)
        head = list(islice(todo, place.workers))
        if not head:
            return
        progress = Progress(0, games, 0.0, cost)
        waiting: dict[Future[list[R]], list[P]] = {}
        with self._start_workers(place, len(head)) as workers:
            try:
                for piece in self._gather(workers, chain(head, todo), cost, waiting):
                    if piece is not None:
                        progress = progress._replace(
                            games=progress.games + len(piece.numbers),
                            cost=progress.cost + piece.cost,
                        )
                    yield progress
            except BaseException:
                self._rescue(waiting)
                raise

    def _gather(
        self,
        workers: _Workers[P, R],
        pieces: Iterator[P],
        cost: float,
        waiting: dict[Future[list[R]], list[P]],
    ) -> Iterator[P | None]:
        """Yield None when the workers have started, then each piece that is finished and kept."""
        # In whole chunks; small enough to keep all workers busy until the end.
        todo = _loads(pieces, min(_LOAD, cost / (2 * workers.ahead())))
        saved = monotonic()
        started = False
        while True:
            while len(waiting) < workers.ahead() and (load := next(todo, None)):
                waiting[workers.submit(load)] = load
            if not started:
                started = True
                yield None
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                for piece, done in zip(waiting[future], future.result(), strict=True):
                    self.keep(piece, done)
                    yield piece
                del waiting[future]
            if self.save is not None and monotonic() - saved > _SAVE_SECONDS:
                saved = monotonic()
                self.save()

    def _rescue(self, waiting: dict[Future[list[R]], list[P]]) -> None:
        """Keep the results that were finished when the work was interrupted."""
        with suppress(MineproofError):
            for future, load in waiting.items():
                if future.done() and not future.cancelled() and future.exception() is None:
                    for piece, done in zip(load, future.result(), strict=True):
                        self.keep(piece, done)
            if self.save is not None:
                self.save()

    @contextmanager
    def _start_workers(self, place: Backend, pieces: int) -> Iterator[_Workers[P, R]]:
        workers = min(place.workers, pieces)
        if place.dask is not None:
            with connect(place.dask, self.do) as (cluster, ahead):
                yield _Workers(lambda load: cluster.submit(do_each, self.do, load), ahead)
        elif workers == 1:
            yield _Workers(self._do_at_once, lambda: 1)
        else:
            _check_sendable(self.do)
            do = partial(do_each, self.do)
            with pool(workers, do, self.begin, what=self.what) as submit:
                yield _Workers(submit, lambda: 2 * workers)

    def _do_at_once(self, load: list[P]) -> Future[list[R]]:
        future: Future[list[R]] = Future()
        try:
            future.set_result(do_each(self.do, load))
        except MineproofError as error:
            future.set_exception(error)
        return future


def do_each(do: Callable[[P], R], load: Sequence[P]) -> list[R]:
    """Do some pieces, one after the other, and return the results."""
    return [do(piece) for piece in load]


def _check_sendable(do: Callable[[Any], Any]) -> None:
    if forks():
        return
    try:
        pickle.dumps(do)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise MineproofError(
            f"an agent cannot be pickled for other processes ({error}): use workers=1"
        ) from None


def _loads(pieces: Iterable[P], size: float) -> Iterator[list[P]]:
    """Group small pieces into loads that cost at least `size` each."""
    load: list[P] = []
    for piece in pieces:
        load.append(piece)
        if sum(one.cost for one in load) >= size:
            yield load
            load = []
    if load:
        yield load
