"""What is done at a point: `games` plays them; `special` has other things to measure.

A task takes a point, the study's seed and the numbers of some games, and gives a row
for each: `game`, and columns of numbers, truth values or None, the same in every row.
Columns of times end in `_seconds` or `_per_cpu_second`; all others follow from the
point, the seed and the number alone.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from mineproof.errors import InvalidInput, shorten, unknown_name
from mineproof.series.arena import play_series
from mineproof.studies.measures import GAMES

if TYPE_CHECKING:
    from mineproof.studies.spec import Point

Value = int | float | bool | None
Row = dict[str, Value]
Task = Callable[["Point", int, range], list[Row]]

RULES = (
    "opening",
    "local",
    "count",
    "one-two",
    "subset",
    "pairs",
    "gauss",
    "linear-programme",
    "arrangements",
    "exact",
)
"""The rules that prove moves."""
_PROVED = {rule: f"proved_{rule.replace('-', '_')}" for rule in RULES}


def games(point: Point, seed: int, numbers: range) -> list[Row]:
    """Play these games: natively where the agent allows."""
    played = play_series(
        point.agent,
        point.deal,
        numbers,
        rules=point.rules,
        clues=point.clue_model,
        start=point.start,
        seed=seed,
    )
    return [
        {
            "game": result.board,
            "won": result.won,
            "score": result.score,
            "expected_score": result.expected_score,
            "mines": result.mines,
            "right": result.right,
            "wrong": result.wrong,
            "exploded": result.exploded,
            "guesses": result.guesses,
            "moves": result.moves,
            "estimates": result.estimates,
            **{column: result.deductions.get(rule, 0) for rule, column in _PROVED.items()},
            "cpu_seconds": result.cpu_seconds,
        }
        for result in played
    ]


TASKS: dict[str, Task] = {"games": games}
MEASURES: dict[str, tuple[str, ...]] = {
    "games": (*GAMES, "games_per_cpu_second", *_PROVED.values())
}
"""What a summary tells of a task's games, and a plot may show."""


def find(name: str) -> Task:
    """The task of this name."""
    if name not in TASKS:
        import_module("mineproof.studies.special")  # where the others are, which it adds
    if name not in TASKS:
        raise unknown_name("task", name, TASKS)
    return TASKS[name]


def check(name: object) -> str:
    """The name, if there is such a task."""
    if not isinstance(name, str):
        raise InvalidInput(f"a task is given by its name, got {shorten(repr(name))}")
    find(name)
    return name


def measures(name: str) -> tuple[str, ...]:
    """What a summary tells of this task."""
    find(name)
    return MEASURES[name]
