"""All shapes in one picture, from which a page's canvas copies its cells.

So the page and our pictures cannot differ. Look number `n` is the square in row `n // ACROSS`,
column `n % ACROSS`; behind the looks follow the small flag and the small burst.
`python -m mineproof.render.sprites FILE` writes the page's copy anew.
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
    """The picture, the same for the same shapes."""
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
