"""The colours, once, for terminal and page.

Boards bring their own backgrounds, so they read alike on dark and light surroundings.
Every ink keeps a contrast of 4.5 to 1 (WCAG AA) on its ground, and no look is told
by colour alone: symbols and shapes differ too.
"""

from __future__ import annotations

from typing import NamedTuple

from mineproof.render.looks import MINE, WRONG_FLAG
from mineproof.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, TOLD_SAFE


class Paint(NamedTuple):
    """The colour of a symbol, and of the ground under it."""

    ink: str
    ground: str


DARK = "#1b2230"
LIGHT = "#ffffff"
OPENED = "#eef1f4"

_CLUE_INKS = (
    OPENED,  # a zero is not written
    "#1d4ed8",  # blue
    "#0b7a1c",  # green
    "#cc1f1f",  # red
    "#23237d",  # navy
    "#7d1a24",  # maroon
    "#00707a",  # teal
    "#000000",  # black
    "#5a6370",  # grey
)

PAINTS = {clue: Paint(ink, OPENED) for clue, ink in enumerate(_CLUE_INKS)} | {
    HIDDEN: Paint("#2c3643", "#acb7c3"),
    TOLD_SAFE: Paint("#0b5227", "#a5d9b4"),
    FLAGGED: Paint("#a01212", "#f5d283"),
    NO_CLUE: Paint("#5a6370", OPENED),
    EXPLODED: Paint(LIGHT, "#c81e1e"),
    MINE: Paint(DARK, "#e6b8ad"),
    WRONG_FLAG: Paint(DARK, "#f5d283"),
}
"""The paint of every look."""

MARKED = Paint(LIGHT, DARK)
"""The frame of the latest move."""

# What only pages have: the panel around boards, and the edges of raised tiles.
PANEL = Paint("#56606c", "#f8f9fb")
PANEL_EDGE = "#c3cbd4"
GRID_LINE = "#d4dae1"
WELL_EDGE = "#8894a3"
SHADE = {HIDDEN: "#8492a2", TOLD_SAFE: "#6fb385", FLAGGED: "#d0a347", WRONG_FLAG: "#d0a347"}
SHINE = {HIDDEN: "#cfd7df", TOLD_SAFE: "#cdeed6", FLAGGED: "#fde9ba", WRONG_FLAG: "#fde9ba"}
FLAME = "#ffb020"
