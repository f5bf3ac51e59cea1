"""A self-contained HTML page that steps through a game with a slider.

It loads no other resources and needs no server. Without JavaScript it shows the end of the game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from mineproof.arguments import each, of_type
from mineproof.printable import escape, printable
from mineproof.render.animation import Frame, changes, frames_of
from mineproof.render.appearance import MINE, judged, tally, zeros_written
from mineproof.render.palette import PANEL, PANEL_EDGE
from mineproof.render.shapes import CELL, FONT, IDS
from mineproof.render.svg import GUTTER, PAD, RULER, extent, frame, page, rulers, size, well
from mineproof.world.board import Board
from mineproof.world.geometry import Grid
from mineproof.world.turn import Turn
from mineproof.world.view import HIDDEN, View

_TEMPLATE = Path(__file__).with_name("player.html")
_CONTROLS = 100  # pixels under the board
_LEAST_WIDTH = 360
MOST_FRAMES = 5000


def player_html(
    board: Board, view: View, turns: Iterable[Turn], *, ending: str = "", title: str = ""
) -> str:
    """Return a page that shows the player's view after each turn and, on request, hidden mines.

    `view` is the view before the first turn; the `ending`, if any, is the last caption.
    """
    of_type(board, Board, "board")
    of_type(view, View, "view")
    of_type(title, str, "title")
    of_type(ending, str, "ending")
    shown = frames_of(each(turns, Turn, "turns"), ending, MOST_FRAMES)
    first = zeros_written(board.grid, judged(view, board))
    steps = list(changes(board, view, shown))
    last = bytearray(first)
    for step in steps:
        for index, look in step:
            last[index] = look
    looks = {*first, *(look for step in steps for _, look in step), MINE}
    moves = {
        "looks": list(first),
        "mined": "".join(map(str, board.mined)),
        "hidden": HIDDEN,
        "mine": MINE,
        "side": CELL,
        "shapes": {look: IDS[look] for look in looks if look},
        "frames": [_frame_json(one, step) for one, step in zip(shown, steps, strict=True)],
    }
    width, _ = _extent(board.grid)
    filled = {
        "title": escape(title or f"Minesweeper game, {size(board.grid)}"),
        "ground": PANEL.ground,
        "ink": PANEL.ink,
        "edge": PANEL_EDGE,
        "button": "#ffffff",
        "font": FONT,
        "width": str(width),
        "last": str(len(shown) - 1),
        "words": escape(shown[-1].caption),
        "picture": _picture(board.grid, bytes(last), bytes(looks)),
        # No text may close the script element.
        "moves": json.dumps(moves, separators=(",", ":")).replace("<", "\\u003c"),
    }
    return _fill(_TEMPLATE.read_text(encoding="utf-8"), filled)


def framed(document: str, grid: Grid) -> str:
    """Return an iframe with the page, isolated from the surrounding document."""
    width, height = _extent(grid)
    height += _CONTROLS
    return (
        f'<iframe srcdoc="{escape(document)}" sandbox="allow-scripts" title="game replay"'
        f' style="width:100%;max-width:{width}px;aspect-ratio:{width}/{height};min-height:220px;'
        f'box-sizing:border-box;border:1px solid {PANEL_EDGE};border-radius:12px"></iframe>'
    )


def _fill(template: str, filled: dict[str, str]) -> str:
    """Replace names in braces in one pass, so that inserted text is not replaced again."""
    first, *rest = template.split("{")
    parts = [first]
    for part in rest:
        name, brace, after = part.partition("}")
        parts.append(filled[name] + after if brace and name in filled else "{" + part)
    return "".join(parts)


def _frame_json(one: Frame, step: list[tuple[int, int]]) -> dict[str, Any]:
    return {"marked": one.marked, "caption": printable(one.caption), "changes": step}


def _extent(grid: Grid) -> tuple[int, int]:
    width, height = extent(grid)
    return max(width, _LEAST_WIDTH), height


def _picture(grid: Grid, looks: bytes, needed: bytes) -> str:
    here = f'<g id="mp-here">{frame(Grid(1, 1), (0, 0))}</g>'
    title = f"Minesweeper game, {size(grid)}"
    width, height = extent(grid)
    return page(
        title, f"at the end: {tally(looks)}", needed, _drawn(grid, looks), width, height, here
    )


def _drawn(grid: Grid, looks: bytes) -> Iterator[str]:
    """The board with one element per cell, in order."""
    yield f'<g transform="translate({PAD + GUTTER} {PAD + RULER})">'
    yield from rulers(grid)
    yield from well(grid)
    yield '<g id="cells" font-size="16" font-weight="700" text-anchor="middle">'
    for index, look in enumerate(looks):
        row, col = grid.cell(index)
        shape = f' href="#{IDS[look]}"' if look else ""
        yield f'<use{shape} x="{CELL * col}" y="{CELL * row}"/>'
    yield '</g><g id="here" visibility="hidden"><use href="#mp-here"/></g></g>'
