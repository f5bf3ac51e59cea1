"""Boards as pixels and as PNG files: small squares with signs of five by seven pixels.

Looks and colours are the same as in SVG. No imaging package is needed.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import of_type, optional
from mineproof.errors import InvalidInput, check_integer
from mineproof.render.appearance import (
    MINE,
    RISKS,
    WRONG_FLAG,
    ZERO,
    HasRisks,
    check_odds,
    revealed,
    solved,
    weighed,
    zeros_written,
)
from mineproof.render.palette import PAINTS, SHADE, SHINE, WELL_EDGE
from mineproof.world.board import Board
from mineproof.world.geometry import Grid
from mineproof.world.view import EXPLODED, FLAGGED, KNOWN_SAFE, NO_CLUE, View

SIDE = 16
"""Pixels of a cell, including its grid line, at scale 1."""
_MOST = 2**26
"""The most pixels of a picture, to limit memory."""

Pixels = NDArray[np.uint8]

_DIGITS = (
    "01110 10001 10011 10101 11001 10001 01110",
    "00100 01100 00100 00100 00100 00100 01110",
    "01110 10001 00001 00110 01000 10000 11111",
    "11110 00001 00001 01110 00001 00001 11110",
    "00010 00110 01010 10010 11111 00010 00010",
    "11111 10000 11110 00001 00001 10001 01110",
    "00110 01000 10000 11110 10001 10001 01110",
    "11111 00001 00010 00100 01000 01000 01000",
    "01110 10001 10001 01110 10001 10001 01110",
    "01110 10001 10001 01111 00001 00010 01100",
)
_SIGNS = dict(enumerate(_DIGITS[:9])) | {
    ZERO: _DIGITS[0],
    NO_CLUE: "00000 00000 00000 11111 00000 00000 00000",
    KNOWN_SAFE: "00000 00001 00010 10100 01000 00000 00000",
    FLAGGED: "01100 01111 01111 01100 01000 01000 11110",
    WRONG_FLAG: "10001 01010 00100 01010 10001 00000 11111",
    EXPLODED: "10101 01110 11111 01110 10101 00000 00000",
    MINE: "00000 01110 11111 11111 11111 01110 00000",
}
"""The points of each look that has a fixed sign; a blank zero has none."""
del _SIGNS[0]
_BELOW_ONE = "00000 00010 00100 01000 00100 00010 00000"


def board_png(board: Board, *, scale: int = 2) -> bytes:
    """Return the board with its mines and all clues, as PNG."""
    of_type(board, Board, "board")
    return encode(paint(board.grid, solved(board), scale))


def view_png(view: View, *, truth: Board | None = None, scale: int = 2) -> bytes:
    """Return a view as PNG; with `truth`, also wrong flags and mines that were not found."""
    of_type(view, View, "view")
    optional(truth, Board, "truth")
    looks = view.states if truth is None else revealed(view, truth)
    return encode(paint(view.grid, zeros_written(view.grid, looks), scale))


def odds_png(odds: HasRisks, *, scale: int = 2) -> bytes:
    """Return a view with the mine probabilities of hidden cells in per cent, as PNG."""
    check_odds(odds)
    view = odds.view
    return encode(paint(view.grid, zeros_written(view.grid, weighed(odds)), scale))


def paint(grid: Grid, looks: bytes, scale: int = 1) -> Pixels:
    """Return an array of shape (height, width, 3); each point is `scale` pixels wide and high."""
    scale = check_integer(scale, "a scale", 1, 64)
    if grid.size * (SIDE * scale) ** 2 > _MOST:
        raise InvalidInput(
            f"{grid.rows}x{grid.cols} at a scale of {scale} is too large for a PNG: use SVG"
        )
    tiles = np.stack([_tile(look) for look in looks])
    rows = tiles.reshape(grid.rows, grid.cols, SIDE, SIDE, 3).swapaxes(1, 2)
    drawn = rows.reshape(grid.rows * SIDE, grid.cols * SIDE, 3)
    return np.ascontiguousarray(drawn.repeat(scale, 0).repeat(scale, 1))


def encode(pixels: Pixels) -> bytes:
    """Return a PNG file: eight bits per channel, no filter, compressed by zlib."""
    height, width, _ = pixels.shape
    lines = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with its filter: none
    lines[:, 1:] = pixels.reshape(height, 3 * width)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in parts)


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


@cache
def _tile(look: int) -> Pixels:
    tile = np.empty((SIDE, SIDE, 3), np.uint8)
    tile[:] = _colour(WELL_EDGE)  # the line between cells
    face = tile[1:, 1:]
    face[:] = _colour(PAINTS.get(look, PAINTS[NO_CLUE]).ground)
    if look in SHADE:  # a raised tile
        face[0], face[:, 0] = _colour(SHINE[look]), _colour(SHINE[look])
        face[-1], face[:, -1] = _colour(SHADE[look]), _colour(SHADE[look])
    ink = _colour(PAINTS.get(look, PAINTS[NO_CLUE]).ink)
    if look in RISKS:
        _write_risk(tile, look - RISKS.start, ink)
    elif look in _SIGNS:
        tile[5:12, 6:11][_points(_SIGNS[look])] = ink
    return tile


def _write_risk(tile: Pixels, percent: int, ink: tuple[int, ...]) -> None:
    """Write a number of one or two digits; `<1` below one per cent."""
    if 0 < percent < 10:
        tile[5:12, 6:11][_points(_DIGITS[percent])] = ink
        return
    first, second = divmod(percent, 10) if percent else (None, 1)
    tile[5:12, 3:8][_points(_BELOW_ONE if first is None else _DIGITS[first])] = ink
    tile[5:12, 9:14][_points(_DIGITS[second])] = ink


def _points(sign: str) -> NDArray[np.bool_]:
    return np.array([[point == "1" for point in row] for row in sign.split()])


def _colour(code: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(code.removeprefix("#")))
