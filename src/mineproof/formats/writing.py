"""Files that people ask for: what goes wrong with one names it.

A plain file or a device, written in its place; files of ours that must be whole or not be
there at all are written by `studies.files`. Whatever grows by the line grows here: a line is
there in full or not at all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from mineproof.errors import MineproofError
from mineproof.given import file_path

_PRIVATE = 0o600


@contextmanager
def naming(path: str | Path, more: str = "") -> Iterator[None]:
    """Errors of the disk become ours, and name the place: those of the system often do not."""
    try:
        yield
    except OSError as error:
        raise MineproofError(
            f"cannot write {str(path)!r}: {error.strerror or error}{more}"
        ) from None


def write_text(path: str | Path, text: str) -> None:
    """A text file. What no encoding has, half a character, is written as its escape."""
    with naming(path):
        file_path(path).write_text(text, encoding="utf-8", errors="backslashreplace")


def write_bytes(path: str | Path, content: bytes) -> None:
    """A file that is no text."""
    with naming(path):
        file_path(path).write_bytes(content)


@contextmanager
def opened(
    path: str | Path, newline: str | None = None, *, private: bool = False
) -> Iterator[TextIO]:
    """A text file to be written little by little; write `with naming(path)`.

    Each text is in the file when `write` returns; one that fails leaves nothing behind. As long
    as it is `private`, nobody but its owner may read it.
    """
    with naming(path):
        raw = _Whole(file_path(path), "a", opener=_also(os.O_TRUNC))
        if private:
            raw.hide()
    file = _text(raw, newline)
    try:
        yield file
    except BaseException:
        with suppress(OSError):  # the first thing that went wrong is told
            file.close()
        raise
    with naming(path):
        file.close()


def append_lines(
    path: str | Path, lines: str, more: str = "", opener: Callable[[str, int], int] | None = None
) -> None:
    """Let a text file grow by some lines: by all of them, on the disk, or by none.

    What a process that was killed left of a line is ended first. Several processes may do so at
    the same time. An error says `more`; `opener` opens the file, as that of `open` does.
    """
    place = file_path(path)
    with naming(place, more):
        # Somebody else's pipe or device cannot be asked for its last byte.
        mode = "a+" if place.is_file() or not place.exists() else "a"
        with _text(_Whole(place, mode, opener=opener)) as file:
            file.write(lines)


def _text(raw: FileIO, newline: str | None = None) -> TextIOWrapper:
    # Nothing waits in a buffer: each text is one write of the raw file. Its type asks for more of
    # a file than the wrapper does.
    whole: Any = raw
    return TextIOWrapper(
        whole, encoding="utf-8", errors="backslashreplace", newline=newline, write_through=True
    )


def _also(flag: int) -> Callable[[str, int], int]:
    """Opens a file with one flag more; its rights are those that `open` gives."""
    return lambda path, flags: os.open(path, flags | flag, 0o666)


class _Whole(FileIO):
    """A file opened to append: each write is there in full, or the file is as it was before.

    One that can be read, too, is a file of lines: what others left of one is ended first.
    """

    _shown: int | None = None
    """The rights of a file that is hidden."""

    def hide(self) -> None:
        """Let nobody else read the file until it is closed."""
        found = os.fstat(self.fileno())
        # A device is everybody's; and not every system has rights.
        if stat.S_ISREG(found.st_mode) and hasattr(os, "fchmod"):
            os.fchmod(self.fileno(), _PRIVATE)
            self._shown = stat.S_IMODE(found.st_mode)

    def write(self, data: Any) -> int:
        """Write all of it; otherwise cut off what was written."""
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
        """The same, on a line of its own."""
        if not size or not self.readable():
            return data
        self.seek(size - 1)  # what is written goes to the end all the same
        return data if self.read(1) == b"\n" else b"\n" + data

    def close(self) -> None:
        """Have it on the disk, and not only on its way there."""
        try:
            if not self.closed and stat.S_ISREG(os.fstat(self.fileno()).st_mode):
                os.fsync(self.fileno())
                if self._shown is not None:
                    os.fchmod(self.fileno(), self._shown)
        finally:
            super().close()


@contextmanager
def _alone(handle: int) -> Iterator[int | None]:
    """The size of a file that nobody else appends to meanwhile; None of a pipe or a device."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        yield None
        return
    try:
        import fcntl
    except ImportError:  # where there are no such locks, people must take care
        yield os.fstat(handle).st_size
        return
    with suppress(OSError):  # nor are they on every disk
        fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield os.fstat(handle).st_size
    finally:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_UN)
