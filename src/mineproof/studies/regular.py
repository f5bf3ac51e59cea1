"""Open files in a study's folder safely: only regular files of a plausible size.

A folder may come from anywhere. A named pipe would block a reader forever, a device has no end,
and a link may lead to a file outside the study, which a writer would change. All are refused
before anything is touched. The folder itself, its `chunks` and its `figures` may be links, so
that results can be kept on another disk.

Files named on the command line are opened by `formats.reading`, which accepts pipes.
"""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

from mineproof.errors import InvalidInput, MineproofError

LARGEST = 2**28
"""The largest file size in bytes; a chunk of the smallest boards has a quarter of it."""
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
"""Flags to open a pipe without waiting for its other end, and to refuse links."""
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def open_regular(path: Path) -> BufferedReader:
    """Open a file of a study for reading."""
    handle = open_handle(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    return os.fdopen(handle, "rb")


def read_regular(path: Path) -> bytes:
    """Read a file of a study."""
    with open_regular(path) as file:
        return file.read(LARGEST)


def open_handle(path: Path, flags: int) -> int:
    """Open or create a regular file, and return its file descriptor."""
    check_regular(path)  # first: merely opening a device can have effects
    try:
        handle = os.open(path, flags | _AT_ONCE, 0o644)
    except FileNotFoundError:
        raise
    except OSError as error:
        doing = "write" if flags & (os.O_WRONLY | os.O_RDWR) else "read"
        raise MineproofError(f"cannot {doing} {str(path)!r}: {error.strerror or error}") from None
    try:
        _check(path, os.fstat(handle))  # again, in case it was replaced
    except BaseException:
        os.close(handle)
        raise
    return handle


def check_regular(path: Path) -> None:
    """Refuse anything but a regular file of a study; it need not exist."""
    if os.path.lexists(path):
        _check(path, os.lstat(path))


def _check(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "a special file")
        raise InvalidInput(
            f"{str(path)!r} is {kind}, but a study has only regular files: move it elsewhere"
        )
    if found.st_size > LARGEST:
        raise InvalidInput(
            f"{str(path)!r} has {found.st_size:,} bytes, more than any file of a study "
            f"({LARGEST >> 20} MiB): move it elsewhere"
        )
