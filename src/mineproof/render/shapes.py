"""The shapes of SVG boards: one per look, defined once and reused.

Each shape fits a square of `CELL` units. An opened cell is flat; a hidden one is a raised tile,
light above and dark below. Signs differ in shape, not only in colour: a tick, a flag, a crossed-out
flag, a mine, an exploded mine with a cross, or a risk as a small number.
"""

from __future__ import annotations

from math import cos, pi, sin

from mineproof.render.appearance import CLUES, MINE, RISKS, WRONG_FLAG, ZERO
from mineproof.render.palette import DARK, FLAME, LIGHT, PAINTS, SCALE, SHADE, SHINE
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, NO_CLUE

CELL = 24
SIGN_FOOT = 15
"""The lower end of signs drawn by `raised`."""
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

IDS = {clue: f"mp-{clue}" for clue in CLUES if clue} | {
    HIDDEN: "mp-hidden",
    KNOWN_SAFE: "mp-safe",
    FLAGGED: "mp-flag",
    NO_CLUE: "mp-none",
    EXPLODED: "mp-boom",
    MINE: "mp-mine",
    WRONG_FLAG: "mp-wrong",
    ZERO: "mp-0",
}
IDS |= {look: f"mp-risk-{percent}" for percent, look in enumerate(RISKS)}
"""The ID of each look's shape; a blank zero has none."""


PIN = "mp-pin"
"""The ID of a small flag for the corner of a tile."""

HEAT = "mp-heat"
"""The ID of the colour scale."""

SPARK = "mp-spark"
"""The ID of a small burst for the corner of a tile."""


def definitions(looks: bytes, *more: str) -> str:
    """Return the `<defs>` with the shapes that these looks need, and any further definitions."""
    shapes = _shapes()
    needed = sorted(set(looks) & set(shapes))
    lines = (f'<g id="{IDS[look]}">{shapes[look]}</g>' for look in needed)
    return "\n".join(("<defs>", *lines, *more, "</defs>"))


def pin() -> str:
    """Return the definition of the small flag."""
    return f'<g id="{PIN}"><g transform="translate(14.6 -.5) scale(.43)">{_flag()}</g></g>'


def gradient() -> str:
    """Return the definition of the colour scale, from cool (left) to hot."""
    last = len(SCALE) - 1
    stops = "".join(
        f'<stop offset="{100 * place / last:g}%" stop-color="{colour}"/>'
        for place, colour in enumerate(SCALE)
    )
    return f'<linearGradient id="{HEAT}">{stops}</linearGradient>'


def spark() -> str:
    """Return the definition of the small burst."""
    return (
        f'<g id="{SPARK}"><g transform="translate(13.4 .2) scale(.43)">{_burst()}{_disc()}</g></g>'
    )


def raised(look: int) -> str:
    """Return a look with a smaller and higher sign, so that the cell's lower edge stays free.

    The sign ends above `SIGN_FOOT`.
    """
    ground, sign = _parts()[look]
    return f'{ground}<g transform="translate(1.6 .4) scale(.7)">{sign}</g>'


def _shapes() -> dict[int, str]:
    return {look: ground + sign for look, (ground, sign) in _parts().items()}


def _parts() -> dict[int, tuple[str, str]]:
    """The background and the sign of each look."""
    return (
        {clue: ("", _digit(clue, clue)) for clue in CLUES if clue}
        | {
            ZERO: ("", _digit(0, NO_CLUE)),
            HIDDEN: (_tile(HIDDEN), ""),
            KNOWN_SAFE: (_tile(KNOWN_SAFE), _tick()),
            FLAGGED: (_tile(FLAGGED), _flag()),
            NO_CLUE: ("", _dash()),
            EXPLODED: (_ground(EXPLODED) + _burst(), _disc() + _cross()),
            MINE: (_ground(MINE), _spikes() + _disc() + _glint()),
            WRONG_FLAG: (_tile(WRONG_FLAG), _flag() + _refuted()),
        }
        | {look: (_tile(look), _risk(look, percent)) for percent, look in enumerate(RISKS)}
    )


def _digit(clue: int, look: int) -> str:
    """A digit, centred by its height because SVG viewers disagree on `dominant-baseline`."""
    return f'<text x="12" y="17.6" fill="{PAINTS[look].ink}">{clue}</text>'


def _risk(look: int, percent: int) -> str:
    """A number smaller than a clue; `<1` below one per cent."""
    number = str(percent) if percent else "&lt;1"
    return (
        f'<text x="12" y="15.6" font-size="11" font-weight="600"'
        f' fill="{PAINTS[look].ink}">{number}</text>'
    )


def _tile(look: int) -> str:
    """A raised tile: dark lower edge, face, light upper edge."""
    return (
        f'<rect x="1" y="1" width="22" height="22" rx="3.5" fill="{SHADE[look]}"/>'
        f'<rect x="1" y="1" width="22" height="19.6" rx="3.5" fill="{SHINE[look]}"/>'
        f'<rect x="1" y="2.4" width="22" height="18.2" rx="3.5" fill="{PAINTS[look].ground}"/>'
    )


def _ground(look: int) -> str:
    return f'<rect x=".5" y=".5" width="23" height="23" fill="{PAINTS[look].ground}"/>'


def _tick() -> str:
    return (
        f'<path d="M7.2 11.4l3.4 3.6 6.3-7.2" fill="none" stroke="{PAINTS[KNOWN_SAFE].ink}"'
        ' stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _flag() -> str:
    """A flag on a pole."""
    return (
        f'<path d="M9.4 4.8v12.6M6.4 17.6h7.6" stroke="{DARK}" stroke-width="1.8"'
        ' stroke-linecap="round"/>'
        f'<path d="M9.4 4.6l8.4 3.9-8.4 3.9z" fill="{PAINTS[FLAGGED].ink}"/>'
    )


def _refuted() -> str:
    """A cross at the foot of a flag, outlined in the tile's colour."""
    lines = '<path d="M13.4 12.4l5.8 5.8M19.2 12.4l-5.8 5.8" stroke-linecap="round"'
    return (
        f'{lines} stroke="{PAINTS[WRONG_FLAG].ground}" stroke-width="5"/>'
        f'{lines} stroke="{PAINTS[WRONG_FLAG].ink}" stroke-width="2.4"/>'
    )


def _cross() -> str:
    return (
        f'<path d="M9.3 9.3l5.4 5.4M14.7 9.3l-5.4 5.4" stroke="{PAINTS[EXPLODED].ink}"'
        ' stroke-width="2" stroke-linecap="round"/>'
    )


def _dash() -> str:
    return (
        f'<path d="M8.4 12h7.2" stroke="{PAINTS[NO_CLUE].ink}" stroke-width="2.2"'
        ' stroke-linecap="round"/>'
    )


def _spikes() -> str:
    return (
        f'<path d="M12 4.6v14.8M4.6 12h14.8M7 7l10 10M17 7l-10 10" stroke="{DARK}"'
        ' stroke-width="1.9" stroke-linecap="round"/>'
    )


def _disc() -> str:
    return f'<circle cx="12" cy="12" r="5.4" fill="{DARK}"/>'


def _glint() -> str:
    return f'<circle cx="10.1" cy="10.1" r="1.5" fill="{LIGHT}"/>'


def _burst() -> str:
    """The star behind an exploded mine, as large as its cell."""
    spikes = 9
    corners = []
    for corner in range(2 * spikes):
        angle, reach = pi * corner / spikes, 7.4 if corner % 2 else 11.8
        corners.append(f"{12 + reach * sin(angle):.1f},{12 - reach * cos(angle):.1f}")
    return f'<polygon points="{" ".join(corners)}" fill="{FLAME}"/>'
