"""What came of a study: every measure of every point with its interval, and paired differences.

DuckDB adds up, on one thread and in the order of points and games, so that the same
games give the same summary to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from math import inf, nan, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from mineproof.series.intervals import Interval, paired_rates, student, wilson
from mineproof.studies.measures import BY_BINS, PAIRED, RATES, expressions
from mineproof.studies.published import Figure, distance, figure_at, figures_of
from mineproof.studies.spec import Point, Study
from mineproof.studies.special import BINS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from mineproof.studies.store import Folder


class Row(NamedTuple):
    """One measure of one point: its mean over n games and the 95 % interval.

    `spread` is the standard deviation of a game. Where the measure is about claims of
    risk, `claimed` is the mean claim, and n the number of claims.
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
        """What a report gives for it."""
        return None if self.figure is None else self.figure.value

    @property
    def distance(self) -> float | None:
        """Ours less theirs in combined standard errors."""
        if self.figure is None:
            return None
        return distance(self.mean, self.spread, self.n, self.figure)


class Difference(NamedTuple):
    """Two points on the same games: the first less the second, where only `by` differs."""

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
    """The outcome of a study, by point and measure."""

    study: Study
    rows: tuple[Row, ...]
    differences: tuple[Difference, ...]
    figures: tuple[Figure, ...]

    def of(self, measure: str) -> list[Row]:
        """The rows of one measure, by point."""
        return [row for row in self.rows if row.measure == measure]

    @property
    def measures(self) -> list[str]:
        """What was measured."""
        return list(dict.fromkeys(row.measure for row in self.rows))

    @property
    def games(self) -> int:
        """How many games there were."""
        most: dict[int, int] = {}
        for row in self.rows:
            if row.claimed is None:
                most[row.point.index] = max(row.n, most.get(row.point.index, 0))
        return sum(most.values())


def summarise(folder: Folder) -> Summary:
    """The summary of a study's folder, as far as its games were played."""
    import duckdb

    study = folder.study
    points = study.points()
    found = tuple(figures_of(study.name, study.source))
    chunks = [str(path) for path in folder.chunks()]
    if not chunks:
        return Summary(study, (), (), found)
    with closing(duckdb.connect(config={"threads": 1})) as base:
        base.execute(
            "CREATE TEMP TABLE games AS SELECT * FROM read_parquet(?, union_by_name = true) "
            "ORDER BY point, game",
            [chunks],
        )
        columns = [name for name, *_ in base.execute("DESCRIBE games").fetchall()]
        rows = sorted(_rows(base, points, columns), key=lambda row: (row.point.index, row.measure))
        rows = [row._replace(figure=figure_at(found, row.point, row.measure)) for row in rows]
        differences = tuple(_differences(base, points, columns))
    return Summary(study, tuple(rows), differences, found)


def _rows(base: DuckDBPyConnection, points: tuple[Point, ...], columns: list[str]) -> Iterator[Row]:
    """The measures of each task, over its points."""
    for task in dict.fromkeys(point.task for point in points):
        mine = f"point IN ({', '.join(str(p.index) for p in points if p.task == task)})"
        for measure, value in expressions(task, columns).items():
            query = (
                f"SELECT point, count(x), favg(x), stddev_samp(x), sum(x) FROM "
                f"(SELECT point, ({value})::DOUBLE AS x FROM games WHERE {mine}) "
                f"WHERE x IS NOT NULL GROUP BY point ORDER BY point"
            )
            for index, n, mean, spread, total in base.execute(query).fetchall():
                interval = _interval(measure, n, mean, spread, total)
                row = Row(points[index], measure, n, mean, *interval, _of_one(spread))
                yield row
                if measure == "cpu_seconds" and mean > 0:
                    yield _speed(row)
        if task in BY_BINS:
            yield from _claims(base, points, mine)


def _interval(measure: str, n: int, mean: float, spread: float | None, total: float) -> Interval:
    if measure in RATES:
        return wilson(round(total), n)
    if spread is None:
        return Interval(-inf, inf)
    reach = student(n - 1) * spread / sqrt(n)
    return Interval(mean - reach, mean + reach)


def _speed(row: Row) -> Row:
    """Games a second, from the seconds of a game; no bound where the interval reaches 0."""
    low, high = 1 / row.high, 1 / row.low if row.low > 0 else inf
    spread = row.spread / row.mean**2
    return Row(row.point, "games_per_cpu_second", row.n, 1 / row.mean, low, high, spread)


def _of_one(spread: float | None) -> float:
    return nan if spread is None else spread


def _claims(base: DuckDBPyConnection, points: tuple[Point, ...], mine: str) -> Iterator[Row]:
    """How often cells were mines, by what risk was claimed."""
    for place in range(BINS):
        query = (
            f"SELECT point, sum(opened_{place:02}), fsum(claimed_{place:02}), "
            f"sum(mined_{place:02}) FROM games WHERE {mine} GROUP BY point ORDER BY point"
        )
        for index, opened, claimed, mined in base.execute(query).fetchall():
            if opened:
                n, rate = int(opened), float(mined) / float(opened)
                spread = sqrt(rate * (1 - rate))
                low, high = wilson(int(mined), n)
                yield Row(points[index], "mined", n, rate, low, high, spread, claimed / n)


def _differences(
    base: DuckDBPyConnection, points: tuple[Point, ...], columns: list[str]
) -> Iterator[Difference]:
    """Paired differences, for points that differ in their agent, or in one other thing."""
    pairs = list(dict.fromkeys(_pairs(points)))
    for measure in PAIRED:
        some = [
            (one, other, by)
            for one, other, by in pairs
            if measure in expressions(one.task, columns) and _compared(measure, one)
        ]
        if some:
            yield from _paired(base, some, measure, expressions(some[0][0].task, columns)[measure])


def _compared(measure: str, point: Point) -> bool:
    """Wins where a mine ends the game, scores where play goes on."""
    return {"win": "end", "score": "continue"}.get(measure, point.on_mine) == point.on_mine


def _pairs(points: tuple[Point, ...]) -> Iterator[tuple[Point, Point, str]]:
    """Points that met the same boards: all pairs of agents, else the first with each other."""
    for by in ("agent", "count_known", "clues", "flood"):
        groups: dict[Any, list[Point]] = {}
        for point in points:
            key = point._replace(index=0, games=0, **{by: None})  # type: ignore[arg-type]
            groups.setdefault(key, []).append(point)
        for group in groups.values():
            for one, other in combinations(group, 2):
                if by == "agent" or one is group[0]:
                    yield one, other, by


def _paired(
    base: DuckDBPyConnection, pairs: list[tuple[Point, Point, str]], measure: str, value: str
) -> Iterator[Difference]:
    base.execute("CREATE OR REPLACE TEMP TABLE pairs (number INT, one INT, other INT)")
    numbered = [(number, a.index, b.index) for number, (a, b, _) in enumerate(pairs)]
    base.execute(
        "INSERT INTO pairs SELECT unnest(?), unnest(?), unnest(?)",
        [list(column) for column in zip(*numbered, strict=True)],
    )
    query = (
        f"WITH v AS (SELECT point, game, ({value})::DOUBLE AS x FROM games) "
        f"SELECT number, count(d), favg(d), stddev_samp(d), "
        f"count(*) FILTER (a = 1 AND b = 1), count(*) FILTER (a = 1 AND b = 0), "
        f"count(*) FILTER (a = 0 AND b = 1), count(*) FILTER (a = 0 AND b = 0) FROM "
        f"(SELECT number, one.x AS a, other.x AS b, one.x - other.x AS d FROM pairs "
        f"JOIN v AS one ON one.point = pairs.one "
        f"JOIN v AS other ON other.point = pairs.other AND other.game = one.game "
        f"WHERE d IS NOT NULL ORDER BY number, one.game) "
        f"GROUP BY number ORDER BY number"
    )
    for number, n, mean, spread, *cases in base.execute(query).fetchall():
        one, other, by = pairs[number]
        interval = (
            paired_rates(*cases)
            if measure in RATES
            else _interval(measure, n, mean, spread, n * mean)
        )
        yield Difference(one, other, by, measure, n, mean, *interval)


class Average(NamedTuple):
    """The mean of a measure over all boards of an agent, each board counting alike."""

    n: int
    mean: float
    low: float
    high: float
    spread: float


def averages(summary: Summary, measure: str, agent: str) -> Iterator[Average]:
    """The average of an agent's points: none, or one."""
    rows = [row for row in summary.of(measure) if row.point.agent == agent and row.n > 1]
    if rows:
        n, mean = sum(row.n for row in rows), sum(row.mean for row in rows) / len(rows)
        error = sqrt(sum(row.error**2 for row in rows)) / len(rows)
        reach = student(n - len(rows)) * error
        yield Average(n, mean, mean - reach, mean + reach, error * sqrt(n))
