"""Format stored figures with units, n and intervals."""

from __future__ import annotations

import math

from mineproof.series.intervals import Z
from mineproof.studies.tasks import MEASURES
from tools.figures_kept import Row

_DIGITS = {"growth": 2, "hard_000": 3, "hard_001": 2, "hard_003": 2, "hard_004": 2}
_UNITS = (("s", 1.0), ("ms", 1e3), ("µs", 1e6))


_NAMES = {
    "hard_000": "density of the steepest fall (report 000)",
    "hard_001": "density at which 10 % of the mines are hit (report 001)",
    "hard_003": "density with the highest score from 0.3 on (report 003)",
    "hard_004": "density at which success drops below 0.9 (report 004)",
    "flags_per_mine_lost": "fewer flags per mine than with exact clues",
    "flag_rate_lost": "fewer mines flagged than with exact clues",
    "estimated_share": "share of moves that rest on an estimate",
    "riskier_share": "share of guesses riskier than the safest cell",
}


def name(measure: str) -> str:
    """Return a measure in words."""
    if measure in MEASURES:
        return MEASURES[measure].label
    return _NAMES.get(measure, measure.replace("_", " "))


def number(row: Row, value: float, *, signed: bool = False) -> str:
    """Format shares with three digits, wins in per cent, times in a suitable unit."""
    sign, measure = "+" if signed else "", row["measure"]
    unit = MEASURES[measure].unit if measure in MEASURES else "share"
    if unit == "seconds":
        suffix, factor = next(u for u in _UNITS if abs(value) * u[1] >= 1 or u[0] == "µs")
        return f"{value * factor:{sign}.3g} {suffix}".replace("-", "−")
    if unit == "percent" or measure.endswith(("_share", "_lost")):
        return f"{100 * value:{sign}.1f}{'' if row['minus'] else ' %'}".replace("-", "−")
    digits = _DIGITS.get(measure, 1 if unit == "count" and abs(value) >= 10 else 3)
    digits = min(digits, 2) if unit == "count" else digits
    return f"{round(value, digits) + 0.0:{sign}.{digits}f}".replace("-", "−")


def points(row: Row) -> str:
    """The unit after a difference of percentages."""
    percent = row["measure"] in MEASURES and MEASURES[row["measure"]].unit == "percent"
    return " points" if percent and row["minus"] else ""


def with_interval(row: Row, *, signed: bool = False, at: str = "") -> str:
    """Format a figure for a sentence."""
    ends = (number(row, float(row[end]), signed=signed) for end in ("low", "high"))
    mean = number(row, float(row["mean"]), signed=signed) + points(row)
    return f"{mean} ({' to '.join(ends)}, n = {int(row['n']):,}{', ' if at else ''}{at})"


def short(row: Row, *, signed: bool = False) -> str:
    """Format a figure for a table."""
    half = (float(row["high"]) - float(row["low"])) / 2
    return f"{number(row, float(row['mean']), signed=signed)} ± {number(row, half)}"


def average(rows: list[Row]) -> Row:
    """The mean of rows with equal weights; n is the total number of games."""
    mean = math.fsum(float(row["mean"]) for row in rows) / len(rows)
    halves = ((float(row["high"]) - float(row["low"])) / 2 for row in rows)
    reach = math.hypot(*halves) / len(rows)
    n = sum(int(row["n"]) for row in rows)
    ends = {"mean": str(mean), "low": str(mean - reach), "high": str(mean + reach)}
    return rows[0] | ends | {"n": str(n)}


def miss(rows: list[Row]) -> str:
    """How many more mines there were than claimed, in points, over all bins."""
    n = sum(int(row["n"]) for row in rows)
    off = math.fsum(int(r["n"]) * (float(r["mean"]) - float(r["claimed"])) for r in rows) / n
    shares = ((int(row["n"]), float(row["mean"])) for row in rows)
    reach = Z * math.sqrt(math.fsum(some * p * (1 - p) for some, p in shares)) / n
    ends = " to ".join(f"{100 * end:+.1f}" for end in (off - reach, off + reach))
    return f"{100 * off:+.1f} points ({ends}, n = {n:,})".replace("-", "−")


def speed(rows: list[Row]) -> str:
    """How many times as fast as published, from lowest to highest."""
    ratios = sorted(float(r["published"]) / float(r["mean"]) for r in rows if r["published"])
    return " to ".join(f"{_rough(one):,.0f}" for one in (ratios[0], ratios[-1]))


def _rough(value: float) -> float:
    """Round to two significant digits."""
    return round(value, 1 - math.floor(math.log10(value)))
