"""A board as text: its cells in rows, with row and column numbers.

It is drawn whole if there is room, otherwise folded into pieces below one another. If that takes
too many lines, only a part is drawn, with a line that says which part.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from mineproof.errors import InvalidInput, WrongType, check_integer, quote
from mineproof.render.few_colours import style
from mineproof.render.palette import BRACKETS, Paint
from mineproof.world.geometry import Cell, Grid

LIGHT = Style(dim=True)
BRACKET = style(BRACKETS)
HERE = style(Paint(BRACKETS.ground, BRACKETS.ink), reverse=True)  # also reversed without colours
_RULER_STEP = 5


class Room(NamedTuple):
    """The available lines and columns of text."""

    lines: int
    columns: int
    scrolled: int = 0
    """The lines that a whole board may take if the output scrolls; 0: no more than `lines`."""


class Sheet(NamedTuple):
    """A board whose cells are one or more characters wide; the last character is the symbol."""

    grid: Grid
    width: int
    cell: Callable[[int], tuple[str, Style]]
    closed: bool = True
    """Whether rows end with a gap, as cells begin with one, so that brackets fit."""
    reach: int | None = None
    """Where the symbol ends in a cell, if not at its end."""

    def fits(self, room: Room | None) -> bool:
        """Whether the whole board fits, folded or not."""
        return room is None or self._lines(room) <= max(room.lines, room.scrolled)

    def draw(self, centre: Cell | None, marked: Cell | None, room: Room | None) -> Text:
        """Return the part around `centre` that fits, with brackets around `marked`.

        If rows are not closed there are no gaps, so `marked` is drawn in reverse.
        """
        text = Text(no_wrap=True, overflow="crop")
        if self.fits(room):
            for number, cols in enumerate(self._pieces(room)):
                text.append("\n\n" if number else "")
                self._append(text, range(self.grid.rows), cols, marked)
            return text
        assert room is not None
        # The ruler takes one line, and the words on which part it is one or more.
        height, width = max(room.lines - 2, 1), self._most(room)
        words = self._where(part(self.grid, centre, height, width), room)
        rows, cols = part(self.grid, centre, max(room.lines - 1 - len(words), 1), width)
        self._append(text, rows, cols, marked)
        text.append("\n" + "\n".join(self._where((rows, cols), room)), LIGHT)
        return text

    def _where(self, shown: tuple[range, range], room: Room) -> list[str]:
        """The lines that say which part of the board is shown."""
        rows, cols = shown
        span = f"rows {rows[0]}-{rows[-1]}, columns {cols[0]}-{cols[-1]}"
        words = f"{span} of a {self.grid.rows}x{self.grid.cols} board"
        return textwrap.wrap(words, room.columns)

    @property
    def _gutter(self) -> int:
        return len(str(self.grid.rows - 1))

    def _most(self, room: Room) -> int:
        """The number of columns of cells that fit."""
        return max((room.columns - self._gutter - 1 - self.closed) // self.width, 1)

    def _pieces(self, room: Room | None) -> Iterator[range]:
        return folded(self.grid.cols, self.grid.cols if room is None else self._most(room))

    def _lines(self, room: Room) -> int:
        pieces = sum(1 for _ in self._pieces(room))
        return pieces * (self.grid.rows + 2) - 1

    def _append(self, text: Text, rows: range, cols: range, marked: Cell | None) -> None:
        gutter = self._gutter
        text.append(ruler(cols, gutter, self.width, self.reach or self.width), LIGHT)
        for row in rows:
            text.append(f"\n{row:>{gutter}} ", LIGHT)
            pieces = list(self._characters(row, cols))
            if marked is not None and row == marked[0] and marked[1] in cols:
                self._mark(pieces, self.width * (marked[1] - cols.start))
            for paint, run in groupby(pieces, key=itemgetter(1)):
                text.append("".join(piece for piece, _ in run), paint)

    def _mark(self, pieces: list[tuple[str, Style]], at: int) -> None:
        if not self.closed:
            for place in range(at, at + self.width):
                pieces[place] = (pieces[place][0], HERE)
            return
        pieces[at] = ("[", BRACKET)
        pieces[at + self.width] = ("]", BRACKET)

    def _characters(self, row: int, cols: range) -> Iterator[tuple[str, Style]]:
        paint = LIGHT
        for col in cols:
            written, paint = self.cell(row * self.grid.cols + col)
            yield from ((character, paint) for character in written)
        if self.closed:
            yield " ", paint


def ruler(cols: range, gutter: int, width: int = 2, reach: int = 2) -> str:
    """Return the line of column numbers, each ending above its symbols.

    All columns are numbered if cells are wide enough, otherwise every fifth (at least one). A cell
    has `width` characters, and its symbol ends after `reach` of them.
    """
    line = ""
    step = 1 if 2 < width > len(str(cols[-1])) else _RULER_STEP
    for col in [col for col in cols if col % step == 0] or cols[:1]:
        end = gutter + 1 + width * (col - cols.start) + reach
        line += str(col).rjust(end - len(line))
    return line


def folded(cols: int, most: int) -> Iterator[range]:
    """Yield the columns of each piece of a board, at most `most` per piece.

    Pieces have about the same size, and start at a numbered column if possible.
    """
    most = min(most, cols)
    size = -(-cols // -(-cols // most))
    even = -(-size // _RULER_STEP) * _RULER_STEP
    size = even if even <= most else size
    return (range(first, min(first + size, cols)) for first in range(0, cols, size))


def part(grid: Grid, centre: Cell | None, rows: int, cols: int) -> tuple[range, range]:
    """Return at most `rows` rows and `cols` columns of the board around a cell."""
    row, col = centre or (0, 0)
    return _span(row, rows, grid.rows), _span(col, cols, grid.cols)


def _span(centre: int, most: int, length: int) -> range:
    shown = min(most, length)
    start = min(max(centre - shown // 2, 0), length - shown)
    return range(start, start + shown)


def as_room(room: tuple[int, int] | Room | None) -> Room | None:
    """Return room given as a pair of lines and columns, or as `Room`."""
    if room is None:
        return None
    try:
        given = Room(*(check_integer(length, "room") for length in room))
    except TypeError:
        raise WrongType(f"room must be lines and columns of text, got {quote(room)}") from None
    if min(given.lines, given.columns) < 1:
        raise InvalidInput(f"room must be at least 1 line and 1 column, got {tuple(room)!r}")
    return given
