"""A picture of the chain of influence: the depth of each cell, and one longest chain.

Depth is written on every cell and coloured from cool to hot; a pale band with arrows follows the
chain, below the numbers. A small flag or burst marks a mine that was flagged or hit. Clues, if
requested, are small numbers in a corner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot

from mineproof.arguments import mapping, of_type
from mineproof.errors import check_integer, plural
from mineproof.render.appearance import CLUES
from mineproof.render.palette import DARK, GRID_LINE, LIGHT, PANEL, PANEL_EDGE, SCALE, heat
from mineproof.render.shapes import CELL, HEAT, PIN, SPARK, gradient, pin, spark
from mineproof.render.svg import GUTTER, MARGIN, PAD, RULER, board_group, extent, page, size
from mineproof.world.geometry import Cell, Grid, cells_of
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, View

_BAR = (7 * CELL, 10)  # width and height of the colour scale
_LEGEND_LINE = 34
_CLEAR = 8.5  # arrows keep this distance from the number in the middle of a cell
_BAND = 9  # the width of the band beneath the arrows
_ARROW = "mp-tip"


def depth_svg(
    view: View, depths: Mapping[Cell, int], chain: Sequence[Cell], *, clues: bool = False
) -> str:
    """Return the known cells with their depth, as SVG; other cells are hidden tiles.

    Arrows lead from each cell of `chain` to the next. With `clues`, clues are written in the
    corners of their cells.
    """
    of_type(view, View, "view")
    chain = cells_of(view.grid, chain, "chain")
    depths = {
        cell: check_integer(depth, "a depth")
        for cell, depth in zip(
            cells_of(view.grid, mapping(depths, "depths"), "depths"), depths.values(), strict=True
        )
    }
    grid = view.grid
    width, height = extent(grid)
    width = max(width, PAD + GUTTER + 2 * _BAR[0] + MARGIN)
    deepest = max(depths.values(), default=0)
    looks = bytes(0 if cell in depths else HIDDEN for cell in grid.cells(range(grid.size)))
    drawn = [
        *board_group(grid, looks, None, PAD, PAD),
        f'<g transform="translate({PAD + GUTTER} {PAD + RULER})">',
        *_squares(depths, deepest),
        *_arrows(chain),
        *_numbers(depths, deepest, lower=clues),
        *(_clues(view) if clues else ()),
        *_mines(view),
        "</g>",
        *_legend(PAD + GUTTER, height, deepest, len(chain)),
    ]
    title = f"Chain of influence, {size(grid)}"
    more = gradient(), _tip(), pin(), spark()
    return page(
        title, _describe(grid, depths, chain), looks, drawn, width, height + _LEGEND_LINE, *more
    )


def _colour(depth: int, deepest: int) -> str:
    return heat(depth / deepest) if deepest else SCALE[0]


def _squares(depths: Mapping[Cell, int], deepest: int) -> Iterator[str]:
    """Squares in the colours of the depths."""
    yield f'<g stroke="{GRID_LINE}">'
    for (row, col), depth in sorted(depths.items()):
        place = f'x="{CELL * col}" y="{CELL * row}" width="{CELL}" height="{CELL}"'
        yield f'<rect {place} fill="{_colour(depth, deepest)}"/>'
    yield "</g>"


def _numbers(depths: Mapping[Cell, int], deepest: int, *, lower: bool) -> Iterator[str]:
    """The depths, each outlined in the colour of its cell so that no line touches it."""
    middle = 19 if lower else 16.2
    yield (
        f'<g font-size="12" font-weight="700" text-anchor="middle" fill="{DARK}"'
        ' stroke-width="3" stroke-linejoin="round" paint-order="stroke">'
    )
    for (row, col), depth in sorted(depths.items()):
        small = ' font-size="10"' if depth > 99 else ""
        yield (
            f'<text x="{CELL * col + 12}" y="{CELL * row + middle:g}"{small}'
            f' stroke="{_colour(depth, deepest)}">{depth}</text>'
        )
    yield "</g>"


def _clues(view: View) -> Iterator[str]:
    """The clues, small, at the upper left of their cells."""
    yield f'<g font-size="8.5" font-weight="600" fill="{DARK}" fill-opacity=".75">'
    for row, col in view.cells(*CLUES):
        at = f'x="{CELL * col + 2.5}" y="{CELL * row + 8.5}"'
        yield f"<text {at}>{view.state((row, col))}</text>"
    yield "</g>"


def _mines(view: View) -> Iterator[str]:
    for state, shape in ((FLAGGED, PIN), (EXPLODED, SPARK)):
        for row, col in view.cells(state):
            yield f'<use href="#{shape}" x="{CELL * col}" y="{CELL * row}"/>'


def _arrows(chain: Sequence[Cell]) -> Iterator[str]:
    """A band through the centres of the cells, with arrows from number to number."""
    if len(chain) > 1:
        middles = " ".join(f"{CELL * col + 12},{CELL * row + 12}" for row, col in chain)
        yield (
            f'<polyline points="{middles}" fill="none" stroke="{LIGHT}" stroke-opacity=".6"'
            f' stroke-width="{_BAND}" stroke-linejoin="round" stroke-linecap="round"/>'
        )
    yield f'<g stroke="{DARK}" stroke-width="1.6" fill="none">'
    yield from (f'<path d="{_line(*s)}" marker-end="url(#{_ARROW})"/>' for s in pairwise(chain))
    yield "</g>"


def _line(start: Cell, end: Cell) -> str:
    """A line between two cells that does not touch their numbers."""
    (y1, x1), (y2, x2) = ((CELL * row + 12, CELL * col + 12) for row, col in (start, end))
    length = hypot(x2 - x1, y2 - y1)
    dx, dy = _CLEAR * (x2 - x1) / length, _CLEAR * (y2 - y1) / length
    return f"M{x1 + dx:.1f} {y1 + dy:.1f}L{x2 - dx:.1f} {y2 - dy:.1f}"


def _tip() -> str:
    return (
        f'<marker id="{_ARROW}" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="3.6"'
        f' markerHeight="3.6" orient="auto"><path d="M0 0l6 3-6 3z" fill="{DARK}"/></marker>'
    )


def _legend(x: int, y: int, deepest: int, cells: int) -> Iterator[str]:
    """The legend: the colours from choices to the deepest cell, and the arrows."""
    width, height = _BAR
    yield f'<g transform="translate({x} {y})" font-size="10" fill="{PANEL.ink}">'
    yield (
        f'<rect width="{width}" height="{height}" rx="3" fill="url(#{HEAT})"'
        f' stroke="{PANEL_EDGE}"/>'
    )
    yield f'<text y="{height + 12}">0: a choice</text>'
    yield f'<text x="{width}" y="{height + 12}" text-anchor="end">depth {deepest}</text>'
    right, number = width + CELL, plural(cells, "cell")
    yield (
        f'<path d="M{right} 5h{CELL}" stroke="{DARK}" stroke-width="1.6"'
        f' marker-end="url(#{_ARROW})"/>'
    )
    yield f'<text x="{right + CELL + 8}" y="9">longest chain: {number}</text>'
    yield "</g>"


def _describe(grid: Grid, depths: Mapping[Cell, int], chain: Sequence[Cell]) -> str:
    """The picture in words, for screen readers."""
    choices = sum(depth == 0 for depth in depths.values())
    are = "is" if len(depths) == 1 else "are"
    number = f"{len(depths)} of {plural(grid.size, 'cell')}"
    settled = f"{number} {are} known, {choices} of them by choice"
    if not chain:
        return settled
    ends = " to ".join(f"row {row}, column {col}" for row, col in (chain[0], chain[-1]))
    return f"{settled}; the longest chain has {plural(len(chain), 'cell')}, from {ends}"
