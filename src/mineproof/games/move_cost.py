"""The value of a move: its win probability or expected score, and its cost against the best."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from mineproof.agents import get
from mineproof.agents.champion import CONFIDENT, Champion, without_flagged
from mineproof.games.analysis import WinProbability, judge
from mineproof.games.guarded_player import start_player
from mineproof.phrases import say
from mineproof.reasoning.posterior import Posterior, sample
from mineproof.world.board import Board, promised
from mineproof.world.clues import Exact
from mineproof.world.game import Game
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, UNTOUCHED, View

_GAMES = 400
"""Playouts for each cell that a review compares."""
SCORED = 100
"""Playouts for an expected score; they take a second or two."""
_PLAYER = "champion:budget=fast"
"""The agent that plays them."""


class ExpectedScore(NamedTuple):
    """A mean score and its standard error, which is 0 for the exact score of perfect play."""

    mean: float
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval."""
        reach = CONFIDENT * self.error
        return self.mean - reach, min(1.0, self.mean + reach)

    def to_json(self) -> dict[str, Any]:
        """Return the score as JSON data."""
        data = {"mean": self.mean, "error": self.error, "exact": self.error == 0}
        return {**data, "interval": list(self.interval)}


class MoveValue(NamedTuple):
    """The value of a move: its win probability, or its expected score if play goes on after a mine.

    Either is None if it is not available.
    """

    win: WinProbability | None = None
    score: ExpectedScore | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the value as JSON data."""
        return {name: one and one.to_json() for name, one in self._asdict().items()}

    def __str__(self) -> str:
        """The value in words, exact or with a 95 % confidence interval."""
        if self.win is not None:
            return _say("win", self.win.chance, self.win, percent)
        if self.score is not None:
            return _say("score", self.score.mean, self.score, lambda mean, _="": f"{mean:.3f}")
        return ""


class BestMove(NamedTuple):
    """The best move of a position: a cell to open, or to flag if no cell is worth opening."""

    cell: Cell
    action: str
    risk: float
    worth: MoveValue

    @property
    def win(self) -> WinProbability | None:
        """The win probability of the move, if available."""
        return self.worth.win

    @property
    def score(self) -> ExpectedScore | None:
        """The expected score of the move, if play goes on after a mine."""
        return self.worth.score


def cost(
    view: View, cell: Cell, before: WinProbability, rules: Rules, *, certain: bool
) -> WinProbability | None:
    """Return the win probability lost by opening this cell, compared with the champion's move.

    `before` is the win probability of the position; it is also the champion's if some cell is
    `certain`. Needs exact clues and a known mine count; None if it is not available, 0 for the
    champion's move.
    """
    best: WinProbability | None = before
    if not certain:
        advice = Champion().advise(view, rules)
        if not advice.candidates:
            return None
        if advice.candidates[0].cell == cell:
            return WinProbability(0.0, 0.0)
        best = move_value(view, advice.candidates[0].cell, rules)
    own = move_value(view, cell, rules)
    if own is None or best is None:
        return None
    return WinProbability(best.chance - own.chance, math.hypot(best.error, own.error))


def is_nothing(cost: WinProbability) -> bool:
    """Whether a cost is negligible: its 95 % interval contains 0, or it rounds to 0.0 points."""
    return cost.chance < max(cost.reach, 5e-4)


def move_value(view: View, cell: Cell, rules: Rules) -> WinProbability | None:
    """Return the win probability of opening a hidden cell if the champion plays on."""
    found = Champion().win_chance(view, rules, games=_GAMES, first=cell)
    return None if found is None else WinProbability(*found)


def with_promise(view: View, cell: Cell, rules: Rules) -> View:
    """Return the view with the cells marked safe that the opening rule guarantees."""
    free = promised(view.grid, cell, rules.opening)
    if not free or any(state not in {HIDDEN, FLAGGED} for state in view.states):
        return view
    states = bytearray(view.states)
    for index in free:
        states[index] = KNOWN_SAFE
    return replace(view, states=bytes(states))


def _safe(odds: Posterior) -> list[Cell]:
    """The cells that are proved safe and can be opened."""
    return [one for one in odds.safe if odds.view.state(one) in UNTOUCHED]


def to_win(
    view: View, seen: View, cell: Cell, odds: Posterior, rules: Rules, games: int
) -> tuple[MoveValue, BestMove | None]:
    """Return the win probability of opening the cell, and the best move with its own."""
    champion = Champion()

    def by(place: Cell | None, position: View) -> MoveValue:
        found = champion.win_chance(position, rules, games=max(games // 2, 2), first=place)
        return MoveValue(None if found is None else WinProbability(*found))

    best = None
    if seen is view and (safe := _safe(odds)):
        best = BestMove(safe[0], "open", 0.0, by(safe[0], view))
        return (best.worth if cell in safe else by(cell, view)), best
    advice = without_flagged(judge(champion, view, rules, Exact(), games=games), view)
    if advice.candidates:
        first = advice.candidates[0]
        worth = MoveValue(
            None if first.win is None else WinProbability(first.win, first.error or 0.0)
        )
        if first.win is None:
            worth = by(first.cell, with_promise(view, first.cell, rules))
        best = BestMove(first.cell, "open", first.risk, worth)
    if best is not None and best.cell == cell:
        return best.worth, best
    return by(cell, seen), best


def for_score(
    view: View, seen: View, cell: Cell, odds: Posterior, rules: Rules, games: int
) -> tuple[MoveValue, BestMove | None]:
    """Return the expected score of opening the cell, and the best move with its own."""
    champion = Champion()

    def by(place: Cell, position: View) -> MoveValue:
        cost = champion.score_cost(position, rules, first=place)
        if cost is None:
            return MoveValue(score=_played_out(position, place, rules, games))
        return MoveValue(score=ExpectedScore(_score(position, cost), 0.0))

    if seen is view and (safe := _safe(odds)):
        best = BestMove(safe[0], "open", 0.0, by(safe[0], view))
        return (best.worth if cell in safe else by(cell, view)), best
    own = by(cell, seen)
    advice = champion.advise(view, rules)
    if advice.method == "flags" or not (found := without_flagged(advice, view)).candidates:
        return own, _flags(odds)
    first = found.candidates[0]
    if first.cell == cell:
        return own, BestMove(cell, "open", first.risk, own)
    worth = by(first.cell, with_promise(view, first.cell, rules))
    return own, BestMove(first.cell, "open", first.risk, worth)


def _flags(odds: Posterior) -> BestMove | None:
    """The best move if nothing more is opened: flag the cell most likely to be a mine."""
    view = odds.view
    risks = {one: float(odds.risk[one]) for one in view.cells(*COVERED)}
    if not risks:
        return None
    cost = math.fsum(min(risk, 1 - risk) for risk in risks.values())
    likeliest = max(risks, key=lambda one: risks[one])
    worth = MoveValue(score=ExpectedScore(_score(view, cost), 0.0))
    return BestMove(likeliest, "flag", risks[likeliest], worth)


def _score(view: View, cost: float) -> float:
    """The score of a game that loses `cost` flags from here on."""
    mines = view.mines or 0
    return (mines - view.states.count(EXPLODED) - cost) / mines if mines else 1.0


def _played_out(view: View, cell: Cell, rules: Rules, games: int) -> ExpectedScore:
    """The mean score of playouts that start with this cell, on boards consistent with the view."""
    rules = replace(rules, opening="any")  # the guaranteed cells are in the view
    scores = [_play_on(board, view, cell, rules) for board in sample(view, games)]
    mean = math.fsum(scores) / games
    variance = math.fsum((one - mean) ** 2 for one in scores) / (games - 1)
    return ExpectedScore(mean, math.sqrt(max(variance, 1 / games**2) / games))


def _play_on(board: Board, view: View, cell: Cell, rules: Rules) -> float:
    game = Game(board, rules)
    for index, state in enumerate(view.states):
        if state not in COVERED and game.view.states[index] in COVERED:
            game.open(view.grid.cell(index))
    if game.view.state(cell) in COVERED:  # a zero may have opened it
        game.open(cell)
    player = start_player(get(_PLAYER), game.view, rules=rules, clues=Exact(), seed=0)
    while not game.over:
        move = player.decide()
        player.observe(list(game.play(move.cell, move.action)))
    assert game.score is not None
    return game.score


def percent(share: float, unit: str = " %") -> str:
    """Format a probability in per cent; small ones as "< 0.1 %"."""
    return "< 0.1 %" if 0 < share < 5e-4 else f"{100 * share:.1f}{unit}"


def _say(
    kind: str, value: float, estimate: WinProbability | ExpectedScore, written: Callable[..., str]
) -> str:
    low, high = estimate.interval
    shown = {"value": written(value), "low": written(low, ""), "high": written(high)}
    return say("cell.worth", kind=kind, exact=estimate.error == 0, **shown)
