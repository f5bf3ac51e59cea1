"""Whether files are what a run wrote: a checksum of each, and a label in every chunk.

The manifest has the checksums. It is written now and then; until then a journal has those
of the files since, one a line, each there before its file is: a run that was killed loses
none. The label says which run and chunk a file is of: where the checksum is wrong, it tells
a file of ours that was damaged from one that never was ours.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from zlib import crc32

from mineproof.formats.writing import append_lines
from mineproof.studies.manifest import read_manifest
from mineproof.studies.regular import open_handle, open_regular, read_regular

JOURNAL = "checksums"
KEPT = "; what was finished before is kept"
"""What is said where a file cannot be written."""
_LINE = re.compile(r"([0-9a-f]{64}) (\S+)")
_MARK = b"mineproof"
_LABEL = re.compile(rb"([0-9a-f]{64}) (p\d+-g\d+\.parquet) ([0-9a-f]{8})")
_LEAST = 12
"""Bytes of the smallest Parquet file: its mark twice, and the length of what is between."""
_FOOTER = 2**16
"""Bytes at the end of a Parquet file that have its label; the schema is there, too."""


def checksum(path: Path) -> str:
    """SHA-256, of all the file has."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def note(folder: Path, name: str, digest: str) -> None:
    """Have a line in the journal, on the disk and not only on its way there."""
    append_lines(
        folder / JOURNAL,
        f"{digest} {name}\n",
        KEPT,
        opener=lambda path, flags: open_handle(Path(path), flags),
    )


def known(folder: Path) -> dict[str, str]:
    """The checksum of every file that was written, by its name; of later ones the later.

    The journal is read first: what leaves it is in the manifest by then. A line that was cut
    off is of a file that was never put in its place.
    """
    try:
        text = read_regular(folder / JOURNAL).decode("ascii", "replace")
    except FileNotFoundError:
        text = ""
    noted = {found[2]: found[1] for found in map(_LINE.fullmatch, text.split("\n")) if found}
    listed: dict[str, str] = read_manifest(folder)["checksums"]
    return listed | noted


def label(fingerprint: str, name: str) -> str:
    """What a chunk carries: its run and its name, and a sum over these."""
    text = f"{fingerprint} {name}"
    return f"{text} {crc32(text.encode()):08x}"


def is_foreign(path: Path, fingerprint: str) -> bool:
    """Whether a file is a whole one of another run, chunk or program, and no damaged one of ours.

    A damaged one has its label, or a part of it, or not even the form of a Parquet file.
    """
    with open_regular(path) as file:
        head = file.read(4)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _FOOTER))
        footer = file.read()
    if size < _LEAST or not head == footer[-4:] == b"PAR1":
        return False
    found = _LABEL.search(footer)
    if found is not None:
        run, name = found[1].decode(), found[2].decode()
        if label(run, name).encode() == found[0]:
            return (run, name) != (fingerprint, path.name)
    return _MARK not in footer and fingerprint.encode() not in footer
