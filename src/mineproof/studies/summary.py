"""Summarise a study: every measure of every point with its interval, and paired differences.

Games are processed in the order of points and numbers, with the statistics of the arena, so the
same games give the same summary to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, inf, isfinite, nan, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mineproof.series.columns import Array, Arrays, Measure
from mineproof.series.intervals import Mean, mean, paired, rate, student, wilson
from mineproof.series.standings import shared
from mineproof.studies import tasks
from mineproof.studies.grid import Point
from mineproof.studies.per_game_metrics import BINS
from mineproof.studies.published import Figure, distance, figure_at, figures_of
from mineproof.studies.spec import Study
from mineproof.studies.stored_games import StoredGames

if TYPE_CHECKING:
    from mineproof.studies.study_folder import StudyResults

Played = tuple[Point, Arrays]
"""A point and its games."""


class SummaryRow(NamedTuple):
    """One measure of one point: its mean over n games and the 95 % confidence interval.

    `spread` is the standard deviation over games. For claimed risks, `claimed` is the mean
    claim and n the number of claims.
    """

    point: Point
    measure: str
    n: int
    mean: float
    low: float
    high: float
    spread: float
    claimed: float | None = None
    figure: Figure | None = None

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.spread / sqrt(self.n) if self.n else inf

    @property
    def published(self) -> float | None:
        """The published value, if there is one."""
        return None if self.figure is None else self.figure.value

    @property
    def distance(self) -> float | None:
        """Our value minus the published one, in combined standard errors."""
        if self.figure is None:
            return None
        return distance(self.mean, self.spread, self.n, self.figure)


class PointDifference(NamedTuple):
    """The paired difference of two points, first minus second, that differ only in `by`."""

    first: Point
    second: Point
    by: str
    measure: str
    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """The results of a study, by point and measure."""

    study: Study
    rows: tuple[SummaryRow, ...]
    differences: tuple[PointDifference, ...]
    figures: tuple[Figure, ...]

    def of(self, measure: str) -> list[SummaryRow]:
        """Return the rows of one measure, by point."""
        return [row for row in self.rows if row.measure == measure]

    @property
    def measures(self) -> list[str]:
        """The names of all measures."""
        return list(dict.fromkeys(row.measure for row in self.rows))

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(self.played.values())

    @property
    def played(self) -> dict[int, int]:
        """The number of games of each point that has any."""
        most: dict[int, int] = {}
        for row in self.rows:
            if row.claimed is None:
                most[row.point.index] = max(row.n, most.get(row.point.index, 0))
        return most


def summarise(folder: StudyResults) -> Summary:
    """Summarise the games in a study's folder; the study need not be finished."""
    study = folder.study
    found = tuple(figures_of(study.name, study.source))
    played = [(point, arrays) for point, arrays in games_by_point(folder) if len(arrays["game"])]
    rows = sorted(_rows(played), key=lambda row: (row.point.index, row.measure))
    return Summary(
        study,
        tuple(row._replace(figure=figure_at(found, row.point, row.measure)) for row in rows),
        tuple(_differences(played)),
        found,
    )


def games_by_point(folder: StudyResults) -> Iterator[Played]:
    """Yield each point and its games by number, as one array per column."""
    stored = StoredGames(folder)
    for point in folder.points:
        found = stored.of(point)
        if found:
            yield point, {name: _filled(array) for name, array in found.items()}


def _filled(array: Array) -> Array:
    """Replace null by nan; integer columns with nulls become floating point."""
    if not np.ma.is_masked(array):
        return np.asarray(array)
    return np.ma.filled(array.astype(np.float64), np.nan)


def _measured(point: Point, arrays: Arrays) -> Iterator[tuple[Measure, Array]]:
    """Yield the per-game values of all measures of the point's task that the files have."""
    for measure in tasks.find(point.task).measures.values():
        if measure.of is not None and all(name in arrays for name in measure.needs):
            yield measure, measure.of(arrays)


def _rows(played: Sequence[Played]) -> Iterator[SummaryRow]:
    for point, arrays in played:
        for measure, values in _measured(point, arrays):
            known = values[~np.isnan(values)]
            found = rate(known) if measure.rate else mean(known)
            if found is None:
                continue
            row = _row(point, measure.name, len(known), found)
            yield row
            if measure.unit == "seconds" and row.mean > 0:
                yield _speed(row)
        if tasks.find(point.task).claims:
            yield from _claims(point, arrays)


def _row(point: Point, measure: str, n: int, found: Mean) -> SummaryRow:
    spread = found.error * sqrt(n) if isfinite(found.error) else nan
    return SummaryRow(point, measure, n, found.mean, *found.interval, spread)


def _speed(row: SummaryRow) -> SummaryRow:
    """Games per second, from the seconds per game; unbounded if the interval reaches 0."""
    low, high = 1 / row.high, 1 / row.low if row.low > 0 else inf
    spread = row.spread / row.mean**2
    return SummaryRow(row.point, tasks.SPEED.name, row.n, 1 / row.mean, low, high, spread)


def _claims(point: Point, arrays: Arrays) -> Iterator[SummaryRow]:
    """The share of cells that were mines, by bin of claimed risk."""
    for place in range(BINS):
        opened, mined = (int(arrays[f"{kind}_{place:02}"].sum()) for kind in ("opened", "mined"))
        if opened:
            share = mined / opened
            claimed = fsum(arrays[f"claimed_{place:02}"]) / opened
            spread, interval = sqrt(share * (1 - share)), wilson(mined, opened)
            yield SummaryRow(point, tasks.MINED.name, opened, share, *interval, spread, claimed)


def _differences(played: Sequence[Played]) -> Iterator[PointDifference]:
    """Paired differences of points that differ only in the agent or in one other setting."""
    values = {
        (point.index, measure.name): (arrays["game"], measured)
        for point, arrays in played
        for measure, measured in _measured(point, arrays)
        if measure.paired and _compared(measure.name, point)
    }
    pairs = list(dict.fromkeys(_pairs([point for point, _ in played])))
    for name in dict.fromkeys(name for p, _ in played for name in tasks.find(p.task).measures):
        for one, other, by in pairs:
            if (one.index, name) in values and (other.index, name) in values:
                found = _paired(*values[one.index, name], *values[other.index, name])
                if found is not None:
                    n, difference = found
                    interval = difference.interval
                    yield PointDifference(one, other, by, name, n, difference.mean, *interval)


def _paired(
    games: Array, values: Array, other_games: Array, others: Array
) -> tuple[int, Mean] | None:
    """The number of games that both points have, and the mean difference over these."""
    here, there = shared(games, other_games)
    one, other = values[here], others[there]
    known = ~(np.isnan(one) | np.isnan(other))
    difference = paired(one[known], other[known])
    return None if difference is None else (int(known.sum()), difference)


def _compared(measure: str, point: Point) -> bool:
    """Compare wins if a mine ends the game, and scores if play goes on."""
    return {"win": "end", "score": "continue"}.get(measure, point.on_mine) == point.on_mine


def _pairs(points: Sequence[Point]) -> Iterator[tuple[Point, Point, str]]:
    """Pairs of points on the same boards: any two agents; a setting's first value and any other."""
    for by in ("agent", "count_known", "clues", "flood"):
        groups: dict[Any, list[Point]] = {}
        for point in points:
            key = point._replace(index=0, games=0, **{by: None})  # type: ignore[arg-type]
            groups.setdefault(key, []).append(point)
        for group in groups.values():
            for one, other in combinations(group, 2):
                if by == "agent" or one is group[0]:
                    yield one, other, by


class Average(NamedTuple):
    """The mean of a measure over all boards of an agent, with equal weights."""

    n: int
    mean: float
    low: float
    high: float
    spread: float


def averages(summary: Summary, measure: str, agent: str) -> Iterator[Average]:
    """Yield the average over an agent's points, if there are any."""
    rows = [row for row in summary.of(measure) if row.point.agent == agent and row.n > 1]
    if rows:
        n, mean = sum(row.n for row in rows), sum(row.mean for row in rows) / len(rows)
        error = sqrt(sum(row.error**2 for row in rows)) / len(rows)
        reach = student(n - len(rows)) * error
        yield Average(n, mean, mean - reach, mean + reach, error * sqrt(n))
