"""95 % confidence intervals of rates, means and paired differences.

Arenas and studies use these statistics.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Z = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


class Interval(NamedTuple):
    """An interval from `low` to `high`."""

    low: float
    high: float


def wilson(successes: int, n: int) -> Interval:
    """Return Wilson's interval of a rate, which is sound near 0 and 1 and for small n."""
    if n == 0:
        return Interval(0.0, 1.0)
    rate = successes / n
    spread = Z * sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    centre, scale = rate + Z * Z / (2 * n), 1 + Z * Z / n
    # At the ends, the formula is exact except for rounding.
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == n else (centre + spread) / scale
    return Interval(low, high)


def paired_rates(both: int, first: int, second: int, neither: int) -> Interval:
    """Return the interval of the difference of two rates on the same cases (Newcombe, method 10).

    `first` cases succeeded for the first only, `second` for the second only. It is built from
    Wilson's intervals of both rates and their correlation, so it has a width even if both agree
    on every case.
    """
    n = both + first + second + neither
    if n == 0:
        return Interval(-1.0, 1.0)
    one, other = both + first, both + second
    rate, low, high = one / n, *wilson(one, n)
    rate2, low2, high2 = other / n, *wilson(other, n)
    product = one * (n - one) * other * (n - other)
    link = both * neither - first * second
    if link > 0:
        link = max(link - n // 2, 0)
    correlation = link / sqrt(product) if product else 0.0

    def reach(a: float, b: float) -> float:
        return sqrt(max(a * a - 2 * correlation * a * b + b * b, 0.0))

    difference = rate - rate2
    return Interval(
        difference - reach(rate - low, high2 - rate2),
        difference + reach(rate2 - low2, high - rate),
    )


class Mean(NamedTuple):
    """A mean, its standard error, and its 95 % interval (Student's t)."""

    mean: float
    error: float
    interval: Interval


def mean(values: ArrayLike) -> Mean | None:
    """Return the mean of some values; None if there are none."""
    each = np.asarray(values, np.float64)
    n = len(each)
    if n == 0:
        return None
    centre = _sum(each) / n
    if n == 1:
        return Mean(centre, inf, Interval(-inf, inf))
    error = sqrt(_sum((each - centre) ** 2) / (n - 1) / n)
    reach = student(n - 1) * error
    return Mean(centre, error, Interval(centre - reach, centre + reach))


def rate(truths: NDArray[np.bool_]) -> Mean | None:
    """Return the rate of True values, with Wilson's interval."""
    found = mean(truths)
    return found and found._replace(interval=wilson(int(truths.sum()), len(truths)))


def paired(first: NDArray[Any], second: NDArray[Any]) -> Mean | None:
    """Return the mean of first minus second on the same cases; for booleans, of their rates."""
    difference = mean(first.astype(np.float64) - second.astype(np.float64))
    if difference is None or first.dtype != np.bool_:
        return difference
    cases = ((first & second), (first & ~second), (~first & second), (~first & ~second))
    return difference._replace(interval=paired_rates(*(int(case.sum()) for case in cases)))


def _sum(values: NDArray[np.float64]) -> float:
    """Add up values one after the other, so that the result is the same on every machine."""
    return float(np.add.accumulate(values)[-1])


def student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t: exact for 1 and 2 degrees of freedom.

    From 3 degrees on it is Cornish and Fisher's expansion about the normal quantile, within 0.3 %
    of the true value, and closer for more.
    """
    if freedom == 1:
        return 12.706204736174698
    if freedom == 2:
        return 4.302652729749464
    z2 = Z * Z
    terms = (
        Z,
        Z * (z2 + 1) / 4,
        Z * ((5 * z2 + 16) * z2 + 3) / 96,
        Z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
        Z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))
