"""Write files atomically: a file is complete or not there, even after a crash."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from mineproof.extras import need
from mineproof.formats.writing import naming
from mineproof.studies.checksums import KEPT, checksum

_TEMPORARY = ".tmp"
Note = Callable[[str], None]


def write_text(path: Path, text: str) -> None:
    """Write a text file."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a binary file."""
    with _replacing(path) as temporary:
        temporary.write_bytes(content)


class Parquet:
    """Writes Parquet files with DuckDB, which is started on first use."""

    def __init__(self) -> None:
        self._duckdb = need("duckdb", "studies")
        self._database: Any = None

    def write(self, path: Path, columns: Mapping[str, Any], label: str, note: Note) -> None:
        """Write NumPy arrays to a file with this label; masked values become null.

        `note` receives the file's checksum before the file is moved into place.
        """
        if self._database is None:
            self._database = self._duckdb.connect(config={"threads": 1})
        arrays, query = _with_nulls(columns)
        with _replacing(path, note) as temporary:
            name = str(temporary).replace("'", "''")
            self._database.register("columns", arrays)
            try:
                self._database.execute(
                    f"COPY ({query}) TO '{name}' "
                    f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{mineproof: '{label}'}})"
                )
            except self._duckdb.IOException as error:
                raise _as_os_error(error) from None

    def close(self) -> None:
        """Close the database and end its threads."""
        if self._database is not None:
            self._database.close()
            self._database = None


def _with_nulls(columns: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return plain arrays, and a query that turns masked values into nulls.

    Some versions of DuckDB cannot infer the type of a masked array without any value.
    """
    arrays: dict[str, Any] = {}
    chosen = []
    for name, column in columns.items():
        arrays[name] = np.ma.getdata(column)
        if isinstance(column, np.ma.MaskedArray):
            arrays[f"{name} is null"] = np.ma.getmaskarray(column)
            chosen.append(f'CASE WHEN "{name} is null" THEN NULL ELSE "{name}" END AS "{name}"')
        else:
            chosen.append(f'"{name}"')
    return arrays, f"SELECT {', '.join(chosen)} FROM columns"


def sweep(folder: Path) -> None:
    """Remove temporary files of a run that was killed."""
    for path in folder.glob(f".*{_TEMPORARY}"):
        path.unlink(missing_ok=True)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn disk errors into ours, with the path and a note that finished work is kept."""
    with naming(path, KEPT):
        yield


@contextmanager
def _replacing(path: Path, note: Note | None = None) -> Iterator[Path]:
    """Yield a temporary path in the same folder; on success it is renamed to `path`."""
    temporary = path.with_name(f".{path.name}{_TEMPORARY}")
    with writing(path):
        try:
            temporary.unlink(missing_ok=True)  # a pipe or a link would be written into
            yield temporary
            _sync(temporary)
            if note is not None:
                note(checksum(temporary))
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        _sync(path.parent)


def _sync(path: Path) -> None:
    """Flush a file or folder to the disk."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _as_os_error(error: Exception) -> OSError:
    """Turn a DuckDB error into the OSError behind it."""
    text = str(error)
    number = re.search(r'"errno":\s*"?(\d+)', text)
    if number:
        code = int(number.group(1))
        return OSError(code, os.strerror(code))
    return OSError(0, text.rpartition(": ")[2])
