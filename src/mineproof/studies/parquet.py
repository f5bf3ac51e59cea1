"""Parquet files with a seal: a digest that names their run and changes with every byte.

The seal is in the metadata of the file. It is a SHA-256 of the fingerprint of the run, the name of
the file, and all bytes of the file except the seal itself. So a file that is damaged, that was cut
off, or that belongs elsewhere is recognised without any other file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from mineproof.errors import FormatError
from mineproof.extras import need
from mineproof.messages.study_files import Manifest
from mineproof.studies.atomic_files import read, replacing

_MARK = b"sha256:"
UNSEALED = _MARK.decode() + "0" * 64
"""The metadata `mineproof` of a file before it is sealed."""


def sealed(content: bytes, run: str, name: str) -> bytes:
    """Return the content of a file with its seal; `run` is the fingerprint of the run."""
    head, mark, tail = content.rpartition(_MARK)
    tail = tail[64:]
    digest = sha256(b"%s %s %s %s" % (run.encode(), name.encode(), head, tail)).hexdigest()
    return head + mark + digest.encode() + tail


def is_sound(path: Path, manifest: Manifest) -> bool:
    """Whether a file is undamaged, and was written by this run under this name."""
    try:
        content = read(path)
    except FormatError:
        return False
    if sealed(content, manifest.fingerprint, path.name) == content:
        return True
    older = manifest.checksums.get(path.name)
    return older == sha256(content).hexdigest()


class Parquet:
    """Writes Parquet files with DuckDB, which is started on first use."""

    def __init__(self) -> None:
        self._duckdb = need("duckdb", "studies")
        self._database: Any = None

    def write(self, path: Path, columns: Mapping[str, Any], run: str) -> None:
        """Write NumPy arrays to a file, sealed for a run; masked values become null."""
        if self._database is None:
            self._database = self._duckdb.connect(config={"threads": 1})
        arrays, query = _with_nulls(columns)
        with replacing(path) as temporary:
            name = str(temporary).replace("'", "''")
            self._database.register("columns", arrays)
            try:
                self._database.execute(
                    f"COPY ({query}) TO '{name}' "
                    f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{mineproof: '{UNSEALED}'}})"
                )
            except self._duckdb.IOException as error:
                raise _as_os_error(error) from None
            temporary.write_bytes(sealed(temporary.read_bytes(), run, path.name))

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


def _as_os_error(error: Exception) -> OSError:
    """Turn a DuckDB error into the OSError behind it."""
    text = str(error)
    number = re.search(r'"errno":\s*"?(\d+)', text)
    if number:
        code = int(number.group(1))
        return OSError(code, os.strerror(code))
    return OSError(0, text.rpartition(": ")[2])
