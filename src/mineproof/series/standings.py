"""What came of many games: how each agent did, with intervals, and paired differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from mineproof.series.intervals import Interval, Mean, mean, paired_rates, wilson


class Result(NamedTuple):
    """One agent's game on one board, in numbers. Boards are numbered from 0."""

    board: int
    agent: str
    seed: int
    won: bool
    score: float | None
    expected_score: float | None
    """What the player expected of its flags when it set them."""
    mines: int
    """On the board."""
    right: int
    wrong: int
    exploded: int
    guesses: int
    moves: int
    estimates: int
    """Moves that rest on an estimate: there was too much to count."""
    cpu_seconds: float
    deductions: dict[str, int]
    """How many moves each rule proved."""


class Standing(NamedTuple):
    """How one agent did over all its games."""

    name: str
    games: int
    wins: int
    win_interval: Interval
    score: Mean | None
    right: float
    wrong: float
    exploded: float
    guesses: float
    moves: float
    estimates: float
    """Moves a game that rest on an estimate."""
    cpu_seconds: float
    deductions: dict[str, float]
    """Moves a game that each rule proved."""

    @property
    def win_rate(self) -> float:
        """Wins a game."""
        return self.wins / self.games if self.games else 0.0

    @property
    def games_per_cpu_second(self) -> float:
        """How fast."""
        return self.games / self.cpu_seconds if self.cpu_seconds else 0.0

    def to_json(self) -> dict[str, Any]:
        """As JSON data; the score is null where a mine ends the game."""
        return {
            "name": self.name,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate,
            "win_interval": list(self.win_interval),
            "score": None if self.score is None else self.score.mean,
            "score_interval": None if self.score is None else _finite(self.score.interval),
            "right": self.right,
            "wrong": self.wrong,
            "exploded": self.exploded,
            "guesses": self.guesses,
            "moves": self.moves,
            "estimates": self.estimates,
            "deductions": self.deductions,
            "cpu_seconds": self.cpu_seconds,
            "games_per_cpu_second": self.games_per_cpu_second,
        }


class Paired(NamedTuple):
    """The difference of two agents on the same boards: `first` minus `second`.

    Of wins where a mine ends the game, else of scores.
    """

    first: str
    second: str
    of: str
    difference: Mean

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        one = self.difference
        error = None if one.error == float("inf") else one.error
        return {
            "first": self.first,
            "second": self.second,
            "of": self.of,
            "difference": one.mean,
            "standard_error": error,
            "interval": _finite(one.interval),
        }


class Standings(NamedTuple):
    """The outcome of an arena: a standing for each agent, and their paired differences."""

    agents: tuple[Standing, ...]
    paired: tuple[Paired, ...]

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "agents": [standing.to_json() for standing in self.agents],
            "paired": [pair.to_json() for pair in self.paired],
        }


def summarise(results: Sequence[Result]) -> Standings:
    """Standings and paired differences of some results."""
    by_agent: dict[str, list[Result]] = {}
    for result in results:
        by_agent.setdefault(result.agent, []).append(result)
    standings = tuple(_standing(name, games) for name, games in by_agent.items())
    pairs = tuple(
        pair for pair in (_pair(a, b) for a, b in combinations(by_agent.values(), 2)) if pair
    )
    return Standings(standings, pairs)


def _standing(name: str, games: list[Result]) -> Standing:
    n = len(games)
    wins = sum(game.won for game in games)
    proved: Counter[str] = Counter()
    for game in games:
        proved.update(game.deductions)
    return Standing(
        name=name,
        games=n,
        wins=wins,
        win_interval=wilson(wins, n),
        score=mean([game.score for game in games if game.score is not None]),
        right=sum(game.right for game in games) / n,
        wrong=sum(game.wrong for game in games) / n,
        exploded=sum(game.exploded for game in games) / n,
        guesses=sum(game.guesses for game in games) / n,
        moves=sum(game.moves for game in games) / n,
        estimates=sum(game.estimates for game in games) / n,
        cpu_seconds=sum(game.cpu_seconds for game in games),
        deductions={rule: number / n for rule, number in sorted(proved.items())},
    )


def _pair(first: list[Result], second: list[Result]) -> Paired | None:
    other = {game.board: game for game in second}
    both = [(game, other[game.board]) for game in first if game.board in other]
    scored = all(a.score is not None and b.score is not None for a, b in both)
    difference = mean([_value(a, scored=scored) - _value(b, scored=scored) for a, b in both])
    if difference is None:
        return None
    if not scored:
        cases = Counter((a.won, b.won) for a, b in both)
        interval = paired_rates(
            cases[True, True], cases[True, False], cases[False, True], cases[False, False]
        )
        difference = difference._replace(interval=interval)
    return Paired(first[0].agent, second[0].agent, "score" if scored else "wins", difference)


def _value(game: Result, *, scored: bool) -> float:
    if not scored:
        return float(game.won)
    assert game.score is not None
    return game.score


def _finite(interval: Interval) -> list[float] | None:
    return None if interval.high == float("inf") else list(interval)
