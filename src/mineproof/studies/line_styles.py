"""Colours and markers of figures that stay distinguishable for the colour-blind and in print.

The palette of Okabe and Ito without yellow, which is hard to see on white. A picture has its light
colours as attributes, which every SVG viewer understands; on dark pages a style sheet replaces
them.
"""

from __future__ import annotations

from typing import NamedTuple

INK, FAINT, PAPER = "#1c1c1e", "#d9d9dc", "#ffffff"


class LineStyle(NamedTuple):
    """The colour of a line on light and dark pages, and its marker."""

    light: str
    dark: str
    marker: str


LINE_STYLES = (
    LineStyle("#0072b2", "#56a9e8", "o"),
    LineStyle("#d55e00", "#f58a3c", "s"),
    LineStyle("#009e73", "#2fcf9f", "^"),
    LineStyle("#cc79a7", "#e8a3c8", "D"),
    LineStyle("#e69f00", "#f3bf45", "v"),
    LineStyle("#56b4e9", "#9ad4f7", "P"),
    LineStyle("#6b6b70", "#b0b0b6", "X"),
)
DASHES = ("-", "--", ":")
"""After the last colour, the colours repeat with dashed lines."""

LIGHT = {"ink": INK, "faint": FAINT, "paper": PAPER} | {
    f"line{number}": style.light for number, style in enumerate(LINE_STYLES)
}
DARK = {"ink": "#e8e8ea", "faint": "#3a3a40", "paper": "#17171a"} | {
    f"line{number}": style.dark for number, style in enumerate(LINE_STYLES)
}


def line_style(number: int) -> tuple[LineStyle, str]:
    """Return the style of a line by its number, and its dash pattern."""
    return LINE_STYLES[number % len(LINE_STYLES)], DASHES[number // len(LINE_STYLES) % len(DASHES)]


def style_sheet(selector: str = ":root") -> str:
    """CSS variables with the light colours, and with the dark ones if the system is dark."""

    def block(colours: dict[str, str]) -> str:
        return "".join(f"--{name}:{colour};" for name, colour in colours.items())

    return (
        f"{selector}{{{block(LIGHT)}}}"
        f"@media (prefers-color-scheme:dark){{{selector}{{{block(DARK)}}}}}"
    )


def recolour() -> str:
    """CSS rules that give a picture's elements their dark colours if the system is dark."""
    rules = "".join(
        f'[{name}="{light}"]{{{name}:{DARK[variable]}}}'
        for variable, light in LIGHT.items()
        for name in ("fill", "stroke")
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}"
