"""Charts as SVG and PNG; the same numbers give the same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mineproof.printable import escape
from mineproof.studies.charts import Chart, Panel
from mineproof.studies.drawing import settings, sheet, single
from mineproof.studies.line_styles import PAPER, recolour

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def panel_svg(chart: Chart, panel: Panel, salt: str) -> str:
    """One panel for a page whose style sheet includes `recolour`; its background is transparent."""
    with settings(salt):
        svg = _svg(single(chart, panel))
        return _inline(svg, f"{chart.title}{': ' if panel.title else ''}{panel.title}")


def chart_files(chart: Chart, salt: str) -> tuple[str, bytes]:
    """All panels and a legend, as a self-contained SVG and as a PNG."""
    with settings(salt):
        figure = sheet(chart)
        svg = standing_svg(figure)
        figure.set_facecolor("white")
        picture = io.BytesIO()
        figure.savefig(picture, format="png", dpi=130, metadata={"Software": None})
        return svg, picture.getvalue()


def standing_svg(figure: Figure) -> str:
    """A figure drawn within `settings` as a self-contained SVG for light and dark pages."""
    return _standing(_svg(figure))


def _svg(figure: Figure) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


_NOISE: Sequence[tuple[str, str]] = (
    (r"(?s)^.*?(?=<svg )", ""),
    (r"(?s)<metadata>.*?</metadata>", ""),
    (r' id="[A-Za-z][\w.]*_\d+"', ""),
    (r"(?s)<!--.*?-->", ""),
    (r"xlink:href", "href"),
    (r' xmlns:xlink="[^"]*"', ""),
    (r"(?s)\s*<style type=\"text/css\">.*?</style>", ""),
    (r"'DejaVu Sans'[^;\"]*", "system-ui, sans-serif"),
    (r"\n\s*", "\n"),
)


_PLACES = re.compile(r' (?:d|x|y|width|height|transform)="[^"]*"')
_DIGITS = re.compile(r"(\.\d\d)\d+")


_STYLE = re.compile(r' style="([^"]*)"')


def _plain(style: re.Match[str]) -> str:
    """Turn the colours of a style into attributes, for programs without CSS variables."""
    rules = [rule.strip() for rule in style[1].split(";") if rule.strip()]
    split = [(name, value.strip()) for name, _, value in (rule.partition(":") for rule in rules)]
    colours = "".join(f' {name}="{value}"' for name, value in split if name in {"fill", "stroke"})
    rest = "; ".join(f"{name}: {value}" for name, value in split if name not in {"fill", "stroke"})
    return colours + (f' style="{rest}"' if rest else "")


def _clean(svg: str) -> str:
    """Remove what only makes the file longer, and turn colours into attributes."""
    svg = _PLACES.sub(lambda found: _DIGITS.sub(r"\1", found[0]), svg)
    for pattern, replacement in _NOISE:
        svg = re.sub(pattern, replacement, svg)
    return (
        _STYLE.sub(_plain, svg)
        .replace("<defs>\n</defs>\n", "")
        .replace("<svg ", '<svg stroke-linejoin="round" stroke-linecap="butt" ', 1)
    )


def _inline(svg: str, label: str) -> str:
    """An SVG within a page, as wide as its container."""
    svg = re.sub(r' xmlns="[^"]*"| version="[^"]*"', "", _clean(svg), count=2)
    svg = re.sub(r'(<svg [^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg [^>]*?) height="[^"]*"', r"\1", svg, count=1)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def _standing(svg: str) -> str:
    """A self-contained SVG with its own dark colours and background."""
    ground = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    head, end, rest = _clean(svg).partition(">")
    return f"{head}{end}\n<style>{recolour()}</style>\n{ground}{rest}"
