"""The colours, once, for terminal and page.

Boards bring their own backgrounds, so they read alike on dark and light surroundings.
Every ink keeps a contrast of 4.5 to 1 (WCAG AA) on its ground, and no look is told
by colour alone: symbols and shapes differ too.
"""

from __future__ import annotations

from typing import NamedTuple

from mineproof.render.appearance import MINE, RISKS, WRONG_FLAG
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE, TOLD_SAFE


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

SCALE = ("#6aaef0", "#b3cff3", "#f6dfa6", "#fbb75c", "#f5814f", "#ee5d55")
"""Risk from none to certainty, in even steps: cool to hot along blue and orange, the axis
that nearly all colour-blind people see; dark ink reads on all of it."""


def mix(first: str, second: str, share: float) -> str:
    """A colour between two, `share` of the way from the first to the second."""
    ends = ([int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (first, second))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*ends, strict=True))


def heat(share: float) -> str:
    """The colour of the scale at a place from 0 to 1."""
    place = share * (len(SCALE) - 1)
    step = min(int(place), len(SCALE) - 2)
    return mix(SCALE[step], SCALE[step + 1], place - step)


_HEATS = {look: heat(percent / (len(RISKS) - 1)) for percent, look in enumerate(RISKS)}
PAINTS |= {look: Paint(DARK, colour) for look, colour in _HEATS.items()}

MARKED = Paint(LIGHT, DARK)
"""The frame of the latest move on pages."""
BRACKETS = Paint(LIGHT, "#6d28d9")
"""Its brackets on terminals: of a colour that nothing else has, also outside the board."""

# What only pages have: the panel around boards, and the edges of raised tiles.
PANEL = Paint("#56606c", "#f8f9fb")
PANEL_EDGE = "#c3cbd4"
GRID_LINE = "#d4dae1"
WELL_EDGE = "#8894a3"
SHADE = {HIDDEN: "#8492a2", TOLD_SAFE: "#6fb385", FLAGGED: "#d0a347", WRONG_FLAG: "#d0a347"}
SHINE = {HIDDEN: "#cfd7df", TOLD_SAFE: "#cdeed6", FLAGGED: "#fde9ba", WRONG_FLAG: "#fde9ba"}
FLAME = "#ffb020"
SHADE |= {look: mix(colour, DARK, 0.3) for look, colour in _HEATS.items()}
SHINE |= {look: mix(colour, LIGHT, 0.5) for look, colour in _HEATS.items()}
