"""Where a study is kept: a folder with a manifest, chunks of games in Parquet, and a lock.

`open_folder` reads one, also while it is being written. `Keeper` writes one: it holds
the lock, knows which chunks are left, and refuses what does not belong together.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from mineproof import __version__, _engine
from mineproof.errors import FormatError, InvalidInput, MineproofError
from mineproof.extras import need
from mineproof.formats.labelled_json import read_labelled
from mineproof.series.columns import Array, Arrays
from mineproof.series.workers import cores, undisturbed
from mineproof.studies import files
from mineproof.studies.grid import Point
from mineproof.studies.plan import Chunk, chunks, signature
from mineproof.studies.reading import TEXTS
from mineproof.studies.spec import Study

FORMAT = "mineproof-study-1"
_WORDS = frozenset({*TEXTS, "findings", "plot"})
"""What may change of a study that was run: nothing follows from it."""
MANIFEST, POINTS, LOCK, CHUNKS = "manifest.json", "points.parquet", "lock", "chunks"


@dataclass(frozen=True)
class Folder:
    """A study that was run, or is being run."""

    path: Path
    manifest: Mapping[str, Any]

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
        return sorted((self.path / CHUNKS).glob("p*-g*.parquet"), key=_by_point_and_game)


def open_folder(path: str | Path) -> Folder:
    """The study in a folder."""
    path = Path(path)
    try:
        text = (path / MANIFEST).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise FormatError(f"no study in {str(path)!r}: cannot read its {MANIFEST}: {why}") from None
    found = read_labelled(text, FORMAT, "the manifest of a study")
    lacking = [key for key in ("name", "spec", "fingerprint", "finished") if key not in found]
    if lacking:
        raise FormatError(f"{str(path / MANIFEST)!r} has no {lacking[0]!r}")
    return Folder(path, found)


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
        self.plan = chunks(self.study)
        new = _manifest(self.study, signature(self.plan), command)
        old = self._earlier()
        if old is None:
            with files.writing(self.path):
                (self.path / POINTS).unlink(missing_ok=True)
        else:
            changes = list(_differences(_essence(old), _essence(new)))
            if changes:
                raise InvalidInput(
                    f"{str(self.path)!r} holds another run of this study: {'; '.join(changes)}. "
                    "Choose another folder (--out), or begin anew (--fresh)"
                )
            new |= {key: old[key] for key in ("started", "seconds") if key in old}
        self.manifest = new
        whole = files.is_whole
        self.left = {one.name: one for one in self.plan if not whole(self._place(one))}
        self.save()

    def _earlier(self) -> Mapping[str, Any] | None:
        """What the chunks that are there are of; None if there are none."""
        if not any((self.path / CHUNKS).glob("*.parquet")):
            return None
        if not (self.path / MANIFEST).exists():
            raise InvalidInput(
                f"{str(self.path)!r} has chunks but no {MANIFEST}: nobody knows what they are of. "
                "Choose another folder (--out), or begin anew (--fresh)"
            )
        return open_folder(self.path).manifest

    def _place(self, chunk: Chunk) -> Path:
        return self.path / CHUNKS / chunk.name

    def write(self, chunk: Chunk, columns: Arrays, seconds: float) -> None:
        """Keep a chunk that took a worker so many seconds; Ctrl-C waits for it."""
        point = np.full(len(chunk.numbers), chunk.point.index, np.int64)
        with undisturbed():  # DuckDB would take Ctrl-C for an error of its own
            if not (self.path / POINTS).exists():
                self._parquet.write(self.path / POINTS, _point_columns(self.study.points()))
            stored = {name: _stored(column) for name, column in columns.items()}
            self._parquet.write(self._place(chunk), {"point": point, **stored})
            del self.left[chunk.name]
            self.manifest["seconds"] += seconds
            if not self.left:
                self.save()

    def save(self) -> None:
        """Bring the manifest up to date."""
        self.manifest["finished"] = not self.left
        files.write_text(self.path / MANIFEST, json.dumps(self.manifest, indent=2) + "\n")

    def folder(self) -> Folder:
        """What is there now."""
        return Folder(self.path, dict(self.manifest))

    def close(self) -> None:
        """Let others write."""
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None


def _by_point_and_game(path: Path) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", path.stem)))


def _lock(path: Path) -> int:
    """An open file that no other process has locked; the lock goes with the process."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
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
    (path / MANIFEST).unlink(missing_ok=True)
    (path / POINTS).unlink(missing_ok=True)
    for chunk in (path / CHUNKS).glob("p*-g*.parquet"):
        chunk.unlink()


def _stored(column: Array) -> Any:
    """As files have it: whole numbers of one width, null for what is unknown."""
    if column.dtype.kind == "i":
        return column.astype(np.int64)
    unknown = np.isnan(column) if column.dtype.kind == "f" else None
    return column if unknown is None or not unknown.any() else np.ma.masked_array(column, unknown)


def _point_columns(points: tuple[Point, ...]) -> dict[str, Any]:
    """The points of a study; a start is text, as in `0,0`."""
    found: dict[str, Any] = {"point": np.array([point.index for point in points])}
    for name in Point._fields[1:]:
        values = [getattr(point, name) for point in points]
        if name == "start":
            values = [None if cell is None else "{},{}".format(*cell) for cell in values]
        found[name] = _nullable(values, str if name == "start" else float)
    return found


def _nullable(values: list[Any], kind: type) -> Any:
    """Values of one type as an array, None masked; without any value it is of this kind."""
    kind = next((type(value) for value in values if value is not None), kind)
    filled = [kind() if value is None else value for value in values]
    unknown = [value is None for value in values]
    array: Array = np.array(filled, object if kind is str else kind)
    return np.ma.masked_array(array, unknown) if any(unknown) else array


def _manifest(study: Study, plan: int, command: str | None) -> dict[str, Any]:
    found = {
        "format": FORMAT,
        "name": study.name,
        "spec": study.to_json(),
        "versions": {
            "mineproof": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "duckdb": need("duckdb", "studies").__version__,
        },
        "engine": _engine.name(),
        "plan": plan,
        "machine": {"platform": platform.platform(), "cores": cores()},
        "command": command,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": 0.0,
        "finished": False,
    }
    text = json.dumps(_essence(found), sort_keys=True)
    return found | {"fingerprint": hashlib.sha256(text.encode()).hexdigest()}


def _essence(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What the results follow from."""
    spec = {key: value for key, value in manifest["spec"].items() if key not in _WORDS}
    return {
        "name": manifest["name"],
        "version": manifest["versions"]["mineproof"],
        "engine": manifest["engine"],
        **spec,
        "plan": manifest.get("plan"),
    }


def _differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """In words, what differs between two documents."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _differences(old.get(key), new.get(key), f"{where} {key}".strip())
    elif (
        isinstance(old, list)
        and len(old) == len(new)
        and all(isinstance(one, dict) for one in (*old, *new))
    ):
        for number, (one, other) in enumerate(zip(old, new, strict=True), 1):
            yield from _differences(one, other, f"{where} {number}")
    elif old != new:
        yield f"{where} was {json.dumps(old)}, is now {json.dumps(new)}"
