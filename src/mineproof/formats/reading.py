"""Texts from outside: files and what is piped in, none larger than may be."""

from __future__ import annotations

import sys
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

from mineproof.errors import FormatError, InvalidInput
from mineproof.given import file_path

LARGEST = 2**28
"""Bytes of a file that is read whole. The record of a game on 1000x1000 is smaller; more, as
from a device that never ends, would take all memory there is."""
_BLOCK = 2**20


def read_text(path: str | Path) -> str:
    """A file's text, or what is piped in for `-`; errors name the file.

    A mark of the byte order is no part of the text; every line ends in a newline.
    """
    return as_text(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """A file's bytes, or what is piped in for `-`; errors name the file."""
    name = str(file_path(path))
    try:
        if name == "-":
            return read_whole(piped(), name)
        with open_bytes(path) as file:
            return read_whole(file, name)
    except OSError as error:
        raise FormatError(f"cannot read {name!r}: {error.strerror or error}") from None


def exists(path: str | Path) -> bool:
    """Whether there is a file of this name."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # far too long for a name, or none at all
        return False


def as_text(content: bytes, name: str) -> str:
    """The text of a file's bytes."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError(f"cannot read {name!r}: it is not text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def open_bytes(path: str | Path) -> BufferedReader:
    """A file, or what is piped in for `-`, to be read little by little; errors name it."""
    name = str(file_path(path))
    try:
        source = piped().fileno() if name == "-" else name
        return open(source, "rb", closefd=name != "-")
    except OSError as error:
        raise FormatError(f"cannot read {name!r}: {error.strerror or error}") from None


def piped() -> BinaryIO:
    """Standard input, if there is one."""
    if sys.stdin is None or sys.stdin.closed:
        raise InvalidInput("cannot read '-': standard input is closed")
    return sys.stdin.buffer


def read_whole(file: BinaryIO, name: str) -> bytes:
    """All there is, block by block: nobody can ask how much a pipe or a device has."""
    blocks: list[bytes] = []
    while block := file.read(_BLOCK):
        blocks.append(block)
        if len(blocks) * _BLOCK > LARGEST:
            raise FormatError(f"cannot read {name!r}: it is larger than {LARGEST >> 20} MiB")
        if len(block) < _BLOCK:  # the end; a terminal would have to be told twice
            break
    return b"".join(blocks)
