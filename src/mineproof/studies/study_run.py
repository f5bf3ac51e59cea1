"""Run studies on all cores or a cluster, chunk by chunk, continuing where the last run stopped."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from functools import partial
from pathlib import Path

from mineproof.arguments import file_path, of_type
from mineproof.errors import InvalidInput, MineproofError
from mineproof.games.match import Match
from mineproof.series.parallel import Backend, ParallelWork, Progress
from mineproof.studies.chunk_plan import Chunk, mixed
from mineproof.studies.chunk_work import ChunkResult, ChunkWorker, check_done
from mineproof.studies.parquet import Parquet
from mineproof.studies.spec import Study
from mineproof.studies.study_folder import StudyResults, StudyWriter


def run(
    study: Study,
    out: str | Path = "studies",
    *,
    games: int | None = None,
    workers: int | None = None,
    dask: str | None = None,
    fresh: bool = False,
) -> StudyResults:
    """Run a study, or what is left of it, and return its folder: `out` / its name.

    `games` replaces the number of games at every point. `workers` is the number of processes
    (default: one per core); `dask` is the address of a Dask scheduler to use instead. `fresh`
    deletes the results that are already in the folder.
    """
    of_type(study, Study, "study")
    if games is not None:
        study = study.with_games(games)
    with StudyRun([study], out, workers=workers, dask=dask, fresh=fresh) as running:
        for _ in running.work():
            pass
        return running.folders()[0]


class StudyRun:
    """Runs several studies together. Their folders are locked until it is closed."""

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
        self._place, out = Backend.chosen(workers, dask), file_path(out, "out")
        _check(studies)
        self._parquet = Parquet()
        self.writers: list[StudyWriter] = []
        try:
            for study in studies:
                place = out / study.name
                self.writers.append(
                    StudyWriter(study, place, self._parquet, fresh=fresh, command=command)
                )
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> StudyRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Unlock the folders."""
        self._parquet.close()
        for writer in self.writers:
            writer.close()

    def folders(self) -> list[StudyResults]:
        """Return the folders in their current state."""
        return [writer.folder() for writer in self.writers]

    @property
    def damaged(self) -> list[str]:
        """Messages about damaged files, which are removed and written again."""
        return [what for writer in self.writers for what in writer.damaged]

    @property
    def left(self) -> list[Chunk]:
        """The remaining chunks: one study after the other, the shortest first.

        So a run that is stopped early leaves complete studies.
        """
        each = [
            [chunk._replace(study=number) for chunk in mixed(writer.left.values())]
            for number, writer in enumerate(self.writers)
        ]
        each.sort(key=lambda some: sum(chunk.cost for chunk in some))
        return [chunk for some in each for chunk in some]

    def work(self) -> Generator[Progress, None, None]:
        """Run what is left, and yield the progress, first when the workers have started.

        If Ctrl-C or an error stops it, all finished chunks are kept.
        """
        left = self.left
        locks = [writer.lock for writer in self.writers]
        do = ChunkWorker.of(left)
        work = ParallelWork(do, self._keep, partial(_let_go, locks), self._save, "its chunk was")
        games, cost = sum(len(one.numbers) for one in left), sum(one.cost for one in left)
        return work.carry_out(left, self._place, games, cost)

    def _keep(self, chunk: Chunk, done: ChunkResult) -> None:
        check_done(done)
        writer = self.writers[chunk.study]
        if chunk.name in writer.left:
            writer.write(chunk, done.columns, done.seconds)

    def _save(self) -> None:
        for writer in self.writers:
            writer.save()


def _check(studies: Sequence[Study]) -> None:
    """Start every agent on every kind of game, to refuse what cannot be played."""
    names = [study.name for study in studies]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"study {name!r} is given twice")
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


def _let_go(locks: list[int | None]) -> None:
    """Close the locks in a worker, so that the folders are free if its parent is killed."""
    for lock in locks:
        if lock is not None:
            os.close(lock)
