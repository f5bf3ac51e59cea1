"""`.mbf` files of board editors for players: one board in binary form.

Width and height, one byte each; the number of mines in two bytes (the high one first); then column
and row of every mine, one byte each. The same bytes as hex digits are read, too.
"""

from __future__ import annotations

import re

from mineproof.arguments import of_type
from mineproof.errors import FormatError, InvalidInput, do_not_fit, plural
from mineproof.world.board import Board
from mineproof.world.geometry import Grid

_HEAD = 4
_MOST_MINES = 0xFFFF
_LONGEST_SIDE = 0xFF
_TEXT = frozenset((9, 10, 13, *range(32, 127)))
"""The bytes of plain text."""
_HEX = re.compile(rb"\s*(?:[0-9a-fA-F]{2}){4,}\s*")


def is_mbf(content: bytes) -> bool:
    """Return whether these bytes are a `.mbf` file, possibly damaged, and not the text of a board.

    A text cannot be one: its first four bytes would mean more mines than cells. Damaged files
    contain bytes that do not occur in texts.
    """
    of_type(content, bytes, "the content of a file")
    return _fits(content) or _HEX.fullmatch(content) is not None or _is_no_text(content)


def read(content: bytes) -> Board:
    """Return the board of a `.mbf` file."""
    of_type(content, bytes, "the content of a file")
    if _HEX.fullmatch(content):
        content = bytes.fromhex(content.decode("ascii"))
    if len(content) < _HEAD:
        raise FormatError(f"a .mbf file must have at least {_HEAD} bytes, got {len(content)}")
    width, height, high, low = content[:_HEAD]
    mines = high << 8 | low
    try:
        grid = Grid(height, width)
    except InvalidInput as error:
        raise FormatError(f"not a valid .mbf file: {error}") from None
    if mines > grid.size:
        raise FormatError(
            f"not a valid .mbf file: {do_not_fit(mines)}: {height}x{width} has "
            f"{plural(grid.size, 'cell')}"
        )
    if len(content) != _HEAD + 2 * mines:
        raise FormatError(
            f"a .mbf file of {plural(mines, 'mine')} must have {_HEAD + 2 * mines} bytes, "
            f"got {len(content)}"
        )
    return _board(grid, content[_HEAD:])


def write(board: Board) -> bytes:
    """Return a board as the content of a `.mbf` file, its mines column by column."""
    of_type(board, Board, "board")
    if max(board.rows, board.cols) > _LONGEST_SIDE:
        raise InvalidInput(
            f"a .mbf file allows sides of at most {_LONGEST_SIDE}, got {board.rows}x{board.cols}"
        )
    if board.mine_count > _MOST_MINES:
        raise InvalidInput(
            f"a .mbf file allows at most {_MOST_MINES} mines, got {board.mine_count}"
        )
    head = bytes((board.cols, board.rows)) + board.mine_count.to_bytes(2, "big")
    places = sorted((col, row) for row, col in board.mines)
    return head + bytes(number for place in places for number in place)


def _board(grid: Grid, pairs: bytes) -> Board:
    mined = bytearray(grid.size)
    for col, row in zip(pairs[::2], pairs[1::2], strict=True):
        if row >= grid.rows or col >= grid.cols:
            raise FormatError(
                f"a mine at row {row}, column {col} of a .mbf file is outside "
                f"{grid.rows}x{grid.cols}"
            )
        index = row * grid.cols + col
        if mined[index]:
            raise FormatError(f"a .mbf file has the mine at row {row}, column {col} twice")
        mined[index] = 1
    return Board(grid, bytes(mined))


def _fits(content: bytes) -> bool:
    if len(content) < _HEAD:
        return False
    width, height, high, low = content[:_HEAD]
    mines = high << 8 | low
    return mines <= width * height and len(content) == _HEAD + 2 * mines


def _is_no_text(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return any(byte < 128 and byte not in _TEXT for byte in content)
