"""The columns of a table of finished games, and the measures derived from them.

A new column is one line in `GAMES`: its name, its type, its meaning, how to read it from a record,
how a standing sums it up, and its label in figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from mineproof.games.record import Record
    from mineproof.world.rules import Rules

Array = NDArray[Any]
Arrays = Mapping[str, Array]
Unit = Literal["share", "percent", "count", "seconds"]
Sum = Literal["no", "mean", "total"]


@dataclass(frozen=True)
class Column:
    """A number or boolean per game; unknown numbers are NaN.

    `read` gets it from a record. `derive` computes it from columns that the kernel fills in;
    without `derive`, the kernel fills it in itself. `summed`: how a standing sums it up. A column
    with a `label` is a measure of studies, called `measure` if that is not the column's name.
    """

    name: str
    dtype: str
    meaning: str
    read: Callable[[Record], Any] | None = None
    derive: Callable[[Arrays, Rules], Array] | None = None
    summed: Sum = "no"
    label: str = ""
    unit: Unit = "count"
    measure: str = ""
    paired: bool = False
    """Whether studies compare it in pairs, on the same boards."""


@dataclass(frozen=True)
class Measure:
    """A measure of studies: its name and label, and how to compute it from the columns."""

    name: str
    label: str
    unit: Unit
    of: Callable[[Arrays], Array] | None = None
    """Its values per game; None if it is only defined for many games."""
    needs: tuple[str, ...] = ()
    paired: bool = False
    rate: bool = False
    """Whether it is a share of games, with Wilson's interval; otherwise it is a mean."""


def measure_of(column: Column) -> Measure:
    """Return the measure that consists of one column."""
    return Measure(
        column.measure or column.name,
        column.label,
        column.unit,
        lambda arrays: arrays[column.name],
        (column.name,),
        column.paired,
        column.dtype == "?",
    )


def per_mine(
    name: str, label: str, marked: tuple[str, ...], without: float, *, paired: bool = False
) -> Measure:
    """Return a measure divided by the number of mines; `without`: its value without mines."""

    def of(arrays: Arrays) -> Array:
        parts = sum(np.asarray(arrays[one], np.float64) for one in marked)
        return _divided(np.asarray(parts), arrays["mines"], without)

    return Measure(name, label, "share", of, (*marked, "mines"), paired)


def _divided(part: Array, mines: Array, without: float) -> Array:
    found = np.full(len(mines), without)
    np.divide(part, mines, out=found, where=mines != 0)
    return found


def _score(arrays: Arrays, rules: Rules) -> Array:
    if rules.on_mine == "end":
        return np.full(len(arrays["mines"]), np.nan)
    return _divided(arrays["right"] - arrays["wrong"], arrays["mines"], 1.0)


def _expected(arrays: Arrays, rules: Rules) -> Array:
    """As in `Record.expected_score`."""
    if rules.on_mine == "end":
        return np.full(len(arrays["mines"]), np.nan)
    flags = np.array([round(worth, 10) for worth in arrays["expected_flags"].tolist()])
    return _divided(flags, arrays["mines"], 1.0)


def _zero(arrays: Arrays, _: Rules) -> Array:
    return np.zeros(len(arrays["mines"]), np.int32)


KERNEL_RULES = (
    "opening", "local", "count", "subset", "pairs", "gauss", "arrangements", "exact",
)  # fmt: skip
"""The rules of the kernel, which counts the moves that each deduces."""
RULES = (
    "opening", "local", "count", "one-two", "subset", "pairs", "gauss", "linear-programme",
    "arrangements", "exact",
)  # fmt: skip
"""The rules of the built-in agents."""
PROVED = "proved_"


def column_of_rule(rule: str) -> str:
    """Return the name of the column that counts the moves of a rule."""
    return f"{PROVED}{rule.replace('-', '_') if rule in RULES else rule}"


RULE_OF = {column_of_rule(rule): rule for rule in RULES}


def _proved(rule: str) -> Column:
    return Column(
        column_of_rule(rule),
        "i4",
        f"moves deduced by the rule `{rule}`",
        derive=None if rule in KERNEL_RULES else _zero,
        label=f"moves per game proved by {rule}",
    )


# fmt: off
KERNEL_ONLY = {"expected_flags": "f8"}
"""What the kernel fills in besides, from which other columns are derived."""
KEYS = (
    Column("board", "i8", "number of the board, from 0"),
    Column("agent", "i2", "number of the agent, from 0"),
    Column("seed", "u8", "seed of the game"),
)
GAMES = (
    Column("won", "?", "all safe cells are open and no mine was hit", attrgetter("won"), label="games won", unit="percent", measure="win", paired=True),  # noqa: E501
    Column("score", "f8", "(correct flags − wrong flags) / mines; unknown if a mine ends the game", attrgetter("score"), _score, label="average final score", unit="share", paired=True),  # noqa: E501
    Column("expected_score", "f8", "score that the player expected from its flags when it set them", attrgetter("expected_score"), _expected, label="score that the agent expected from its flags", unit="share"),  # noqa: E501
    Column("mines", "i4", "mines on the board", attrgetter("board.mine_count")),
    Column("right", "i4", "correct flags at the end", attrgetter("right"), summed="mean"),
    Column("wrong", "i4", "wrong flags at the end", attrgetter("wrong"), summed="mean", label="wrong flags per game", measure="wrong_flags"),  # noqa: E501
    Column("exploded", "i4", "mines opened", attrgetter("exploded"), summed="mean"),
    Column("guesses", "i4", "cells opened that were not certain to be safe", attrgetter("guesses"), summed="mean", label="guesses per game"),  # noqa: E501
    Column("moves", "i4", "moves of all kinds", lambda record: len(record.turns), summed="mean", label="moves per game"),  # noqa: E501
    Column("estimates", "i4", "moves that rest on an estimate, because there was too much to count", attrgetter("estimates"), summed="mean", label="moves per game that rest on an estimate"),  # noqa: E501
    Column("faults", "i4", "1 if the agent forfeited: it raised an error, took too long or made an illegal move", lambda record: int(bool(record.fault)), _zero, label="games forfeited by the agent", unit="percent"),  # noqa: E501
    *map(_proved, RULES),
    Column("cpu_seconds", "f8", "CPU time of the game", summed="total", label="CPU seconds per game", unit="seconds", paired=True),  # noqa: E501
)
RATIOS = (
    per_mine("flag_rate", "mines flagged", ("right",), 1.0, paired=True),
    per_mine("flags_per_mine", "flags, right or wrong, per mine", ("right", "wrong"), 1.0),
    per_mine("wrong_rate", "wrong flags per mine", ("wrong",), 0.0),
    per_mine("mines_hit", "share of the mines opened", ("exploded",), 0.0, paired=True),
)
# fmt: on
