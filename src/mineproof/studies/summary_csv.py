"""Write all numbers of summaries as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path
from typing import Any

from mineproof.formats.output_files import naming, opened
from mineproof.studies.grid import Point
from mineproof.studies.summary import PointDifference, Summary, SummaryRow

_POINT = (
    "task", "agent", "board", "size", "rows", "cols", "mines", "density", "independent",
    "on_mine", "opening", "count_known", "flood", "luck", "clues",
)  # fmt: skip
COLUMNS = (
    "study", "point", *_POINT, "measure", "less", "claimed", "n", "mean", "low", "high",
    "published", "standard_errors_apart", "source", "note",
)  # fmt: skip


def write_csv(summaries: Iterable[Summary], path: Path) -> None:
    """Write one line per measure and point, then one per paired difference.

    `less` is what is subtracted in a paired difference (such as `agent=csp`), otherwise empty.
    """
    with opened(path, newline="") as file, naming(path):
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for summary in summaries:
            writer.writerows(lines(summary))


def lines(summary: Summary) -> Iterator[dict[str, Any]]:
    """Yield the lines of a summary as dictionaries by column."""
    for values in (*map(_row, summary.rows), *map(_difference, summary.differences)):
        yield {name: _cell(value) for name, value in values.items()} | {"study": summary.study.name}


def _row(row: SummaryRow) -> dict[str, Any]:
    figure = row.figure
    return _point(row.point) | {
        "measure": row.measure,
        "claimed": row.claimed,
        "n": row.n,
        "mean": row.mean,
        "low": row.low,
        "high": row.high,
        "published": row.published,
        "standard_errors_apart": row.distance,
        "source": figure and figure.source,
        "note": figure and figure.note,
    }


def _difference(one: PointDifference) -> dict[str, Any]:
    return _point(one.first) | {
        "measure": one.measure,
        "less": f"{one.by}={_cell(getattr(one.second, one.by))}",
        "n": one.n,
        "mean": one.mean,
        "low": one.low,
        "high": one.high,
    }


def _point(point: Point) -> dict[str, Any]:
    return {"point": point.index} | {name: getattr(point, name) for name in _POINT}


def _cell(value: Any) -> Any:
    """Format a value for CSV: None and infinities empty, booleans in lower case."""
    if value is None or value in (inf, -inf):
        return ""
    return str(value).lower() if isinstance(value, bool) else value
