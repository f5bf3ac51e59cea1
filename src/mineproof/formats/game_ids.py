"""Game IDs of Simon Tatham's Mines: `16x16:8,8,m3fe...`, one line per board and its first cell.

Before the colon are width and height (the number of mines may follow, as in `n40`); after it are
column and row of the first cell; then the mines in hex digits, one bit per cell, row by row, the
most significant bit first: plain after `u`, masked after `m` so that players cannot read them.

The mask splits the bytes into two halves and combines each with a SHA-1 stream of the other.
It hides nothing from a program. `write` masks by default.
"""

from __future__ import annotations

import hashlib
import re

import numpy as np

from mineproof.arguments import of_type
from mineproof.errors import FormatError, InvalidInput, shorten
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, Grid

_ID = re.compile(
    r"(?P<cols>\d{1,4})x(?P<rows>\d{1,4})(?:n(?P<mines>\d+)a?)?:"
    r"(?P<col>\d{1,4}),(?P<row>\d{1,4}),(?P<kind>[mu])(?P<bits>[0-9a-fA-F]+)"
)
_LIKELY = re.compile(r"\d+x\d+[^\s:#]*[:#]\S")


def is_id(text: str) -> bool:
    """Return whether a text starts like a game ID (and like no other format)."""
    of_type(text, str, "text")
    return _LIKELY.match(text.lstrip()) is not None


def read(text: str) -> tuple[Board, Cell]:
    """Return the board and the first cell of a game ID."""
    of_type(text, str, "text")
    shown = shorten(text.strip())
    if "#" in text:
        raise FormatError(
            f"{shown!r} is a random seed, which only Simon Tatham's program can read: "
            "copy the specific game ID instead, the one with a colon"
        )
    match = _ID.fullmatch(text.strip())
    if match is None:
        raise FormatError(
            f"expected a game ID WIDTHxHEIGHT:COL,ROW,mDIGITS (or u instead of m), got {shown!r}"
        )
    try:
        grid = Grid(int(match["rows"]), int(match["cols"]))
        start = grid.cell(grid.index((int(match["row"]), int(match["col"]))))
    except InvalidInput as error:
        raise FormatError(f"{error} in {shown!r}") from None
    board = Board(grid, _read_bits(match["bits"], grid, masked=match["kind"] == "m", shown=shown))
    mines = match["mines"]
    if mines is not None and int(mines[:9]) != board.mine_count:
        raise FormatError(
            f"the ID says {mines} mines, but its board has {board.mine_count}, in {shown!r}"
        )
    return board, start


def write(board: Board, start: Cell, *, masked: bool = True) -> str:
    """Return the game ID of a board and its first cell, which must be safe."""
    of_type(board, Board, "board")
    row, col = board.grid.cell(board.grid.index(start))
    if board.is_mine((row, col)):
        raise InvalidInput(
            f"the first cell of a game ID must be safe, got the mine at ({row},{col})"
        )
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
        raise FormatError(f"the last {len(bits) - grid.size} bits must be zero, in {shown!r}")
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
    """Return the target XORed with a SHA-1 stream."""
    stream = b"".join(
        hashlib.sha1(by + str(number).encode(), usedforsecurity=False).digest()
        for number in range(-(-len(target) // 20))
    )
    return bytes(a ^ b for a, b in zip(target, stream, strict=False))


def _cleared(half: bytes, size: int) -> bytes:
    """Return the bytes with the bits after the last cell set to zero."""
    beyond = -size % 8
    return half[:-1] + bytes([half[-1] & 0xFF << beyond & 0xFF])
