"""The colours of boards in terminals, pictures and the web app.

Boards have their own backgrounds, so they look the same on dark and light pages. Every
foreground has a contrast of at least 4.5 to 1 (WCAG AA) with its background, and looks differ in
symbol or shape too, not only in colour.
"""

from __future__ import annotations

from typing import NamedTuple

from mineproof.render.appearance import MINE, RISKS, WRONG_FLAG
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE


class Paint(NamedTuple):
    """The colours of a symbol and of its background."""

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
    KNOWN_SAFE: Paint("#0b5227", "#a5d9b4"),
    FLAGGED: Paint("#a01212", "#f5d283"),
    NO_CLUE: Paint("#5a6370", OPENED),
    EXPLODED: Paint(LIGHT, "#c81e1e"),
    MINE: Paint(DARK, "#e6b8ad"),
    WRONG_FLAG: Paint(DARK, "#f5d283"),
}
"""The colours of each look."""

SCALE = ("#6aaef0", "#b3cff3", "#f6dfa6", "#fbb75c", "#f5814f", "#ee5d55")
"""Risks from 0 to 1 in even steps, from blue to orange, which nearly all colour-blind people can
distinguish; dark text is readable on all of them."""


def mix(first: str, second: str, share: float) -> str:
    """Return the colour that is `share` of the way from the first to the second."""
    ends = ([int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in (first, second))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*ends, strict=True))


def heat(share: float) -> str:
    """Return the colour of the scale at `share`, from 0 to 1."""
    place = share * (len(SCALE) - 1)
    step = min(int(place), len(SCALE) - 2)
    return mix(SCALE[step], SCALE[step + 1], place - step)


_HEATS = {look: heat(percent / (len(RISKS) - 1)) for percent, look in enumerate(RISKS)}
PAINTS |= {look: Paint(DARK, colour) for look, colour in _HEATS.items()}

MARKED = Paint(LIGHT, DARK)
"""The frame around the latest move in pictures."""
BRACKETS = Paint(LIGHT, "#6d28d9")
"""The brackets around the latest move on terminals, in a colour used for nothing else."""

# Only in pictures: the panel around boards, and the edges of raised tiles.
PANEL = Paint("#56606c", "#f8f9fb")
PANEL_EDGE = "#c3cbd4"
GRID_LINE = "#d4dae1"
WELL_EDGE = "#8894a3"
SHADE = {HIDDEN: "#8492a2", KNOWN_SAFE: "#6fb385", FLAGGED: "#d0a347", WRONG_FLAG: "#d0a347"}
SHINE = {HIDDEN: "#cfd7df", KNOWN_SAFE: "#cdeed6", FLAGGED: "#fde9ba", WRONG_FLAG: "#fde9ba"}
FLAME = "#ffb020"
SHADE |= {look: mix(colour, DARK, 0.3) for look, colour in _HEATS.items()}
SHINE |= {look: mix(colour, LIGHT, 0.5) for look, colour in _HEATS.items()}
