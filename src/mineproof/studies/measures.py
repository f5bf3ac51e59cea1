"""What is measured in a game, as DuckDB computes it, and how it is spoken of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

Unit = Literal["share", "percent", "count", "seconds"]


class Measure(NamedTuple):
    """A measure in words: on an axis, and how its values are written."""

    label: str
    unit: Unit


MEASURES: dict[str, Measure] = {
    "win": Measure("games won", "percent"),
    "score": Measure("average final score", "share"),
    "expected_score": Measure("score that the agent expected of its flags", "share"),
    "flag_rate": Measure("mines flagged", "share"),
    "flags_per_mine": Measure("flags, right or wrong, per mine", "share"),
    "wrong_rate": Measure("wrong flags per mine", "share"),
    "wrong_flags": Measure("wrong flags a game", "count"),
    "mines_hit": Measure("share of the mines opened", "share"),
    "guesses": Measure("guesses a game", "count"),
    "far_guesses": Measure("guesses a game that no clue touches", "count"),
    "riskier_guesses": Measure("guesses a game beyond the least risk", "count"),
    "moves": Measure("moves a game", "count"),
    "estimates": Measure("moves a game that rest on an estimate", "count"),
    "cpu_seconds": Measure("CPU seconds a game", "seconds"),
    "games_per_cpu_second": Measure("games a CPU second", "count"),
    "longest_chain": Measure("longest chain, in cells", "count"),
    "width": Measure("widest layer, in cells", "count"),
    "reach": Measure("mean reach of a clue, in king's moves", "count"),
    "farthest_reach": Measure("farthest reach, in king's moves", "count"),
    "choices": Measure("cells opened by choice", "count"),
    "opened_by_zeros": Measure("cells opened by zeros", "count"),
    "proved": Measure("cells proved", "count"),
    "certain": Measure("moves called certain", "count"),
    "certain_wrong": Measure("wrong moves called certain", "count"),
    "mined": Measure("share that were mines", "share"),
}
RATES = frozenset({"win", "mined"})
"""Shares of games, or of claims: they get Wilson's interval, all else is a mean."""
PAIRED = ("win", "score", "flag_rate", "mines_hit", "cpu_seconds", "longest_chain", "choices")
"""What points that met the same games are compared by."""
BY_BINS = frozenset({"calibration"})

# A board without mines has all of them flagged, and none wrongly.
GAMES = {
    "win": "won",
    "score": "score",
    "expected_score": "expected_score",
    "flag_rate": 'CASE WHEN mines = 0 THEN 1 ELSE "right" / mines END',
    "flags_per_mine": 'CASE WHEN mines = 0 THEN 1 ELSE ("right" + wrong) / mines END',
    "wrong_rate": "CASE WHEN mines = 0 THEN 0 ELSE wrong / mines END",
    "wrong_flags": "wrong",
    "mines_hit": "CASE WHEN mines = 0 THEN 0 ELSE exploded / mines END",
    "guesses": "guesses",
    "moves": "moves",
    "estimates": "estimates",
    "cpu_seconds": "cpu_seconds",
}
INFLUENCE = (
    "longest_chain", "width", "reach", "farthest_reach", "choices", "opened_by_zeros", "proved",
    "score", "cpu_seconds",
)  # fmt: skip
SURPRISE = ("guesses", "far_guesses", "riskier_guesses", "cpu_seconds")
CALIBRATION = ("certain", "certain_wrong", "cpu_seconds")
_TASKS: dict[str, dict[str, str]] = {
    "games": GAMES,
    "influence": {name: name for name in INFLUENCE},
    "calibration": {name: name for name in CALIBRATION},
    "surprise": {name: name for name in SURPRISE},
}


def expressions(task: str, columns: Iterable[str]) -> dict[str, str]:
    """What is measured in the games of a task, each as SQL over their columns."""
    found = dict(_TASKS.get(task, {}))
    if task == "games":
        proved = sorted(name for name in columns if name.startswith("proved_"))
        found |= {name: f'coalesce("{name}", 0)' for name in proved}
    return found


def measure(name: str) -> Measure:
    """A measure in words."""
    if name in MEASURES:
        return MEASURES[name]
    rule = name.removeprefix("proved_").replace("_", "-")
    return Measure(f"moves a game proved by {rule}", "count")


def write(value: float, unit: Unit) -> str:
    """A value as a table shows it."""
    if unit == "percent":
        return f"{100 * value:.1f} %"
    if unit == "seconds":
        return write_seconds(value)
    if unit == "share":
        return f"{value:.3f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def write_seconds(value: float) -> str:
    """Seconds with three digits, in the unit that fits."""
    for scale, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if abs(value) * scale >= 1 or unit == "µs":
            return f"{value * scale:.3g} {unit}"
    raise AssertionError


def write_interval(low: float, high: float, unit: Unit) -> str:
    """From low to high, the unit once."""
    if unit == "percent":
        return f"{100 * low:.1f} to {100 * high:.1f}"
    return f"{write(low, unit)} to {write(high, unit)}"
