"""Read files and standard input, with a limit on their size."""

from __future__ import annotations

import sys
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from mineproof.arguments import file_path
from mineproof.errors import FormatError, InvalidInput

LARGEST = 2**28
"""The most bytes of a file that is read at once. The record of a game on 1000x1000 is smaller;
endless input, such as a device, would fill the memory."""
_BLOCK = 2**20


def read_text(path: str | Path) -> str:
    """Return the text of a file, or of standard input for `-`; errors name the file.

    A byte order mark is removed, and line ends are converted to newlines.
    """
    return as_text(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file, or of standard input for `-`; errors name the file."""
    name = str(file_path(path))
    try:
        if name == "-":
            return read_whole(piped(), name)
        with open_bytes(path) as file:
            return read_whole(file, name)
    except OSError as error:
        raise FormatError(f"cannot read {name!r}: {error.strerror or error}") from None


def exists(path: str | Path) -> bool:
    """Return whether there is a file with this name."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a name, or not a valid one
        return False


def as_text(content: bytes, name: str) -> str:
    """Return bytes as text; errors name the file."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError(f"cannot read {name!r}: it is not a text file (UTF-8)") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def open_bytes(path: str | Path) -> BufferedReader:
    """Open a file, or standard input for `-`, to be read in parts; errors name the file."""
    name = str(file_path(path))
    try:
        source = piped().fileno() if name == "-" else name
        return open(source, "rb", closefd=name != "-")
    except OSError as error:
        raise FormatError(f"cannot read {name!r}: {error.strerror or error}") from None


def piped() -> BinaryIO:
    """Return standard input; raise an error if it is closed."""
    if sys.stdin is None or sys.stdin.closed:
        raise InvalidInput("cannot read '-': standard input is closed")
    return sys.stdin.buffer


def read_whole(file: BinaryIO, name: str) -> bytes:
    """Read a file block by block up to the limit: the size of a pipe or a device is unknown."""
    blocks: list[bytes] = []
    while block := file.read(_BLOCK):
        blocks.append(block)
        if len(blocks) * _BLOCK > LARGEST:
            raise FormatError(f"cannot read {name!r}: it is larger than {LARGEST >> 20} MiB")
        if len(block) < _BLOCK:  # the end; on a terminal, another read would need a second Ctrl-D
            break
    return b"".join(blocks)
