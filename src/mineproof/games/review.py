"""A finished game looked at again: what was risked, what it cost, what could have been known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from mineproof import _engine
from mineproof.games.analysis import Chance, win_chance
from mineproof.games.match import play
from mineproof.games.record import Record
from mineproof.games.worth import cost, is_nothing
from mineproof.reasoning.posterior import Posterior, Tracker
from mineproof.world.clues import Exact
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.view import COVERED, EXPLODED, UNTOUCHED, View

_PLAYOUTS = 200
"""Games that are played out for each chance to win: its error is 0.035 at most."""
_EVEN = 0.5 - 1e-9
"""A chance below this is below a half, however it was rounded."""
Verdict = Literal["none", "lucky", "expected", "unlucky", "unnecessary"]
"""What part luck had in a game."""
CHAMPION = "champion:budget=fast"
"""Who shows what luck a board needs."""


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
    after: Chance | None = None
    """The chance to win after it: of a risky opening, and of the first."""
    cost: Chance | None = None
    """How much less likely the champion's move would have made a loss; 0 where it is the same."""

    @property
    def unnecessary(self) -> bool:
        """Whether more than half of its risk could have been avoided: a safer cell was there.

        Not where the champion opens the same cell, or one that is hardly better: a safer cell may
        win less often.
        """
        if not self.risk or self.least is None:
            return False
        if self.missed:
            return True
        costs = self.cost is None or not is_nothing(self.cost)
        return self.risk > 2 * self.least and costs

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
            "after": None if self.after is None else self.after.to_json(),
            "cost": None if self.cost is None else self.cost.to_json(),
        }


class Luck(NamedTuple):
    """A game in a few numbers."""

    openings: int
    guesses: int
    """Openings at a risk though nothing was certain to be safe."""
    needless: int
    """Openings at a risk while something was certain to be safe."""
    unnecessary: int
    """Openings whose risk could mostly have been avoided: these, and guesses where a cell was less
    than half as risky."""
    excess: float
    """Risk taken beyond the least there was, summed over the openings."""
    expected_hits: float
    """How many mines the risks taken hit on average: a number, not a probability."""
    hits: int
    unnecessary_hits: int
    """Mines hit by openings of an unnecessary risk."""
    survival: float
    """The chance to live through all these openings."""
    as_good: float
    """The chance that these risks hit no more mines than were hit,"""
    as_bad: float
    """and no fewer."""

    @property
    def luck(self) -> float:
        """The mines that the risks taken hit on average, minus those that were hit.

        It averages to 0 over many games. What it says of one game is `verdict`.
        """
        return self.expected_hits - self.hits

    @property
    def verdict(self) -> Verdict:
        """What part luck had: what happened, compared with the risks that were taken.

        `none`: nothing was risked. `unnecessary`: at least half of the mines were hit by risks
        that could have been avoided, which is nobody's luck. `lucky` and `unlucky`: the risks
        taken more often end worse, or better. `expected`: neither.
        """
        if not self.guesses + self.needless:
            return "none"
        if self.hits and 2 * self.unnecessary_hits >= self.hits:
            return "unnecessary"
        if self.as_good < _EVEN:
            return "lucky"
        return "unlucky" if self.as_bad < _EVEN else "expected"

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return {**self._asdict(), "luck": self.luck, "verdict": self.verdict}


def review(record: Record, *, win: bool = True) -> Iterator[Judged]:
    """Every move of a game, judged one by one; with the chances to win around risky ones."""
    tracker = Tracker(record.clues, record.rules.density)
    game, begun = record.begin(), False
    for number, move in enumerate(record.moves):
        before = game.view
        exploded = game.exploded
        game.play(move.cell, move.action)
        judged = _judge(record, tracker, before, number, move)
        if win and move.action == "open" and (judged.risk or not begun):
            judged = _with_chances(record, judged, before, game)
        begun |= move.action == "open"
        yield judged._replace(hit=game.exploded > exploded)


def _with_chances(record: Record, judged: Judged, before: View, game: Game) -> Judged:
    """An opening with the chances to win around it, and what it cost, where they can be told."""
    if record.rules.on_mine != "end":
        return judged
    after = Chance(float(game.won), 0.0) if game.over else _chance(record, game.view)
    if after is None or not judged.risk:
        return judged._replace(after=after)
    chance = _chance(record, before)
    if chance is None or not judged.exact:
        return judged._replace(win=chance, after=after)
    certain = bool(judged.missed)
    paid = cost(before, judged.move.cell, chance, record.rules, certain=certain)
    return judged._replace(win=chance, after=after, cost=paid)


def _chance(record: Record, view: View) -> Chance | None:
    return win_chance(view, record.clues, games=_PLAYOUTS)


def course(judged: Iterable[Judged]) -> Iterator[tuple[int, Chance, bool]]:
    """The chance to win as the game went: after so many moves, and whether a guess follows.

    Empty where no guess has one: a chance that nothing is compared with has nothing to show.
    """
    judged = list(judged)
    if all(one.win is None for one in judged):
        return
    for one in judged:
        if one.win is not None:
            yield one.number, one.win, True
        if one.after is not None:
            yield one.number + 1, one.after, False


def champions_luck(record: Record) -> tuple[bool, Luck] | None:
    """Whether the champion wins on this board from the same first cell, and its luck there.

    None where it does not play: without the compiled search, with uncertain clues, for a score.
    """
    first = next((move.cell for move in record.moves if move.action == "open"), None)
    usual = isinstance(record.clues, Exact) and record.rules.on_mine == "end"
    if first is None or not usual or not _engine.is_native():
        return None
    game = play(record.board, CHAMPION, rules=record.rules, start=first, seed=record.seed)
    return game.won, luck_of(review(game, win=False))


def luck_of(judged: Iterable[Judged]) -> Luck:
    """What the openings of a game come to."""
    opened = [one for one in judged if one.move.action == "open" and one.risk is not None]
    risky = [one for one in opened if one.risk]
    risks = [one.risk or 0.0 for one in risky]
    hits, chances = sum(one.hit for one in opened), _chances_of_hits(risks)
    return Luck(
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
    """How likely so many mines are hit, from none to all, by risks that are independent."""
    chances = [1.0]
    for risk in risks:
        more = [*chances, 0.0]
        fewer = [0.0, *chances]
        chances = [(1 - risk) * same + risk * one for same, one in zip(more, fewer, strict=True)]
    return chances


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
