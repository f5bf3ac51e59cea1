"""Boards as text: in colour for a terminal, in plain ASCII for a pipe.

A cell takes two characters, a gap and its symbol, so brackets around the latest move fit into the
gaps and cover nothing. If there is too little room, a cell takes one character.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.style import Style
from rich.text import Text

from mineproof.arguments import mapping, of_type, optional
from mineproof.errors import check_integer
from mineproof.render.appearance import (
    CLUES,
    MINE,
    NAMES,
    WRONG_FLAG,
    is_blank,
    revealed,
    solved,
)
from mineproof.render.few_colours import style
from mineproof.render.palette import PAINTS
from mineproof.render.sheet import Room, Sheet, as_room, folded, ruler
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE, View

_DIGITS = {clue: str(clue) for clue in CLUES}
_CLEAR = 116
"""The look of a hidden cell that is deduced to be safe; used only in logs."""
_PLAIN = _DIGITS | {
    HIDDEN: "?",
    KNOWN_SAFE: "s",
    FLAGGED: "F",
    NO_CLUE: "-",
    EXPLODED: "*",
    MINE: "m",
    WRONG_FLAG: "x",
    _CLEAR: "c",
}
ASCII = _PLAIN | {0: " "}
UNICODE = ASCII | {
    HIDDEN: "·",
    KNOWN_SAFE: "✓",
    FLAGGED: "⚑",
    EXPLODED: "✹",
    MINE: "●",
    WRONG_FLAG: "✗",
}

STYLES = {look: style(paint, bold=look != HIDDEN) for look, paint in PAINTS.items()}


def draw(
    view: View,
    *,
    truth: Board | None = None,
    marked: Cell | None = None,
    ascii_only: bool = False,
    room: tuple[int, int] | Room | None = None,
) -> Text:
    """Return the board in colour with coordinates, and brackets around the cell `marked`.

    With `truth`, for a finished game, it shows wrong flags and mines that were not found.
    With `room` (lines and columns of text), a board that is too wide is folded, drawn with one
    character per cell, or cut to the part around `marked`; a last line then describes the part.
    """
    of_type(view, View, "view")
    optional(truth, Board, "truth")
    grid, room = view.grid, as_room(room)
    if marked is not None:
        marked = grid.cell(grid.index(marked))
    looks = view.states if truth is None else revealed(view, truth)
    symbols = ASCII if ascii_only else UNICODE

    def one(index: int) -> tuple[str, Style]:
        return appear(grid, looks, index, symbols)

    def two(index: int) -> tuple[str, Style]:
        symbol, paint = one(index)
        return f" {symbol}", paint

    sheets = Sheet(grid, 2, two), Sheet(grid, 1, one, closed=False)
    sheet = next((sheet for sheet in sheets if sheet.fits(room)), sheets[0])
    return sheet.draw(marked, marked, room)


def appear(grid: Grid, looks: bytes, index: int, symbols: dict[int, str]) -> tuple[str, Style]:
    """Return the symbol and style of a cell; a zero is blank if all its neighbours are open."""
    look = looks[index]
    if look == 0 and not is_blank(grid, looks, index):
        return "0", STYLES[NO_CLUE]
    return symbols[look], STYLES[look]


def plain(
    view: View,
    *,
    truth: Board | None = None,
    deduced: Mapping[int, bool] | None = None,
    columns: int | None = None,
) -> str:
    """Return the board in plain ASCII with coordinates; `legend` explains the symbols.

    The symbols are those of `View.to_text`; with `truth` also `m` for a mine that was not found
    and `x` for a wrong flag. `deduced` maps indices of hidden cells to whether they are deduced to
    be mines: they are shown as `m`, or `c` (clear). A board wider than `columns` is folded.
    """
    of_type(view, View, "view")
    optional(truth, Board, "truth")
    columns = None if columns is None else check_integer(columns, "columns")
    looks = bytearray(view.states if truth is None else revealed(view, truth))
    for index, mine in mapping({} if deduced is None else deduced, "deduced").items():
        looks[check_integer(index, "the index of a cell", 0, view.grid.size - 1)] = (
            MINE if mine else _CLEAR
        )
    return _plain(view.grid, bytes(looks), _PLAIN, columns)


def side_by_side(truth: Board, view: View, deduced: Mapping[int, bool] | None = None) -> str:
    """Return the truth and the view side by side in ASCII; mines of the truth are `*`."""
    of_type(truth, Board, "truth")
    of_type(view, View, "view")
    left = ["truth", *_plain(truth.grid, solved(truth), _PLAIN | {MINE: "*"}).split("\n")]
    right = ["knowledge", *plain(view, deduced=deduced).split("\n")]
    width = max(map(len, left))
    return "\n".join(f"{a:<{width}}   {b}" for a, b in zip(left, right, strict=True))


def _plain(grid: Grid, looks: bytes, symbols: dict[int, str], columns: int | None = None) -> str:
    """Draw by whole rows, because logs draw boards of any size after every move."""
    gutter = len(str(grid.rows - 1))
    most = grid.cols if columns is None else max((columns - gutter - 1) // 2, 1)
    pieces = []
    for cols in folded(grid.cols, most):
        lines = [ruler(cols, gutter)]
        for row in range(grid.rows):
            line = looks[row * grid.cols + cols.start : row * grid.cols + cols.stop]
            lines.append(f"{row:>{gutter}}  " + " ".join(symbols[look] for look in line))
        pieces.append("\n".join(lines))
    return "\n\n".join(pieces)


def legend(*, truth: bool = False, ascii_only: bool = False) -> str:
    """Return the meaning of the symbols on one line; with `truth`, of two more."""
    symbols = ASCII if ascii_only else UNICODE
    shown = [look for look in NAMES if truth or look not in (MINE, WRONG_FLAG)]
    return "  ".join(f"{symbols[look]} {NAMES[look]}" for look in shown)


def is_poor(console: Console) -> bool:
    """Whether a console cannot show the symbols: not UTF-8, dumb, or an old Windows console."""
    of_type(console, Console, "console")
    unicode = console.encoding.startswith("utf")
    return not unicode or console.is_dumb_terminal or console.legacy_windows
