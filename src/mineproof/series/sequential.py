"""Confidence sequences: intervals that remain valid however often one looks.

An interval for a fixed number of games is too narrow for an experimenter who looks repeatedly and
stops at a welcome result: one of many looks will mislead. A confidence sequence holds at
all times at once. This is the asymptotic one of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
(Annals of Statistics 52, 2024): with mean m and variance v of n differences,

    m +- sqrt(v) * sqrt(2 (n r + 1) / (n^2 r) * log(sqrt(n r + 1) / 0.05)),

with r chosen beforehand from the requested width, so that the interval is narrowest where it
reaches that width. There it is 1.5 times as wide as an interval for a single look.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import log, sqrt

import numpy as np

from mineproof.errors import InvalidInput, quote
from mineproof.series.columns import Array
from mineproof.series.game_table import GameTable
from mineproof.series.intervals import Interval, Mean

ALPHA = 0.05
_FIRST = 200
"""Boards before the first look: the asymptotics need enough games."""
_NEXT = 1.05
"""Looks follow in these steps, so that the end of an arena depends on its games alone."""
_TYPICAL = 0.5
"""A typical standard deviation of the difference between two agents."""


def check_points(points: float) -> float:
    """Return the precision in percentage points, or raise an error."""
    if isinstance(points, bool) or not isinstance(points, (int, float)):
        raise InvalidInput(
            f"the precision must be a number of percentage points, got {quote(points)}"
        )
    if not 0.01 <= points <= 100:
        raise InvalidInput(
            f"the precision must be from 0.01 to 100 percentage points, got {points}"
        )
    return float(points)


def interim_analyses() -> Iterator[int]:
    """Yield the numbers of boards after which to look."""
    number = _FIRST
    while True:
        yield number
        number = max(number + 1, int(number * _NEXT))


def anytime(first: Array, second: Array, points: float) -> Mean:
    """Return the mean of first minus second on the same boards, with an anytime-valid interval.

    The variance includes one extra game won by each agent alone, so that the interval has a
    width even if the agents have not differed yet.
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
    """Return r: the interval is narrowest where 3 typical standard errors equal `points`."""
    games = (3 * _TYPICAL / (points / 100)) ** 2
    return (-2 * log(ALPHA) + log(-2 * log(ALPHA) + 1)) / games


def is_known(games: GameTable, points: float) -> bool:
    """Whether all differences between agents are known to within `points`."""
    each = [games.of(name) for name in games.agents]
    for one, other in combinations(each, 2):
        low, high = anytime(*_compared(one, other), points).interval
        if (high - low) / 2 > points / 100:
            return False
    return True


def _compared(first: GameTable, second: GameTable) -> tuple[Array, Array]:
    """Return what two agents are compared by: scores if there are any, otherwise wins."""
    scores = first["score"], second["score"]
    scored = not any(np.isnan(score).any() for score in scores)
    return scores if scored else (first["won"], second["won"])
