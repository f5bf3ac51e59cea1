"""Chart the win probability during a game, as text bars or as SVG.

The input is only points: a place in the game, and a probability from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.text import Text

from mineproof.printable import escape
from mineproof.render.palette import DARK, GRID_LINE, PAINTS, PANEL, PANEL_EDGE
from mineproof.render.shapes import FONT
from mineproof.world.view import EXPLODED

_BLOCKS = " ▁▂▃▄▅▆▇█"
_LINES = 6
_END = 4
"""Columns of the last point."""
_LEFT, _RIGHT, _TOP, _FOOT = 52, 20, 40, 46
_WIDTH, _HEIGHT = 640, 220
_LINE, _MARK = "#1d4ed8", PAINTS[EXPLODED].ground


class CurvePoint(NamedTuple):
    """The win probability at a place in the game; `reach` is half of its 95 % interval."""

    at: float
    share: float
    reach: float = 0.0
    risky: bool = False
    """Whether a guess is made here."""


def draw_curve(
    points: Sequence[CurvePoint], *, columns: int = 60, ascii_only: bool = False
) -> Text:
    """Return bars from 0 to 100 %; each value holds until the next point."""
    if not points:
        return Text("")
    first, last = points[0].at, points[-1].at
    width = max(min(columns - 7, 72) - _END, 1)
    shares = []
    for column in range(width):
        place = first + (last - first) * column / width
        shares.append(next(one.share for one in reversed(points) if one.at <= place + 1e-9))
    shares += [points[-1].share] * _END
    levels = [round(share * _LINES * 8) for share in shares]
    text = Text()
    for line in reversed(range(_LINES)):
        name = {_LINES - 1: "100 %", 0: "  0 %"}.get(line, "")
        bars = "".join(_bar(level - 8 * line, ascii_only=ascii_only) for level in levels)
        text.append(f"{name:>5} ", style="dim").append(bars.rstrip(), style="green").append("\n")
    return text.append("      " + ("-" if ascii_only else "─") * len(levels), style="dim")


def _bar(eighths: int, *, ascii_only: bool) -> str:
    full = min(max(eighths, 0), 8)
    return (" #"[full >= 4]) if ascii_only else _BLOCKS[full]


def curve_svg(points: Sequence[CurvePoint], *, caption: str = "", unit: str = "moves") -> str:
    """Return a line chart with the 95 % interval and a mark at every guess, as SVG."""
    chart = _Chart(points)
    width, height = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="{FONT}">',
        "<title>Win probability during the game</title>",
        f"<desc>{escape(_story(points, unit), quote=False)}</desc>",
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="12"'
        f' fill="{PANEL.ground}" stroke="{PANEL_EDGE}"/>',
        f'<text x="{_LEFT}" y="25" font-size="13" font-weight="600" fill="{DARK}">'
        f"{escape(caption, quote=False)}</text>",
        *_axes(chart, unit),
        *chart.lines(),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _story(points: Sequence[CurvePoint], unit: str) -> str:
    values = (f"{100 * one.share:.0f} % at {one.at:g}" for one in points)
    return f"win probability by {unit}: {', '.join(values)}"


def _axes(chart: _Chart, unit: str) -> Iterator[str]:
    yield f'<g font-size="11" fill="{PANEL.ink}">'
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = chart.y(share)
        yield f'<path d="M{_LEFT} {y}h{_WIDTH}" stroke="{GRID_LINE}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{100 * share:.0f} %</text>'
    bottom = _TOP + _HEIGHT + 18
    yield f'<text x="{_LEFT}" y="{bottom}">{chart.first:g}</text>'
    yield f'<text x="{_LEFT + _WIDTH}" y="{bottom}" text-anchor="end">{chart.last:g}</text>'
    below = f"{unit}; the band is the 95 % CI" if chart.has_band else unit
    yield f'<text x="{_LEFT + _WIDTH // 2}" y="{bottom}" text-anchor="middle">{below}</text>'
    yield "</g>"


class _Chart:
    """The coordinates of the points."""

    def __init__(self, points: Sequence[CurvePoint]) -> None:
        self._points = points
        self.first = points[0].at if points else 0.0
        self.last = points[-1].at if points else 1.0
        self.has_band = any(one.reach for one in points)

    def x(self, at: float) -> float:
        reach = self.last - self.first
        return round(_LEFT + _WIDTH * ((at - self.first) / reach if reach else 1.0), 1)

    def y(self, share: float) -> float:
        return round(_TOP + _HEIGHT * (1 - min(max(share, 0.0), 1.0)), 1)

    def lines(self) -> Iterator[str]:
        """The band of the 95 % intervals, the line, and a mark at every guess."""
        if not self._points:
            return
        upper = [(self.x(one.at), self.y(one.share + one.reach)) for one in self._points]
        lower = [(self.x(one.at), self.y(one.share - one.reach)) for one in self._points]
        band = " ".join(f"{x},{y}" for x, y in upper + lower[::-1])
        yield f'<polygon points="{band}" fill="{_LINE}" fill-opacity=".15"/>'
        line = " ".join(f"{self.x(one.at)},{self.y(one.share)}" for one in self._points)
        yield f'<polyline points="{line}" fill="none" stroke="{_LINE}" stroke-width="2"/>'
        for one in self._points:
            if one.risky:
                yield (
                    f'<circle cx="{self.x(one.at)}" cy="{self.y(one.share)}" r="4"'
                    f' fill="{_MARK}"><title>a guess</title></circle>'
                )
