"""The rows of the tables of a study's page."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from mineproof.series.columns import Unit
from mineproof.studies.charts import Chart, name
from mineproof.studies.findings import primary
from mineproof.studies.findings_by_measure import wants_table, wins_by_place
from mineproof.studies.published import BEYOND
from mineproof.studies.summary import PointDifference, Summary, SummaryRow
from mineproof.studies.tasks import MEASURES

_MOST = 240
"""At most this many paired differences are shown; the CSV has all."""


def chart_rows(chart: Chart) -> Iterator[tuple[list[str], list[SummaryRow | None]]]:
    """Yield the numbers of a chart: per x value and panel its heads, and a value for each line."""
    for panel in chart.panels:
        at: dict[str, dict[int, SummaryRow]] = {}
        for line in panel.lines:
            for dot in line.dots:
                at.setdefault(_place(dot.x), {})[line.style] = dot.row
        for place, rows in at.items():
            heads = [panel.title, place] if panel.title else [place]
            yield heads, [rows.get(style) for style in range(len(chart.labels))]


def _place(x: object) -> str:
    return f"{x:.4g}" if isinstance(x, float) else str(x)


def is_far(row: SummaryRow, unit: Unit) -> bool:
    """Whether a value disagrees with the published one; times are those of other machines."""
    return row.distance is not None and abs(row.distance) > BEYOND and unit != "seconds"


def wins_table(summary: Summary) -> dict[str, Any] | None:
    """Return win rates on many boards, a row per board; None if there are few boards."""
    groups = wins_by_place(summary)
    if not wants_table(groups):
        return None
    agents = list(dict.fromkeys(row.point.agent for rows in groups.values() for row in rows))
    found = {at: {row.point.agent: row for row in rows} for at, rows in groups.items()}
    least, most = (pick(row.n for row in summary.of("win")) for pick in (min, max))
    return {
        "agents": agents,
        "rows": {at: [rows.get(agent) for agent in agents] for at, rows in found.items()},
        "best": {at: max(row.mean for row in rows.values()) for at, rows in found.items()},
        "n": f"n = {least}" if least == most else f"n = {least} to {most}",
    }


def difference_table(summary: Summary) -> dict[str, Any] | None:
    """Return paired differences of the study's main measure, between points on the same boards."""
    of = primary(summary)
    found = [one for one in summary.differences if one.measure == of]
    if not found:
        return None
    return {"measure": MEASURES[of], "rows": found[:_MOST], "more": len(found[_MOST:])}


def setting(one: PointDifference) -> str:
    """The board, and what else both points of a difference share."""
    words = [one.first.board]
    words += [name("agent", one.first.agent)] if one.by != "agent" else []
    words += [one.first.clues] if one.by != "clues" and one.first.clues != "exact" else []
    words += [name("opening", one.first.opening)] if one.first.opening != "any" else []
    return ", ".join(words)


def is_bounded(low: float, high: float) -> bool:
    """Whether an interval is finite: that of a single game is not."""
    return isfinite(high - low)
