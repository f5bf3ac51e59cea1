"""Boards (where the mines are) and how they are dealt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineproof import _engine
from mineproof.arguments import listed, of_type, one_of
from mineproof.errors import (
    FormatError,
    InvalidInput,
    WrongType,
    check_integer,
    check_probability,
    do_not_fit,
    nearest,
    plural,
    quote,
    shorten,
)
from mineproof.phrases import say
from mineproof.world import notation
from mineproof.world.chance import Purpose, Stream, check_seed, fresh_seed, words64
from mineproof.world.geometry import Cell, Grid, read_array

Opening = Literal["any", "safe", "clear"]
OPENINGS: tuple[Opening, ...] = ("any", "safe", "clear")


class Level(NamedTuple):
    """One of the three conventional sizes, with its number of mines."""

    rows: int
    cols: int
    mines: int


LEVELS = {
    "beginner": Level(9, 9, 10),
    "intermediate": Level(16, 16, 40),
    "expert": Level(16, 30, 99),
}


class Figures(NamedTuple):
    """Measures of a board that players use.

    `openings` counts connected regions of cells without neighbouring mines; `islands` counts
    connected regions of safe cells that no opening uncovers; `bbbv` (3BV) is the smallest
    number of left clicks that opens every safe cell.
    """

    openings: int
    islands: int
    bbbv: int


@dataclass(frozen=True)
class Board:
    """A board: its shape and its mines. Immutable; never shown to an agent."""

    grid: Grid
    mined: bytes
    """One byte per cell, by index: 1 for a mine, 0 for none."""

    def __post_init__(self) -> None:
        of_type(self.grid, Grid, "the grid of a board")
        object.__setattr__(self, "mined", _as_cells(self.mined))
        if len(self.mined) != self.grid.size:
            raise InvalidInput(
                f"a board of {self.rows}x{self.cols} has {plural(self.grid.size, 'cell')}, "
                f"got {len(self.mined)}"
            )
        if self.mined.strip(b"\0\1"):
            raise InvalidInput(f"each cell of a board must be 0 or 1, got {max(self.mined)}")

    @classmethod
    def random(
        cls,
        rows: int | DealLike,
        cols: int | None = None,
        mines: int | None = None,
        *,
        density: float | None = None,
        independent: bool = False,
        seed: int | None = None,
        start: Cell | None = None,
        opening: Opening = "any",
    ) -> Board:
        """Return a random board, uniform among those that satisfy the opening rule at `start`.

        Give the number of mines, or a density (rounded to a number of mines). With
        `independent`, each cell is a mine with probability `density`, independently of the
        others. The name of a level, as in `Board.random("expert")`, replaces rows, columns and
        mines. The same seed always gives the same board; without a seed, each call gives a new one.
        """
        deal = read_deal(rows, cols, mines, density=density, independent=independent)
        return deal.board(fresh_seed() if seed is None else seed, start=start, opening=opening)

    @classmethod
    def from_mines(cls, rows: int, cols: int, mines: Iterable[Cell]) -> Board:
        """Return the board with mines at these cells."""
        grid = Grid(rows, cols)
        mined = bytearray(grid.size)
        for cell in listed(mines, "mines"):
            mined[grid.index(cell)] = 1
        return cls(grid, bytes(mined))

    @classmethod
    def from_array(cls, mined: ArrayLike) -> Board:
        """Return a board from rows of values: 1 or True for a mine, 0 or False for a safe cell."""
        return cls(*read_array(mined, "mines", 1))

    @classmethod
    def from_text(cls, text: str) -> Board:
        """Read a text such as `2x3/1 *../...`, on one line or several; the header is optional."""
        found = notation.read(text, "*.")
        board = cls(found.grid, bytes(character == "*" for character in found.characters))
        if found.mines is not None and found.mines != board.mine_count:
            shown = repr(shorten(" ".join(text.split())))
            about = {"mines": found.mines, "got": board.mine_count, "position": shown}
            raise FormatError(say("refusal.header", **about))
        if found.marks:
            at = found.grid.cell(found.marks[0][0])
            raise FormatError(say("refusal.board-marks", at=at))
        return board

    def to_text(self, *, lines: bool = False) -> str:
        """Return the board as text: the shape, then `*` for mines and `.` for safe cells.

        With `lines`, every row is on its own line.
        """
        characters = self.mined.translate(_CHARACTERS).decode()
        text = notation.GridText(self.grid, characters, self.mine_count, ())
        return notation.write(text, lines=lines)

    def __str__(self) -> str:
        """Return the text that `from_text` reads, one line per row."""
        return self.to_text(lines=True)

    def __repr__(self) -> str:
        return f"Board({self.to_text()!r})"

    def _repr_svg_(self) -> str | None:
        """Return the picture for notebooks, or None if the board is too large for one."""
        from mineproof import _pictures

        picture: str | None = _pictures().board_picture(self)
        return picture

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.grid.rows

    @property
    def cols(self) -> int:
        """The number of columns."""
        return self.grid.cols

    @property
    def array(self) -> NDArray[np.bool_]:
        """An array of booleans by row and column, True for mines. Read-only."""
        return np.frombuffer(self.mined, np.bool_).reshape(self.rows, self.cols)

    @cached_property
    def mine_count(self) -> int:
        """The number of mines."""
        return self.mined.count(1)

    @property
    def mines(self) -> list[Cell]:
        """The cells with mines, in index order."""
        return self.grid.cells(i for i, mined in enumerate(self.mined) if mined)

    def is_mine(self, cell: Cell) -> bool:
        """Return whether a cell is a mine."""
        return self.mined[self.grid.index(cell)] == 1

    def clue(self, cell: Cell) -> int:
        """Return the number of mines among the neighbours of a cell."""
        return self.counts[self.grid.index(cell)]

    @cached_property
    def counts(self) -> bytes:
        """The number of neighbouring mines of every cell, by index."""
        if _engine.is_native():
            return _engine.native.count_mines(self.rows, self.cols, self.mined)
        padded = np.zeros((self.rows + 2, self.cols + 2), np.uint8)
        padded[1:-1, 1:-1] = np.frombuffer(self.mined, np.uint8).reshape(self.rows, self.cols)
        down = padded[:-2] + padded[1:-1] + padded[2:]
        square = down[:, :-2] + down[:, 1:-1] + down[:, 2:]
        counts: bytes = (square - padded[1:-1, 1:-1]).tobytes()
        return counts

    @cached_property
    def figures(self) -> Figures:
        """The numbers of openings and islands, and 3BV."""
        if _engine.is_native():
            found = _engine.native.figures(self.rows, self.cols, self.mined)
            return Figures(found.openings, found.islands, found.bbbv)
        openings = openings_of(self)
        shown = set().union(*openings)
        lone = {i for i, mined in enumerate(self.mined) if not mined and i not in shown}
        islands = self.grid.regions(lone)
        return Figures(len(openings), len(islands), len(openings) + len(lone))

    def keeps(self, opening: Opening, start: Cell) -> bool:
        """Return whether the board satisfies the opening rule when `start` is opened first."""
        one_of(opening, "opening rule", OPENINGS)
        return not any(self.mined[i] for i in promised(self.grid, start, opening))

    def has_start(self, opening: Opening) -> bool:
        """Return whether the board satisfies the opening rule for at least one first cell."""
        one_of(opening, "opening rule", OPENINGS)
        if opening != "clear":
            return opening == "any" or self.mine_count < self.grid.size
        return any(not mined | count for mined, count in zip(self.mined, self.counts, strict=True))


@dataclass(frozen=True)
class Deal:
    """How to deal boards: the shape, and a number of mines or a density.

    With `independent`, each cell is a mine with probability `density`; otherwise the density is
    rounded to a number of mines.
    """

    rows: int
    cols: int
    mines: int | None = None
    density: float | None = None
    independent: bool = False

    def __post_init__(self) -> None:
        grid = self.grid
        if (self.mines is None) == (self.density is None):
            raise InvalidInput(say("refusal.mines-or-density"))
        object.__setattr__(self, "rows", grid.rows)
        object.__setattr__(self, "cols", grid.cols)
        if self.mines is not None:
            object.__setattr__(self, "mines", check_integer(self.mines, "mines"))
            if self.independent:
                raise InvalidInput(say("refusal.independent"))
            if not 0 <= self.mines <= grid.size:
                raise InvalidInput(notation.too_many_mines(self.mines, grid))
        if self.density is not None:
            object.__setattr__(self, "density", check_probability(self.density, "a density"))

    @property
    def grid(self) -> Grid:
        """The shape of the boards."""
        return Grid(self.rows, self.cols)

    @property
    def mine_count(self) -> int | None:
        """The number of mines; None if every cell is drawn independently."""
        if self.mines is not None:
            return self.mines
        assert self.density is not None
        return None if self.independent else int(self.density * self.grid.size + 0.5)

    @property
    def threshold(self) -> int | None:
        """The mine probability of a cell in units of 2**-53 if cells are drawn independently."""
        return round(self.density * 2**53) if self.independent and self.density else None

    def check(self, opening: Opening, start: Cell | None = None) -> None:
        """Raise an error if no board of this deal satisfies the opening rule at the start.

        Without a start, any first cell will be accepted.
        """
        one_of(opening, "opening rule", OPENINGS)
        if start is not None:
            self._fit(len(promised(self.grid, start, opening)), opening)
        elif opening != "any":
            height, width = (3, 3) if opening == "clear" else (1, 1)
            self._fit(min(height, self.rows) * min(width, self.cols), opening)

    def board(self, seed: int, *, start: Cell | None = None, opening: Opening = "any") -> Board:
        """Return the board of this seed, uniform among those that satisfy the opening rule."""
        seed = check_seed(seed)
        one_of(opening, "opening rule", OPENINGS)
        grid = self.grid
        if opening != "any" and start is None:
            raise InvalidInput(say("refusal.needs-start", opening=repr(opening)))
        free = [] if start is None else promised(grid, start, opening)
        mines = self.mine_count
        if mines is None:
            assert self.density is not None
            return Board(grid, _deal_each(grid, self.density, free, seed))
        self._fit(len(free), opening)
        return Board(grid, _deal(grid, mines, free, seed))

    def _fit(self, free: int, opening: Opening) -> None:
        mines, places = self.mine_count, self.rows * self.cols - free
        if mines is not None and mines > places:
            fit, shape = do_not_fit(mines), {"rows": self.rows, "cols": self.cols}
            raise InvalidInput(
                say("refusal.no-room", fit=fit, cells=places, opening=opening, **shape)
            )


DealLike = Deal | Level | str
"""A deal, or a level: its name or its entry in `LEVELS`."""
BoardLike = Board | DealLike


def as_board(board: object, what: str = "board") -> Board | Deal:
    """Return a board or a deal; the name of a level is converted to its deal."""
    if isinstance(board, (Board, Deal)):
        return board
    return as_deal(board, what, "a Board, ")


def as_deal(deal: object, what: str = "deal", besides: str = "") -> Deal:
    """Return a deal, also from a level or its name; `besides`: other types to name in errors."""
    if isinstance(deal, Deal):
        return deal
    if isinstance(deal, Level):
        return Deal(*deal)
    if isinstance(deal, str) and deal in LEVELS:
        return Deal(*LEVELS[deal])
    hint = ""
    if isinstance(deal, str):
        near = nearest(deal, LEVELS)
        reads = ": use Board.from_text to read a string" if "/" in deal else ""
        hint = f": did you mean {near!r}?" if near else reads
    taken = f"{besides}a Deal or the name of a level ({', '.join(LEVELS)})"
    raise WrongType(f"{what} must be {taken}, got {quote(deal)}{hint}")


def read_deal(
    rows: int | DealLike,
    cols: int | None = None,
    mines: int | None = None,
    *,
    density: float | None = None,
    independent: bool = False,
) -> Deal:
    """Return the deal for these arguments; `rows` may be a deal or a level instead."""
    if not isinstance(rows, (Deal, Level, str)):
        if cols is None:
            raise InvalidInput(
                "cols is missing: give rows, cols and mines (or density), or the name of a level"
            )
        return Deal(rows, cols, mines, density=density, independent=independent)
    if independent or any(one is not None for one in (cols, mines, density)):
        raise InvalidInput(
            f"{quote(rows)} already sets the size and the mines: give nothing else with it"
        )
    return as_deal(rows, "rows", "a number, ")


def _as_cells(mined: object) -> bytes:
    """Return the cells as bytes. A number is refused: `bytes(9)` would be nine safe cells."""
    try:
        if isinstance(mined, (int, str)) or not isinstance(mined, Iterable):
            raise TypeError
        return bytes(mined)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"the mines of a board must be one byte per cell, 0 or 1, got {quote(mined)}"
        ) from None


def promised(grid: Grid, start: Cell, opening: Opening) -> list[int]:
    """Return the indices of the cells that the opening rule keeps free of mines, ascending."""
    index = grid.index(start)
    if opening == "any":
        return []
    return [index] if opening == "safe" else sorted((index, *grid.neighbours(index)))


def openings_of(board: Board) -> list[set[int]]:
    """Return what each opening of a board uncovers: connected zeros and their neighbours."""
    zeros = (i for i, count in enumerate(board.counts) if count == 0 and not board.mined[i])
    return board.grid.regions(zeros)


def _deal(grid: Grid, mines: int, free: list[int], seed: int) -> bytes:
    """Deal by Floyd's sampling: `mines` draws, every board equally likely."""
    if _engine.is_native():
        return _engine.native.deal(grid.rows, grid.cols, mines, free, seed)

    def cell_at(rank: int) -> int:
        for skipped in free:
            if skipped > rank:
                break
            rank += 1
        return rank

    mined = bytearray(grid.size)
    stream = Stream(seed, Purpose.BOARD)
    places = grid.size - len(free)
    for last in range(places - mines, places):
        drawn = cell_at(stream.below(last + 1))
        mined[cell_at(last) if mined[drawn] else drawn] = 1
    return bytes(mined)


def _deal_each(grid: Grid, chance: float, free: list[int], seed: int) -> bytes:
    """Draw each cell independently: a mine if its 53 random bits are below the threshold."""
    threshold = round(chance * 2**53)
    if _engine.is_native():
        return _engine.native.deal_each(grid.rows, grid.cols, threshold, free, seed)
    words = words64(seed, Purpose.BOARD, grid.size) >> 11
    mined = (words < threshold).astype(np.uint8)
    mined[free] = 0
    return bytes(mined)


_CHARACTERS = bytes.maketrans(b"\0\1", b".*")
