"""Label a screenshot: `python -m tests.screenshots.label PICTURE [LABELS]`.

In a lossless screenshot, cells in the same state are equal pixel for pixel, or nearly. So only one
cell of each kind has to be labelled: without LABELS this writes `kinds.png`, a row with one cell of
each kind; with LABELS, one symbol for each of them, it writes the position next to the picture.
`boxes.json`, next to the picture, says where the board is.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from mineproof.screenshots.picture_files import decode
from mineproof.screenshots.tiling import Lattice, tiles
from tests.screenshots.boxes import boxes

ALIKE = 9.0
"""Tolerance in colour levels (of 256), since equal cells may differ in width by one pixel."""


def kinds(path: Path, place: Lattice) -> tuple[list[int], list[int]]:
    """The kind of each cell, and the first cell of each kind."""
    cells = tiles(decode(path.read_bytes()), place).reshape(place.grid.size, -1)
    first: list[int] = []
    found = []
    for index, cell in enumerate(cells):
        away = [float(np.sqrt(np.mean((cell - cells[one]) ** 2))) for one in first]
        near = int(np.argmin(away)) if away else 0
        if not away or away[near] > ALIKE:
            near = len(first)
            first.append(index)
        found.append(near)
    return found, first


def main() -> None:
    """Write the kinds of cells, or the position."""
    path = Path(sys.argv[1])
    place = boxes(path.parent)[path.stem]
    grid, side = place.grid, place.side
    found, first = kinds(path, place)
    if len(sys.argv) > 2:
        symbols = "".join(sys.argv[2][kind] for kind in found)
        rows = [symbols[at : at + grid.cols] for at in range(0, grid.size, grid.cols)]
        path.with_suffix(".txt").write_text("\n".join([f"{grid.rows}x{grid.cols}", *rows, ""]))
        return
    picture = Image.open(path).convert("RGB")
    sheet = Image.new("RGB", (70 * len(first), 64), "magenta")
    for number, index in enumerate(first):
        row, col = grid.cell(index)
        x, y = place.xs[col], place.ys[row]
        sheet.paste(picture.resize((64, 64), box=(x, y, x + side, y + side)), (70 * number, 0))
    sheet.save("kinds.png")
    print(len(first), "kinds at", [grid.cell(index) for index in first])


if __name__ == "__main__":
    main()
