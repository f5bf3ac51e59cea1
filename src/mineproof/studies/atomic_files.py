"""Read and write the files of a study's folder, which may come from anywhere, safely.

Files are written atomically: a file is complete or not there, even after a crash. Only regular
files are read. (Files named on the command line are read by `formats.reading`.)
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mineproof.errors import FormatError, MineproofError
from mineproof.formats.input_files import LARGEST
from mineproof.formats.output_files import naming

_TEMPORARY = ".tmp"
_KEPT = "; everything finished so far is kept"
_SAFELY = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def open_regular(path: Path, flags: int) -> int:
    """Open a regular file, or create one if `flags` allow it; return its file descriptor.

    A named pipe would block a reader forever, a device has no end, and a link may lead to a file
    outside the folder, which a writer would change.
    """
    if os.path.lexists(path):
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
            raise FormatError(f"{str(path)!r} is not a regular file of at most {LARGEST >> 20} MiB")
    return os.open(path, flags | _SAFELY | getattr(os, "O_BINARY", 0), 0o644)


def read(path: Path) -> bytes:
    """Read a regular file."""
    try:
        with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as file:
            return file.read()
    except OSError as error:
        raise MineproofError(f"cannot read {str(path)!r}: {error.strerror or error}") from None


def write_text(path: Path, text: str) -> None:
    """Write a text file."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a binary file."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def sweep(folder: Path) -> None:
    """Remove temporary files of a run that was killed."""
    for path in folder.glob(f".*{_TEMPORARY}"):
        path.unlink(missing_ok=True)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn disk errors into ours, with the path and a note that finished work is kept."""
    with naming(path, _KEPT):
        yield


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder; on success it is renamed to `path`."""
    temporary = path.with_name(f".{path.name}{_TEMPORARY}")
    with writing(path):
        try:
            temporary.unlink(missing_ok=True)  # a pipe or a link would be written into
            yield temporary
            _sync(temporary)
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
