"""What one cell rests on, as a picture: the clues in full size, a number for every step.

Only cells that the asked one rests on are shown. Those on the longest way to it bear the
number of their step; clues that a proof on that way uses are framed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from mineproof.errors import InvalidInput
from mineproof.given import listed, of_type
from mineproof.render.proofs import frames, numbers
from mineproof.render.svg import (
    CAPTION_LINE,
    GUTTER,
    PAD,
    RULER,
    board_group,
    caption_lines,
    extent,
    page,
    size,
    wrap,
)
from mineproof.world.geometry import Cell, cells_of
from mineproof.world.view import View

_LEAST_WIDTH = 420  # words of a few lines under the smallest board


def chain_svg(
    view: View, chain: Sequence[Cell], clues: Collection[Cell], words: Iterable[str]
) -> str:
    """The view with the steps to the last cell of a chain; `words` stand below."""
    of_type(view, View, "view")
    chain, clues = cells_of(view.grid, chain, "chain"), cells_of(view.grid, clues, "clues")
    if not chain:
        raise InvalidInput("a chain has at least one cell")
    grid, cell = view.grid, chain[-1]
    width, height = extent(grid)
    width = max(width, _LEAST_WIDTH)
    lines = [line for text in listed(words, "words") for line in wrap(text, width - 2 * PAD)]
    drawn = [
        *board_group(grid, view.states, cell, PAD, PAD),
        f'<g transform="translate({PAD + GUTTER} {PAD + RULER})">',
        *frames(clues),
        *numbers([{one: False} for one in chain], single=False),
        "</g>",
        *caption_lines(lines, height + 4),
    ]
    height += CAPTION_LINE * len(lines) + PAD
    title = f"What row {cell[0]}, column {cell[1]} rests on, {size(grid)}"
    return page(title, " ".join(lines), view.states, drawn, width, height)
