"""Boards as text: in colour for a terminal, in plain ASCII for a pipe.

A cell takes two characters, a gap and its symbol, so the brackets around the latest
move fall into gaps and cover nothing.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from rich.console import Console
from rich.style import Style
from rich.text import Text

from mineproof.errors import InvalidInput
from mineproof.render.appearance import CLUES, MINE, NAMES, WRONG_FLAG, revealed, solved
from mineproof.render.palette import MARKED, PAINTS, Paint
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, TOLD_SAFE, View

_DIGITS = {clue: str(clue) for clue in CLUES}
_PLAIN = _DIGITS | {
    HIDDEN: "?",
    TOLD_SAFE: "s",
    FLAGGED: "F",
    NO_CLUE: "-",
    EXPLODED: "*",
    MINE: "m",
    WRONG_FLAG: "x",
}
ASCII = _PLAIN | {0: " "}
UNICODE = ASCII | {
    HIDDEN: "·",
    TOLD_SAFE: "✓",
    FLAGGED: "⚑",
    EXPLODED: "✹",
    MINE: "●",
    WRONG_FLAG: "✗",
}

_RULER_STEP = 5


def _style(paint: Paint, *, bold: bool = True) -> Style:
    return Style(color=paint.ink, bgcolor=paint.ground, bold=bold)


STYLES = {look: _style(paint, bold=look != HIDDEN) for look, paint in PAINTS.items()}
BRACKET = _style(MARKED)
LIGHT = Style(dim=True)


def draw(
    view: View,
    *,
    truth: Board | None = None,
    marked: Cell | None = None,
    ascii_only: bool = False,
    window: tuple[int, int] | None = None,
) -> Text:
    """The board in colour, with its coordinates, brackets around the cell `marked`.

    With `truth`, for a game that is over, wrong flags and mines not found are shown.
    With `window`, `(rows, cols)` of cells at most are drawn, around `marked`, and a
    last line says which part of the board that is. The text is wider than its cells
    by the row numbers and a gap, and higher by the ruler.
    """
    grid = view.grid
    marked_index = None if marked is None else grid.index(marked)
    looks = view.states if truth is None else revealed(view, truth)
    symbols = ASCII if ascii_only else UNICODE
    rows, cols = part(grid, marked, window)
    gutter = len(str(grid.rows - 1))
    text = Text(no_wrap=True, overflow="crop")
    text.append(ruler(cols, gutter), LIGHT)
    for row in rows:
        start = row * grid.cols
        there = None if marked_index is None else marked_index - start - cols.start
        text.append(f"\n{row:>{gutter}} ", LIGHT)
        _draw_row(text, looks[start + cols.start : start + cols.stop], symbols, there)
    if len(rows) * len(cols) < grid.size:
        text.append(f"\n{where(grid, rows, cols)}", LIGHT)
    return text


def plain(view: View, *, truth: Board | None = None) -> str:
    """The board in ASCII, with its coordinates and without colour; `legend` explains it.

    The symbols are those of `View.to_text`, and with `truth` `m` for a mine that was
    not found, `x` for a wrong flag.
    """
    looks = view.states if truth is None else revealed(view, truth)
    return "\n".join(_plain_lines(view.grid, looks, _PLAIN))


def beside(truth: Board, view: View) -> str:
    """The truth and what is seen, side by side in ASCII; every mine of the truth is a `*`."""
    left = ["truth", *_plain_lines(truth.grid, solved(truth), _PLAIN | {MINE: "*"})]
    right = ["knowledge", *_plain_lines(view.grid, view.states, _PLAIN)]
    width = max(map(len, left))
    return "\n".join(f"{a:<{width}}   {b}" for a, b in zip(left, right, strict=True))


def _plain_lines(grid: Grid, looks: bytes, symbols: dict[int, str]) -> list[str]:
    gutter = len(str(grid.rows - 1))
    lines = [ruler(range(grid.cols), gutter)]
    for row in range(grid.rows):
        line = looks[row * grid.cols : (row + 1) * grid.cols]
        lines.append(f"{row:>{gutter}}  " + " ".join(symbols[look] for look in line))
    return lines


def legend(*, truth: bool = False, ascii_only: bool = False) -> str:
    """What the symbols mean, on one line; with those that only `truth` brings."""
    symbols = ASCII if ascii_only else UNICODE
    shown = [look for look in NAMES if truth or look not in (MINE, WRONG_FLAG)]
    return "  ".join(f"{symbols[look]} {NAMES[look]}" for look in shown)


def is_poor(console: Console) -> bool:
    """Whether a console cannot show our symbols: not UTF-8, dumb, or an old Windows one."""
    unicode = console.encoding.startswith("utf")
    return not unicode or console.is_dumb_terminal or console.legacy_windows


def part(grid: Grid, marked: Cell | None, window: tuple[int, int] | None) -> tuple[range, range]:
    """The rows and columns to draw: all, or a window around `marked` inside the board."""
    if window is None:
        return range(grid.rows), range(grid.cols)
    if min(window) < 1:
        raise InvalidInput(f"a window has at least 1 row and 1 column, got {window!r}")
    row, col = marked or (0, 0)
    return _span(row, window[0], grid.rows), _span(col, window[1], grid.cols)


def _span(centre: int, most: int, length: int) -> range:
    shown = min(most, length)
    start = min(max(centre - shown // 2, 0), length - shown)
    return range(start, start + shown)


def where(grid: Grid, rows: range, cols: range) -> str:
    """Which part of a board these rows and columns are, in words."""
    span = f"rows {rows[0]}-{rows[-1]}, columns {cols[0]}-{cols[-1]}"
    return f"{span} of a {grid.rows}x{grid.cols} board"


def ruler(cols: range, gutter: int, width: int = 2, reach: int = 2) -> str:
    """The numbers of columns, each ending above its symbols.

    Of all columns where cells are wide enough, else of every fifth (of one at least).
    A cell has a `width`, and its symbol ends `reach` characters into it.
    """
    line = ""
    step = 1 if 2 < width > len(str(cols[-1])) else _RULER_STEP
    for col in [col for col in cols if col % step == 0] or cols[:1]:
        end = gutter + 1 + width * (col - cols.start) + reach
        line += str(col).rjust(end - len(line))
    return line


def _draw_row(text: Text, looks: bytes, symbols: dict[int, str], marked: int | None) -> None:
    """Append a row: a gap and a symbol for each cell, a last gap, brackets in two gaps."""
    pieces: list[tuple[str, Style]] = []
    for look in looks:
        style = STYLES[look]
        pieces += ((" ", style), (symbols[look], style))
    pieces.append((" ", STYLES[looks[-1]]))
    if marked is not None and 0 <= marked < len(looks):
        pieces[2 * marked] = ("[", BRACKET)
        pieces[2 * marked + 2] = ("]", BRACKET)
    for style, run in groupby(pieces, key=itemgetter(1)):
        text.append("".join(piece for piece, _ in run), style)
