"""Learn how cells look from labelled screenshots: `python -m tests.screenshots.learn`.

Only the pictures named here are used for training; the others are for testing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

import mineproof as mp
from mineproof import screenshots
from mineproof.screenshots.looks import STATES
from mineproof.screenshots.picture_files import Pixels, decode
from mineproof.screenshots.tiling import SIZE, Lattice, tiles
from tests.screenshots.boxes import boxes
from tests.screenshots.take import SIDES

SHOTS = Path(__file__).parent / "shots"
LEARNT = {
    "sgt": tuple(f"sgt-every-{side}" for side in SIDES),
    "gnome": (
        "gnome-dense-0", "gnome-dense-1", "gnome-dense-2", "gnome-medium-1", "gnome-medium-4",
        "gnome-medium-780-1", "gnome-big-3", "gnome-small-0", "gnome-small-3", "gnome-marks-26",
        "gnome-marks-42",
    ),
    "kmines": (
        "kmines-dense-0", "kmines-easy-0", "kmines-medium-0", "kmines-medium-2", "kmines-hard-2",
    ),
    "page-light": ("page-every-light", "page-beginner-light"),
    "page-dark": ("page-every-dark", "page-beginner-dark"),
}  # fmt: skip
_APART = 9.0
"""Equal cells whose pixels differ by more than this (in colour levels) become two tiles."""
_MOST, _MOST_AROUND = 12, 40


Tile = NDArray[np.float64]


def learn(names: tuple[str, ...]) -> list[list[Tile]]:
    """For each state, the tiles that show it; finally, the surroundings of a board."""
    found: list[list[list[Tile]]] = [[] for _ in range(STATES + 1)]
    places = boxes(SHOTS)
    for name in names:
        view = mp.View.from_text((SHOTS / f"{name}.txt").read_text(), dots="hidden")
        pixels = decode((SHOTS / f"{name}.png").read_bytes())
        cells = tiles(pixels, places[name]).reshape(-1, SIZE, SIZE, 3)
        for state, cell in zip(view.states, cells, strict=True):
            _sort_in(cell, found[state])
        for strip in _around(places[name], pixels):
            for cell in tiles(pixels, strip).reshape(-1, SIZE, SIZE, 3):
                _sort_in(cell, found[STATES])
    return [
        [np.mean(kind, axis=0) for kind in sorted(kinds, key=len, reverse=True)[:most]]
        for kinds, most in zip(found, [_MOST] * STATES + [_MOST_AROUND], strict=True)
    ]


def _sort_in(cell: Tile, kinds: list[list[Tile]]) -> None:
    """Add a cell to the group of those that look the same."""
    for kind in kinds:
        if np.sqrt(np.mean((kind[0] - cell) ** 2)) < _APART:
            kind.append(cell)
            return
    kinds.append([cell])


def _around(place: Lattice, pixels: Pixels) -> Iterator[Lattice]:
    """The rows and columns of pixels around a board: next to it and farther away."""
    height, width = pixels.shape[:2]
    side = place.side
    for far in (1.0, 1.06, 1.12, 2.0):
        for x in (place.xs[0] - far * side, place.xs[-1] + far * side):
            if 0 <= x <= width - side:
                yield Lattice(np.array([x]), place.ys, side)
        for y in (place.ys[0] - far * side, place.ys[-1] + far * side):
            if 0 <= y <= height - side:
                yield Lattice(place.xs, np.array([y]), side)


def main() -> None:
    """Write the tiles of every program."""
    folder = Path(screenshots.__file__).parent / "looks"
    for name, learnt in LEARNT.items():
        kinds = learn(learnt)
        sheet = np.zeros((len(kinds) * SIZE, max(map(len, kinds)) * SIZE, 4), np.uint8)
        for state, each in enumerate(kinds):
            for number, tile in enumerate(each):
                at = sheet[state * SIZE : (state + 1) * SIZE, number * SIZE : (number + 1) * SIZE]
                at[..., :3] = tile.round()
                at[..., 3] = 255
        Image.fromarray(sheet).save(folder / f"{name}.png", optimize=True)
        print(name, [len(each) for each in kinds])


if __name__ == "__main__":
    main()
