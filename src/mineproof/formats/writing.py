"""Files that people ask for: what goes wrong with one names it.

A plain file or a device, written in its place; files of ours that must be whole or not be
there at all are written by `studies.files`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from mineproof.errors import MineproofError
from mineproof.given import file_path


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
def opened(path: str | Path, newline: str | None = None) -> Iterator[TextIO]:
    """A text file to be written little by little; write `with naming(path)`."""
    with naming(path):
        file = file_path(path).open(
            "w", encoding="utf-8", errors="backslashreplace", newline=newline
        )
    try:
        yield file
    except BaseException:
        with suppress(OSError):  # the first thing that went wrong is told
            file.close()
        raise
    with naming(path):
        file.close()
