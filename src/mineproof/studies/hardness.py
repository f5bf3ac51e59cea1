"""The density at which Minesweeper becomes hard: each report's definition, applied to a curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from mineproof.studies.summary import SummaryRow


class HardDensity(NamedTuple):
    """A density and its interval, derived from the intervals of the curve."""

    density: float
    low: float
    high: float

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.density:.2f}"
        return f"{self.density:.2f} ({self.low:.2f} to {self.high:.2f})"


class HardnessDefinition(NamedTuple):
    """A report's definition of hard: in words, its measure, and the function that finds it."""

    report: str
    words: str
    measure: str
    find: Callable[[Sequence[SummaryRow]], HardDensity | None]


def crossing(rows: Sequence[SummaryRow], level: float, *, rising: bool) -> HardDensity | None:
    """Where a curve finally crosses a level; the interval is where its bounds cross it."""
    sign = 1 if rising else -1
    xs = [row.point.density for row in rows]
    at = _for_good(xs, [sign * (row.mean - level) for row in rows])
    if at is None:
        return None
    early, late = (row_high, row_low) if rising else (row_low, row_high)
    low = _for_good(xs, [sign * (early(row) - level) for row in rows])
    high = _for_good(xs, [sign * (late(row) - level) for row in rows])
    return HardDensity(at, at if low is None else low, xs[-1] if high is None else high)


def row_low(row: SummaryRow) -> float:
    """The lower bound of a row's interval."""
    return row.low


def row_high(row: SummaryRow) -> float:
    """The upper bound of a row's interval."""
    return row.high


def _for_good(xs: Sequence[float], values: Sequence[float]) -> float | None:
    """The x after which values stay at or above 0, by linear interpolation."""
    if not values or values[-1] < 0:
        return None
    places = list(zip(xs, values, strict=True))
    for (x, value), (next_x, next_value) in reversed(list(pairwise(places))):
        if value < 0:
            return x + (next_x - x) * value / (value - next_value)
    return xs[0]


def steepest(rows: Sequence[SummaryRow]) -> HardDensity | None:
    """Where a curve falls fastest up to density 0.5: the middle and the ends of that step."""
    steps = [
        ((b.mean - a.mean) / (b.point.density - a.point.density), a, b)
        for a, b in pairwise(row for row in rows if row.point.density <= 0.5)
    ]
    if not steps:
        return None
    _, a, b = min(steps, key=lambda step: step[0])
    low, high = a.point.density, b.point.density
    return HardDensity((low + high) / 2, low, high)


def turning(rows: Sequence[SummaryRow]) -> HardDensity | None:
    """Where a curve starts to fall for good: its maximum from density 0.3 upwards.

    The interval covers all densities whose own intervals reach the maximum.
    """
    late = [row for row in rows if row.point.density >= 0.3]
    if not late:
        return None
    top = max(late, key=row_mean)
    near = [row.point.density for row in late if row.high >= top.mean]
    return HardDensity(top.point.density, min(near), max(near))


def row_mean(row: SummaryRow) -> float:
    """The mean of a row."""
    return row.mean


def _tenth_hit(rows: Sequence[SummaryRow]) -> HardDensity | None:
    return crossing(rows, 0.1, rising=True)


def _under_nine_tenths(rows: Sequence[SummaryRow]) -> HardDensity | None:
    return crossing(rows, 0.9, rising=False)


DEFINITIONS = {
    one.report: one
    for one in (
        HardnessDefinition("000", "the flag rate falls fastest", "flag_rate", steepest),
        HardnessDefinition("001", "10 % of the mines are hit", "mines_hit", _tenth_hit),
        HardnessDefinition("003", "the score turns down for good", "score", turning),
        HardnessDefinition("004", "success drops below 0.9", "score", _under_nine_tenths),
    )
}
