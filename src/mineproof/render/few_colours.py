"""Board colours for terminals with few colours, chosen by hand from 256 and from 16.

The nearest available colour often has another hue: a risk of 24 % became green, and 9, 13 and 16 %
three unrelated colours. Here risks go from blue through yellow to red, and green is reserved for
safe cells.
"""

from __future__ import annotations

from rich.color import Color, ColorSystem
from rich.style import Style

from mineproof.render.appearance import RISKS
from mineproof.render.palette import PAINTS, Paint

HEATS_256 = ((0, 75), (12, 153), (30, 229), (43, 222), (56, 215), (71, 209), (87, 203))
"""The colours of risks out of 256: (lowest per cent, colour)."""
HEATS_16 = ((0, 6), (15, 14), (30, 11), (55, 3), (75, 9))
"""The colours of risks out of 16: cyans, yellows, bright red."""

_FEW = {
    "#eef1f4": (255, 15),  # opened, and the ink of zeros
    "#1d4ed8": (26, 12),  # clues 1 to 8
    "#0b7a1c": (22, 2),
    "#cc1f1f": (160, 1),
    "#23237d": (18, 4),
    "#7d1a24": (88, 5),
    "#00707a": (23, 6),
    "#000000": (16, 0),
    "#5a6370": (240, 8),
    "#2c3643": (235, 0),  # hidden
    "#acb7c3": (249, 7),
    "#0b5227": (22, 0),  # safe
    "#a5d9b4": (114, 10),
    "#a01212": (88, 1),  # flagged
    "#f5d283": (221, 11),
    "#ffffff": (231, 15),  # exploded
    "#c81e1e": (160, 1),
    "#6d28d9": (55, 4),  # the latest move
    "#1b2230": (234, 0),  # dark ink
    "#e6b8ad": (182, 13),  # a mine
}
"""The replacements for palette colours, out of 256 and out of 16."""


def _step(scale: tuple[tuple[int, int], ...], percent: int) -> int:
    return next(colour for least, colour in reversed(scale) if percent >= least)


_FEW |= {
    PAINTS[look].ground: (_step(HEATS_256, percent), _step(HEATS_16, percent))
    for percent, look in enumerate(RISKS)
}


class BoardColour(Color):
    """A colour with hand-picked replacements for terminals with few colours."""

    def downgrade(self, system: ColorSystem) -> Color:  # type: ignore[override]
        """Return the colour itself or its replacement."""
        of_256, of_16 = _FEW[self.name]
        if system == ColorSystem.EIGHT_BIT:
            return Color.from_ansi(of_256)
        return self if system == ColorSystem.TRUECOLOR else Color.from_ansi(of_16)


def style(paint: Paint, *, bold: bool = True, reverse: bool = False) -> Style:
    """Return the terminal style of a paint."""
    ink, ground = (BoardColour(*Color.parse(colour)) for colour in paint)
    return Style(color=ink, bgcolor=ground, bold=bold, reverse=reverse)
