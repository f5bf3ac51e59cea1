"""The part of a board that fits on the screen, with a cursor and marks.

The window moves only when the cursor would leave it. It maps places on the screen to cells, for
the mouse.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from mineproof.render.appearance import MINE, HasRisks, revealed, weighed
from mineproof.render.board_text import ASCII, STYLES, UNICODE, appear
from mineproof.render.heat import NUMBERS
from mineproof.render.proof_pictures import USED
from mineproof.render.sheet import BRACKET, LIGHT, ruler
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import FLAGGED, KNOWN_SAFE, View

NARROW, WIDE = 2, 3
"""Columns of text per cell; probabilities of two digits need the wide one."""
_CLUE = USED + Style(underline=True)  # visible without colours, too
_MARGIN = 2
"""Cells between the cursor and the edge of a window that can still move."""


class Window(NamedTuple):
    """The rows and columns of a board that are on the screen, and the width of a cell."""

    grid: Grid
    rows: range
    cols: range
    width: int

    @classmethod
    def whole(cls, grid: Grid, width: int = WIDE) -> Window:
        """Return a window that shows the whole board."""
        return cls(grid, range(grid.rows), range(grid.cols), width)

    def fitted(self, cursor: Cell, lines: int, columns: int, *, wide: bool = False) -> Window:
        """Return the window that fits, moved as little as needed to contain the cursor.

        Cells are wide if the whole board fits that way, or if `wide` is set.
        """
        grid = self.grid
        fits = columns >= self.gutter + WIDE * grid.cols + 1
        width = WIDE if wide or fits else NARROW
        rows = _moved(self.rows, cursor[0], max(lines - 1, 1), grid.rows)
        cols = _moved(self.cols, cursor[1], max((columns - self.gutter - 1) // width, 1), grid.cols)
        return Window(grid, rows, cols, width)

    @property
    def gutter(self) -> int:
        """Columns before the first cell: the row number and a space."""
        return len(str(self.grid.rows - 1)) + 1

    @property
    def lines(self) -> int:
        """Lines of text: the column numbers and the rows."""
        return 1 + len(self.rows)

    @property
    def columns(self) -> int:
        """Columns of text."""
        return self.gutter + self.width * len(self.cols) + 1

    @property
    def cut(self) -> bool:
        """Whether it shows only a part of the board."""
        return len(self.rows) < self.grid.rows or len(self.cols) < self.grid.cols

    def cell_at(self, line: int, column: int) -> Cell | None:
        """Return the cell at a line and column of the drawing; None outside the board."""
        row, col = line - 1, (column - self.gutter) // self.width
        if column < self.gutter or not (0 <= row < len(self.rows) and 0 <= col < len(self.cols)):
            return None
        return self.rows[row], self.cols[col]


class Marks(NamedTuple):
    """Highlighted cells: the clues of a proof, the cells they decide, and the cell in question."""

    clues: Collection[Cell] = ()
    settled: Mapping[Cell, bool] = {}
    """Deduced cells, and whether they are mines."""
    cell: Cell | None = None


def draw_window(
    view: View,
    window: Window,
    cursor: Cell | None,
    marks: Marks,
    *,
    odds: HasRisks | None = None,
    truth: Board | None = None,
    ascii_only: bool = False,
) -> Text:
    """Draw the part of the board in a window: cursor in `[ ]`, marked cell in `> <`.

    With `odds`, hidden cells show their mine probability in per cent; with `truth`, for a finished
    game, wrong flags and mines that were not found are shown.
    """
    looks = _looks(view, marks, odds, truth)
    symbols = ASCII if ascii_only else UNICODE
    text = Text(no_wrap=True, overflow="crop")
    text.append(ruler(window.cols, window.gutter - 1, window.width, NARROW), LIGHT)
    for row in window.rows:
        text.append(f"\n{row:>{window.gutter - 1}} ", LIGHT)
        for piece, style in _row(view, window, row, looks, symbols, cursor, marks):
            text.append(piece, style)
    return text


def _row(
    view: View,
    window: Window,
    row: int,
    looks: bytes,
    symbols: dict[int, str],
    cursor: Cell | None,
    marks: Marks,
) -> list[tuple[str, Style]]:
    """The characters of a row with their styles; brackets go into the gaps between cells."""
    pieces: list[tuple[str, Style]] = []
    brackets: dict[int, tuple[str, Style]] = {}
    for col in window.cols:
        index = row * view.cols + col
        body, style = _body(view, looks, index, symbols)
        gap, at = style, len(pieces)
        if (row, col) in marks.clues:
            style = _CLUE
        pieces.append((" ", gap))
        pieces += [(character, style) for character in body]
        pieces += [(" ", gap)] * (window.width - 1 - len(body))
        if (row, col) in (cursor, marks.cell):
            before, behind = "[]" if (row, col) == cursor else "><"
            brackets[at] = before, BRACKET
            brackets[at + 1 + len(body)] = behind, BRACKET
    pieces.append((" ", pieces[-1][1]))
    for place, piece in brackets.items():
        pieces[place] = piece
    return pieces


def _body(view: View, looks: bytes, index: int, symbols: dict[int, str]) -> tuple[str, Style]:
    """The text of a cell and its style; a flag is shown instead of its probability."""
    look = looks[index]
    if look in NUMBERS and view.states[index] != FLAGGED:
        return NUMBERS[look], STYLES[look]
    if look in NUMBERS:
        return symbols[FLAGGED], STYLES[look]
    return appear(view.grid, looks, index, symbols)


def _looks(view: View, marks: Marks, odds: HasRisks | None, truth: Board | None) -> bytes:
    looks = bytearray(view.states)
    if truth is not None:
        looks = bytearray(revealed(view, truth))
    elif odds is not None:
        looks = bytearray(weighed(odds))
    for cell, mine in marks.settled.items():
        index = view.grid.index(cell)
        if view.states[index] != FLAGGED:
            looks[index] = MINE if mine else KNOWN_SAFE
    return bytes(looks)


def _moved(before: range, at: int, most: int, length: int) -> range:
    """A span of at most `most`, moved as little as needed to contain `at`."""
    size = min(most, length)
    margin = min(_MARGIN, (size - 1) // 2)
    start = min(before.start, length - size)
    start = min(max(start, at + margin + 1 - size), at - margin)
    start = min(max(start, 0), length - size)
    return range(start, start + size)
