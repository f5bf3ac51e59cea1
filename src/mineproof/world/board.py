"""The truth: where the mines are, and how boards are dealt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineproof import _engine
from mineproof.errors import (
    FormatError,
    InvalidInput,
    WrongType,
    counted,
    do_not_fit,
    nearest,
    quoted,
    share,
    shorten,
    whole,
)
from mineproof.given import listed, of_type, one_of
from mineproof.world import notation
from mineproof.world.chance import Purpose, Stream, check_seed, fresh_seed, words64
from mineproof.world.geometry import Cell, Grid, read_array

Opening = Literal["any", "safe", "clear"]
OPENINGS: tuple[Opening, ...] = ("any", "safe", "clear")


class Level(NamedTuple):
    """One of the three conventional sizes."""

    rows: int
    cols: int
    mines: int


LEVELS = {
    "beginner": Level(9, 9, 10),
    "intermediate": Level(16, 16, 40),
    "expert": Level(16, 30, 99),
}


class Figures(NamedTuple):
    """What players count on a board.

    `openings` are connected regions of cells with no mine around; `islands` are
    connected regions of safe cells that no opening shows; `bbbv` (3BV) is the
    fewest left clicks that open every safe cell.
    """

    openings: int
    islands: int
    bbbv: int


@dataclass(frozen=True)
class Board:
    """A shape and its mines. Immutable; never shown to an agent."""

    grid: Grid
    mined: bytes
    """One byte a cell, by index: 1 for a mine, 0 for none."""

    def __post_init__(self) -> None:
        of_type(self.grid, Grid, "the grid of a board")
        object.__setattr__(self, "mined", _as_cells(self.mined))
        if len(self.mined) != self.grid.size:
            raise InvalidInput(f"expected {counted(self.grid.size, 'cell')}, got {len(self.mined)}")
        if self.mined.strip(b"\0\1"):
            raise InvalidInput("a cell of a board is 0 or 1")

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
        """A board dealt uniformly among those that keep the opening rule at `start`.

        The mines are given by count, by density (rounded to a count), or, with
        `independent`, each cell is mined by itself with chance `density`. The name of a
        level, as in `Board.random("expert")`, stands for rows, columns and mines. A seed
        gives the same board for ever; without one the board is a new one.
        """
        deal = read_deal(rows, cols, mines, density=density, independent=independent)
        return deal.board(fresh_seed() if seed is None else seed, start=start, opening=opening)

    @classmethod
    def from_mines(cls, rows: int, cols: int, mines: Iterable[Cell]) -> Board:
        """The board with mines at these cells."""
        grid = Grid(rows, cols)
        mined = bytearray(grid.size)
        for cell in listed(mines, "mines"):
            mined[grid.index(cell)] = 1
        return cls(grid, bytes(mined))

    @classmethod
    def from_array(cls, mined: ArrayLike) -> Board:
        """The board of these rows: 1 or True where a cell is mined, otherwise 0 or False."""
        return cls(*read_array(mined, "mines", 1))

    @classmethod
    def from_text(cls, text: str) -> Board:
        """Read `2x3/1 *../...`, or the same on many lines, with or without its header."""
        found = notation.read(text, "*.")
        board = cls(found.grid, bytes(character == "*" for character in found.characters))
        if found.mines is not None and found.mines != board.mine_count:
            shown = shorten(" ".join(text.split()))
            raise FormatError(
                f"expected {counted(found.mines, 'mine')}, got {board.mine_count} in {shown!r}"
            )
        if found.marks:
            where = found.grid.name(found.marks[0][0])
            raise FormatError(f"a board has no marks, got one at {where}")
        return board

    def to_text(self, *, lines: bool = False) -> str:
        """`*` mine, `.` safe, after the shape; on one line, or a line a row."""
        characters = self.mined.translate(_CHARACTERS).decode()
        text = notation.GridText(self.grid, characters, self.mine_count, ())
        return notation.write(text, lines=lines)

    def __str__(self) -> str:
        """A line a row; `from_text` takes it back."""
        return self.to_text(lines=True)

    def __repr__(self) -> str:
        return f"Board({self.to_text()!r})"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows; None where the board is too large for a picture."""
        from mineproof import _pictures

        picture: str | None = _pictures().board_picture(self)
        return picture

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.grid.rows

    @property
    def cols(self) -> int:
        """How many columns."""
        return self.grid.cols

    @property
    def array(self) -> NDArray[np.bool_]:
        """Where the mines are, by row and column. Read-only."""
        return np.frombuffer(self.mined, np.bool_).reshape(self.rows, self.cols)

    @cached_property
    def mine_count(self) -> int:
        """How many mines."""
        return self.mined.count(1)

    @property
    def mines(self) -> list[Cell]:
        """The mined cells, by index."""
        return self.grid.cells(i for i, mined in enumerate(self.mined) if mined)

    def is_mine(self, cell: Cell) -> bool:
        """Whether a cell is mined."""
        return self.mined[self.grid.index(cell)] == 1

    def clue(self, cell: Cell) -> int:
        """How many mines are around a cell."""
        return self.counts[self.grid.index(cell)]

    @cached_property
    def counts(self) -> bytes:
        """Mines around every cell, by index."""
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
        """Openings, islands and 3BV."""
        if _engine.is_native():
            found = _engine.native.figures(self.rows, self.cols, self.mined)
            return Figures(found.openings, found.islands, found.bbbv)
        zero = {i for i, n in enumerate(self.counts) if n == 0 and not self.mined[i]}
        shown = zero.union(*(self.grid.around(i) for i in zero))
        lone = {i for i, mined in enumerate(self.mined) if not mined and i not in shown}
        openings = _regions(self.grid, zero)
        return Figures(openings, _regions(self.grid, lone), openings + len(lone))

    def keeps(self, opening: Opening, start: Cell) -> bool:
        """Whether the board keeps the opening rule when `start` is opened first."""
        one_of(opening, "opening rule", OPENINGS)
        return not any(self.mined[i] for i in promised(self.grid, start, opening))

    def has_start(self, opening: Opening) -> bool:
        """Whether the board keeps the opening rule at some first cell."""
        one_of(opening, "opening rule", OPENINGS)
        if opening != "clear":
            return opening == "any" or self.mine_count < self.grid.size
        return any(not mined | count for mined, count in zip(self.mined, self.counts, strict=True))


@dataclass(frozen=True)
class Deal:
    """A way to make boards: a shape, and mines by count, by density or cell by cell."""

    rows: int
    cols: int
    mines: int | None = None
    density: float | None = None
    independent: bool = False

    def __post_init__(self) -> None:
        grid = self.grid
        if (self.mines is None) == (self.density is None):
            raise InvalidInput("give the number of mines or their density, and not both")
        object.__setattr__(self, "rows", grid.rows)
        object.__setattr__(self, "cols", grid.cols)
        if self.mines is not None:
            object.__setattr__(self, "mines", whole(self.mines, "mines"))
            if self.independent:
                raise InvalidInput("cells are mined independently by density, not by count")
            if not 0 <= self.mines <= grid.size:
                raise InvalidInput(
                    f"{do_not_fit(self.mines)}: {self.rows}x{self.cols} has "
                    f"{counted(grid.size, 'cell')}"
                )
        if self.density is not None:
            object.__setattr__(self, "density", share(self.density, "a density"))

    @property
    def grid(self) -> Grid:
        """The shape."""
        return Grid(self.rows, self.cols)

    @property
    def mine_count(self) -> int | None:
        """How many mines there will be; None if cells are mined independently."""
        if self.mines is not None:
            return self.mines
        assert self.density is not None
        return None if self.independent else int(self.density * self.grid.size + 0.5)

    @property
    def threshold(self) -> int | None:
        """Where cells are mined independently: the chance of each, in units of 2**-53."""
        return round(self.density * 2**53) if self.independent and self.density else None

    def check(self, opening: Opening, start: Cell | None = None) -> None:
        """Raise an error if no board of this kind keeps the opening rule at the start.

        Without a start: wherever play may begin.
        """
        one_of(opening, "opening rule", OPENINGS)
        if start is not None:
            self._fit(len(promised(self.grid, start, opening)), opening)
        elif opening != "any":
            height, width = (3, 3) if opening == "clear" else (1, 1)
            self._fit(min(height, self.rows) * min(width, self.cols), opening)

    def board(self, seed: int, *, start: Cell | None = None, opening: Opening = "any") -> Board:
        """The board of this seed, uniform among those that keep the opening rule at `start`."""
        seed = check_seed(seed)
        one_of(opening, "opening rule", OPENINGS)
        grid = self.grid
        if opening != "any" and start is None:
            raise InvalidInput(f"the opening rule {opening!r} needs a start cell")
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
            where = "the first move" if opening == "safe" else f"the {free} around the first move"
            raise InvalidInput(
                f"{do_not_fit(mines)}: {self.rows}x{self.cols} has {counted(places, 'cell')} "
                f"besides {where}"
            )


DealLike = Deal | Level | str
"""A way to deal boards, or one of the levels, by name or as `LEVELS` has it."""
BoardLike = Board | DealLike


def as_board(board: object, what: str = "board") -> Board | Deal:
    """A board or a deal; the name of a level is its deal."""
    if isinstance(board, (Board, Deal)):
        return board
    return as_deal(board, what, "a Board, ")


def as_deal(deal: object, what: str = "deal", besides: str = "") -> Deal:
    """A deal, also by the name of its level; `besides` names what else is taken there."""
    if isinstance(deal, Deal):
        return deal
    if isinstance(deal, Level):
        return Deal(*deal)
    if isinstance(deal, str) and deal in LEVELS:
        return Deal(*LEVELS[deal])
    hint = ""
    if isinstance(deal, str):
        near = nearest(deal, LEVELS)
        reads = ": Board.from_text reads a text" if "/" in deal else ""
        hint = f": did you mean {near!r}?" if near else reads
    taken = f"{besides}a Deal or the name of a level ({', '.join(LEVELS)})"
    raise WrongType(f"{what} must be {taken}, got {quoted(deal)}{hint}")


def read_deal(
    rows: int | DealLike,
    cols: int | None = None,
    mines: int | None = None,
    *,
    density: float | None = None,
    independent: bool = False,
) -> Deal:
    """The deal of these arguments: a shape and its mines, or a deal or level in place of `rows`."""
    if not isinstance(rows, (Deal, Level, str)):
        if cols is None:
            raise InvalidInput("give rows and cols with mines or density, or the name of a level")
        return Deal(rows, cols, mines, density=density, independent=independent)
    if independent or any(one is not None for one in (cols, mines, density)):
        raise InvalidInput(f"{quoted(rows)} has its own size and mines: give it alone")
    return as_deal(rows, "rows", "a number, ")


def _as_cells(mined: object) -> bytes:
    """A byte for each cell; a number alone would be so many cells without a mine."""
    try:
        if isinstance(mined, (int, str)) or not isinstance(mined, Iterable):
            raise TypeError
        return bytes(mined)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"the mines of a board are a byte for each cell, 0 or 1, got {quoted(mined)}"
        ) from None


def promised(grid: Grid, start: Cell, opening: Opening) -> list[int]:
    """The indices that the opening rule promises to be free, rising."""
    index = grid.index(start)
    if opening == "any":
        return []
    return [index] if opening == "safe" else sorted((index, *grid.around(index)))


def _deal(grid: Grid, mines: int, free: list[int], seed: int) -> bytes:
    """Floyd's sampling: `mines` draws, each board alike."""
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
    """Each cell by itself: mined where its 53 random bits are below the chance."""
    threshold = round(chance * 2**53)
    if _engine.is_native():
        return _engine.native.deal_each(grid.rows, grid.cols, threshold, free, seed)
    words = words64(seed, Purpose.BOARD, grid.size) >> 11
    mined = (words < threshold).astype(np.uint8)
    mined[free] = 0
    return bytes(mined)


def _regions(grid: Grid, members: set[int]) -> int:
    """How many connected regions some cells form (corners connect)."""
    left = set(members)
    count = 0
    while left:
        count += 1
        pending = [left.pop()]
        while pending:
            near = left.intersection(grid.around(pending.pop()))
            left -= near
            pending.extend(near)
    return count


_CHARACTERS = bytes.maketrans(b"\0\1", b".*")
