"""The one way to open a file in a study's folder: a regular file of a plausible size.

A folder may come from anywhere. A named pipe would make a reader wait forever, a device has no
end, and a link leads to a file that is none of the study's, which a writer would change. All
are refused at once, and nothing is touched. The folder itself, its `chunks` and its `figures`
may be links: whoever keeps results on another disk links folders, not their files.

Files that people name on the command line are opened by `formats.reading`, which takes pipes.
"""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path

from mineproof.errors import InvalidInput, MineproofError

LARGEST = 2**28
"""Bytes of a file: a chunk of the smallest boards has a quarter of that."""
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
"""A pipe is opened without waiting for its other end, a link not at all."""
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def open_regular(path: Path) -> BufferedReader:
    """A file of a study, to be read."""
    handle = open_handle(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    return os.fdopen(handle, "rb")


def read_regular(path: Path) -> bytes:
    """All that a file of a study has."""
    with open_regular(path) as file:
        return file.read(LARGEST)


def open_handle(path: Path, flags: int) -> int:
    """The number of a regular file that is opened for reading or writing, or made."""
    check_regular(path)  # before it is opened: that alone may move a device
    try:
        handle = os.open(path, flags | _AT_ONCE, 0o644)
    except FileNotFoundError:
        raise
    except OSError as error:
        doing = "write" if flags & (os.O_WRONLY | os.O_RDWR) else "read"
        raise MineproofError(f"cannot {doing} {str(path)!r}: {error.strerror or error}") from None
    try:
        _check(path, os.fstat(handle))  # what is there by now
    except BaseException:
        os.close(handle)
        raise
    return handle


def check_regular(path: Path) -> None:
    """Refuse what is in a file's place and is none of a study; nothing need be there."""
    if os.path.lexists(path):
        _check(path, os.lstat(path))


def _check(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "of another kind")
        raise InvalidInput(
            f"{str(path)!r} is {kind}, and a study has regular files only: move it away"
        )
    if found.st_size > LARGEST:
        raise InvalidInput(
            f"{str(path)!r} has {found.st_size:,} bytes, more than any file of a study "
            f"({LARGEST >> 20} MiB): move it away"
        )
