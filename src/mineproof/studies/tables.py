"""Tables of a study's page: our mean, interval and n next to the published figure."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple

from mineproof.series.columns import Unit
from mineproof.studies.charts import Chart, name
from mineproof.studies.findings import change, primary
from mineproof.studies.findings_by_measure import wants_table, wins_by_place
from mineproof.studies.published import BEYOND
from mineproof.studies.summary import Difference, Row, Summary
from mineproof.studies.tasks import MEASURES
from mineproof.studies.wording import write, write_interval

_MOST = 240
"""At most this many paired differences are shown; the CSV has all."""


class ChartCell(NamedTuple):
    """A value of a chart, and the published one; `far` if they disagree."""

    mean: str
    interval: str
    n: int
    published: str = ""
    source: str = ""
    far: bool = False


class ChartTable(NamedTuple):
    """The numbers of a chart: each row has its heads and a cell for each line."""

    heads: list[str]
    labels: list[str]
    rows: list[tuple[list[str], list[ChartCell | None]]]


def chart_table(chart: Chart) -> ChartTable:
    """Return the numbers of a chart: one row per x value and panel, one column per line."""
    panels = [", ".join(chart.plot.panels)] if any(panel.title for panel in chart.panels) else []
    table = ChartTable([*panels, chart.plot.x], chart.labels, [])
    for panel in chart.panels:
        at: dict[object, dict[int, Row]] = {}
        for line in panel.lines:
            for dot in line.dots:
                at.setdefault(_place(dot.x), {})[line.style] = dot.row
        for place, rows in at.items():
            heads = [*([panel.title] if panel.title else []), str(place)]
            found = (rows.get(style) for style in range(len(chart.labels)))
            table.rows.append((heads, [_cell(row, chart.y.unit) for row in found]))
    return table


def _place(x: object) -> str:
    return f"{x:.4g}" if isinstance(x, float) else str(x)


def _cell(row: Row | None, unit: Unit) -> ChartCell | None:
    if row is None:
        return None
    interval = write_interval(row.low, row.high, unit) if isfinite(row.high - row.low) else "-"
    cell = ChartCell(write(row.mean, unit), interval, row.n)
    if row.published is None:
        return cell
    return cell._replace(
        published=write(row.published, unit),
        source="" if row.figure is None else f"{row.figure.source}. {row.figure.note}".strip(),
        far=row.distance is not None and abs(row.distance) > BEYOND and unit != "seconds",
    )


class WinsCell(NamedTuple):
    """A win rate; `best` if no agent has a higher one on this board."""

    rate: str
    interval: str
    best: bool


class WinsTable(NamedTuple):
    """Win rates: each row has its board and a cell for each agent; `n` is the number of games."""

    agents: list[str]
    rows: list[tuple[str, list[WinsCell | None]]]
    n: str


def wins_table(summary: Summary) -> WinsTable | None:
    """Return the win rates on many boards, or None if there are few."""
    groups = wins_by_place(summary)
    if not wants_table(groups):
        return None
    agents = list(dict.fromkeys(row.point.agent for rows in groups.values() for row in rows))
    least, most = (pick(row.n for row in summary.of("win")) for pick in (min, max))
    n = f"n = {least}" if least == most else f"n = {least} to {most}"
    table = WinsTable([name("agent", agent) for agent in agents], [], n)
    for place, rows in groups.items():
        best = max(row.mean for row in rows)
        found = {row.point.agent: row for row in rows}
        table.rows.append((place, [_win(found.get(agent), best) for agent in agents]))
    return table


def _win(row: Row | None, best: float) -> WinsCell | None:
    if row is None:
        return None
    interval = write_interval(row.low, row.high, "percent")
    return WinsCell(write(row.mean, "percent"), interval, row.mean == best)


class DifferenceRow(NamedTuple):
    """A paired difference, first minus second."""

    setting: str
    first: str
    second: str
    value: str
    interval: str
    n: int
    significant: bool


class DifferenceTable(NamedTuple):
    """Paired differences of a measure; `more` are not shown."""

    measure: str
    rows: list[DifferenceRow]
    more: int


def difference_table(summary: Summary) -> DifferenceTable | None:
    """Return the differences of the study's main measure between points with the same boards."""
    of = primary(summary)
    found = [one for one in summary.differences if one.measure == of]
    if not found:
        return None
    rows = [_difference(one, MEASURES[of].unit) for one in found[:_MOST]]
    return DifferenceTable(MEASURES[of].label, rows, len(found) - len(rows))


def _difference(one: Difference, unit: Unit) -> DifferenceRow:
    first, second = (name(one.by, getattr(point, one.by)) for point in (one.first, one.second))
    interval = f"{change(one.low, unit)} to {change(one.high, unit)}"
    return DifferenceRow(
        ", ".join(_setting(one)),
        first,
        second,
        change(one.mean, unit),
        interval if isfinite(one.high) else "-",
        one.n,
        one.low > 0 or one.high < 0,
    )


def _setting(one: Difference) -> Iterator[str]:
    yield one.first.board
    if one.by != "agent":
        yield name("agent", one.first.agent)
    if one.by != "clues" and one.first.clues != "exact":
        yield one.first.clues
    if one.first.opening != "any":
        yield name("opening", one.first.opening)


def said_list(summary: Summary) -> list[dict[str, str]]:
    """Return the figures that the report states in words, with our notes."""
    return [
        {
            "source": one.source,
            "agent": name("agent", one.agent),
            "clues": "" if one.clues == "exact" else f" with {one.clues}",
            "value": "" if one.value is None else f": {one.value:.2f}",
            "note": f"{one.note[:1].upper()}{one.note[1:]}.",
        }
        for one in summary.figures
        if not one.is_of_a_point
    ]
