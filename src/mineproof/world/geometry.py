"""Cells, their indices and their neighbours."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mineproof.arguments import listed
from mineproof.deprecated import renamed_method
from mineproof.errors import InvalidInput, WrongType, check_integer, quote
from mineproof.phrases import say

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MAX_SIDE = 1000

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Grid:
    """The shape of a board. A cell is `(row, col)`; its index is `row * cols + col`."""

    rows: int
    cols: int

    def __post_init__(self) -> None:
        for side in ("rows", "cols"):
            length = check_integer(getattr(self, side), side)
            object.__setattr__(self, side, length)
            if not 1 <= length <= MAX_SIDE:
                raise InvalidInput(
                    say("refusal.sides", most=MAX_SIDE, side=side, value=quote(length))
                )

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.cols

    def __contains__(self, cell: Cell) -> bool:
        """Return whether the cell is on the board."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def index(self, cell: Cell) -> int:
        """Return the index of a cell; raise an error if it is outside the board."""
        row, col = as_cell(cell)
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            last = {"row": self.rows - 1, "col": self.cols - 1}
            raise InvalidInput(say("refusal.outside", cell=(row, col), **last))
        return row * self.cols + col

    def cell(self, index: int) -> Cell:
        """Return the cell with this index."""
        return divmod(index, self.cols)

    def cells(self, indices: Iterable[int]) -> list[Cell]:
        """Return the cells with these indices."""
        return [divmod(i, self.cols) for i in indices]

    def name(self, index: int) -> str:
        """Return the cell with this index as text: `(3,4)`."""
        return name_cell(divmod(index, self.cols))

    def neighbours(self, index: int) -> tuple[int, ...]:
        """Return the indices of the neighbours (up to eight), ascending.

        They are computed each time: on large boards that needs less memory than a table, and is
        as fast.
        """
        cols = self.cols
        row, col = divmod(index, cols)
        if 0 < row < self.rows - 1 and 0 < col < cols - 1:
            up, down = index - cols, index + cols
            return up - 1, up, up + 1, index - 1, index + 1, down - 1, down, down + 1
        return tuple(
            r * cols + c
            for r in range(max(row - 1, 0), min(row + 2, self.rows))
            for c in range(max(col - 1, 0), min(col + 2, cols))
            if r != row or c != col
        )

    def neighbour_count(self, index: int) -> int:
        """Return the number of neighbours of a cell."""
        row, col = divmod(index, self.cols)
        height = 1 + (row > 0) + (row < self.rows - 1)
        width = 1 + (col > 0) + (col < self.cols - 1)
        return height * width - 1

    def neighbour_counts(self) -> dict[int, int]:
        """Return the numbers of neighbours that cells have, each with the index of such a cell."""
        rows, cols = range(min(self.rows, 2)), range(min(self.cols, 2))
        near_corner = [row * self.cols + col for row in rows for col in cols]
        return {self.neighbour_count(index): index for index in reversed(near_corner)}

    def flood(self, start: int, goes_on: Callable[[int], bool]) -> set[int]:
        """Return the start, its neighbours, and theirs wherever the flood goes on, breadth first.

        `goes_on` is asked once about each cell that is reached, except the start.
        """
        reached = {start}
        for index in (walk := [start]):
            for near in self.neighbours(index):
                if near not in reached:
                    reached.add(near)
                    if goes_on(near):
                        walk.append(near)
        return reached

    def regions(self, cells: Iterable[int]) -> list[set[int]]:
        """Return the connected regions of some cells (corners connect), each with its border."""
        left, found = set(cells), []
        for cell in sorted(left):
            if cell in left:
                found.append(region := self.flood(cell, left.__contains__))
                left -= region
        return found

    def border(self) -> Iterator[int]:
        """Yield the indices of the cells with fewer than eight neighbours, each once."""
        last = self.rows - 1
        for row in range(self.rows):
            inner = 0 < row < last and self.cols > 2
            for col in (0, self.cols - 1) if inner else range(self.cols):
                yield row * self.cols + col

    around = renamed_method("around", neighbours)
    degree = renamed_method("degree", neighbour_count)
    rim = renamed_method("rim", border)


def name_cell(cell: Cell) -> str:
    """Return a cell as text: `(3,4)`."""
    return f"({cell[0]},{cell[1]})"


def name_cells(cells: Iterable[Cell], between: str = " ") -> str:
    """Return cells as text: `(3,4) (3,5)`."""
    return between.join(map(name_cell, cells))


def cells_of(grid: Grid, cells: Iterable[Cell], what: str) -> list[Cell]:
    """Return cells as plain pairs; raise an error if one is outside the board."""
    return [grid.cell(grid.index(cell)) for cell in listed(cells, what)]


def as_cell(value: Any) -> Cell:
    """Return a cell from any pair of whole numbers."""
    try:
        row, col = value
        return operator.index(row), operator.index(col)
    except (TypeError, ValueError):
        raise InvalidInput(f"a cell must be a pair (row, col), got {quote(value)}") from None


def read_array(values: ArrayLike, what: str, most: int) -> tuple[Grid, bytes]:
    """Read rows of whole numbers from 0 to `most`; return the shape and one byte per cell."""
    import numpy as np  # slow to import, and rarely needed here

    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise InvalidInput(f"{what} must be rows of equal length, got {quote(values)}") from None
    if array.ndim != 2 or array.dtype.kind not in "biu":
        raise WrongType(f"{what} must be rows of whole numbers, got {quote(values)}")
    grid = Grid(*array.shape)
    if array.min() < 0 or array.max() > most:
        wrong = array.min() if array.min() < 0 else array.max()
        raise InvalidInput(f"{what} must be numbers from 0 to {most}, got {wrong}")
    return grid, array.astype(np.uint8).tobytes()
