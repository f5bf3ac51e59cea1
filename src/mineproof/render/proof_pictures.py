"""Proofs as pictures: the clues that are used, the cells deduced on the way, the cell in question.

Clues are framed, the cell in question is highlighted, and every deduced cell has a tick or a mine.
In an SVG it also has the number of its step, and the words are below the board.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rich.style import Style
from rich.text import Text

from mineproof.arguments import listed, mapping, of_type
from mineproof.errors import InvalidInput
from mineproof.render.appearance import MINE, WRONG_FLAG, zeros_written
from mineproof.render.board_text import ASCII, UNICODE
from mineproof.render.heat import draw_marked
from mineproof.render.palette import DARK, LIGHT
from mineproof.render.shapes import CELL
from mineproof.render.sheet import BRACKET, Room
from mineproof.render.svg import (
    CAPTION_LINE,
    GUTTER,
    PAD,
    RULER,
    TITLE,
    board_group,
    caption_lines,
    extent,
    heading,
    page,
    size,
    wrap,
)
from mineproof.world.geometry import Cell, cells_of
from mineproof.world.view import COVERED, FLAGGED, KNOWN_SAFE, View

CLUE = "#8a3ffc"  # the frame of a used clue: no digit and no background has this colour
_LEAST_WIDTH = 420  # room for a few lines of words under the smallest board
USED = Style(color=LIGHT, bgcolor=CLUE, bold=True)

Deduced = Mapping[Cell, bool]
"""Cells, and whether they are mines."""


def draw_proof(
    view: View,
    cell: Cell,
    clues: Collection[Cell] = (),
    settled: Deduced | None = None,
    *,
    ascii_only: bool = False,
    room: tuple[int, int] | Room | None = None,
) -> Text:
    """Draw the board with the used clues in brackets and the cell in question as `>?<`.

    Cells deduced on the way have a tick or a mine. If there is no room for brackets, the marked
    cells are reversed.
    """
    of_type(view, View, "view")
    clues, cell = cells_of(view.grid, clues, "clues"), view.grid.cell(view.grid.index(cell))
    marks = dict.fromkeys(clues, ("[", "]", USED)) | {cell: (">", "<", BRACKET)}
    looks = _looks(view, _known(view, {} if settled is None else settled))
    return draw_marked(view, looks, marks, cell, ascii_only, room)


def proof_legend(*, ascii_only: bool = False) -> str:
    """Return the legend of a proof drawing, on one line."""
    symbols = ASCII if ascii_only else UNICODE
    return f"[ ] clue used   > < this cell   {symbols[KNOWN_SAFE]} safe   {symbols[MINE]} mine"


def proof_svg(
    view: View,
    cell: Cell,
    clues: Collection[Cell],
    steps: Sequence[Deduced],
    words: Iterable[str],
) -> str:
    """Draw a proof on the board: `steps` are the cells that each step proves, `words` go below."""
    of_type(view, View, "view")
    clues, cell = cells_of(view.grid, clues, "clues"), view.grid.cell(view.grid.index(cell))
    steps = [_known(view, step) for step in listed(steps, "steps")]
    grid = view.grid
    settled = {at: mine for step in steps for at, mine in step.items()}
    looks = _looks(view, settled)
    if view.state(cell) == FLAGGED and settled.get(cell) is False:
        looks = _replaced(looks, grid.index(cell), WRONG_FLAG)
    looks = zeros_written(grid, looks)
    drawn = [
        *board_group(grid, looks, cell, PAD, PAD),
        f'<g transform="translate({PAD + GUTTER} {PAD + RULER})">',
        *frames(clues),
        *numbers(steps, single=len(steps) < 2),
        "</g>",
    ]
    title = f"Proof for row {cell[0]}, column {cell[1]}, {size(grid)}"
    return page_with_words(title, words, looks, drawn, *extent(grid))


def _known(view: View, settled: Deduced) -> Deduced:
    """Check that the deduced cells are on the board."""
    cells = cells_of(view.grid, mapping(settled, "the deduced cells"), "the deduced cells")
    return dict(zip(cells, settled.values(), strict=True))


def witness_svg(
    view: View, cell: Cell, witnesses: Sequence[Collection[Cell]], words: Iterable[str]
) -> str:
    """Draw two configurations side by side: with a mine in the cell, and without one."""
    of_type(view, View, "view")
    cell = view.grid.cell(view.grid.index(cell))
    given = listed(witnesses, "witnesses")
    if len(given) != 2:
        raise InvalidInput(f"witnesses must be two configurations, got {len(given)}")
    witnesses = [cells_of(view.grid, mines, "each of witnesses") for mines in given]
    grid = view.grid
    side, height = extent(grid)
    boards = [zeros_written(grid, _looks(view, arranged(view, mines))) for mines in witnesses]
    drawn: list[str] = []
    for place, (looks, name) in enumerate(zip(boards, ("mine", "no mine"), strict=True)):
        x = PAD + place * (side - PAD)
        drawn += heading(name, x)
        drawn += board_group(grid, looks, cell, x, PAD + TITLE)
    title, width = f"Two configurations, {size(grid)}", 2 * side - PAD
    return page_with_words(title, words, b"".join(boards), drawn, width, height + TITLE)


def page_with_words(
    title: str, words: Iterable[str], looks: bytes, drawn: Iterable[str], width: int, height: int
) -> str:
    """Return a whole picture with words below what is drawn."""
    width = max(width, _LEAST_WIDTH)
    lines = [line for text in listed(words, "words") for line in wrap(text, width - 2 * PAD)]
    drawn = [*drawn, *caption_lines(lines, height + 4)]
    height += CAPTION_LINE * len(lines) + PAD
    return page(title, " ".join(lines), looks, drawn, width, height)


def arranged(view: View, mines: Collection[Cell]) -> dict[Cell, bool]:
    """The hidden mines of a configuration; all other hidden cells stay hidden."""
    return {cell: True for cell in view.cells(*COVERED) if cell in set(mines)}


def _looks(view: View, settled: Deduced) -> bytes:
    looks = bytearray(view.states)
    for cell, mine in settled.items():
        looks[view.grid.index(cell)] = MINE if mine else KNOWN_SAFE
    return bytes(looks)


def _replaced(looks: bytes, index: int, look: int) -> bytes:
    return looks[:index] + bytes([look]) + looks[index + 1 :]


def frames(clues: Collection[Cell]) -> Iterator[str]:
    """Yield a frame around every used clue."""
    yield f'<g fill="none" stroke="{CLUE}" stroke-width="2.6">'
    for row, col in sorted(clues):
        place = f'x="{CELL * col + 1.5}" y="{CELL * row + 1.5}"'
        yield f'<rect {place} width="{CELL - 3}" height="{CELL - 3}" rx="4"/>'
    yield "</g>"


def numbers(steps: Sequence[Deduced], *, single: bool) -> Iterator[str]:
    """Yield the number of its step in the lower right corner of every deduced cell."""
    if single:
        return
    style = f'fill="{DARK}" stroke="{LIGHT}" stroke-width="2.6" paint-order="stroke"'
    yield f'<g font-size="9" font-weight="700" text-anchor="end" {style}>'
    for number, step in enumerate(steps, start=1):
        for row, col in sorted(step):
            yield f'<text x="{CELL * col + 22}" y="{CELL * row + 21.5}">{number}</text>'
    yield "</g>"
