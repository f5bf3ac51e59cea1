"""Boards as SVG: the truth, what a player knows, or both side by side.

The same input gives the same string. A picture has its own panel, so it is readable on light and
dark pages; shapes are defined once and reused, so it stays small.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from mineproof.arguments import of_type
from mineproof.errors import plural
from mineproof.printable import escape, printable
from mineproof.render.appearance import judged, solved, tally, zeros_written
from mineproof.render.palette import (
    GRID_LINE,
    MARKED,
    OPENED,
    PANEL,
    PANEL_EDGE,
    WELL_EDGE,
)
from mineproof.render.shapes import CELL, FONT, IDS, definitions
from mineproof.world.board import Board
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import View

PAD = 16
MARGIN = 24  # right of a board, where no numbers are
_FOOT = 20  # under it
GUTTER = 24  # row numbers
RULER = 16  # column numbers
TITLE = 22
_LEAST_WIDTH = 3 * CELL  # room for a title over the smallest board
CAPTION_LINE = 18
_CAPTION_SIZE = 13
_CHARACTER_WIDTH = 0.54 * _CAPTION_SIZE  # on average, generously: captions wrap by it


def board_svg(board: Board) -> str:
    """Return the board with its mines and all clues, as SVG."""
    of_type(board, Board, "board")
    looks = solved(board)
    title = f"Minesweeper board, {size(board.grid)}"
    drawn = board_group(board.grid, looks, None, PAD, PAD)
    return page(title, tally(looks), looks, drawn, *extent(board.grid))


def view_svg(view: View, *, marked: Cell | None = None) -> str:
    """Return a view, with a frame around the cell `marked`, as SVG."""
    of_type(view, View, "view")
    marked = None if marked is None else view.grid.cell(view.grid.index(marked))
    title = f"Minesweeper view, {size(view.grid)}"
    looks = zeros_written(view.grid, view.states)
    drawn = board_group(view.grid, looks, marked, PAD, PAD)
    return page(title, _describe(view, view.states, marked), looks, drawn, *extent(view.grid))


def game_svg(board: Board, view: View, *, marked: Cell | None = None, caption: str = "") -> str:
    """Return the truth on the left and the player's view on the right, with a caption, as SVG.

    Unlike the player's own view, the right side shows which flags are wrong.
    """
    of_type(board, Board, "board")
    of_type(view, View, "view")
    marked = None if marked is None else view.grid.cell(view.grid.index(marked))
    grid, truth, known = view.grid, solved(board), judged(view, board)
    looks = zeros_written(grid, known)
    board_width, height = extent(grid)
    second = board_width
    width = second + board_width - PAD
    lines = wrap(caption, width - 2 * PAD)
    drawn = [
        *heading("truth", PAD),
        *board_group(grid, truth, marked, PAD, PAD + TITLE),
        *heading("knowledge", second),
        *board_group(grid, looks, marked, second, PAD + TITLE),
        *caption_lines(lines, height + TITLE),
    ]
    height += TITLE + (CAPTION_LINE * len(lines) + PAD // 2 if lines else 0)
    title = f"Minesweeper game, {size(grid)}: truth and knowledge"
    return page(title, _describe(view, known, marked), truth + looks, drawn, width, height)


def extent(grid: Grid) -> tuple[int, int]:
    """Return the width and height of a board with its rulers and padding."""
    width = GUTTER + max(CELL * grid.cols, _LEAST_WIDTH)
    return PAD + width + MARGIN, PAD + RULER + CELL * grid.rows + _FOOT


def page(
    title: str,
    story: str,
    looks: bytes,
    drawn: Iterator[str] | list[str],
    width: int,
    height: int,
    *more: str,
) -> str:
    """Return a whole picture: title, description, definitions, panel, and what is drawn."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="{FONT}">',
        f"<title>{escape(title, quote=False)}</title>",
        f"<desc>{escape(story, quote=False)}</desc>",
        definitions(looks, *more),
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="12"'
        f' fill="{PANEL.ground}" stroke="{PANEL_EDGE}"/>',
        *drawn,
        "</svg>\n",
    ]
    return "\n".join(parts)


def board_group(grid: Grid, looks: bytes, marked: Cell | None, x: int, y: int) -> Iterator[str]:
    """A board with its rulers, upper left corner at `(x, y)`."""
    yield f'<g transform="translate({x + GUTTER} {y + RULER})">'
    yield from rulers(grid)
    yield from well(grid)
    yield '<g font-size="16" font-weight="700" text-anchor="middle">'
    for row in range(grid.rows):
        line = looks[row * grid.cols : (row + 1) * grid.cols]
        shapes = "".join(
            f'<use href="#{IDS[look]}" x="{CELL * col}"/>' for col, look in enumerate(line) if look
        )
        if shapes:
            yield f'<g transform="translate(0 {CELL * row})">{shapes}</g>'
    yield "</g>"
    if marked is not None:
        yield frame(grid, marked)
    yield "</g>"


def rulers(grid: Grid) -> Iterator[str]:
    """The numbers of all columns and rows."""
    middle = CELL // 2
    yield f'<g font-size="10" fill="{PANEL.ink}" text-anchor="middle">'
    yield "".join(f'<text x="{CELL * c + middle}" y="-6">{c}</text>' for c in range(grid.cols))
    yield "</g>"
    yield f'<g font-size="10" fill="{PANEL.ink}" text-anchor="end">'
    yield "".join(f'<text x="-6" y="{CELL * r + middle + 4}">{r}</text>' for r in range(grid.rows))
    yield "</g>"


def well(grid: Grid) -> Iterator[str]:
    """The background of opened cells, with lines between them."""
    width, height = CELL * grid.cols, CELL * grid.rows
    yield (
        f'<rect x="-1" y="-1" width="{width + 2}" height="{height + 2}" rx="4"'
        f' fill="{OPENED}" stroke="{WELL_EDGE}" stroke-width="1.5"/>'
    )
    lines = [f"M0 {CELL * row}h{width}" for row in range(1, grid.rows)]
    lines += [f"M{CELL * col} 0v{height}" for col in range(1, grid.cols)]
    if lines:
        yield f'<path d="{"".join(lines)}" stroke="{GRID_LINE}"/>'


def frame(grid: Grid, marked: Cell) -> str:
    """A frame that stands out on any background: dark within light."""
    row, col = grid.cell(grid.index(marked))
    x, y, side = CELL * col - 1, CELL * row - 1, CELL + 2
    box = f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="5" fill="none"'
    return (
        f'{box} stroke="{MARKED.ink}" stroke-width="5.5"/>'
        f'{box} stroke="{MARKED.ground}" stroke-width="3"/>'
    )


def heading(text: str, x: int) -> Iterator[str]:
    """A title above a board."""
    yield (
        f'<text x="{x + GUTTER}" y="{PAD + 12}" font-size="13" font-weight="600"'
        f' letter-spacing=".4" fill="{PANEL.ink}">{escape(text, quote=False)}</text>'
    )


def caption_lines(lines: list[str], top: int) -> Iterator[str]:
    """The lines of a caption."""
    for number, line in enumerate(lines):
        yield (
            f'<text x="{PAD + GUTTER}" y="{top + CAPTION_LINE * number + 8}"'
            f' font-size="{_CAPTION_SIZE}" fill="{MARKED.ground}">'
            f"{escape(line, quote=False)}</text>"
        )


def wrap(caption: str, width: int) -> list[str]:
    """Return the caption, wrapped to a width in pixels."""
    of_type(caption, str, "a caption")
    most = max(int((width - GUTTER) / _CHARACTER_WIDTH), 1)
    return textwrap.wrap(printable(" ".join(caption.split())), most)


def size(grid: Grid) -> str:
    """Return the size of a board in words."""
    return f"{plural(grid.rows, 'row')} and {plural(grid.cols, 'column')}"


def _describe(view: View, looks: bytes, marked: Cell | None) -> str:
    """The view in words, for screen readers."""
    mines = "unknown number of mines" if view.mines is None else plural(view.mines, "mine")
    latest = "" if marked is None else f"; latest move: row {marked[0]}, column {marked[1]}"
    return f"{tally(looks)}; {mines}{latest}"
