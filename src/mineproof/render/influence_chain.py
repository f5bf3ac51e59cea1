"""A picture of the chain of influence of one cell, with numbered steps.

Cells on the longest chain to the cell have the number of their step below what they show; clues
used by a proof on that chain are framed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from mineproof.arguments import of_type
from mineproof.errors import InvalidInput
from mineproof.render.palette import DARK
from mineproof.render.proof_pictures import frames, page_with_words
from mineproof.render.shapes import CELL, raised
from mineproof.render.svg import GUTTER, PAD, RULER, board_group, extent, frame, size
from mineproof.world.geometry import Cell, cells_of
from mineproof.world.view import HIDDEN, View


def chain_svg(
    view: View, chain: Sequence[Cell], clues: Collection[Cell], words: Iterable[str]
) -> str:
    """Return the view with the steps to the last cell of a chain, and `words` below, as SVG."""
    of_type(view, View, "view")
    chain, clues = cells_of(view.grid, chain, "chain"), cells_of(view.grid, clues, "clues")
    if not chain:
        raise InvalidInput("a chain must have at least one cell")
    grid, cell = view.grid, chain[-1]
    drawn = [
        *board_group(grid, _without(view, chain), None, PAD, PAD),
        f'<g transform="translate({PAD + GUTTER} {PAD + RULER})">',
        *_steps(view, chain),
        *frames(clues),
        frame(grid, cell),
        *_numbers(chain),
        "</g>",
    ]
    title = f"What the cell in row {cell[0]}, column {cell[1]} rests on, {size(grid)}"
    return page_with_words(title, words, view.states, drawn, *extent(grid))


def _without(view: View, chain: Iterable[Cell]) -> bytes:
    """What the cells show, without those of the chain, which are drawn separately."""
    states = bytearray(view.states)
    for cell in chain:
        if view.state(cell) != HIDDEN:
            states[view.grid.index(cell)] = 0
    return bytes(states)


def _steps(view: View, chain: Iterable[Cell]) -> Iterator[str]:
    """What the cells of the chain show, drawn higher to leave room for the step number."""
    yield '<g font-size="16" font-weight="700" text-anchor="middle">'
    for row, col in chain:
        state = view.state((row, col))
        if state not in {0, HIDDEN}:
            yield f'<g transform="translate({CELL * col} {CELL * row})">{raised(state)}</g>'
    yield "</g>"


def _numbers(chain: Iterable[Cell]) -> Iterator[str]:
    """The step numbers, at the lower edges of their cells."""
    yield f'<g font-size="8" font-weight="700" text-anchor="end" fill="{DARK}">'
    for number, (row, col) in enumerate(chain, start=1):
        yield f'<text x="{CELL * col + 21.5}" y="{CELL * row + 21.2}">{number}</text>'
    yield "</g>"
