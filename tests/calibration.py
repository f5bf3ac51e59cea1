"""Whether stated probabilities match what happens: one chi-square test over all claims."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Claim = tuple[float, bool]
"""A stated probability, and whether the event happened."""


def chi_square_p(statistic: float, freedom: int) -> float:
    """The probability of a larger statistic (Wilson and Hilferty's approximation)."""
    z = ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5
    return 0.5 * math.erfc(z / 2**0.5)


def calibration_p(claims: Sequence[Claim], bins: int = 20) -> float:
    ordered = sorted(claims, key=lambda claim: claim[0])  # never by the outcome
    statistic = 0.0
    cuts = [len(ordered) * i // bins for i in range(bins + 1)]
    for low, high in pairwise(cuts):
        part = ordered[low:high]
        expected = sum(risk for risk, _ in part)
        variance = sum(risk * (1 - risk) for risk, _ in part)
        statistic += (sum(hit for _, hit in part) - expected) ** 2 / variance
    return chi_square_p(statistic, bins)
