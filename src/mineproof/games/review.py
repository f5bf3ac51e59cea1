"""Review a finished game: the risks taken, what they cost, and missed deductions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Literal, NamedTuple

from mineproof import _engine
from mineproof.games.analysis import WinProbability, win_chance
from mineproof.games.match import play
from mineproof.games.move_cost import cost, is_nothing
from mineproof.games.record import Record
from mineproof.reasoning.posterior import Posterior, Tracker
from mineproof.world.clues import Exact
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.view import COVERED, EXPLODED, UNTOUCHED, View

_PLAYOUTS = 200
"""Playouts per win probability; its standard error is at most 0.035."""
_EVEN = 0.5 - 1e-9
"""A probability below this is below one half, despite rounding."""
Verdict = Literal["none", "lucky", "expected", "unlucky", "unnecessary"]
"""How large a part luck played in a game."""
CHAMPION = "champion:budget=fast"
"""The agent whose game on the same board serves for comparison."""


class JudgedMove(NamedTuple):
    """A move of a finished game, judged by what could be known when it was made."""

    number: int
    """The number of its turn, from 0; a chord is one turn with several moves."""
    move: Move
    before: View
    """The view before it."""
    risk: float | None
    """The probability that it opens a mine or flags a safe cell; None for other actions."""
    least: float | None
    """The lowest risk of any cell that could be opened."""
    missed: tuple[Cell, ...]
    """Certainly safe cells, if a cell that was not certainly safe was opened instead."""
    hit: bool
    exact: bool
    """Whether the risks are exact; otherwise they are estimates."""
    win: WinProbability | None = None
    """The win probability before a risky move, if available."""
    after: WinProbability | None = None
    """The win probability after a risky opening, or after the first one, if available."""
    cost: WinProbability | None = None
    """The win probability lost compared with the champion's move; 0 if it is the same move."""

    @property
    def unnecessary(self) -> bool:
        """Whether more than half of the risk could have been avoided by opening a safer cell.

        False if the champion opens the same cell, or if the move was hardly worse than the
        champion's: the safest cell is not always the best.
        """
        if not self.risk or self.least is None:
            return False
        if self.missed:
            return True
        costs = self.cost is None or not is_nothing(self.cost)
        return self.risk > 2 * self.least and costs

    def to_json(self) -> dict[str, Any]:
        """Return the judged move as JSON data."""
        move = self.move
        return {
            "n": self.number,
            "cell": move.cell,
            "action": move.action,
            "risk": self.risk,
            "least": self.least,
            "missed": self.missed,
            "hit": self.hit,
            "exact": self.exact,
            "win": None if self.win is None else self.win.to_json(),
            "after": None if self.after is None else self.after.to_json(),
            "cost": None if self.cost is None else self.cost.to_json(),
        }


class GameLuck(NamedTuple):
    """The risks and the luck of a game in numbers."""

    openings: int
    guesses: int
    """Forced guesses: risky openings while no cell was certainly safe."""
    needless: int
    """Missed deductions: risky openings while a cell was certainly safe."""
    unnecessary: int
    """Unnecessary risks: missed deductions, and guesses while another cell was less than half as
    risky."""
    excess: float
    """The sum over all openings of the risk taken minus the lowest one available."""
    expected_hits: float
    """The expected number of mines hit, given the risks taken."""
    hits: int
    unnecessary_hits: int
    """Mines hit by openings with an unnecessary risk."""
    survival: float
    """The probability that all these openings hit no mine."""
    as_good: float
    """The probability that these risks hit at most as many mines as were hit."""
    as_bad: float
    """The probability that these risks hit at least as many mines as were hit."""

    @property
    def luck(self) -> float:
        """The expected number of mines hit minus the actual number.

        Its average over many games is 0. `verdict` judges a single game.
        """
        return self.expected_hits - self.hits

    @property
    def verdict(self) -> Verdict:
        """How large a part luck played: the outcome compared with the risks that were taken.

        `none`: nothing was risked. `unnecessary`: at least half of the mines were hit by
        unnecessary risks, which is not bad luck. `lucky` and `unlucky`: with the same risks,
        more than half of all games would end worse, or better. `expected`: neither.
        """
        if not self.guesses + self.needless:
            return "none"
        if self.hits and 2 * self.unnecessary_hits >= self.hits:
            return "unnecessary"
        if self.as_good < _EVEN:
            return "lucky"
        return "unlucky" if self.as_bad < _EVEN else "expected"

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON data."""
        return {**self._asdict(), "luck": self.luck, "verdict": self.verdict}


def review(record: Record, *, win: bool = True) -> Iterator[JudgedMove]:
    """Yield every move of a game, judged; `win` adds win probabilities around risky moves."""
    tracker = Tracker(record.clues, record.rules.density)
    before, begun = record.first, False
    for number, turn in enumerate(record.turns):
        for move, events in zip(turn.moves, turn.changes, strict=True):
            view = before.after(events)
            judged = _judge(record, tracker, before, number, move)
            if win and move.action == "open" and (judged.risk or not begun):
                over = view == record.view and not record.fault
                judged = _with_chances(record, judged, before, view, over)
            begun |= move.action == "open"
            yield judged._replace(hit=any(event.state == EXPLODED for event in events))
            before = view


def _with_chances(
    record: Record, judged: JudgedMove, before: View, view: View, over: bool
) -> JudgedMove:
    """Return the move with win probabilities before and after it, and its cost, if available."""
    if record.rules.on_mine != "end":
        return judged
    after = WinProbability(float(record.won), 0.0) if over else _chance(record, view)
    if after is None or not judged.risk:
        return judged._replace(after=after)
    chance = _chance(record, before)
    if chance is None or not judged.exact:
        return judged._replace(win=chance, after=after)
    certain = bool(judged.missed)
    paid = cost(before, judged.move.cell, chance, record.rules, certain=certain)
    return judged._replace(win=chance, after=after, cost=paid)


def _chance(record: Record, view: View) -> WinProbability | None:
    return win_chance(view, record.clues, games=_PLAYOUTS)


def course(judged: Iterable[JudgedMove]) -> Iterator[tuple[int, WinProbability, bool]]:
    """Yield the win probability during the game: turns made, probability, whether a guess follows.

    Empty if no guess has a win probability, since there is nothing to compare then.
    """
    judged = list(judged)
    if all(one.win is None for one in judged):
        return
    for number, moves in groupby(judged, lambda one: one.number):
        risky = list(moves)
        before = next((one.win for one in risky if one.win is not None), None)
        after = [one.after for one in risky if one.after is not None]
        if before is not None:
            yield number, before, True
        if after:
            yield number + 1, after[-1], False


def champions_luck(record: Record) -> tuple[bool, GameLuck] | None:
    """Return whether the champion wins this board from the same first cell, and its luck.

    None without the compiled engine, with uncertain clues, or if play goes on after a mine.
    """
    first = next((move.cell for move in record.moves if move.action == "open"), None)
    usual = isinstance(record.clues, Exact) and record.rules.on_mine == "end"
    if first is None or not usual or not _engine.is_native():
        return None
    game = play(record.board, CHAMPION, rules=record.rules, start=first, seed=record.seed)
    return game.won, luck_of(review(game, win=False))


def luck_of(judged: Iterable[JudgedMove]) -> GameLuck:
    """Return the luck of a game from its judged moves."""
    opened = [one for one in judged if one.move.action == "open" and one.risk is not None]
    risky = [one for one in opened if one.risk]
    risks = [one.risk or 0.0 for one in risky]
    hits, chances = sum(one.hit for one in opened), _chances_of_hits(risks)
    return GameLuck(
        openings=len(opened),
        guesses=sum(not one.missed for one in risky),
        needless=sum(bool(one.missed) for one in risky),
        unnecessary=sum(one.unnecessary for one in risky),
        excess=math.fsum((one.risk or 0.0) - (one.least or 0.0) for one in risky),
        expected_hits=math.fsum(risks),
        hits=hits,
        unnecessary_hits=sum(one.unnecessary and one.hit for one in risky),
        survival=math.prod(1 - risk for risk in risks),
        as_good=min(math.fsum(chances[: hits + 1]), 1.0),
        as_bad=min(math.fsum(chances[hits:]), 1.0),
    )


def _chances_of_hits(risks: Iterable[float]) -> list[float]:
    """The probability of hitting 0, 1, 2, ... mines, for independent risks."""
    chances = [1.0]
    for risk in risks:
        more = [*chances, 0.0]
        fewer = [0.0, *chances]
        chances = [(1 - risk) * same + risk * one for same, one in zip(more, fewer, strict=True)]
    return chances


def _judge(record: Record, tracker: Tracker, view: View, number: int, move: Move) -> JudgedMove:
    if move.action not in {"open", "flag"}:
        return JudgedMove(number, move, view, None, None, (), False, True)
    if _is_promised(record, view, move):
        return JudgedMove(number, move, view, 0.0, 0.0, (), False, True)
    odds = tracker.posterior(view)
    index = view.grid.index(move.cell)
    safe = set(map(view.grid.index, odds.safe))
    open_safe = [i for i in sorted(safe) if view.states[i] in UNTOUCHED]
    mine = _risk(odds, index, safe)
    risk = mine if move.action == "open" else 1.0 - mine
    covered = [i for i, state in enumerate(view.states) if state in COVERED]
    least = min(_risk(odds, i, safe) for i in covered)
    missed = view.grid.cells(open_safe) if move.action == "open" and risk > 0 else []
    return JudgedMove(number, move, view, risk, least, tuple(missed), False, odds.exact)


def _is_promised(record: Record, view: View, move: Move) -> bool:
    """Whether this is the first opening and the opening rule makes it safe."""
    begun = any(state not in COVERED or state == EXPLODED for state in view.states)
    return move.action == "open" and not begun and record.rules.opening != "any"


def _risk(odds: Posterior, index: int, safe: set[int]) -> float:
    """The risk of a cell; exactly 0 for proved ones, despite rounding."""
    return 0.0 if index in safe else float(odds.risk.flat[index])
