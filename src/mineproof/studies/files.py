"""Files that are written whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mineproof.errors import MineproofError
from mineproof.extras import need

_TEMPORARY = ".tmp"


def write_text(path: Path, text: str) -> None:
    """A text file."""
    with _replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


class Parquet:
    """Writes Parquet files by DuckDB, which begins when it is first used."""

    def __init__(self) -> None:
        self._duckdb = need("duckdb", "studies")
        self._database: Any = None

    def write(self, path: Path, columns: Mapping[str, Any]) -> None:
        """A file of numpy's arrays; masked values are null."""
        if self._database is None:
            self._database = self._duckdb.connect(config={"threads": 1})
        with _replacing(path) as temporary:
            name = str(temporary).replace("'", "''")
            self._database.register("columns", dict(columns))
            try:
                self._database.execute(
                    f"COPY (FROM columns) TO '{name}' (FORMAT parquet, COMPRESSION zstd)"
                )
            except self._duckdb.IOException as error:
                raise _as_os_error(error) from None

    def close(self) -> None:
        """End the database, and its threads."""
        if self._database is not None:
            self._database.close()
            self._database = None


def is_whole(path: Path) -> bool:
    """Whether a Parquet file has its end: nothing cut it off after it was written."""
    try:
        with path.open("rb") as file:
            file.seek(-4, os.SEEK_END)
            return file.read() == b"PAR1"
    except OSError:
        return False


def sweep(folder: Path) -> None:
    """Remove what a run that was killed was about to write."""
    for path in folder.glob(f".*{_TEMPORARY}"):
        path.unlink(missing_ok=True)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Errors of the disk become ours, and name the place."""
    try:
        yield
    except OSError as error:
        raise MineproofError(
            f"cannot write {str(path)!r}: {error.strerror or error}; "
            "what was finished before is kept"
        ) from None


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A temporary name in the same folder, which becomes the file when all went well."""
    temporary = path.with_name(f".{path.name}{_TEMPORARY}")
    with writing(path):
        try:
            yield temporary
            _sync(temporary)
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        _sync(path.parent)


def _sync(path: Path) -> None:
    """On the disk, and not only on its way there."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _as_os_error(error: Exception) -> OSError:
    """DuckDB's words for what the system said."""
    text = str(error)
    number = re.search(r'"errno":\s*"?(\d+)', text)
    if number:
        code = int(number.group(1))
        return OSError(code, os.strerror(code))
    return OSError(0, text.rpartition(": ")[2])
