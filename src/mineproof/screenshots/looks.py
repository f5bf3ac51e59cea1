"""How cells look in real programs: tiles learnt from labelled screenshots, and a distance.

`looks/NAME.png` has a row of tiles for each state, transparent where there is none, and a last
one of what surrounds a board; `python -m tests.screenshots.learn` writes it.
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
"""Programs that draw a frame into one cell: the one that was touched last."""
_FRAME = 2
"""Points, from the edge of a cell, that such a frame may cover."""


class Looks(NamedTuple):
    """The tiles of one program."""

    name: str
    states: Floats
    """What each tile shows."""
    tiles: Floats
    """By tile, point down, point across, colour."""
    outside: Floats
    """What is around a board, in pieces of a cell's size."""

    def away(self, cells: Floats, seen: Floats | None = None) -> Floats:
        """How far cells are from each state, in levels of a colour: by cell and state.

        `seen` weighs the points of a tile, down and across; others do not count.
        """
        found = _away(cells, self.tiles, seen)
        every = np.full((len(found), STATES), np.inf)
        for state in np.unique(self.states):
            every[:, state] = found[:, self.states == state].min(axis=1)
        return every

    def beyond(self, cells: Floats, seen: Floats | None = None) -> Floats:
        """How far cells are from what surrounds a board."""
        return np.asarray(_away(cells, self.outside, seen).min(axis=1))

    def nearest(self, cells: Floats) -> Floats:
        """How far cells are from the tile that is nearest."""
        return np.asarray(_away(cells, self.tiles).min(axis=1))


def _away(cells: Floats, known: Floats, seen: Floats | None = None) -> Floats:
    """The mean difference of cells and tiles, by cell and tile."""
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
    """The points of a tile that a frame leaves free."""
    seen = np.zeros((SIZE, SIZE))
    seen[_FRAME : SIZE - _FRAME, _FRAME : SIZE - _FRAME] = 1.0
    return seen


@cache
def known() -> tuple[Looks, ...]:
    """The looks of every program."""
    return tuple(_read(name) for name in NAMES)


def nearest(cells: Floats) -> Floats:
    """How far cells are from the nearest tile of each program: by cell and program."""
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
