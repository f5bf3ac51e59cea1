"""The folder of a study: a manifest, chunks of games in Parquet, and a lock.

`open_folder` reads one, also while it is being written. `StudyWriter` writes one: it holds the
lock, knows which chunks are left, and refuses to mix different runs.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from mineproof.arguments import file_path
from mineproof.errors import FormatError, InvalidInput, MineproofError
from mineproof.interrupts import undisturbed
from mineproof.messages.study_files import Manifest
from mineproof.series.columns import Arrays
from mineproof.studies import atomic_files
from mineproof.studies.chunk_plan import Chunk, chunks, signature
from mineproof.studies.grid import Point
from mineproof.studies.manifest import MANIFEST, differences, new_manifest, read_manifest, to_text
from mineproof.studies.parquet import Parquet, is_sound
from mineproof.studies.parquet_columns import point_columns, stored_column
from mineproof.studies.spec import Study

POINTS, LOCK, CHUNKS = "points.parquet", "lock", "chunks"
_CHUNK = re.compile(r"p\d{5,}-g\d{6,}\.parquet")
_ELSEWHERE = "Choose another folder (--out), or start again (--fresh)"


@dataclass(frozen=True)
class StudyResults:
    """The folder of a study that was run, or is being run."""

    path: Path
    manifest: Manifest
    damaged: tuple[str, ...] = ()
    """Messages about damaged files that the run replaced."""

    @cached_property
    def study(self) -> Study:
        """The study that was run."""
        return Study.from_dict(self.manifest.name, self.manifest.spec)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The points of the study."""
        return self.study.points()

    @property
    def finished(self) -> bool:
        """Whether all games were played."""
        return self.manifest.finished

    def chunks(self) -> list[Path]:
        """Return the files of the finished chunks, by point and game."""
        found = (self.path / CHUNKS).glob("*.parquet")
        return sorted(path for path in found if _CHUNK.fullmatch(path.name))

    def checked_chunks(self) -> list[Path]:
        """Return the same after checking that each is sound."""
        found = self.chunks()
        for path in found:
            if not is_sound(path, self.manifest):
                raise FormatError(
                    f"{str(path)!r} is damaged or belongs to another run. "
                    "Run the study again to replace it"
                )
        return found


def open_folder(path: str | Path) -> StudyResults:
    """Open the folder of a study."""
    return StudyResults(file_path(path), read_manifest(file_path(path)))


def open_folders(path: str | Path) -> list[StudyResults]:
    """Open the folder of a study, or all folders of studies in a folder."""
    path = file_path(path)
    if os.path.lexists(path / MANIFEST):
        return [open_folder(path)]
    inside = sorted(found.parent for found in path.glob(f"*/{MANIFEST}"))
    if not inside:
        raise FormatError(f"no study in {str(path)!r} or its subfolders")
    return [open_folder(one) for one in inside]


class StudyWriter:
    """Writes the folder of a study, and holds its lock until it is closed."""

    def __init__(
        self,
        study: Study,
        path: Path,
        parquet: Parquet,
        *,
        fresh: bool = False,
        command: str | None = None,
    ) -> None:
        self.study = study
        self.path = path
        self._parquet = parquet
        with atomic_files.writing(path):
            (path / CHUNKS).mkdir(parents=True, exist_ok=True)
            self.lock: int | None = _lock(path / LOCK)
        try:
            self._begin(command, fresh=fresh)
        except BaseException:
            self.close()
            raise

    def _begin(self, command: str | None, *, fresh: bool) -> None:
        self.plan = chunks(self.study)
        self.manifest = new_manifest(self.study, signature(self.plan), command)
        self.damaged: list[str] = []
        with atomic_files.writing(self.path):
            atomic_files.sweep(self.path)
            atomic_files.sweep(self.path / CHUNKS)
            if fresh:
                self._clear()
            kept = self._kept()
            self.left = {one.name: one for one in self.plan if one.name not in kept}
            if not self.left:
                self._write_points()
        self.save()

    def _clear(self) -> None:
        """Remove the files that earlier runs wrote, and nothing else."""
        for path in (self.path / MANIFEST, self.path / POINTS, *self.folder().chunks()):
            path.unlink(missing_ok=True)

    def _kept(self) -> set[str]:
        """Return the names of the finished chunks; files that are not sound are removed."""
        points, found = self.path / POINTS, self.folder().chunks()
        if not found:
            points.unlink(missing_ok=True)
            return set()
        self._continue()
        lost = [path for path in found if not is_sound(path, self.manifest)]
        if len(lost) == len(found) and self.damaged:
            raise InvalidInput(
                f"{str(self.path)!r} has chunks of an unknown run: {self.damaged[0]}. {_ELSEWHERE}"
            )
        if os.path.lexists(points) and not is_sound(points, self.manifest):
            lost.append(points)
        for path in lost:
            self.damaged.append(f"{str(path)!r} is damaged")
            with atomic_files.writing(path):
                path.unlink()
        return {path.name for path in found} - {path.name for path in lost}

    def _continue(self) -> None:
        """Read the manifest of the run so far, and check that this is the same run."""
        try:
            old = read_manifest(self.path)
        except FormatError as error:
            self.damaged.append(str(error))
            return
        if changes := differences(old, self.manifest):
            raise InvalidInput(
                f"{str(self.path)!r} has a different run of this study: {'; '.join(changes)}. "
                f"{_ELSEWHERE}"
            )
        self.manifest.started, self.manifest.seconds = old.started, old.seconds
        self.manifest.checksums = old.checksums

    def _write_points(self) -> None:
        """Write the points, if they are missing; they follow from the study."""
        path = self.path / POINTS
        if not path.exists():
            columns = point_columns(self.study.points())
            self._parquet.write(path, columns, self.manifest.fingerprint)

    def write(self, chunk: Chunk, columns: Arrays, seconds: float) -> None:
        """Write a chunk that took a worker `seconds`; Ctrl-C waits until it is written."""
        point = np.full(len(chunk.numbers), chunk.point.index, np.int64)
        stored = {name: stored_column(column) for name, column in columns.items()}
        with undisturbed():  # DuckDB would report Ctrl-C as an error
            self._write_points()
            path = self.path / CHUNKS / chunk.name
            self._parquet.write(path, {"point": point, **stored}, self.manifest.fingerprint)
            del self.left[chunk.name]
            self.manifest.seconds += seconds
            if not self.left:
                self.save()

    def save(self) -> None:
        """Update the manifest."""
        self.manifest.finished = not self.left
        atomic_files.write_text(self.path / MANIFEST, to_text(self.manifest))

    def folder(self) -> StudyResults:
        """Return the folder in its current state."""
        return StudyResults(self.path, copy(self.manifest), tuple(self.damaged))

    def close(self) -> None:
        """Release the lock."""
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None


def _lock(path: Path) -> int:
    """Open and lock a file; the lock ends with the process."""
    handle = atomic_files.open_regular(path, os.O_RDWR | os.O_CREAT)
    try:
        import fcntl
    except ImportError:  # Windows has no such locks: users must take care
        return handle
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        who = os.read(handle, 20).decode(errors="replace").strip()
        os.close(handle)
        by = f" (process {who})" if who else ""
        raise MineproofError(f"{str(path.parent)!r} is being written by another run{by}") from None
    with suppress(OSError):  # the process id is only informative
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
    return handle
