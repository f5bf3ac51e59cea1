"""How boards look in programs and on web pages: backgrounds, inks and raised edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof.render.palette import PAINTS
from mineproof.screenshots.signs import DISC, NOUGHT
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE

Colour = NDArray[np.float64]

MINE = 14
"""A mine that is shown after the end of a game."""


class Look(NamedTuple):
    """One appearance of a cell, and the state that it stands for."""

    state: int
    ground: Colour
    ink: Colour | None = None
    sign: int | str | None = None
    """The sign that its ink has, if any."""
    raised: bool = False


class Skin(NamedTuple):
    """All looks of one program."""

    name: str
    looks: tuple[Look, ...]
    edge: float
    """How much lighter than its background the upper edge of a raised cell is."""


def _colour(code: str) -> Colour:
    return np.array(list(bytes.fromhex(code[1:])), np.float64)


def _flat(name: str, grounds: str, inks: str, flag: str, edge: float) -> Skin:
    """Return a skin: an empty opened cell is a zero, 1 to 8 have their own inks."""
    opened, covered, burst = map(_colour, grounds.split())
    black = _colour("#000000")
    clues = enumerate(map(_colour, inks.split()), start=1)
    return Skin(
        name,
        (
            Look(0, opened),
            *(Look(clue, opened, ink, clue) for clue, ink in clues),
            Look(HIDDEN, covered, raised=True),
            Look(FLAGGED, covered, _colour(flag), FLAGGED, raised=True),
            Look(MINE, opened, black, DISC),
            Look(EXPLODED, burst, black),
        ),
        edge,
    )


def _own(name: str, light: float = 1.0) -> Skin:
    """Return the skin of mineproof's pictures and web app, which is dimmed in dark mode."""
    grounds = {state: light * _colour(paint.ground) for state, paint in PAINTS.items()}
    inks = {state: light * _colour(paint.ink) for state, paint in PAINTS.items()}
    opened, grey = grounds[NO_CLUE], inks[NO_CLUE]
    return Skin(
        name,
        (
            Look(0, opened),
            Look(0, opened, grey, NOUGHT),
            Look(NO_CLUE, opened, grey, NO_CLUE),
            *(Look(clue, opened, inks[clue], clue) for clue in range(1, 9)),
            Look(HIDDEN, grounds[HIDDEN], raised=True),
            Look(KNOWN_SAFE, grounds[KNOWN_SAFE], inks[KNOWN_SAFE], KNOWN_SAFE, raised=True),
            Look(FLAGGED, grounds[FLAGGED], inks[FLAGGED], FLAGGED, raised=True),
            Look(MINE, grounds[MINE], inks[MINE], DISC),
            Look(EXPLODED, grounds[EXPLODED], inks[EXPLODED]),
        ),
        32.0 * light,
    )


_CLASSIC = "#0000ff #008000 #ff0000 #000080 #800000 #008080 #000000 #808080"
_LIGHT = "#0000f7 #007700 #ec0000 #000080 #800000 #008080 #000000 #707070"
_DARK = "#7cc7ff #66c266 #ff7788 #ee88ff #ddaa22 #66cccc #999999 #d0d8e0"

SKINS = (
    _flat("classic", "#c0c0c0 #c0c0c0 #ff0000", _CLASSIC, "#ff0000", 60.0),
    _flat("light", "#c6c6c6 #c6c6c6 #ff0000", _LIGHT, "#ff2020", 57.0),
    _flat("dark", "#384048 #4c545c #ff0000", _DARK, "#f76060", 36.0),
    _own("mineproof"),
    _own("mineproof, by night", 0.9),
)
"""Windows Minesweeper (and pages that look like it), JSMinesweeper and similar pages in light and
dark mode, and mineproof."""
