"""Cells, their indices and their neighbours."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mineproof.errors import InvalidInput, WrongType, quoted, whole
from mineproof.given import listed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MAX_SIDE = 1000

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Grid:
    """A shape of rows and columns. A cell is `(row, col)`; its index is `row * cols + col`."""

    rows: int
    cols: int

    def __post_init__(self) -> None:
        for side in ("rows", "cols"):
            length = whole(getattr(self, side), side)
            object.__setattr__(self, side, length)
            if not 1 <= length <= MAX_SIDE:
                raise InvalidInput(f"a board has 1 to {MAX_SIDE} {side}, got {quoted(length)}")

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.rows * self.cols

    def __contains__(self, cell: Cell) -> bool:
        """Whether there is such a cell."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def index(self, cell: Cell) -> int:
        """The index of a cell; an error if it is outside."""
        row, col = as_cell(cell)
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise InvalidInput(
                f"cell {name_cell((row, col))} is outside the board: "
                f"rows 0 to {self.rows - 1}, columns 0 to {self.cols - 1}"
            )
        return row * self.cols + col

    def cell(self, index: int) -> Cell:
        """The cell of an index."""
        return divmod(index, self.cols)

    def cells(self, indices: Iterable[int]) -> list[Cell]:
        """The cells of some indices."""
        return [divmod(i, self.cols) for i in indices]

    def name(self, index: int) -> str:
        """The cell of an index as people write it."""
        return name_cell(divmod(index, self.cols))

    def around(self, index: int) -> tuple[int, ...]:
        """The indices of the up to eight neighbours, rising.

        Worked out each time: cheaper than a table on large boards, and as fast.
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

    def degree(self, index: int) -> int:
        """How many neighbours a cell has."""
        row, col = divmod(index, self.cols)
        height = 1 + (row > 0) + (row < self.rows - 1)
        width = 1 + (col > 0) + (col < self.cols - 1)
        return height * width - 1

    def rim(self) -> Iterator[int]:
        """The indices of the cells with fewer than eight neighbours, each once."""
        last = self.rows - 1
        for row in range(self.rows):
            inner = 0 < row < last and self.cols > 2
            for col in (0, self.cols - 1) if inner else range(self.cols):
                yield row * self.cols + col


def name_cell(cell: Cell) -> str:
    """A cell as people write it: `(3,4)`."""
    return f"({cell[0]},{cell[1]})"


def name_cells(cells: Iterable[Cell], between: str = " ") -> str:
    """Some cells as people write them."""
    return between.join(map(name_cell, cells))


def cells_of(grid: Grid, cells: Iterable[Cell], what: str) -> list[Cell]:
    """Some cells of a board, as plain pairs; an error if one is outside."""
    return [grid.cell(grid.index(cell)) for cell in listed(cells, what)]


def as_cell(value: Any) -> Cell:
    """A cell from any pair of whole numbers."""
    try:
        row, col = value
        return operator.index(row), operator.index(col)
    except (TypeError, ValueError):
        raise InvalidInput(f"a cell is a pair (row, col), got {quoted(value)}") from None


def read_array(values: ArrayLike, what: str, most: int) -> tuple[Grid, bytes]:
    """Rows of whole numbers from 0 to `most`, or an array of them: the shape, and a byte a cell."""
    import numpy as np  # few have arrays, and it takes longer to load than all of this

    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise InvalidInput(f"{what} must be rows of one length, got {quoted(values)}") from None
    if array.ndim != 2 or array.dtype.kind not in "biu":
        raise WrongType(f"{what} must be rows of whole numbers, got {quoted(values)}")
    grid = Grid(*array.shape)
    if array.min() < 0 or array.max() > most:
        wrong = array.min() if array.min() < 0 else array.max()
        raise InvalidInput(f"{what} are numbers from 0 to {most}, got {wrong}")
    return grid, array.astype(np.uint8).tobytes()
