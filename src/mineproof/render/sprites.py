"""The sprite sheet from which the web app's canvas copies its cells.

Web app and pictures thus look the same. Look number `n` is the square in row `n // ACROSS`, column
`n % ACROSS`; the small flag and the small burst follow after the looks.
`python -m mineproof.render.sprites FILE` writes the web app's copy again.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mineproof.render.appearance import ZERO
from mineproof.render.shapes import CELL, FONT, IDS, PIN, SPARK, definitions, pin, spark

ACROSS = 16
_PIN_AT = ZERO + 1
_SPARK_AT = ZERO + 2


def sprite_sheet() -> str:
    """Return the sprite sheet as SVG; the same shapes give the same text."""
    names = IDS | {_PIN_AT: PIN, _SPARK_AT: SPARK}
    width, height = ACROSS * CELL, (max(names) // ACROSS + 1) * CELL
    placed = (
        f'<use href="#{name}" x="{look % ACROSS * CELL}" y="{look // ACROSS * CELL}"/>'
        for look, name in sorted(names.items())
    )
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" font-family="{FONT}">',
            definitions(bytes(IDS), pin(), spark()),
            '<g font-size="16" font-weight="700" text-anchor="middle">',
            *placed,
            "</g>",
            "</svg>\n",
        )
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(sprite_sheet())
