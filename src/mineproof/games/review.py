"""A finished game looked at again: what was risked, and what could have been known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from mineproof.games.analysis import Chance, win_chance
from mineproof.games.record import Record
from mineproof.reasoning.posterior import Posterior, Tracker
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.view import COVERED, EXPLODED, UNTOUCHED, View

_PLAYOUTS = 100
"""Games that are played out for each chance to win: its error is 0.05 at most."""


class Judged(NamedTuple):
    """A move of a finished game, by all that could be known when it was made."""

    number: int
    move: Move
    risk: float | None
    """The exact chance that it is wrong: an opened mine, a flagged safe cell; None of others."""
    least: float | None
    """The least risk of any cell that could be opened."""
    missed: tuple[Cell, ...]
    """Cells that were certainly safe, where one was opened that was not."""
    hit: bool
    exact: bool
    """Whether the risks are counted; else they are estimates."""
    win: Chance | None = None
    """The chance to win before it, where it was risky and the chance can be told."""

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
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
        }


class Luck(NamedTuple):
    """A game in a few numbers."""

    openings: int
    guesses: int
    """Openings at a risk though nothing was certain to be safe."""
    needless: int
    """Openings at a risk while something was certain to be safe."""
    excess: float
    """Risk taken beyond the least there was, summed over the openings."""
    expected_hits: float
    hits: int
    survival: float
    """The chance to live through all these openings."""

    @property
    def luck(self) -> float:
        """How many mines fewer were hit than the risks say: above 0 is lucky."""
        return self.expected_hits - self.hits

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return {**self._asdict(), "luck": self.luck}


def review(record: Record, *, win: bool = True) -> Iterator[Judged]:
    """Every move of a game, judged one by one; with the chance to win before risky ones."""
    tracker = Tracker(record.clues, record.rules.density)
    game = record.begin()
    for number, move in enumerate(record.moves):
        before = game.view
        exploded = game.exploded
        game.play(move.cell, move.action)
        judged = _judge(record, tracker, before, number, move)
        if win and judged.risk and move.action == "open":
            judged = judged._replace(win=win_chance(before, record.clues, games=_PLAYOUTS))
        yield judged._replace(hit=game.exploded > exploded)


def luck_of(judged: Iterable[Judged]) -> Luck:
    """What the openings of a game come to."""
    opened = [one for one in judged if one.move.action == "open" and one.risk is not None]
    risky = [one for one in opened if one.risk]
    return Luck(
        openings=len(opened),
        guesses=sum(not one.missed for one in risky),
        needless=sum(bool(one.missed) for one in risky),
        excess=math.fsum((one.risk or 0.0) - (one.least or 0.0) for one in risky),
        expected_hits=math.fsum(one.risk or 0.0 for one in risky),
        hits=sum(one.hit for one in opened),
        survival=math.prod(1 - (one.risk or 0.0) for one in risky),
    )


def _judge(record: Record, tracker: Tracker, view: View, number: int, move: Move) -> Judged:
    if move.action not in {"open", "flag"}:
        return Judged(number, move, None, None, (), False, True)
    if _is_promised(record, view, move):
        return Judged(number, move, 0.0, 0.0, (), False, True)
    odds = tracker.posterior(view)
    index = view.grid.index(move.cell)
    safe = set(map(view.grid.index, odds.safe))
    open_safe = [i for i in sorted(safe) if view.states[i] in UNTOUCHED]
    mine = _risk(odds, index, safe)
    risk = mine if move.action == "open" else 1.0 - mine
    covered = [i for i, state in enumerate(view.states) if state in COVERED]
    least = min(_risk(odds, i, safe) for i in covered)
    missed = view.grid.cells(open_safe) if move.action == "open" and risk > 0 else []
    return Judged(number, move, risk, least, tuple(missed), False, odds.exact)


def _is_promised(record: Record, view: View, move: Move) -> bool:
    """Whether the opening rule keeps the first opened cell free."""
    begun = any(state not in COVERED or state == EXPLODED for state in view.states)
    return move.action == "open" and not begun and record.rules.opening != "any"


def _risk(odds: Posterior, index: int, safe: set[int]) -> float:
    """What is proved is exactly 0, whatever a float says."""
    return 0.0 if index in safe else float(odds.risk.flat[index])
