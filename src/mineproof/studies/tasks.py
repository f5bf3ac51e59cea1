"""What is done at a point: `games` plays games; other tasks also analyse the finished games.

A task takes a point, the study's seed and the numbers of some games, and returns an array for
each of its columns. The names of time columns end in `_seconds` or `_per_cpu_second`; all other
columns depend only on the point, the seed and the number of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from mineproof.errors import MineproofError, shorten, unknown_name
from mineproof.series import columns as schema
from mineproof.series.agent_series import play_range
from mineproof.series.columns import Array, Arrays, Column, Measure, measure_of
from mineproof.studies import per_game_metrics
from mineproof.studies.grid import Point
from mineproof.studies.per_game_metrics import Row


@dataclass(frozen=True)
class PointTask:
    """A task: its function, the columns it fills, and measures derived from them."""

    do: Callable[[Point, int, range], Arrays]
    columns: tuple[Column, ...]
    ratios: tuple[Measure, ...] = ()
    claims: bool = False
    """Whether it has claimed risks in bins; `mined` is then the share that were mines."""

    @property
    def measures(self) -> dict[str, Measure]:
        """The measures of its games for summaries and plots, by name; times come last."""
        own = [measure_of(column) for column in self.columns if column.label]
        own += [*self.ratios, *([MINED] if self.claims else [])]
        own += [SPEED] if any(one.unit == "seconds" for one in own) else []
        return {one.name: one for one in sorted(own, key=lambda one: is_time(one.name))}


def is_time(name: str) -> bool:
    """Whether a column or measure is a time, which differs from run to run."""
    return name.endswith(("_seconds", "_per_cpu_second"))


SPEED = Measure("games_per_cpu_second", "games per CPU second", "count")
"""Derived from the mean CPU seconds of a game."""
MINED = Measure("mined", "share that were mines", "share", rate=True)
"""The share of mines among the cells with about the same claimed risk."""


def _games(point: Point, seed: int, numbers: range) -> Arrays:
    """Play these games, in C++ if the agent supports it."""
    games = play_range(point.series(seed), numbers)
    return {"game": games["board"], **games.measured}


def tabulated(
    rows: Callable[[Point, int, range], Sequence[Row]], columns: tuple[Column, ...]
) -> Callable[[Point, int, range], Arrays]:
    """Turn a function that returns one row per game into one that returns columns."""

    def do(point: Point, seed: int, numbers: range) -> Arrays:
        found = rows(point, seed, numbers)
        if [row.get("game") for row in found] != list(numbers):
            raise MineproofError(
                f"a task must return a row for each of the games {numbers}, in order"
            )
        games = {"game": np.arange(numbers.start, numbers.stop)}
        return games | {column.name: _column(column, found) for column in columns}

    return do


def _column(column: Column, rows: Sequence[Row]) -> Array:
    unknown = np.nan if column.dtype == "f8" else None
    values = [row.get(column.name) for row in rows]
    plain = [unknown if value is None else value for value in values]
    if not all(isinstance(value, (bool, int, float, np.generic)) for value in plain):
        odd = next(value for value in plain if not isinstance(value, (bool, int, float)))
        raise MineproofError(
            f"column {column.name!r} must have booleans or numbers, got {shorten(repr(odd))}"
        )
    return np.array(plain, column.dtype)


def _after_play(
    rows: Callable[[Point, int, range], Sequence[Row]],
    columns: tuple[Column, ...],
    *,
    claims: bool = False,
) -> PointTask:
    return PointTask(tabulated(rows, columns), columns, claims=claims)


TASKS: dict[str, PointTask] = {
    "games": PointTask(_games, schema.GAMES, schema.RATIOS),
    "influence": _after_play(per_game_metrics.influence, per_game_metrics.INFLUENCE),
    "calibration": _after_play(
        per_game_metrics.calibration, per_game_metrics.CALIBRATION, claims=True
    ),
    "surprise": _after_play(per_game_metrics.surprise, per_game_metrics.SURPRISE),
}
MEASURES: dict[str, Measure] = {
    name: measure for task in TASKS.values() for name, measure in task.measures.items()
}
"""All measures of studies, by name."""


def find(name: str) -> PointTask:
    """Return the task with this name."""
    if name not in TASKS:
        raise unknown_name("task", name, TASKS)
    return TASKS[name]
