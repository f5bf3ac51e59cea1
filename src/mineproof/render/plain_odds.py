"""Odds in plain text for a line of 80 characters: what `print` shows of a posterior."""

from __future__ import annotations

from mineproof.render.appearance import MINE, RISKS, Odds, weighed
from mineproof.render.sheet import ruler
from mineproof.render.terminal import ASCII
from mineproof.world.view import FLAGGED

_LINE = 80


def plain_odds(odds: Odds) -> str:
    """The board with the risk of every covered cell in two digits of per cent.

    `s` is safe and `m` mined for certain, `F` both mined and flagged; `<1` is less than one
    per cent, one digit a clue. Any other flag stands before what is under it. Of a board that
    is wider than a line the left columns come first, then the others.
    """
    grid, looks = odds.view.grid, weighed(odds)
    cells = [_cell(*each) for each in zip(odds.view.states, looks, strict=True)]
    width = max(3, 1 + max(map(len, cells)))
    gutter = len(str(grid.rows - 1))
    parts = -(-grid.cols // ((_LINE - gutter - 1) // width))
    length = -(-grid.cols // parts)
    drawn = []
    for first in range(0, grid.cols, length):
        cols = range(first, min(first + length, grid.cols))
        lines = [ruler(cols, gutter, width, width)]
        for row in range(grid.rows):
            there = cells[row * grid.cols + cols.start : row * grid.cols + cols.stop]
            lines.append(f"{row:>{gutter}} " + "".join(f"{cell:>{width}}" for cell in there))
        drawn.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(drawn)


def _cell(state: int, look: int) -> str:
    if look in RISKS:
        percent = RISKS.index(look)
        shown = f"{percent:02}" if percent else "<1"
    else:
        shown = ASCII[look]
    if state != FLAGGED:
        return shown
    return ASCII[FLAGGED] if look == MINE else ASCII[FLAGGED] + shown
