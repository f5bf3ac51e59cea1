"""Results of many games: standings of the agents with intervals, and paired differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import numpy as np

from mineproof.errors import plural
from mineproof.printable import printable
from mineproof.series.columns import GAMES, Array
from mineproof.series.game_table import GameTable
from mineproof.series.intervals import Interval, Mean, mean, paired, wilson
from mineproof.series.sequential import anytime, is_known
from mineproof.world.conditions import Conditions

_MEANS = tuple(column.name for column in GAMES if column.summed == "mean")


@dataclass(frozen=True)
class Standing:
    """The results of one agent over all its games."""

    name: str
    games: int
    wins: int
    win_interval: Interval
    score: Mean | None
    means: Mapping[str, float]
    """Averages per game by column; each is also an attribute, such as `.guesses`."""
    cpu_seconds: float
    deductions: dict[str, float]
    """Moves per game that each rule deduced."""
    faults: int = 0
    """Games that it forfeited: it raised an error, took too long or made an illegal move."""

    def __getattr__(self, name: str) -> float:
        if name in _MEANS:
            return self.means[name]
        raise AttributeError(f"a standing has no {name!r}")

    @property
    def win_rate(self) -> float:
        """Wins per game, from 0 to 1."""
        return self.wins / self.games if self.games else 0.0

    @property
    def games_per_cpu_second(self) -> float:
        """Games per second of CPU time."""
        return self.games / self.cpu_seconds if self.cpu_seconds else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return JSON data; the score is null if a mine ends the game."""
        return {
            "name": self.name,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate,
            "win_interval": list(self.win_interval),
            "score": None if self.score is None else self.score.mean,
            "score_interval": None if self.score is None else _finite(self.score.interval),
            **self.means,
            "faults": self.faults,
            "deductions": self.deductions,
            "cpu_seconds": self.cpu_seconds,
            "games_per_cpu_second": self.games_per_cpu_second,
        }


class PairedDifference(NamedTuple):
    """The paired difference of two agents on the same boards: `first` minus `second`.

    It compares wins if a mine ends the game, otherwise scores.
    """

    first: str
    second: str
    of: str
    difference: Mean

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        one = self.difference
        return {
            "first": self.first,
            "second": self.second,
            "of": self.of,
            "difference": one.mean,
            "standard_error": None if one.error == inf else one.error,
            "interval": _finite(one.interval),
        }


@dataclass(frozen=True, repr=False)
class Standings:
    """The result of an arena: a standing per agent, paired differences, and the games."""

    agents: tuple[Standing, ...]
    paired: tuple[PairedDifference, ...]
    games: GameTable = field(compare=False)
    salt: str | None = None
    """The salt of a sealed arena: `mp.arena(..., salt=...)` repeats its games."""
    conditions: Conditions | None = None
    """The board, rules and clue model of the games."""
    until: float | None = None
    """The requested precision in percentage points; the intervals are then anytime-valid."""

    @property
    def known(self) -> bool | None:
        """Whether all differences reach the requested precision; None if none was requested."""
        return None if self.until is None else is_known(self.games, self.until)

    @property
    def notes(self) -> list[str]:
        """Notes on the tables, one line each: forfeits, and boards that may differ."""
        lines = _fault_lines(self.agents)
        if self.conditions is not None and self.conditions.rules.luck == "fair":
            lines.append(
                "without luck, a guess draws the board again: agents begin on the same boards, "
                "but may finish on different ones"
            )
        return lines

    def __repr__(self) -> str:
        each = ", ".join(f"{printable(one.name)} {one.wins}/{one.games}" for one in self.agents)
        return f"<standings: {each}>"

    def __str__(self) -> str:
        """Return a readable table of the agents and one of their differences."""
        parts = ["\n".join(_aligned(table)) for table in self._tables()]
        if self.conditions is not None:
            parts[0] = f"{self.conditions}\n{parts[0]}"
        notes = "\n".join(self.notes)
        return "\n\n".join([*parts, *([notes] if notes else [])])

    def _repr_html_(self) -> str:
        """Return the same tables as HTML, for notebooks."""
        from mineproof.render.notebook import tables_html

        lines = self.notes
        if self.conditions is not None:
            lines.append(f"Played on {self.conditions}.")
        return tables_html(self._tables(), lines)

    def _tables(self) -> list[list[list[str]]]:
        differences = paired_table(self.paired, anytime=self.until is not None)
        return [table for table in (_agents_table(self.agents), differences) if len(table) > 1]

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "agents": [standing.to_json() for standing in self.agents],
            "paired": [pair.to_json() for pair in self.paired],
            **({} if self.conditions is None else self.conditions.to_json()),
            "salt": self.salt,
            "until": self.until,
            "known": self.known,
        }


def _fault_lines(agents: Iterable[Standing]) -> list[str]:
    """Return one line per agent that forfeited games."""
    return [
        f"{printable(one.name)} forfeited {one.faults} of {plural(one.games, 'game')}: it raised "
        "an error, exceeded the time limit or made an illegal move"
        for one in agents
        if one.faults
    ]


def _agents_table(agents: tuple[Standing, ...]) -> list[list[str]]:
    scored = any(one.score is not None for one in agents)
    heads = ["agent", "games", "won %", "95 % CI"]
    heads = [*heads, *(["score", "95 % CI"] if scored else []), "guesses"]
    return [heads, *(standing_cells(one, scored=scored) for one in agents)]


def standing_cells(one: Standing, *, scored: bool) -> list[str]:
    """Return the cells of one agent: name, games, wins, scores if there are any, guesses."""
    low, high = one.win_interval
    row = [one.name, f"{one.games}", f"{100 * one.win_rate:.2f}"]
    row.append(f"{100 * low:.2f} - {100 * high:.2f}")
    if scored:
        row += ["-", "-"] if one.score is None else mean_cells(one.score, ".4f", "-")
    return [*row, f"{one.guesses:.2f}"]


def paired_table(paired: Iterable[PairedDifference], *, anytime: bool = False) -> list[list[str]]:
    """Return headings and one row per difference: wins in percentage points, or scores."""
    rows = [["paired difference", "mean", "95 % CI (anytime)" if anytime else "95 % CI"]]
    for one in paired:
        if one.of == "score":
            of, scaled = "score", one.difference
        else:
            of, (mean, error, (low, high)) = "won %", one.difference
            scaled = Mean(100 * mean, 100 * error, Interval(100 * low, 100 * high))
        digits = "+.4f" if one.of == "score" else "+.2f"
        rows.append([f"{one.first} minus {one.second}, {of}", *mean_cells(scaled, digits, "to")])
    return rows


def mean_cells(one: Mean, digits: str, to: str) -> list[str]:
    """Return a mean and its interval as text; a single game has no interval."""
    low, high = one.interval
    return [f"{one.mean:{digits}}", "-" if high == inf else f"{low:{digits}} {to} {high:{digits}}"]


def _aligned(rows: list[list[str]]) -> list[str]:
    """Return the lines of a table: first column left-aligned, numbers right-aligned."""
    rows = [list(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]


def summarise(
    games: GameTable,
    conditions: Conditions | None = None,
    salt: str | None = None,
    until: float | None = None,
) -> Standings:
    """Return standings and paired differences; `until` is the requested precision, if any."""
    each = [mine for mine in map(games.of, games.agents) if len(mine)]
    pairs = (_pair(one, other, until) for one, other in combinations(each, 2))
    found = tuple(pair for pair in pairs if pair)
    return Standings(tuple(map(_standing, each)), found, games, salt, conditions, until)


def _standing(games: GameTable) -> Standing:
    n, wins = len(games), int(games["won"].sum())
    score = games["score"]
    proved = {rule: int(moves.sum()) for rule, moves in games.proved.items()}
    return Standing(
        name=games.agents[0],
        games=n,
        wins=wins,
        win_interval=wilson(wins, n),
        score=mean(score[~np.isnan(score)]),
        means={name: int(games[name].sum()) / n for name in _MEANS},
        cpu_seconds=float(games["cpu_seconds"].sum()),
        deductions={rule: moves / n for rule, moves in proved.items() if moves},
        faults=int(games["faults"].sum()),
    )


def _pair(first: GameTable, second: GameTable, until: float | None) -> PairedDifference | None:
    one, other = shared(first["board"], second["board"])
    scores = first["score"][one], second["score"][other]
    scored = not any(np.isnan(score).any() for score in scores)
    values = scores if scored else (first["won"][one], second["won"][other])
    difference = paired(*values) if until is None else anytime(*values, until)
    if difference is None:
        return None
    return PairedDifference(
        first.agents[0], second.agents[0], "score" if scored else "wins", difference
    )


def shared(first: Array, second: Array) -> tuple[Any, Any]:
    """Return the places, in two ascending columns, of the numbers that both have."""
    if np.array_equal(first, second):
        return slice(None), slice(None)
    _, one, other = np.intersect1d(first, second, assume_unique=True, return_indices=True)
    return one, other


def _finite(interval: Interval) -> list[float] | None:
    return None if interval.high == inf else list(interval)
