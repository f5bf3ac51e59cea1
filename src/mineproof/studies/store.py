"""The folder of a study: a manifest, chunks of games in Parquet, and a lock.

`open_folder` reads one, also while it is being written. `Keeper` writes one: it holds the lock,
knows which chunks are left, replaces damaged ones, and refuses to mix different runs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mineproof.errors import FormatError, InvalidInput, MineproofError, shorten
from mineproof.given import file_path
from mineproof.interrupts import undisturbed
from mineproof.messages.study_files import Manifest
from mineproof.series.columns import Arrays
from mineproof.studies import checksums, files
from mineproof.studies.checksums import JOURNAL, checksum
from mineproof.studies.grid import Point
from mineproof.studies.manifest import MANIFEST, differences, new_manifest, read_manifest, to_text
from mineproof.studies.parquet_columns import point_columns, stored_column
from mineproof.studies.plan import Chunk, chunks, signature
from mineproof.studies.regular import check_regular, open_handle
from mineproof.studies.spec import Study

POINTS, LOCK, CHUNKS = "points.parquet", "lock", "chunks"
_CHUNK = re.compile(r"p\d{5,}-g\d{6,}\.parquet")
_MAKE_AGAIN = "Run the study again to replace it"
_ELSEWHERE = "Choose another folder (--out), or start again (--fresh)"


@dataclass(frozen=True)
class Folder:
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
        return sorted(_chunks(self.path), key=_by_point_and_game)

    def checked_chunks(self) -> list[Path]:
        """Return the same after checking that no file is missing, damaged or foreign.

        The manifest was read first; then the files are listed, then the checksums are read, so
        files that a run writes in the meantime count as neither missing nor foreign.
        """
        for path in _missing(self.path, self.manifest):
            raise FormatError(f"{str(path)!r} is missing, but {MANIFEST} lists it. {_MAKE_AGAIN}")
        found = self.chunks()
        points = self.path / POINTS
        written = [*found, *([points] if points.exists() else [])]
        known = checksums.known(self.path)
        for path in written:
            if path.name not in known:
                raise FormatError(f"{str(path)!r} was not written by this run")
            if checksum(path) != known[path.name]:
                raise FormatError(f"{str(path)!r} is damaged: its checksum is wrong. {_MAKE_AGAIN}")
        return found


def open_folder(path: str | Path) -> Folder:
    """Open the folder of a study."""
    return Folder(file_path(path), read_manifest(file_path(path)))


def open_folders(path: str | Path) -> list[Folder]:
    """Open the folder of a study, or all folders of studies in a folder."""
    path = file_path(path)
    if os.path.lexists(path / MANIFEST):
        return [open_folder(path)]
    inside = sorted(found.parent for found in path.glob(f"*/{MANIFEST}"))
    if not inside:
        raise FormatError(f"no study in {str(path)!r} or its subfolders")
    return [open_folder(one) for one in inside]


class Keeper:
    """Writes the folder of a study, and holds its lock until it is closed."""

    def __init__(
        self,
        study: Study,
        path: Path,
        parquet: files.Parquet,
        *,
        fresh: bool = False,
        command: str | None = None,
    ) -> None:
        self.study = study
        self.path = path
        self._parquet = parquet
        with files.writing(path):
            (path / CHUNKS).mkdir(parents=True, exist_ok=True)
            self.lock: int | None = _lock(path / LOCK)
        try:
            self._begin(command, fresh=fresh)
        except BaseException:
            self.close()
            raise

    def _begin(self, command: str | None, *, fresh: bool) -> None:
        with files.writing(self.path):
            files.sweep(self.path)
            files.sweep(self.path / CHUNKS)
            if fresh:
                _clear(self.path)
        self._refuse_strangers()
        for path in (self.path / MANIFEST, self.path / POINTS, self.path / JOURNAL):
            check_regular(path)
        for path in _chunks(self.path):
            check_regular(path)
        self.plan = chunks(self.study)
        self.manifest = new_manifest(self.study, signature(self.plan), command)
        self.damaged: list[str] = []
        with files.writing(self.path):
            kept = self._kept()
            if not kept:
                (self.path / POINTS).unlink(missing_ok=True)
            self.manifest.checksums = kept
            self.left = {one.name: one for one in self.plan if one.name not in kept}
            if kept:
                self._restore_points(kept)
        self.save()

    def _refuse_strangers(self) -> None:
        """Refuse other Parquet files in the folder, which readers would take for games."""
        for path in sorted((self.path / CHUNKS).glob("*.parquet")):
            if not _CHUNK.fullmatch(path.name):
                raise InvalidInput(
                    f"{str(path)!r} does not belong to a study: move it elsewhere, "
                    "or choose another folder (--out)"
                )

    def _kept(self) -> dict[str, str]:
        """Return the finished files and their checksums; damaged files are removed and noted."""
        found = _chunks(self.path)
        if not found:
            return {}
        if not (self.path / MANIFEST).exists():
            raise InvalidInput(
                f"{str(self.path)!r} has chunks but no {MANIFEST}, so their study is unknown. "
                f"{_ELSEWHERE}"
            )
        try:
            old = read_manifest(self.path)
            known = checksums.known(self.path)
            missing = [path for path in _missing(self.path, old) if path.name != POINTS]
        except FormatError as error:
            self.damaged.append(str(error))
            known = {}
        else:
            changes = differences(old, self.manifest)
            if changes:
                raise InvalidInput(
                    f"{str(self.path)!r} has a different run of this study: {'; '.join(changes)}. "
                    f"{_ELSEWHERE}"
                )
            self.manifest.started, self.manifest.seconds = old.started, old.seconds
            self.damaged += [f"{str(path)!r} is missing" for path in missing]
        return self._sound(found, known)

    def _sound(self, found: list[Path], known: Mapping[str, str]) -> dict[str, str]:
        """Return the intact files; damaged ones are removed.

        All are checked before any is removed: if one is foreign, nothing is changed.
        """
        bad = [path for path in found if known.get(path.name) != checksum(path)]
        for path in bad:
            if checksums.is_foreign(path, self.manifest.fingerprint):
                raise InvalidInput(
                    f"{str(path)!r} was altered or belongs to another run. {_ELSEWHERE}"
                )
        for path in bad:
            if known:  # otherwise all count as damaged, because the manifest is
                self.damaged.append(f"{str(path)!r} is damaged")
            path.unlink()
        kept = {path.name: known[path.name] for path in found if path not in bad}
        return kept | {POINTS: known[POINTS]} if kept and POINTS in known else kept

    def _restore_points(self, kept: dict[str, str]) -> None:
        """Write the points again if they are missing or damaged; they follow from the study."""
        path = self.path / POINTS
        if path.exists() and kept.get(POINTS) != checksum(path):
            self.damaged.append(f"{str(path)!r} is damaged")
            path.unlink()
        self._write_points()

    def _place(self, chunk: Chunk) -> Path:
        return self.path / CHUNKS / chunk.name

    def _write_points(self) -> None:
        if not (self.path / POINTS).exists():
            self._write_parquet(self.path / POINTS, point_columns(self.study.points()))

    def _write_parquet(self, path: Path, columns: Mapping[str, Any]) -> None:
        """Write a file; its checksum is in the journal before, and in the manifest after."""
        label = checksums.label(self.manifest.fingerprint, path.name)
        written: list[str] = []

        def note(digest: str) -> None:
            checksums.note(self.path, path.name, digest)
            written.append(digest)

        self._parquet.write(path, columns, label, note)
        self.manifest.checksums[path.name] = written[-1]

    def write(self, chunk: Chunk, columns: Arrays, seconds: float) -> None:
        """Write a chunk that took a worker `seconds`; Ctrl-C waits until it is written."""
        point = np.full(len(chunk.numbers), chunk.point.index, np.int64)
        with undisturbed():  # DuckDB would report Ctrl-C as an error
            self._write_points()
            stored = {name: stored_column(column) for name, column in columns.items()}
            self._write_parquet(self._place(chunk), {"point": point, **stored})
            del self.left[chunk.name]
            self.manifest.seconds += seconds
            if not self.left:
                self.save()

    def save(self) -> None:
        """Update the manifest, and remove the journal, which it now includes."""
        self.manifest.finished = not self.left
        files.write_text(self.path / MANIFEST, to_text(self.manifest))
        with files.writing(self.path):
            (self.path / JOURNAL).unlink(missing_ok=True)

    def folder(self) -> Folder:
        """Return the folder in its current state."""
        return Folder(self.path, copy(self.manifest), tuple(self.damaged))

    def close(self) -> None:
        """Release the lock."""
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None


def _chunks(path: Path) -> list[Path]:
    return [one for one in (path / CHUNKS).glob("*.parquet") if _CHUNK.fullmatch(one.name)]


def _missing(path: Path, manifest: Manifest) -> Iterator[Path]:
    """Yield the files that a manifest lists but that do not exist."""
    for name in sorted(manifest.checksums):
        if name != POINTS and not _CHUNK.fullmatch(name):
            raise FormatError(f"{MANIFEST} lists {shorten(name)!r}, which is not a file of a study")
        file = path / name if name == POINTS else path / CHUNKS / name
        if not os.path.lexists(file):
            yield file


def _by_point_and_game(path: Path) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", path.stem)))


def _lock(path: Path) -> int:
    """Open and lock a file; the lock ends with the process."""
    handle = open_handle(path, os.O_RDWR | os.O_CREAT)
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


def _clear(path: Path) -> None:
    """Remove the files that earlier runs wrote, and nothing else."""
    for name in (MANIFEST, POINTS, JOURNAL):
        (path / name).unlink(missing_ok=True)
    for chunk in _chunks(path):
        chunk.unlink()
