"""`docs/figures.csv`: the stored results of studies, and how they are taken from their folders.

Besides every measure and paired difference of a study's report, it has figures derived from many
games or points:

| measure | meaning |
| --- | --- |
| `flag_rate`, `score` with `board=all` | the average over all boards, with equal weights |
| `hard_000`, `hard_001`, `hard_003`, `hard_004` | the density where it becomes hard |
| `growth` | the power of the number of cells with which time grows, over the three largest boards |
| `far_share`, `riskier_share` | the share of all guesses |
| `estimated_share` | the share of all moves |
| `flags_per_mine_lost`, `flag_rate_lost` | the relative loss compared with exact clues |
| `run` | all games of the study (n), their CPU seconds, fewest and most games per point |
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from mineproof.series.columns import Array
from mineproof.series.intervals import Z, student
from mineproof.studies import tasks
from mineproof.studies.grid import Point
from mineproof.studies.hardness import DEFINITIONS
from mineproof.studies.manifest import MANIFEST
from mineproof.studies.published import WHOLE_RANGE, distance, figures_of
from mineproof.studies.study_folder import StudyResults, open_folder
from mineproof.studies.summary import Played, Summary, averages, games_by_point, summarise
from mineproof.studies.summary import SummaryRow as Summed
from mineproof.studies.summary_csv import lines
from tools.recorder import ROOT

STORE = ROOT / "docs" / "figures.csv"
KEYS = ("agent", "board", "size", "density", "opening", "clues", "count_known")
COLUMNS = (
    "study", "version", "date", *KEYS, "measure", "minus",
    "n", "mean", "low", "high", "claimed", "published", "apart",
)  # fmt: skip
RUN = "run"

Row = dict[str, str]


def stored() -> list[Row]:
    """Return all stored rows."""
    with STORE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def take(folders: Iterable[Path], wanted: Callable[[Row], bool]) -> Iterator[Summary]:
    """Replace the stored rows of the studies in these folders with the new ones that pages show."""
    kept = stored() if STORE.exists() else []
    for path in sorted(p.parent for folder in folders for p in folder.rglob(MANIFEST)):
        folder = open_folder(path)
        summary = summarise(folder)
        if len(summary.played) < len(folder.points):
            print(f"{path.name}: skipped, because some points have no games yet")
            continue
        kept = [row for row in kept if row["study"] != summary.study.name]
        kept += [row for row in rows_of(folder, summary) if wanted(row)]
        yield summary
    with STORE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(filter(wanted, kept), key=lambda row: row["study"]))


def rows_of(folder: StudyResults, summary: Summary) -> Iterator[Row]:
    """Yield all figures of a study."""
    run = folder.manifest
    name = summary.study.name
    about = {"study": name, "version": run.versions["mineproof"], "date": run.started[:10]}
    for line in lines(summary):
        line["apart"] = line.get("standard_errors_apart", "")
        line["minus"] = line.get("less", "")
        row = {column: str(line.get(column, "")) for column in COLUMNS} | about
        yield row
        if row["minus"]:
            yield turned(row)
    played = [(point, arrays) for point, arrays in games_by_point(folder) if len(arrays["game"])]
    for found in (_averages(summary), _hard(summary), _growth(summary), _ratios(played)):
        yield from (dict.fromkeys(COLUMNS, "") | about | row for row in found)
    games = summary.played.values()
    bounds = {"low": str(min(games)), "high": str(max(games))}
    seconds = math.fsum(row.n * row.mean for row in summary.of("cpu_seconds"))
    total = {"measure": RUN, "n": str(summary.games), "mean": f"{seconds:.1f}"}
    yield dict.fromkeys(COLUMNS, "") | about | total | bounds


def turned(row: Row) -> Row:
    """Return a difference with its sides swapped."""
    by, other = row["minus"].split("=", 1)
    mean, low, high = (str(-float(row[name] or "nan")) for name in ("mean", "low", "high"))
    ends = {"mean": mean, "low": high, "high": low}
    return row | {by: other, "minus": f"{by}={row[by]}", **ends}


def _shown(point: Point | None, measure: str, n: int, mean: float, low: float, high: float) -> Row:
    numbers = {"n": str(n), "mean": str(mean), "low": str(low), "high": str(high)}
    keys = {} if point is None else {key: str(getattr(point, key)) for key in KEYS}
    keys |= {} if point is None else {"count_known": str(point.count_known).lower()}
    return keys | {"measure": measure} | numbers


def _averages(summary: Summary) -> Iterator[Row]:
    """Averages over all boards, with the published ones."""
    published = [
        one for one in figures_of(summary.study.name, summary.study.source)
        if one.density == WHOLE_RANGE and one.value is not None
    ]  # fmt: skip
    for measure in ("flag_rate", "score"):
        for agent in dict.fromkeys(row.point.agent for row in summary.rows):
            for one in averages(summary, measure, agent):
                row = _shown(None, measure, one.n, one.mean, one.low, one.high)
                row |= {"agent": agent, "board": "all"}
                for figure in published:
                    if (figure.agent, figure.measure) == (agent, measure):
                        apart = distance(one.mean, one.spread, one.n, figure)
                        row |= {"published": str(figure.value), "apart": str(apart or "")}
                yield row


def _hard(summary: Summary) -> Iterator[Row]:
    """The density at which boards become hard, for each setting with enough densities."""
    for report, definition in DEFINITIONS.items():
        for curve in _curves(summary.of(definition.measure)):
            at = definition.find(curve) if len(curve) > 2 else None
            if at is not None:
                n, point = min(row.n for row in curve), curve[0].point
                row = _shown(point, f"hard_{report}", n, at.density, at.low, at.high)
                yield row | {"board": "all", "density": ""}


def _curves(rows: Iterable[Summed]) -> Iterable[list[Summed]]:
    """Rows that differ only in density."""
    found: dict[Point, list[Summed]] = {}
    for row in sorted(rows, key=lambda row: row.point.density):
        key = row.point._replace(index=0, games=0, board="", mines=None, density=0.0)
        found.setdefault(key, []).append(row)
    return found.values()


def _growth(summary: Summary) -> Iterator[Row]:
    """The slope of time by cells on log-log axes, over the three largest boards."""
    if "growth" not in summary.study.findings:
        return
    curves: dict[tuple[str, float], list[Summed]] = {}
    for row in sorted(summary.of("cpu_seconds"), key=lambda row: row.point.cells):
        curves.setdefault((row.point.agent, row.point.density), []).append(row)
    for (agent, density), curve in curves.items():
        first, last = curve[-3], curve[-1]
        span = math.log(last.point.cells / first.point.cells)
        slope = math.log(last.mean / first.mean) / span
        reach = Z * math.hypot(first.error / first.mean, last.error / last.mean) / span
        row = _shown(None, "growth", last.n, slope, slope - reach, slope + reach)
        yield row | {"agent": agent, "density": str(density), "board": "all"}


_SHARES = {
    "far_share": ("far_guesses", "guesses"),
    "riskier_share": ("riskier_guesses", "guesses"),
    "estimated_share": ("estimates", "moves"),
}
_LOST = {"flags_per_mine_lost": "flags_per_mine", "flag_rate_lost": "flag_rate"}


def _ratios(played: list[Played]) -> Iterator[Row]:
    """Shares of all guesses or moves, and the cost of clues compared with exact ones."""
    exact = {_setting(point): arrays for point, arrays in played if point.clues == "exact"}
    for point, arrays in played:
        for name, (part, whole) in _SHARES.items():
            if part in arrays and whole in arrays:
                yield from _ratio(point, name, arrays[part], arrays[whole])
        others = exact.get(_setting(point))
        if others is None or point.clues == "exact" or point.task != "games":
            continue
        for name, measure in _LOST.items():
            of = tasks.find(point.task).measures[measure].of
            assert of is not None
            both = np.intersect1d(arrays["game"], others["game"])
            here, there = (
                of(some)[np.searchsorted(some["game"], both)] for some in (arrays, others)
            )
            yield from _ratio(point, name, there - here, there)


def _setting(point: Point) -> Point:
    return point._replace(index=0, games=0, clues="")


def _ratio(point: Point, name: str, part: Array, whole: Array) -> Iterator[Row]:
    """The ratio of two sums over the same games, with an interval by the delta method."""
    n, total = len(whole), float(np.sum(whole))
    if n > 1 and total:
        ratio = float(np.sum(part)) / total
        spread = float(np.std(part - ratio * whole, ddof=1)) / (total / n)
        reach = student(n - 1) * spread / math.sqrt(n)
        yield _shown(point, name, n, ratio, ratio - reach, ratio + reach)
