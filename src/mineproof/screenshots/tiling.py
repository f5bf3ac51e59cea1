"""Cut cells out of a picture and scale them to the same size, at any position."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mineproof.screenshots.picture_files import Pixels
from mineproof.world.geometry import Grid

SIZE = 12
"""The points of a tile, across and down: enough to distinguish digits, but few against noise."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Lattice:
    """The positions of columns and rows of cells, and the width of a cell."""

    xs: Floats
    ys: Floats
    side: float

    @property
    def grid(self) -> Grid:
        """The shape of the board."""
        return Grid(len(self.ys), len(self.xs))

    def part(self, rows: slice, cols: slice) -> Lattice:
        """Return some of the rows and columns."""
        return replace(self, xs=self.xs[cols], ys=self.ys[rows])

    def moved(self, x: float | Floats, y: float | Floats) -> Lattice:
        """Return the lattice moved by pixels: one number for all, or one per column or row."""
        return replace(self, xs=self.xs + x, ys=self.ys + y)


def even(x: float, y: float, side: float, grid: Grid) -> Lattice:
    """Return cells of the same size, starting at a corner."""
    cols, rows = np.arange(grid.cols, dtype=np.float64), np.arange(grid.rows, dtype=np.float64)
    return Lattice(x + side * cols, y + side * rows, side)


def tiles(pixels: Pixels, place: Lattice) -> Floats:
    """Return every cell as points: by row, column, point down, point across, colour.

    Each point is the mean colour of its part of the cell; the edge of the picture is extended.
    """
    left, right = _reach(place.xs, place.side, pixels.shape[1])
    top, bottom = _reach(place.ys, place.side, pixels.shape[0])
    part = pixels[top:bottom, left:right].astype(np.float64)
    across = _averaged(part, place.xs - left, place.side)
    both = _averaged(across.swapaxes(0, 1), place.ys - top, place.side)
    shape = (len(place.ys), SIZE, len(place.xs), SIZE, 3)
    return np.asarray(both.swapaxes(0, 1).reshape(shape).swapaxes(1, 2))


def _reach(starts: Floats, side: float, length: int) -> tuple[int, int]:
    """Return the range of pixels that cells cover along one axis; at least one pixel."""
    first = min(max(int(starts.min()), 0), length - 1)
    return first, max(min(int(starts.max() + side) + 2, length), first + 1)


def _averaged(values: Floats, starts: Floats, side: float) -> Floats:
    """Average the second axis into the points of each cell."""
    length = values.shape[1]
    edges = (starts[:, None] + side * np.arange(SIZE + 1) / SIZE).clip(0.0, length)
    total = np.concatenate([np.zeros_like(values[:, :1]), values.cumsum(axis=1)], axis=1)
    low = np.minimum(edges.astype(int), length - 1)
    at = total[:, low] + (edges - low)[None, ..., None] * values[:, low]
    width = np.diff(edges, axis=1)
    inside = width > 1e-6
    found = np.diff(at, axis=2) / np.where(inside, width, 1.0)[None, ..., None]
    if not inside.all():
        nearest = np.minimum(edges[:, :-1].astype(int), length - 1)
        found = np.where(inside[None, ..., None], found, values[:, nearest])
    return np.asarray(found.reshape(len(values), -1, 3))
