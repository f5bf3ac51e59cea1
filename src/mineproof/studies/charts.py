"""The data of a plot, for pictures and tables: panels, lines and their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mineproof.agents import RECIPES
from mineproof.messages.study_files import Plot
from mineproof.series.columns import PROVED, Measure
from mineproof.studies.grid import Point
from mineproof.studies.summary import Summary, SummaryRow
from mineproof.studies.tasks import MEASURES, find

NUMERIC = frozenset({"density", "mines", "rows", "cols", "cells", "claimed"})
X_LABELS = {
    "density": "mine density",
    "mines": "mines",
    "rows": "rows of the board",
    "cols": "columns",
    "cells": "number of cells",
    "claimed": "claimed risk",
}


class Dot(NamedTuple):
    """One row of a summary and its x value."""

    x: Any
    row: SummaryRow


class PlotLine(NamedTuple):
    """One line of a plot; `style` numbers its colour and marker, the same in every panel."""

    label: str
    style: int
    dots: list[Dot]
    gaps: tuple[float, ...] = ()
    """The x values of points without games so far: the line is interrupted there."""


class Panel(NamedTuple):
    """One frame of a plot and the lines in it."""

    title: str
    lines: list[PlotLine]


class Chart(NamedTuple):
    """A plot with its rows. `labels` are its lines by style, `places` the x values in order."""

    plot: Plot
    y: Measure
    x_label: str
    places: list[Any]
    labels: list[str]
    panels: list[Panel]

    @property
    def title(self) -> str:
        """The title of the plot."""
        return self.plot.title or f"{self.y.label} by {self.x_label or self.plot.x}"

    @property
    def is_numeric(self) -> bool:
        """Whether x is a number rather than a name."""
        return self.plot.x in NUMERIC

    @property
    def log_x(self) -> bool:
        """Whether the x axis is logarithmic."""
        return self.plot.x == "cells"

    @property
    def log_y(self) -> bool:
        """Whether the y axis is logarithmic."""
        return self.y.unit == "seconds"

    @property
    def rows(self) -> list[SummaryRow]:
        """All rows, in the order of panels and lines."""
        return [dot.row for panel in self.panels for line in panel.lines for dot in line.dots]


def chart(summary: Summary, plot: Plot) -> Chart:
    """Return the rows of a plot's measure, grouped into its panels and lines."""
    rows = summary.of(plot.y)
    if plot.y.startswith(PROVED):
        rows = _without_idle(rows, plot)
    labels = list(dict.fromkeys(_label(row.point, plot.lines) for row in rows))
    panels: dict[str, dict[str, list[Dot]]] = {}
    for row in rows:
        lines = panels.setdefault(_label(row.point, plot.panels), {})
        lines.setdefault(_label(row.point, plot.lines), []).append(Dot(_value(row, plot.x), row))
    numeric = plot.x in NUMERIC
    planned = _planned(summary, plot) if numeric and plot.x != "claimed" else {}
    places = dict.fromkeys(_value(row, plot.x) for row in rows)
    return Chart(
        plot,
        MEASURES[plot.y],
        X_LABELS.get(plot.x, ""),
        sorted(places) if numeric else list(places),
        labels,
        [
            Panel(
                title,
                [
                    _line(label, style, lines[label], planned.get((title, label), set()), numeric)
                    for style, label in enumerate(labels)
                    if label in lines
                ],
            )
            for title, lines in panels.items()
        ],
    )


def _planned(summary: Summary, plot: Plot) -> dict[tuple[str, str], set[float]]:
    """The x values of every line of every panel, including points without games."""
    found: dict[tuple[str, str], set[float]] = {}
    for point in summary.study.points():
        if plot.y in find(point.task).measures:
            where = _label(point, plot.panels), _label(point, plot.lines)
            found.setdefault(where, set()).add(float(getattr(point, plot.x)))
    return found


def _line(label: str, style: int, dots: list[Dot], planned: set[float], numeric: bool) -> PlotLine:
    if not numeric:
        return PlotLine(label, style, dots)
    dots = sorted(dots, key=_place)
    played = [_place(dot) for dot in dots]
    gaps = (at for at in planned - set(played) if played[0] < at < played[-1])
    return PlotLine(label, style, dots, tuple(sorted(gaps)))


def _place(dot: Dot) -> float:
    return float(dot.x)


def _without_idle(rows: list[SummaryRow], plot: Plot) -> list[SummaryRow]:
    """Only the rows of agents that use the rule."""
    used = {row.point.agent for row in rows if row.mean > 0}
    return [row for row in rows if row.point.agent in used or plot.x == plot.lines[0]]


def _value(row: SummaryRow, column: str) -> Any:
    if column == "claimed":
        return row.claimed
    value = getattr(row.point, column)
    return value if column in NUMERIC else name(column, value)


def _label(point: Point, columns: tuple[str, ...]) -> str:
    return ", ".join(name(column, getattr(point, column)) for column in columns)


def name(column: str, value: Any) -> str:
    """Return the value of a column in words."""
    if column == "on_mine":
        return "a mine ends the game" if value == "end" else "play goes on after a mine"
    if column == "count_known":
        return "mine count known" if value else "mine count unknown"
    if column == "flood":
        return "zeros open their neighbours" if value else "zeros do not open their neighbours"
    if column == "luck":
        return "boards fixed when dealt" if value == "dealt" else "every loss is a mistake"
    if column == "opening":
        return f"opening {value}"
    if column == "clues":
        return f"{value} clues" if value == "exact" else str(value)
    if column == "density":
        return f"density {value:.3g}"
    if column == "agent" and str(value).partition(":")[0] in RECIPES:
        return str(value).replace(":budget=fast", " (fast)").replace(":naive=true", " (naive)")
    return str(value)


_CONDITIONS = ("opening", "clues", "count_known", "on_mine", "flood", "luck")


def conditions(points: Sequence[Point]) -> str:
    """The rules and clues of a study's games in words: each setting with all its values.

    Luck is left out where every board is fixed, as in most games.
    """
    values = {one: dict.fromkeys(getattr(point, one) for point in points) for one in _CONDITIONS}
    if [*values["luck"]] == ["dealt"]:
        del values["luck"]
    return "; ".join(
        " or ".join(name(column, value) for value in found) for column, found in values.items()
    )


def where(point: Point) -> str:
    """A point's board in words, with its clues and opening rule if they are not the default."""
    words = [point.board]
    words += [name("clues", point.clues)] if point.clues != "exact" else []
    words += [name("opening", point.opening)] if point.opening != "any" else []
    return ", ".join(words)
