"""`python -m tests.screenshots.learn`: how cells look, from labelled screenshots.

Only the pictures named here are learnt from; the others are there to be tested on.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

import mineproof as mp
from mineproof import screenshots
from mineproof.screenshots.files import decode
from mineproof.screenshots.looks import STATES
from mineproof.screenshots.tiling import SIZE, tiles
from tests.screenshots.boxes import boxes

SHOTS = Path(__file__).parent / "shots"
LEARNT = {
    "sgt": tuple(f"sgt-every-{side}" for side in (16, 20, 23, 26, 30, 34, 40, 47)),
    "gnome": (
        "gnome-dense-0", "gnome-dense-1", "gnome-dense-2", "gnome-medium-1", "gnome-big-3", "gnome-small-0",
    ),
    "kmines": ("kmines-dense-0", "kmines-easy-0", "kmines-medium-0", "kmines-medium-2", "kmines-hard-2"),
    "page-light": ("page-every-light", "page-beginner-light"),
    "page-dark": ("page-every-dark", "page-beginner-dark"),
}  # fmt: skip
_APART = 9.0
"""Cells that show the same and differ more, in levels of a colour, are kept as two tiles."""
_MOST = 8


def learn(names: tuple[str, ...]) -> list[list[np.ndarray]]:
    """For each state, what cells that show it look like: the commonest kinds first."""
    found: list[list[list[np.ndarray]]] = [[] for _ in range(STATES)]
    places = boxes(SHOTS)
    for name in names:
        view = mp.View.from_text((SHOTS / f"{name}.txt").read_text(), dots="hidden")
        cells = tiles(decode((SHOTS / f"{name}.png").read_bytes()), places[name])
        for state, cell in zip(view.states, cells.reshape(-1, SIZE, SIZE, 3), strict=True):
            for kind in found[state]:
                if np.sqrt(np.mean((kind[0] - cell) ** 2)) < _APART:
                    kind.append(cell)
                    break
            else:
                found[state].append([cell])
    return [
        [np.mean(kind, axis=0) for kind in sorted(kinds, key=len, reverse=True)[:_MOST]]
        for kinds in found
    ]


def main() -> None:
    """Write the tiles of every program."""
    folder = Path(screenshots.__file__).parent / "looks"
    for name, learnt in LEARNT.items():
        kinds = learn(learnt)
        sheet = np.zeros((STATES * SIZE, max(map(len, kinds)) * SIZE, 4), np.uint8)
        for state, each in enumerate(kinds):
            for number, tile in enumerate(each):
                at = sheet[state * SIZE : (state + 1) * SIZE, number * SIZE : (number + 1) * SIZE]
                at[..., :3] = tile.round()
                at[..., 3] = 255
        Image.fromarray(sheet).save(folder / f"{name}.png", optimize=True)
        print(name, [len(each) for each in kinds])


if __name__ == "__main__":
    main()
