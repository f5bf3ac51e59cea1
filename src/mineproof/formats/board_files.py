"""Read boards from a file in any supported format; the content decides which one it is.

The formats: texts of boards (one or many), a corpus, the output of `generate --json`, game IDs,
board links, `.mbf` files, and finished games, whose boards can be played again. The beginnings
of these formats all differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import NamedTuple

from mineproof.errors import FormatError, InvalidInput
from mineproof.formats import board_links, corpus, game_ids, mbf, rawvf
from mineproof.formats.input_files import as_text, open_bytes, read_whole
from mineproof.messages.decoding import decode
from mineproof.messages.files import BoardList, ListedBoard
from mineproof.printable import printable
from mineproof.world.board import Board
from mineproof.world.geometry import Cell

_SHAPE = re.compile(r"^(?=[ \t]*\d+[xX]\d+)", re.MULTILINE)
_CORPUS = re.compile(r"\d+( \d+){4}\s*$", re.MULTILINE)
_LINE = 80
"""The first line of a corpus has fewer bytes than this."""


class BoardWithStart(NamedTuple):
    """A board and its first cell, if its text has one."""

    board: Board
    start: Cell | None


_LINES: dict[Callable[[str], bool], Callable[[str], BoardWithStart]] = {
    game_ids.is_id: lambda line: BoardWithStart(*game_ids.read(line)),
    board_links.is_link: lambda line: BoardWithStart(board_links.read(line), None),
}
"""The formats with one board per line: how to recognise and how to read them."""


def read(content: str | bytes, name: str) -> Iterator[BoardWithStart]:
    """Yield the boards of a file; errors name the file and the board (counted from 1)."""
    if isinstance(content, bytes):
        if mbf.is_mbf(content):
            return iter([_from_mbf(content, name)])
        content = as_text(content, name)
    text = content.lstrip("\ufeff")
    if _CORPUS.match(text):
        header, boards = corpus.parse(text, name)
        return (BoardWithStart(board, header.start) for board in boards)
    if text.lstrip().startswith("{"):
        return iter(_listed(text, name))
    if rawvf.is_rawvf(text):
        return iter([BoardWithStart(rawvf.read(text, name).board, None)])
    if any(is_such(text) for is_such in _LINES):
        return _numbered((line for line in text.splitlines() if line.strip()), name)
    parts = [part for part in _SHAPE.split(text) if part.strip()]
    if len(parts) < 2:
        return iter([BoardWithStart(Board.from_text(text), None)])
    return _numbered(parts, name)


def stream(path: str | Path) -> Iterator[BoardWithStart]:
    """Yield the boards of a file, or of standard input for `-`. A corpus is read line by line."""
    file, name = open_bytes(path), str(path)
    try:
        if _CORPUS.match(file.peek(_LINE)[:_LINE].decode("utf-8-sig", errors="replace")):
            text = TextIOWrapper(file, encoding="utf-8-sig", errors="replace")
            header, boards = corpus.parse(text, name)
            return (BoardWithStart(board, header.start) for board in boards)
        with file:
            return read(read_whole(file, name), name)
    except OSError as error:
        raise FormatError(f"cannot read {name!r}: {error.strerror or error}") from None


def _from_mbf(content: bytes, name: str) -> BoardWithStart:
    try:
        return BoardWithStart(mbf.read(content), None)
    except FormatError as error:
        raise FormatError(f"{printable(name)}: not a text file (UTF-8), and {error}") from None


def _numbered(parts: Iterable[str], name: str) -> Iterator[BoardWithStart]:
    for number, part in enumerate(parts, start=1):
        try:
            yield _board(part)
        except FormatError as error:
            raise FormatError(f"{name}: board {number}: {error}") from None


def _board(text: str) -> BoardWithStart:
    for is_such, reader in _LINES.items():
        if is_such(text):
            return reader(text)
    return BoardWithStart(Board.from_text(text), None)


def _listed(text: str, name: str) -> list[BoardWithStart]:
    """Return the boards in the output of `generate --json`, or in the record of a game."""
    try:
        data = json.loads(text)
        listed = decode(BoardList, {"boards": [data]} if "board" in data else data, "the file")
    except (ValueError, RecursionError) as error:
        what = error if isinstance(error, InvalidInput) else "not JSON"
        raise FormatError(
            f'{name}: {what}: expected {{"boards": [{{"board": ...}}]}}, '
            "as written by generate --json"
        ) from None
    return [_given(one) for one in listed.boards]


def _given(one: ListedBoard) -> BoardWithStart:
    board = Board.from_text(one.board)
    return BoardWithStart(
        board, None if one.start is None else board.grid.cell(board.grid.index(one.start))
    )
