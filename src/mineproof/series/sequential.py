"""When a difference is known well enough: intervals that may be looked at any time.

An interval for a number of games fixed in advance is too narrow for somebody who looks again and
again and stops when it pleases: among many looks one will mislead. A confidence sequence holds at
all times at once. This is the asymptotic one of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
(Annals of Statistics 52, 2024): with mean m and variance v of n differences,

    m +- sqrt(v) * sqrt(2 (n r + 1) / (n^2 r) * log(sqrt(n r + 1) / 0.05)),

r chosen beforehand, from the width that is asked for, so that it is narrowest about where it
will be reached. There it is half as wide again as an interval that is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import log, sqrt

import numpy as np

from mineproof.errors import InvalidInput, quoted
from mineproof.series.columns import Array
from mineproof.series.games import Games
from mineproof.series.intervals import Interval, Mean

ALPHA = 0.05
_FIRST = 200
"""Boards before the first look: what holds for many games does not hold for few."""
_NEXT = 1.05
"""Looks are at these steps, so that where an arena ends follows from its games alone."""
_TYPICAL = 0.5
"""About the standard deviation of a difference between two agents."""


def check_points(points: float) -> float:
    """The points of per cent that a difference shall be known to."""
    if isinstance(points, bool) or not isinstance(points, (int, float)):
        raise InvalidInput(f"until is a number of points, got {quoted(points)}")
    if not 0.01 <= points <= 100:
        raise InvalidInput(f"until is from 0.01 to 100 points, got {points}")
    return float(points)


def looks() -> Iterator[int]:
    """After how many boards to look."""
    number = _FIRST
    while True:
        yield number
        number = max(number + 1, int(number * _NEXT))


def anytime(first: Array, second: Array, points: float) -> Mean:
    """The mean of first less second on the same boards, with an interval for all times at once.

    As if one game more had been won by each alone: where nothing tells two agents apart yet,
    the interval has a width.
    """
    differences = first.astype(np.float64) - second.astype(np.float64)
    n = len(differences)
    mean = float(differences.sum()) / n if n else 0.0
    square = (float((differences**2).sum()) + 2) / (n + 2)
    spread = sqrt(square - (mean * n / (n + 2)) ** 2)
    scaled = n * _rate(points)
    reach = sqrt(2 * (scaled + 1) / (n * scaled) * log(sqrt(scaled + 1) / ALPHA)) if n else 1.0
    low, high = max(mean - spread * reach, -1.0), min(mean + spread * reach, 1.0)
    return Mean(mean, spread / sqrt(n) if n else 1.0, Interval(low, high))


def _rate(points: float) -> float:
    """The r of the formula: narrowest where three typical standard errors are so many points."""
    games = (3 * _TYPICAL / (points / 100)) ** 2
    return (-2 * log(ALPHA) + log(-2 * log(ALPHA) + 1)) / games


def is_known(games: Games, points: float) -> bool:
    """Whether the differences of all agents are known to so many points, either way."""
    each = [games.of(name) for name in games.agents]
    for one, other in combinations(each, 2):
        low, high = anytime(*_compared(one, other), points).interval
        if (high - low) / 2 > points / 100:
            return False
    return True


def _compared(first: Games, second: Games) -> tuple[Array, Array]:
    """What two agents are compared by on the same boards: scores where there are any, else wins."""
    scores = first["score"], second["score"]
    scored = not any(np.isnan(score).any() for score in scores)
    return scores if scored else (first["won"], second["won"])
