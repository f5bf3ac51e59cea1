"""Game IDs of Simon Tatham's Mines: `16x16:8,8,m3fe...`, one line a board and its first cell.

Before the colon stand width and height (`n40`, the number of mines, may follow); then column and
row of the first cell; then the mines, a bit a cell, row by row, the most significant bit first,
in hex digits: after `u` as they are, after `m` masked, so that nobody reads them by looking.

The mask: the bytes are cut in two, and each half is changed by what SHA-1 makes of the other.
It hides nothing from a program; `write` masks unless it is told not to.
"""

from __future__ import annotations

import hashlib
import re

import numpy as np

from mineproof.errors import FormatError, InvalidInput, shorten
from mineproof.given import of_type
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, Grid

_ID = re.compile(
    r"(?P<cols>\d{1,4})x(?P<rows>\d{1,4})(?:n(?P<mines>\d+)a?)?:"
    r"(?P<col>\d{1,4}),(?P<row>\d{1,4}),(?P<kind>[mu])(?P<bits>[0-9a-fA-F]+)"
)
_LIKELY = re.compile(r"\d+x\d+[^\s:#]*[:#]\S")


def is_id(text: str) -> bool:
    """Whether a text begins as a game ID does, and as no other text of a board."""
    of_type(text, str, "text")
    return _LIKELY.match(text.lstrip()) is not None


def read(text: str) -> tuple[Board, Cell]:
    """The board of a game ID, and its first cell."""
    of_type(text, str, "text")
    shown = shorten(text.strip())
    if "#" in text:
        raise FormatError(
            f"{shown!r} names a game by its seed, which only the program that dealt it can read: "
            "copy its specific ID, the one with a colon"
        )
    match = _ID.fullmatch(text.strip())
    if match is None:
        raise FormatError(
            f"expected a game ID WIDTHxHEIGHT:COL,ROW,mDIGITS (or u in place of m), got {shown!r}"
        )
    try:
        grid = Grid(int(match["rows"]), int(match["cols"]))
        start = grid.cell(grid.index((int(match["row"]), int(match["col"]))))
    except InvalidInput as error:
        raise FormatError(f"{error} in {shown!r}") from None
    board = Board(grid, _read_bits(match["bits"], grid, masked=match["kind"] == "m", shown=shown))
    mines = match["mines"]
    if mines is not None and int(mines[:9]) != board.mine_count:
        raise FormatError(f"expected {mines} mines, got {board.mine_count} in {shown!r}")
    return board, start


def write(board: Board, start: Cell, *, masked: bool = True) -> str:
    """The game ID of a board and its first cell, which must be safe."""
    of_type(board, Board, "board")
    row, col = board.grid.cell(board.grid.index(start))
    if board.is_mine((row, col)):
        raise InvalidInput(f"a game ID begins at a safe cell, got the mine at ({row},{col})")
    packed = np.packbits(np.frombuffer(board.mined, np.uint8)).tobytes()
    if masked:
        packed = _mask(packed, board.grid.size)
    digits = packed.hex()[: -(-board.grid.size // 4)]
    return f"{board.cols}x{board.rows}:{col},{row},{'m' if masked else 'u'}{digits}"


def _read_bits(digits: str, grid: Grid, *, masked: bool, shown: str) -> bytes:
    expected = -(-grid.size // 4)
    if len(digits) != expected:
        raise FormatError(f"expected {expected} hex digits, got {len(digits)} in {shown!r}")
    packed = bytes.fromhex(digits + "0" * (len(digits) % 2))
    if masked:
        packed = _unmask(packed, grid.size)
    bits = np.unpackbits(np.frombuffer(packed, np.uint8))
    if bits[grid.size :].any():
        raise FormatError(f"the last {len(bits) - grid.size} bits must be zero in {shown!r}")
    return bits[: grid.size].tobytes()


def _unmask(packed: bytes, size: int) -> bytes:
    first, second = _halves(packed)
    second = _cleared(_changed(second, first), size)
    return _changed(first, second) + second


def _mask(packed: bytes, size: int) -> bytes:
    first, second = _halves(packed)
    first = _changed(first, second)
    return first + _cleared(_changed(second, first), size)


def _halves(packed: bytes) -> tuple[bytes, bytes]:
    middle = len(packed) // 2
    return packed[:middle], packed[middle:]


def _changed(target: bytes, by: bytes) -> bytes:
    """The target, bit by bit other than a stream that SHA-1 makes."""
    stream = b"".join(
        hashlib.sha1(by + str(number).encode(), usedforsecurity=False).digest()
        for number in range(-(-len(target) // 20))
    )
    return bytes(a ^ b for a, b in zip(target, stream, strict=False))


def _cleared(half: bytes, size: int) -> bytes:
    """Without the bits beyond the last cell."""
    beyond = -size % 8
    return half[:-1] + bytes([half[-1] & 0xFF << beyond & 0xFF])
