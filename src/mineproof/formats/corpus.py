"""A corpus of boards: many boards of one kind in a text file.

The first line is `rows cols mines start_row start_col`. Every further line is one board as a
hex bitmap, row by row, the most significant bit first, padded with zero bits to
whole bytes. Lines are read one at a time: a corpus may be larger than memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np

from mineproof.arguments import iterated, of_type, read_from, written_to
from mineproof.errors import FormatError, InvalidInput, do_not_fit, plural, shorten
from mineproof.formats.input_files import open_bytes
from mineproof.printable import printable
from mineproof.world.board import Board
from mineproof.world.geometry import MAX_SIDE, Cell, Grid

_LONGEST = MAX_SIDE * MAX_SIDE // 4 + 100
"""The longest line that can be valid; protects against endless input without line breaks."""


class Header(NamedTuple):
    """The first line of a corpus: shape, number of mines and start cell of all boards."""

    grid: Grid
    mines: int
    start: Cell

    def __str__(self) -> str:
        return f"{self.grid.rows} {self.grid.cols} {self.mines} {self.start[0]} {self.start[1]}"


def to_hex(board: Board) -> str:
    """Return a board as a hex bitmap."""
    of_type(board, Board, "board")
    return np.packbits(np.frombuffer(board.mined, np.uint8)).tobytes().hex()


def from_hex(text: str, grid: Grid) -> Board:
    """Return the board of a hex bitmap."""
    of_type(text, str, "text")
    of_type(grid, Grid, "grid")
    digits = 2 * -(-grid.size // 8)
    if len(text) != digits:
        raise FormatError(
            f"expected {digits} hex digits for {grid.rows}x{grid.cols}, got {len(text)}"
        )
    try:
        packed = bytes.fromhex(text)
    except ValueError:
        raise FormatError(f"expected hex digits, got {shorten(text)!r}") from None
    if 2 * len(packed) != digits:  # bytes.fromhex skips white space
        raise FormatError(f"expected hex digits, got {shorten(text)!r}")
    bits = np.unpackbits(np.frombuffer(packed, np.uint8))
    if bits[grid.size :].any():
        raise FormatError(f"the {len(bits) - grid.size} padding bits at the end must be zero")
    return Board(grid, bits[: grid.size].tobytes())


def write(file: TextIO, boards: Iterable[Board], start: Cell) -> int:
    """Write boards with the same shape and number of mines; return how many were written."""
    written_to(file, "file")
    header = None
    written = 0
    for board in iterated(boards, "boards"):
        of_type(board, Board, "each of boards")
        if header is None:
            board.grid.index(start)
            header = Header(board.grid, board.mine_count, start)
            file.write(f"{header}\n")
        if (board.grid, board.mine_count) != (header.grid, header.mines):
            raise InvalidInput(
                "all boards of a corpus must have the same shape and number of mines: "
                f"board {written} has {plural(board.mine_count, 'mine')} on "
                f"{board.rows}x{board.cols}, "
                f"the first has {header.mines} on {header.grid.rows}x{header.grid.cols}"
            )
        file.write(f"{to_hex(board)}\n")
        written += 1
    if header is None:
        raise InvalidInput("a corpus needs at least one board")
    return written


def read(path: str | Path) -> tuple[Header, Iterator[Board]]:
    """Return the header and an iterator over the boards; errors name the file and the line.

    `-` reads standard input. The file is read once, from beginning to end.
    """
    file = TextIOWrapper(open_bytes(path), encoding="utf-8-sig", errors="replace")
    try:
        return parse(file, str(path))
    except FormatError:
        file.close()
        raise


def parse(text: str | TextIO, name: str) -> tuple[Header, Iterator[Board]]:
    """Return the header and the boards of a string or an open file; errors call it `name`."""
    of_type(name, str, "name")
    if not isinstance(text, str):
        read_from(text, "text")
    file, name = StringIO(text) if isinstance(text, str) else text, printable(name)
    header = _header(next(_lines(file, name), ""), name)
    return header, _boards(file, name, header)


def _header(line: str, path: str) -> Header:
    words = line.split()
    try:
        if len(words) != 5 or len(line) > 60:
            raise ValueError
        rows, cols, mines, row, col = map(int, words)
    except ValueError:
        raise FormatError(
            f"{path}: line 1: expected 'rows cols mines start_row start_col', "
            f"got {shorten(line.strip())!r}"
        ) from None
    try:
        grid = Grid(rows, cols)
        grid.index((row, col))
    except InvalidInput as error:
        raise FormatError(f"{path}: line 1: {error}") from None
    if not 0 <= mines <= grid.size:
        raise FormatError(
            f"{path}: line 1: {do_not_fit(mines)}: {rows}x{cols} has {plural(grid.size, 'cell')}"
        )
    return Header(grid, mines, (row, col))


def _lines(file: TextIO, path: str) -> Iterator[str]:
    """Yield the lines of a file up to the first that is too long, which is cut off."""
    try:
        while line := file.readline(_LONGEST):
            yield line
            if len(line) == _LONGEST:
                return
    except OSError as error:
        raise FormatError(f"cannot read {path!r}: {error.strerror}") from None


def _boards(file: TextIO, path: str, header: Header) -> Iterator[Board]:
    found = 0
    with file:
        for number, line in enumerate(_lines(file, path), start=2):
            text = line.strip()
            if not text:
                continue
            try:
                board = from_hex(text, header.grid)
            except FormatError as error:
                raise FormatError(f"{path}: line {number}: {error}") from None
            if board.mine_count != header.mines:
                raise FormatError(
                    f"{path}: line {number}: expected {plural(header.mines, 'mine')}, "
                    f"got {board.mine_count}"
                )
            found += 1
            yield board
    if not found:
        raise FormatError(f"{path}: expected boards after the header, got none")
