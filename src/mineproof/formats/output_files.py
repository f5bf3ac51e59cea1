"""Write files that the user asked for; errors name the file.

A plain file or a device is written in place. (Files that must be complete or absent are
written by `studies.files`.) Files that grow line by line are appended to here: a line is written in
full or not at all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from mineproof.arguments import file_path
from mineproof.errors import MineproofError

_PRIVATE = 0o600


@contextmanager
def naming(path: str | Path, more: str = "") -> Iterator[None]:
    """Turn errors of the operating system into ours, which name the file; `more` is appended."""
    try:
        yield
    except OSError as error:
        raise MineproofError(
            f"cannot write {str(path)!r}: {error.strerror or error}{more}"
        ) from None


def write_text(path: str | Path, text: str) -> None:
    """Write a text file in UTF-8; characters that cannot be encoded are escaped."""
    with naming(path):
        file_path(path).write_text(text, encoding="utf-8", errors="backslashreplace")


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a binary file."""
    with naming(path):
        file_path(path).write_bytes(content)


@contextmanager
def opened(
    path: str | Path, newline: str | None = None, *, private: bool = False
) -> Iterator[TextIO]:
    """Open a text file to write in parts; do so within `with naming(path)`.

    A text is in the file when `write` returns; a failed write leaves nothing behind. If it is
    `private`, only its owner can read the file until it is closed.
    """
    with naming(path):
        raw = _Whole(file_path(path), "a", opener=_also(os.O_TRUNC))
        if private:
            raw.hide()
    file = _text(raw, newline)
    try:
        yield file
    except BaseException:
        with suppress(OSError):  # the first error is reported
            file.close()
        raise
    with naming(path):
        file.close()


def append_lines(path: str | Path, lines: str) -> None:
    """Append lines to a text file: all of them, on disk, or none.

    If a killed process left an incomplete line, it is ended first. Several processes may append at
    the same time.
    """
    place = file_path(path)
    with naming(place):
        # The last byte of a pipe or a device cannot be read.
        mode = "a+" if place.is_file() or not place.exists() else "a"
        with _text(_Whole(place, mode)) as file:
            file.write(lines)


def _text(raw: FileIO, newline: str | None = None) -> TextIOWrapper:
    # Without a buffer, each text is one write of the raw file. The type `Any` is necessary because
    # the wrapper is declared to need more of a file than it uses.
    whole: Any = raw
    return TextIOWrapper(
        whole, encoding="utf-8", errors="backslashreplace", newline=newline, write_through=True
    )


def _also(flag: int) -> Callable[[str, int], int]:
    """Return an opener that adds a flag; the permissions are those of `open`."""
    return lambda path, flags: os.open(path, flags | flag, 0o666)


class _Whole(FileIO):
    """A file opened to append: each write is complete, or the file is unchanged.

    If it can also be read, it is a file of lines: an incomplete last line is ended first.
    """

    _shown: int | None = None
    """The permissions of a hidden file before it was hidden."""

    def hide(self) -> None:
        """Make the file readable for its owner only, until it is closed."""
        found = os.fstat(self.fileno())
        # Devices are shared, and not every system has permissions.
        if stat.S_ISREG(found.st_mode) and hasattr(os, "fchmod"):
            os.fchmod(self.fileno(), _PRIVATE)
            self._shown = stat.S_IMODE(found.st_mode)

    def write(self, data: Any) -> int:
        """Write all data; if that fails, remove what was written."""
        with _alone(self.fileno()) as size:
            rest = memoryview(self._separated(bytes(data), size))
            try:
                while rest:
                    rest = rest[super().write(rest) or 0 :]
            except BaseException:
                if size is not None:
                    with suppress(OSError):
                        os.ftruncate(self.fileno(), size)
                raise
        return len(data)

    def _separated(self, data: bytes, size: int | None) -> bytes:
        """Return the data, after a newline if the last line of the file is incomplete."""
        if not size or not self.readable():
            return data
        self.seek(size - 1)  # what is written goes to the end all the same
        return data if self.read(1) == b"\n" else b"\n" + data

    def close(self) -> None:
        """Flush the file to disk and close it."""
        try:
            if not self.closed and stat.S_ISREG(os.fstat(self.fileno()).st_mode):
                os.fsync(self.fileno())
                if self._shown is not None:
                    os.fchmod(self.fileno(), self._shown)
        finally:
            super().close()


@contextmanager
def _alone(handle: int) -> Iterator[int | None]:
    """Lock a file against other writers; yield its size, or None for a pipe or a device."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        yield None
        return
    try:
        import fcntl
    except ImportError:  # no such locks here: users must not append from two processes
        yield os.fstat(handle).st_size
        return
    with suppress(OSError):  # not every file system has them
        fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield os.fstat(handle).st_size
    finally:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_UN)
