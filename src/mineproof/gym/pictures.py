"""What `render` gives: text, an array of pixels, or a board in the terminal."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mineproof.render.appearance import MINE, WRONG_FLAG, revealed
from mineproof.render.palette import PAINTS
from mineproof.render.terminal import draw, plain
from mineproof.world.board import Board
from mineproof.world.view import EXPLODED, FLAGGED, NO_CLUE, TOLD_SAFE, View

MODES = ("human", "ansi", "rgb_array")
SIDE = 16
"""Pixels of a cell, its line included."""

Pixels = NDArray[np.uint8]

_SIGNS = {
    1: "00100 01100 00100 00100 00100 00100 01110",
    2: "01110 10001 00001 00110 01000 10000 11111",
    3: "11110 00001 00001 01110 00001 00001 11110",
    4: "00010 00110 01010 10010 11111 00010 00010",
    5: "11111 10000 11110 00001 00001 10001 01110",
    6: "00110 01000 10000 11110 10001 10001 01110",
    7: "11111 00001 00010 00100 01000 01000 01000",
    8: "01110 10001 10001 01110 10001 10001 01110",
    NO_CLUE: "00000 00000 00000 11111 00000 00000 00000",
    TOLD_SAFE: "00000 00001 00010 10100 01000 00000 00000",
    FLAGGED: "01100 01111 01111 01100 01000 01000 11110",
    WRONG_FLAG: "10001 01010 00100 01010 10001 00000 11111",
    EXPLODED: "10101 01110 11111 01110 10101 00000 00000",
    MINE: "00000 01110 11111 11111 11111 01110 00000",
}
"""Five by seven points for every look that has a sign."""


def text(view: View, truth: Board | None) -> str:
    """A character a cell, a line a row; with the truth, the mines that nobody found."""
    return plain(view, truth=truth)


def show(view: View, truth: Board | None) -> None:
    """The board in the terminal, with its colours."""
    from rich.console import Console

    Console().print(draw(view, truth=truth))


def picture(view: View, truth: Board | None) -> Pixels:
    """An array of height, width and three colours."""
    looks = view.states if truth is None else revealed(view, truth)
    tiles = np.stack([_tile(look) for look in looks])
    rows, cols = view.rows, view.cols
    grid = tiles.reshape(rows, cols, SIDE, SIDE, 3).swapaxes(1, 2)
    return np.ascontiguousarray(grid.reshape(rows * SIDE, cols * SIDE, 3))


@cache
def _tile(look: int) -> Pixels:
    paint = PAINTS[look]
    tile = np.empty((SIDE, SIDE, 3), np.uint8)
    tile[:] = _colour("#7d8894")  # the line between cells
    tile[1:, 1:] = _colour(paint.ground)
    if look in _SIGNS:
        points = np.array([[int(p) for p in row] for row in _SIGNS[look].split()], bool)
        inside = tile[5:12, 6:11]
        inside[points] = _colour(paint.ink)
    return tile


def _colour(code: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(code.removeprefix("#")))
