"""`python -m tests.screenshots.label PICTURE X Y SIDE ROWS COLS [LABELS]`: a text of a screen.

In a screenshot that nothing was lost of, cells that show the same are the same pixel for pixel.
So every kind of cell is looked at once: without LABELS this writes `kinds.png`, one cell of each
kind in a row; with LABELS, a symbol for each of them, it prints the position.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from mineproof.screenshots.files import decode
from mineproof.screenshots.tiling import even, tiles
from mineproof.world.geometry import Grid

ALIKE = 6.0
"""Levels of a colour, of 256: cells of one kind may be a pixel wider or narrower."""


def kinds(path: Path, x: float, y: float, side: float, grid: Grid) -> tuple[list[int], list[int]]:
    """The kind of each cell, and the first cell of each kind."""
    cells = tiles(decode(path.read_bytes()), even(x, y, side, grid)).reshape(grid.size, -1)
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
    """Write the kinds, or print the position."""
    path, (x, y, side) = Path(sys.argv[1]), map(float, sys.argv[2:5])
    grid = Grid(int(sys.argv[5]), int(sys.argv[6]))
    found, first = kinds(path, x, y, side, grid)
    if len(sys.argv) > 7:
        rows = "".join(sys.argv[7][kind] for kind in found)
        print(f"{grid.rows}x{grid.cols}")
        for start in range(0, grid.size, grid.cols):
            print(rows[start : start + grid.cols])
        return
    picture = Image.open(path).convert("RGB")
    sheet = Image.new("RGB", (70 * len(first), 64), "magenta")
    for number, index in enumerate(first):
        row, col = grid.cell(index)
        box = (x + col * side, y + row * side, x + (col + 1) * side, y + (row + 1) * side)
        sheet.paste(picture.resize((64, 64), box=box), (70 * number, 0))
    sheet.save("kinds.png")
    print(len(first), "kinds at", [grid.cell(index) for index in first])


if __name__ == "__main__":
    main()
