"""Find the cells of a picture that is cropped to its board: between evenly spaced lines.

The strength of a line is the number of pixels that change there. Shapes with strong lines and
few changes between the lines are tried first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mineproof.screenshots.picture_files import Pixels
from mineproof.world.geometry import Grid

SMALLEST, LARGEST = 12, 96
"""The smallest and largest width of a cell in pixels; the largest only if no shape is given."""
_OFF = 2
"""The pixels by which a picture may be cropped too wide or too narrow."""
_FULL = 80.0
"""The largest colour change (of 256 levels) that counts; larger ones are capped."""
_TRIED = 3
_WEAK = 0.25
"""The fraction of lines that may be weak, for example between cells that are both covered."""


@dataclass(frozen=True)
class Cut:
    """The cells of a board that fills a picture."""

    grid: Grid
    side: float

    def cells(self, pixels: Pixels) -> Iterator[Pixels]:
        """Yield the pixels of each cell, row by row, all of the same size."""
        size = round(self.side)
        filled = np.pad(pixels, ((0, size), (0, size), (0, 0)), "edge")
        for row, col in self.grid.cells(range(self.grid.size)):
            y, x = round(row * self.side), round(col * self.side)
            yield filled[y : y + size, x : x + size]


def given(pixels: Pixels, grid: Grid) -> list[Cut]:
    """Return the cells of a board of this shape if it fills the picture."""
    height, width = pixels.shape[:2]
    side = width / grid.cols
    fills = side >= SMALLEST and abs(height - side * grid.rows) <= _OFF
    return [Cut(grid, side)] if fills else []


def likely(pixels: Pixels) -> list[Cut]:
    """Return the cells of possible boards, the likeliest first."""
    height, width = pixels.shape[:2]
    down, across = _changes(pixels, 0), _changes(pixels, 1)
    found = []
    for cols in range(max(1, -(-width // LARGEST)), width // SMALLEST + 1):
        side = width / cols
        rows = round(height / side)
        if rows >= 1 and abs(height - rows * side) <= _OFF:
            strength = _strength(down, rows, side) + _strength(across, cols, side)
            if strength > 0:
                found.append((strength, Cut(Grid(rows, cols), side)))
    found.sort(key=lambda one: -one[0])
    return [place for _, place in found[:_TRIED]]


def _changes(pixels: Pixels, axis: int) -> NDArray[np.float64]:
    """Return how much changes before each row or column except the first."""
    change = np.abs(np.diff(pixels.astype(np.int16), axis=axis)).max(axis=2)
    return np.asarray(np.minimum(change, _FULL).mean(axis=1 - axis))


def _strength(changes: NDArray[np.float64], cells: int, side: float) -> float:
    """Return how much more changes at most of the lines than usually elsewhere.

    Not means: where many cells show digits, more changes within cells than between them.
    """
    if cells == 1:
        return 0.0
    at = [round(cell * side) - 1 for cell in range(1, cells)]
    elsewhere = np.delete(changes, at)
    return float(len(at) * (np.quantile(changes[at], _WEAK) - np.median(elsewhere)))
