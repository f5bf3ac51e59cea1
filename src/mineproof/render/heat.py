"""Odds as heat maps: what is seen, and the risk of every covered cell.

Colour goes from cool to hot, and says nothing that is not also written: a risk is two
digits of per cent (a clue is one digit), what is proved has a symbol of its own, and a
flag keeps its place beside either. A board that no arrangement fits has the clues that
clash in brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from mineproof.render.appearance import MINE, RISKS, Odds, tally, weighed
from mineproof.render.palette import PANEL, PANEL_EDGE
from mineproof.render.shapes import CELL, HEAT, IDS, PIN, gradient, pin
from mineproof.render.svg import (
    CAPTION_LINE,
    GUTTER,
    MARGIN,
    PAD,
    RULER,
    board_group,
    caption_lines,
    extent,
    page,
    size,
    wrap,
)
from mineproof.render.terminal import ASCII, BRACKET, LIGHT, STYLES, UNICODE, part, ruler, where
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import EXPLODED, FLAGGED, TOLD_SAFE, View

_NUMBERS = {look: f"{percent:02}" if percent else "<1" for percent, look in enumerate(RISKS)}
_KEYS = ((TOLD_SAFE, "safe"), (MINE, "mine"))
_BAR = (7 * CELL, 10)  # width and height of the colour scale on a page
_KEY_WIDTH = 68
_LEGEND_LINE = 34

Room = tuple[int, int] | None
"""Lines and columns of text that there are; None where there is no end to them."""


def draw_odds(
    odds: Odds, *, marked: Cell | None = None, ascii_only: bool = False, room: Room = None
) -> Text:
    """The board in colour with the risk of every covered cell, brackets around `marked`.

    A risk is written in per cent with two digits: `07` is 7 %, `<1` is under one, `99`
    anything above. Without `room` the whole board is drawn; else what fits, around
    `marked`, and a last line says which part that is.
    """
    view = odds.view
    looks = weighed(odds)
    symbols = ASCII if ascii_only else UNICODE
    # A flag stands before what is under it; before two digits it needs one column more.
    pairs = zip(view.states, looks, strict=True)
    width = 4 if any(state == FLAGGED and look in RISKS for state, look in pairs) else 3

    def cell(index: int) -> tuple[str, Style]:
        look = looks[index]
        body = _NUMBERS.get(look) or symbols[look]
        flag = symbols[FLAGGED] if view.states[index] == FLAGGED else ""
        return f" {flag + body:>{width - 1}}", STYLES[look]

    return Sheet(view.grid, width, width, cell, closed=True).draw(marked, marked, room)


def draw_clash(
    view: View, clues: Collection[Cell], *, ascii_only: bool = False, room: Room = None
) -> Text:
    """The board in colour, every one of the cells `clues` in brackets of its own."""
    marked = {view.grid.index(cell) for cell in clues}
    symbols = ASCII | {0: "0"} if ascii_only else UNICODE | {0: "0"}

    def cell(index: int) -> tuple[str, Style]:
        look = view.states[index]
        if index in marked:
            return f"[{symbols[look]}]", STYLES[EXPLODED]
        return f" {symbols[look]} ", STYLES[look]

    return Sheet(view.grid, 3, 2, cell).draw(min(clues, default=None), None, room)


def odds_legend(*, flags: bool = False, marked: bool = True, ascii_only: bool = False) -> Text:
    """What a drawing of odds means, on one line, with its scale of colours."""
    symbols = ASCII if ascii_only else UNICODE
    text = Text("two digits: risk in %" if ascii_only else "risk in % ")
    for percent in () if ascii_only else (0, 20, 40, 60, 80, 99):
        text.append(f" {_NUMBERS[RISKS[percent]]} ", STYLES[RISKS[percent]])
    for look, name in _KEYS:
        symbol = symbols[look] if ascii_only else f" {symbols[look]} "
        text.append("   ").append(symbol, STYLES[look]).append(f" {name}")
    if flags:
        text.append(f"   {symbols[FLAGGED]} flag")
    if marked:
        text.append("   ").append("[", BRACKET).append(" ").append("]", BRACKET).append(" best")
    return text


class Sheet(NamedTuple):
    """A board of cells that are several characters wide."""

    grid: Grid
    width: int
    reach: int
    """How far into a cell its symbol ends."""
    cell: Callable[[int], tuple[str, Style]]
    closed: bool = False
    """Whether rows end with one more gap, for a bracket behind the last cell."""

    def draw(self, centre: Cell | None, marked: Cell | None, room: Room) -> Text:
        """What there is room for around a cell, with brackets in the gaps around another."""
        grid, gutter = self.grid, len(str(self.grid.rows - 1))
        rows, cols = part(grid, centre, self._window(gutter, room))
        text = Text(no_wrap=True, overflow="crop")
        text.append(ruler(cols, gutter, self.width, self.reach), LIGHT)
        for row in rows:
            text.append(f"\n{row:>{gutter}} ", LIGHT)
            pieces = list(self._pieces(row, cols))
            if marked is not None and row == marked[0]:
                at = self.width * (marked[1] - cols.start)
                pieces[at] = ("[", BRACKET)
                pieces[at + self.width] = ("]", BRACKET)
            for style, run in groupby(pieces, key=itemgetter(1)):
                text.append("".join(piece for piece, _ in run), style)
        if len(rows) * len(cols) < grid.size:
            text.append(f"\n{where(grid, rows, cols)}", LIGHT)
        return text

    def _pieces(self, row: int, cols: range) -> Iterator[tuple[str, Style]]:
        style = LIGHT
        for col in cols:
            written, style = self.cell(row * self.grid.cols + col)
            yield from ((character, style) for character in written)
        if self.closed:
            yield " ", style

    def _window(self, gutter: int, room: Room) -> tuple[int, int] | None:
        """The rows and columns of cells that there is room for; None for all."""
        if room is None:
            return None
        cols = max((room[1] - gutter - 2) // self.width, 1)
        # The ruler takes a line, and so does the word on which part it is.
        whole = room[0] > self.grid.rows and cols >= self.grid.cols
        return None if whole else (max(room[0] - 2, 1), cols)


def odds_svg(odds: Odds, *, marked: Cell | None = None, caption: str = "") -> str:
    """The odds as a picture: risks as small numbers on tiles, a tick or a mine where proved.

    A frame is around the cell `marked`, the best move; under the board are the scale
    of colours and a caption.
    """
    view, looks = odds.view, weighed(odds)
    grid = view.grid
    width, height = extent(grid)
    beside = width >= PAD + GUTTER + _BAR[0] + CELL + 3 * _KEY_WIDTH + MARGIN
    width = max(width, PAD + GUTTER + max(_BAR[0], 3 * _KEY_WIDTH) + MARGIN)
    lines = wrap(caption, width - 2 * PAD)
    left, top = PAD + GUTTER, height
    drawn = [
        *board_group(grid, looks, marked, PAD, PAD),
        *_pins(view),
        *_scale(left, top),
        *_keys(left + _BAR[0] + CELL if beside else left, top - 7 if beside else top + 30, marked),
    ]
    height += _LEGEND_LINE + (0 if beside else _LEGEND_LINE - 4)
    drawn += caption_lines(lines, height + 6)
    height += (CAPTION_LINE * len(lines) + PAD // 2) if lines else 0
    known = looks + bytes(look for look, _ in _KEYS)
    more = (pin(),) if FLAGGED in view.states else ()
    title = f"Minesweeper odds, {size(grid)}"
    return page(title, _describe(odds, marked), known, drawn, width, height, gradient(), *more)


def _pins(view: View) -> Iterator[str]:
    """A small flag on every flagged cell, whatever else is on it."""
    flagged = view.cells(FLAGGED)
    if flagged:
        yield f'<g transform="translate({PAD + GUTTER} {PAD + RULER})">'
        yield "".join(
            f'<use href="#{PIN}" x="{CELL * col}" y="{CELL * row}"/>' for row, col in flagged
        )
        yield "</g>"


def _scale(x: int, y: int) -> Iterator[str]:
    """The colours from no risk to certainty, with their numbers below."""
    width, height = _BAR
    yield f'<g transform="translate({x} {y})" font-size="10" fill="{PANEL.ink}">'
    yield (
        f'<rect width="{width}" height="{height}" rx="3" fill="url(#{HEAT})"'
        f' stroke="{PANEL_EDGE}"/>'
    )
    yield f'<text y="{height + 12}">0</text>'
    yield f'<text x="{width // 2}" y="{height + 12}" text-anchor="middle">risk in %</text>'
    yield f'<text x="{width}" y="{height + 12}" text-anchor="end">100</text>'
    yield "</g>"


def _keys(x: int, y: int, marked: Cell | None) -> Iterator[str]:
    """The shapes of what is proved, and the frame, with their names."""
    yield f'<g transform="translate({x} {y})" font-size="12" fill="{PANEL.ink}">'
    for place, (look, name) in enumerate(_KEYS):
        at = place * _KEY_WIDTH
        yield f'<use href="#{IDS[look]}" x="{at}"/><text x="{at + CELL + 5}" y="16">{name}</text>'
    if marked is not None:
        at = 2 * _KEY_WIDTH
        yield (
            f'<rect x="{at + 1.5}" y="1.5" width="{CELL - 3}" height="{CELL - 3}" rx="5"'
            f' fill="none" stroke="{PANEL.ink}" stroke-width="3"/>'
            f'<text x="{at + CELL + 5}" y="16">best</text>'
        )
    yield "</g>"


def _describe(odds: Odds, marked: Cell | None) -> str:
    """The odds in words, for those who cannot see them."""
    view = odds.view
    mines = "unknown number of mines" if view.mines is None else f"{view.mines} mines"
    proved = f"{len(odds.safe)} proved safe, {len(odds.mined)} proved mined"
    best = "" if marked is None else f"; best move: row {marked[0]}, column {marked[1]}"
    return f"{tally(view.states)}; {mines}; {proved}{best}"
