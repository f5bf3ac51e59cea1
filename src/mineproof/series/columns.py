"""What is known of a finished game: the one list of columns, and the measures made of them.

A new column is one line in `GAMES`: its name, its type, what it means, how a record tells
it, how a standing sums it up, and how it is spoken of in a figure.
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
    """One number or truth value of every game; an unknown number is nan.

    `read` tells it of a record. `derive` makes it of the columns that the kernel fills;
    without one the kernel fills it itself. `summed`: how a standing tells it. A column with
    a `label` is a measure of studies, named `measure` where not as the column.
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
    """Whether games on the same boards are compared by it."""


@dataclass(frozen=True)
class Measure:
    """What studies tell of games: in words, and how it follows from the columns."""

    name: str
    label: str
    unit: Unit
    of: Callable[[Arrays], Array] | None = None
    """Of every game; None where it is told of many games only."""
    needs: tuple[str, ...] = ()
    paired: bool = False
    rate: bool = False
    """A share of games, which gets Wilson's interval; all else is a mean."""


def measure_of(column: Column) -> Measure:
    """The measure that a column is by itself."""
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
    """Something by the mines of its board, and what it is on a board without any."""

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
    """The kernel's agents flag nothing but what they proved."""
    if rules.on_mine == "end":
        return np.full(len(arrays["mines"]), np.nan)
    return _divided(arrays["right"] + arrays["wrong"], arrays["mines"], 1.0)


def _zero(arrays: Arrays, _: Rules) -> Array:
    return np.zeros(len(arrays["mines"]), np.int32)


KERNEL_RULES = ("opening", "local", "count", "subset", "pairs", "gauss", "exact")
"""Those whose moves the kernel counts; it has no others."""
RULES = (
    "opening", "local", "count", "one-two", "subset", "pairs", "gauss", "linear-programme",
    "arrangements", "exact",
)  # fmt: skip
"""The rules of our agents that prove moves."""
PROVED = "proved_"


def column_of_rule(rule: str) -> str:
    """Where the moves that a rule proved are counted."""
    return f"{PROVED}{rule.replace('-', '_') if rule in RULES else rule}"


RULE_OF = {column_of_rule(rule): rule for rule in RULES}


def _proved(rule: str) -> Column:
    return Column(
        column_of_rule(rule),
        "i4",
        f"moves that the rule {rule} proved",
        derive=None if rule in KERNEL_RULES else _zero,
        label=f"moves per game proved by {rule}",
    )


# fmt: off
KEYS = (
    Column("board", "i8", "the number of the board, from 0"),
    Column("agent", "i2", "who played: its place among the agents"),
    Column("seed", "u8", "what names the game"),
)
GAMES = (
    Column("won", "?", "no mine was hit, all safe cells are open", attrgetter("won"), label="games won", unit="percent", measure="win", paired=True),  # noqa: E501
    Column("score", "f8", "right less wrong flags by mines; unknown where a mine ends the game", attrgetter("score"), _score, label="average final score", unit="share", paired=True),  # noqa: E501
    Column("expected_score", "f8", "what the player expected of its flags when it set them", attrgetter("expected_score"), _expected, label="score that the agent expected of its flags", unit="share"),  # noqa: E501
    Column("mines", "i4", "mines on the board", attrgetter("board.mine_count")),
    Column("right", "i4", "right flags at the end", attrgetter("right"), summed="mean"),
    Column("wrong", "i4", "wrong flags at the end", attrgetter("wrong"), summed="mean", label="wrong flags per game", measure="wrong_flags"),  # noqa: E501
    Column("exploded", "i4", "mines opened", attrgetter("exploded"), summed="mean"),
    Column("guesses", "i4", "cells opened though nothing was certain", attrgetter("guesses"), summed="mean", label="guesses per game"),  # noqa: E501
    Column("moves", "i4", "moves of all kinds", lambda record: len(record.moves), summed="mean", label="moves per game"),  # noqa: E501
    Column("estimates", "i4", "moves that rest on an estimate: there was too much to count", attrgetter("estimates"), _zero, summed="mean", label="moves per game that rest on an estimate"),  # noqa: E501
    Column("faults", "i4", "1 where the agent lost by a fault of its own: it raised, took too long or moved illegally", lambda record: int(bool(record.fault)), _zero, label="games lost by a fault of the agent's own", unit="percent"),  # noqa: E501
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
