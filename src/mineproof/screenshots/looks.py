"""How cells look in real programs: tiles learnt from labelled screenshots, and distances to them.

`looks/NAME.png` has a row of tiles for each state (transparent if there is no tile), and a last
row with the surroundings of a board; `python -m tests.screenshots.learn` writes it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import NamedTuple

import numpy as np

from mineproof.extras import need
from mineproof.screenshots.tiling import SIZE, Floats

STATES = 14
NAMES = ("sgt", "gnome", "kmines", "page-light", "page-dark")
FRAMED = frozenset({"page-light", "page-dark"})
"""Programs that draw a frame inside the cell that was selected last."""
_FRAME = 2
"""The width of such a frame in points, from the edge of a cell."""


class Looks(NamedTuple):
    """The tiles of one program."""

    name: str
    states: Floats
    """The state of each tile."""
    tiles: Floats
    """By tile, point down, point across, colour."""
    outside: Floats
    """The surroundings of a board, in pieces of the size of a cell."""

    def away(self, cells: Floats, seen: Floats | None = None) -> Floats:
        """Return the distance of cells from each state, in colour levels: by cell and state.

        `seen` has a weight for each point of a tile; points with the weight 0 do not count.
        """
        found = _away(cells, self.tiles, seen)
        every = np.full((len(found), STATES), np.inf)
        for state in np.unique(self.states):
            every[:, state] = found[:, self.states == state].min(axis=1)
        return every

    def beyond(self, cells: Floats, seen: Floats | None = None) -> Floats:
        """Return the distance of cells from the surroundings of a board."""
        return np.asarray(_away(cells, self.outside, seen).min(axis=1))

    def nearest(self, cells: Floats) -> Floats:
        """Return the distance of cells from the nearest tile."""
        return np.asarray(_away(cells, self.tiles).min(axis=1))


def _away(cells: Floats, known: Floats, seen: Floats | None = None) -> Floats:
    """Return the root mean square difference of cells and tiles, by cell and tile."""
    size = SIZE * SIZE * 3
    given = cells.reshape(-1, size).astype(np.float32) - 128
    tiles = known.reshape(-1, size).astype(np.float32) - 128
    count = float(size)
    if seen is not None:
        root = np.sqrt(seen)[..., None].repeat(3, axis=2).ravel().astype(np.float32)
        given, tiles, count = given * root, tiles * root, 3 * float(seen.sum())
    square = np.einsum("ij,ij->i", given, given)[:, None] - 2 * given @ tiles.T
    square += np.einsum("ij,ij->i", tiles, tiles)[None]
    return np.asarray(np.sqrt(np.maximum(square, 0) / count).astype(np.float64))


def within_frame() -> Floats:
    """Return weights that select the points of a tile inside a frame."""
    seen = np.zeros((SIZE, SIZE))
    seen[_FRAME : SIZE - _FRAME, _FRAME : SIZE - _FRAME] = 1.0
    return seen


@cache
def known() -> tuple[Looks, ...]:
    """Return the looks of all known programs."""
    return tuple(_read(name) for name in NAMES)


def nearest(cells: Floats) -> Floats:
    """Return the distance of cells from the nearest tile of each program."""
    every = known()
    away = _away(cells, np.concatenate([looks.tiles for looks in every]))
    ends = np.cumsum([len(looks.tiles) for looks in every])
    parts = np.split(away, ends[:-1], axis=1)
    return np.stack([part.min(axis=1) for part in parts], axis=1)


def _read(name: str) -> Looks:
    image = need("PIL.Image", "pictures")
    content = (files("mineproof.screenshots") / "looks" / f"{name}.png").read_bytes()
    sheet = np.asarray(image.open(BytesIO(content)).convert("RGBA")).astype(np.float64)
    rows, cols = sheet.shape[0] // SIZE, sheet.shape[1] // SIZE
    tiles = sheet.reshape(rows, SIZE, cols, SIZE, 4).swapaxes(1, 2).reshape(-1, SIZE, SIZE, 4)
    there = tiles[..., 3].min(axis=(1, 2)) > 0
    states, found = np.repeat(np.arange(rows), cols)[there], tiles[there][..., :3]
    inside = states < STATES
    return Looks(name, states[inside], found[inside], found[~inside])
