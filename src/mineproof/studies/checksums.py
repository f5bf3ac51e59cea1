"""Detect damaged and foreign files: a checksum per file, and a label in every chunk.

The manifest has the checksums. It is only written occasionally; in between, a journal has the
checksums of newer files, one per line, each written before its file, so that a killed run loses
none. The label names the run and the chunk of a file: if a checksum is wrong, the label
distinguishes a damaged file of this run from a file that never belonged to it.
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
KEPT = "; everything finished so far is kept"
"""The end of the message when a file cannot be written."""
_LINE = re.compile(r"([0-9a-f]{64}) (\S+)")
_MARK = b"mineproof"
_LABEL = re.compile(rb"([0-9a-f]{64}) (p\d+-g\d+\.parquet) ([0-9a-f]{8})")
_LEAST = 12
"""The size of the smallest Parquet file: the magic bytes twice, and a length."""
_FOOTER = 2**16
"""The number of bytes at the end of a Parquet file that contain its schema and label."""


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def note(folder: Path, name: str, digest: str) -> None:
    """Append a line to the journal and flush it to the disk."""
    append_lines(
        folder / JOURNAL,
        f"{digest} {name}\n",
        KEPT,
        opener=lambda path, flags: open_handle(Path(path), flags),
    )


def known(folder: Path) -> dict[str, str]:
    """Return the latest checksum of every file that was written, by name.

    The journal is read before the manifest, because entries move from the former to the latter.
    An incomplete line belongs to a file that was never put in place.
    """
    try:
        text = read_regular(folder / JOURNAL).decode("ascii", "replace")
    except FileNotFoundError:
        text = ""
    noted = {found[2]: found[1] for found in map(_LINE.fullmatch, text.split("\n")) if found}
    listed = read_manifest(folder).checksums
    return listed | noted


def label(fingerprint: str, name: str) -> str:
    """Return the label of a chunk: the fingerprint of its run, its name and a CRC of both."""
    text = f"{fingerprint} {name}"
    return f"{text} {crc32(text.encode()):08x}"


def is_foreign(path: Path, fingerprint: str) -> bool:
    """Whether a file is an intact one of another run, chunk or program, not a damaged one of ours.

    A damaged file has its label or a part of it, or is not even formatted as Parquet.
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
