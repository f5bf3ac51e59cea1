"""Where a study is kept: a folder with a manifest, chunks of games in Parquet, and a lock.

`open_folder` reads one, also while it is being written. `Keeper` writes one: it holds
the lock, knows which chunks are left, plays again what was damaged, and refuses what does
not belong together.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mineproof.errors import FormatError, InvalidInput, MineproofError, shorten
from mineproof.given import file_path
from mineproof.interrupts import undisturbed
from mineproof.series.columns import Arrays
from mineproof.studies import checksums, files
from mineproof.studies.checksums import JOURNAL, checksum
from mineproof.studies.grid import Point
from mineproof.studies.manifest import MANIFEST, differences, new_manifest, read_manifest
from mineproof.studies.parquet_columns import point_columns, stored_column
from mineproof.studies.plan import Chunk, chunks, signature
from mineproof.studies.regular import check_regular, open_handle
from mineproof.studies.spec import Study

POINTS, LOCK, CHUNKS = "points.parquet", "lock", "chunks"
_CHUNK = re.compile(r"p\d{5,}-g\d{6,}\.parquet")
_MAKE_AGAIN = "Run the study again, which makes it again"
_ELSEWHERE = "Choose another folder (--out), or begin anew (--fresh)"


@dataclass(frozen=True)
class Folder:
    """A study that was run, or is being run."""

    path: Path
    manifest: Mapping[str, Any]
    damaged: tuple[str, ...] = ()
    """What the run that gave it found damaged, and played again."""

    @cached_property
    def study(self) -> Study:
        """What was run."""
        return Study.from_dict(self.manifest["name"], self.manifest["spec"])

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The points of the study."""
        return self.study.points()

    @property
    def finished(self) -> bool:
        """Whether all games are there."""
        return bool(self.manifest["finished"])

    def chunks(self) -> list[Path]:
        """The files of the chunks that are finished, by point and game."""
        return sorted(_chunks(self.path), key=_by_point_and_game)

    def checked_chunks(self) -> list[Path]:
        """The same, if every one is what the run wrote, the points are, too, and none is missing.

        The manifest was read first, then the files are listed, then the checksums are read: what
        a run writes meanwhile is neither missing nor foreign.
        """
        for path in _missing(self.path, self.manifest):
            raise FormatError(f"{str(path)!r} is missing, and {MANIFEST} lists it. {_MAKE_AGAIN}")
        found = self.chunks()
        points = self.path / POINTS
        written = [*found, *([points] if points.exists() else [])]
        known = checksums.known(self.path)
        for path in written:
            if path.name not in known:
                raise FormatError(f"{str(path)!r} was not written by this run")
            if checksum(path) != known[path.name]:
                raise FormatError(
                    f"{str(path)!r} is not what was written: it is damaged. {_MAKE_AGAIN}"
                )
        return found


def open_folder(path: str | Path) -> Folder:
    """The study in a folder."""
    return Folder(file_path(path), read_manifest(file_path(path)))


def open_folders(path: str | Path) -> list[Folder]:
    """The study in a folder, or all those in folders in it."""
    path = file_path(path)
    if os.path.lexists(path / MANIFEST):
        return [open_folder(path)]
    inside = sorted(found.parent for found in path.glob(f"*/{MANIFEST}"))
    if not inside:
        raise FormatError(f"no study in {str(path)!r}, nor in a folder in it")
    return [open_folder(one) for one in inside]


class Keeper:
    """Writes the folder of a study. It holds the folder's lock until it is closed."""

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
            self.manifest["checksums"] = kept
            self.left = {one.name: one for one in self.plan if one.name not in kept}
            if kept:
                self._mend_points(kept)
        self.save()

    def _refuse_strangers(self) -> None:
        """Whoever reads all Parquet files in the folder would take them for games."""
        for path in sorted((self.path / CHUNKS).glob("*.parquet")):
            if not _CHUNK.fullmatch(path.name):
                raise InvalidInput(
                    f"{str(path)!r} is no file of a study: move it away, "
                    "or choose another folder (--out)"
                )

    def _kept(self) -> dict[str, str]:
        """What earlier runs finished, with checksums; what is damaged is removed, and told."""
        found = _chunks(self.path)
        if not found:
            return {}
        if not (self.path / MANIFEST).exists():
            raise InvalidInput(
                f"{str(self.path)!r} has chunks but no {MANIFEST}: nobody knows what they are of. "
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
                    f"{str(self.path)!r} holds another run of this study: {'; '.join(changes)}. "
                    f"{_ELSEWHERE}"
                )
            self.manifest |= {key: old[key] for key in ("started", "seconds")}
            self.damaged += [f"{str(path)!r} is missing" for path in missing]
        return self._sound(found, known)

    def _sound(self, found: list[Path], known: Mapping[str, str]) -> dict[str, str]:
        """The files that are what was written; those that were damaged since are removed.

        All are looked at before any is removed: where one is foreign, nothing is touched.
        """
        bad = [path for path in found if known.get(path.name) != checksum(path)]
        for path in bad:
            if checksums.is_foreign(path, self.manifest["fingerprint"]):
                raise InvalidInput(f"{str(path)!r} was altered, or is of another run. {_ELSEWHERE}")
        for path in bad:
            if known:  # else all are: the manifest was
                self.damaged.append(f"{str(path)!r} is damaged")
            path.unlink()
        kept = {path.name: known[path.name] for path in found if path not in bad}
        return kept | {POINTS: known[POINTS]} if kept and POINTS in known else kept

    def _mend_points(self, kept: dict[str, str]) -> None:
        """The points follow from the study: what is wrong is written anew."""
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
        """A file that is noted before it is there, and listed when it is."""
        label = checksums.label(self.manifest["fingerprint"], path.name)
        written: list[str] = []

        def note(digest: str) -> None:
            checksums.note(self.path, path.name, digest)
            written.append(digest)

        self._parquet.write(path, columns, label, note)
        self.manifest["checksums"][path.name] = written[-1]

    def write(self, chunk: Chunk, columns: Arrays, seconds: float) -> None:
        """Keep a chunk that took a worker so many seconds; Ctrl-C waits for it."""
        point = np.full(len(chunk.numbers), chunk.point.index, np.int64)
        with undisturbed():  # DuckDB would take Ctrl-C for an error of its own
            self._write_points()
            stored = {name: stored_column(column) for name, column in columns.items()}
            self._write_parquet(self._place(chunk), {"point": point, **stored})
            del self.left[chunk.name]
            self.manifest["seconds"] += seconds
            if not self.left:
                self.save()

    def save(self) -> None:
        """Bring the manifest up to date; then the journal has nothing to add."""
        self.manifest["finished"] = not self.left
        files.write_text(self.path / MANIFEST, json.dumps(self.manifest, indent=2) + "\n")
        with files.writing(self.path):
            (self.path / JOURNAL).unlink(missing_ok=True)

    def folder(self) -> Folder:
        """What is there now."""
        return Folder(self.path, dict(self.manifest), tuple(self.damaged))

    def close(self) -> None:
        """Let others write."""
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None


def _chunks(path: Path) -> list[Path]:
    return [one for one in (path / CHUNKS).glob("*.parquet") if _CHUNK.fullmatch(one.name)]


def _missing(path: Path, manifest: Mapping[str, Any]) -> Iterator[Path]:
    """The files that a manifest lists and that are not there."""
    for name in sorted(manifest["checksums"]):
        if name != POINTS and not _CHUNK.fullmatch(name):
            raise FormatError(f"{MANIFEST} lists {shorten(name)!r}, which is no file of a study")
        file = path / name if name == POINTS else path / CHUNKS / name
        if not os.path.lexists(file):
            yield file


def _by_point_and_game(path: Path) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", path.stem)))


def _lock(path: Path) -> int:
    """An open file that no other process has locked; the lock goes with the process."""
    handle = open_handle(path, os.O_RDWR | os.O_CREAT)
    try:
        import fcntl
    except ImportError:  # where there are no such locks, people must take care
        return handle
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        who = os.read(handle, 20).decode(errors="replace").strip()
        os.close(handle)
        by = f" (process {who})" if who else ""
        raise MineproofError(f"{str(path.parent)!r} is being written by another run{by}") from None
    with suppress(OSError):  # the number is a courtesy
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
    return handle


def _clear(path: Path) -> None:
    """Remove what earlier runs wrote, and nothing else."""
    for name in (MANIFEST, POINTS, JOURNAL):
        (path / name).unlink(missing_ok=True)
    for chunk in _chunks(path):
        chunk.unlink()
