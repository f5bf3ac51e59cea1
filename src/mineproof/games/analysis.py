"""What a position is worth: the best moves by exact odds, the chance to win, an agent's opinion."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

from mineproof import _engine
from mineproof.agents import Agent
from mineproof.agents.champion import (
    CONFIDENT,
    Advice,
    Candidate,
    Champion,
    reason,
    without_flagged,
)
from mineproof.agents.recipes import Recipe
from mineproof.errors import AgentFault, whole
from mineproof.games.guarding import sit_down
from mineproof.reasoning.odds import value_odds
from mineproof.reasoning.posterior import Posterior
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.view import COVERED, FLAGGED, TOLD_SAFE, Event, View, count_covered

LARGE = 1000
"""Cells of a board whose chance is estimated only by a champion that somebody asks for."""
GAMES = 300
"""Games that are played out for a chance to win."""
BUDGET, QUICK = 9000, 900
"""Games that are played out for a champion's opinion of one position: a second or so on expert;
and for one that plays none out in its games."""
_JUDGED = 3
"""The candidates that are played out for an opinion: the best by what the champion thinks."""
_MAY_OPEN = 0.1 - 1e-9
"""The least chance of a zero that is worth a word; a tenth is, however it is rounded."""


def best_moves(odds: Posterior, count: int) -> list[Move]:
    """The cells to open, least risk first; ties by fewest covered neighbours, then by index.

    What is proved comes before what merely has a risk that looks like none.
    """
    grid, states = odds.view.grid, odds.view.states
    safe = set(map(grid.index, odds.safe))
    mined = set(map(grid.index, odds.mined))
    risks = odds.risk.ravel().tolist()
    # As in play, risks within 1e-10 are alike.
    ranks = {
        index: -1 if index in safe else round(1e10 * risks[index])
        for index, state in enumerate(states)
        if state in COVERED and index not in mined
    }
    last = sorted(ranks.values())[:count][-1:]
    near = {
        index: count_covered(states[other] for other in grid.around(index))
        for index, rank in ranks.items()
        if rank <= last[0]
    }
    order = sorted(near, key=lambda index: (ranks[index], near[index], index))
    return [
        _opening(grid.cell(index), risks[index], index in safe, not odds.exact)
        for index in order[:count]
    ]


def _opening(cell: Cell, risk: float, safe: bool, estimated: bool) -> Move:
    if safe:
        return Move(cell, "open", 0.0, True, "safe in every arrangement that fits", "exact")
    return Move(cell, "open", risk, False, f"a mine with {risk:.1%}", estimated=estimated)


def begin_with(move: Move, moves: list[Move]) -> list[Move]:
    """These moves, as many, with one of an agent's own before all others."""
    others = [one for one in moves if one.cell != move.cell]
    return [move, *others][: len(moves)]


def odds_json(odds: Posterior, moves: list[Move]) -> dict[str, Any]:
    """Odds and the moves they recommend as JSON data."""
    return {
        "risk": [[_number(risk) for risk in row] for row in odds.risk.tolist()],
        "safe": odds.safe,
        "mined": odds.mined,
        "best": [{"cell": move.cell, "risk": move.risk} for move in moves],
        "exact": odds.exact,
        "error": _number(odds.error),
        "log_weight": _number(odds.log_weight),
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


class Chance(NamedTuple):
    """A chance to win and its standard error, 0 where it is the true optimum."""

    chance: float
    error: float

    @property
    def reach(self) -> float:
        """Half of the 95 % interval."""
        return CONFIDENT * self.error

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95 %."""
        return max(0.0, self.chance - self.reach), min(1.0, self.chance + self.reach)

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        told = {"chance": self.chance, "error": self.error, "exact": self.error == 0}
        return {**told, "interval": list(self.interval)}


def win_chance(
    view: View,
    clues: ClueModel = Exact(),
    agent: Agent | None = None,
    *,
    games: int = GAMES,
    odds: Posterior | None = None,
) -> Chance | None:
    """The chance to win, where it can be told: with exact clues and a known count.

    As the champion plays: `agent`, if it is one. `odds` of the view, where they are at hand, spare
    counting what was too much to count: where they are an estimate there is no chance.
    """
    games = whole(games, "games", 1, 10**9, "are")
    champion = _champion(agent)
    if not _engine.is_native() or not isinstance(clues, Exact):
        return None
    if champion is None and view.grid.size > LARGE:
        return None
    if odds is not None and not odds.exact:
        return None
    found = (champion or Champion()).win_chance(view, games=games)
    return None if found is None else Chance(*found)


def _champion(agent: Agent | None) -> Champion | None:
    """The guesser of an agent that plays to win; None of all others."""
    guess = agent.guess if isinstance(agent, Recipe) else None
    return guess if isinstance(guess, Champion) else None


def judge(champion: Champion, view: View, rules: Rules, clues: ClueModel, *, games: int) -> Advice:
    """What a champion considers, the best of it played out by `games` in all.

    So a position has one chance to win: that of its best move. Half of the games choose it; its
    chance is that of the other half, for the best of several looks better than it is in the games
    that chose it. Chances that are exact stay as they are, and where they cannot be told there are
    none.
    """
    advice = champion.advise(view, rules, clues)
    told = rules.on_mine == "end" and isinstance(clues, Exact) and view.mines is not None
    best = advice.candidates[:1]
    if not told or not best or advice.method == "opening" or best[0].error == 0:
        return advice
    few = 1 if advice.method in {"part", "fifty-fifty"} else _JUDGED
    judged = advice.candidates[:few]
    if len(judged) == 1:
        fresh = _play_out(champion, view, rules, judged[0], games)
        return Advice(advice.method, (fresh, *advice.candidates[1:]))
    chosen_by = max(games // 2 // len(judged), 2)
    ranked = sorted(
        (_play_out(champion, view, rules, one, chosen_by) for one in judged),
        key=lambda one: -(one.win or 0),
    )
    fresh = _play_out(champion, view, rules, ranked[0], max(games // 2, 2), after=chosen_by)
    return Advice(advice.method, (fresh, *ranked[1:], *advice.candidates[few:]))


def _play_out(
    champion: Champion, view: View, rules: Rules, candidate: Candidate, games: int, after: int = 0
) -> Candidate:
    """The candidate with its chance to win: it is safe, and games are played out from there.

    With `after`, by those that come after so many others.
    """
    index, states = view.grid.index(candidate.cell), bytearray(view.states)
    states[index] = TOLD_SAFE
    safe = View(view.grid, bytes(states), view.mines, view.bounds)
    found = champion.win_chance(safe, rules, games=after + games)
    if found is None:
        return candidate
    if after and found[1]:
        first = champion.win_chance(safe, rules, games=after)
        assert first is not None
        found = _without(found, after + games, first, after)
    win, error = ((1 - candidate.risk) * number for number in found)
    return replace(candidate, win=win, error=error)


def _without(
    every: tuple[float, float], games: int, first: tuple[float, float], without: int
) -> tuple[float, float]:
    """The mean of games and its error without the first of them, from those of all and of these."""
    left = games - without
    mean = (every[0] * games - first[0] * without) / left
    squares = sum(
        sign * number * (number * error**2 + share**2)
        for sign, number, (share, error) in ((1, games, every), (-1, without, first))
    )
    variance = max(squares / left - mean**2, 1 / left)
    return min(max(mean, 0.0), 1.0), math.sqrt(variance / left)


def _may_open(view: View, cell: Cell) -> str:
    """In words what a cell may open besides itself, where that is likely enough."""
    if value_odds(view, cell).shown.get(0, 0.0) < _MAY_OPEN:
        return ""
    (row, col), last = cell, (view.rows - 1, view.cols - 1)
    sides = (row in {0, last[0]}) + (col in {0, last[1]})
    place = ("its surroundings", "the edge", "the corner")[sides]
    return f"; it may open {place}"


class Opinion(NamedTuple):
    """What an agent flags first, what it does then, and what the champion considered."""

    agent: Agent
    flags: list[Cell]
    move: Move
    advice: Advice | None

    @property
    def chance(self) -> Chance | None:
        """The chance to win by its move, where that is known."""
        best = self.advice.candidates[0] if self.advice and self.advice.candidates else None
        if best is None or best.win is None:
            return None
        return Chance(best.win, best.error or 0.0)

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        move, advice = self.move, self.advice
        data: dict[str, Any] = {
            "agent": {
                "name": self.agent.name,
                "flags": self.flags,
                "cell": move.cell,
                "action": move.action,
                "risk": move.risk,
                "certain": move.certain,
                "reason": move.reason,
            }
        }
        if advice is not None:
            data["candidates"] = [one.to_json() for one in advice.candidates]
        return data


def rules_for(view: View, density: float | None = None) -> Rules:
    """The rules of a position that comes without any."""
    known = view.mines is not None
    return Rules(opening="any", count_known=known, density=None if known else density)


def opinion(
    agent: Agent,
    view: View,
    clues: ClueModel = Exact(),
    density: float | None = None,
    *,
    rules: Rules | None = None,
    seed: int = 0,
    games: int | None = None,
) -> Opinion:
    """What an agent does in a position out of the blue; `density` is for those without rules.

    A champion's guess is judged by `games` in all, a second or so without a number: it may be
    another one than in a game.
    """
    if games is not None:
        games = whole(games, "games", 1, 10**9, "are")
    rules = rules_for(view, density) if rules is None else rules
    player = sit_down(agent, view, rules=rules, clues=clues, seed=seed)
    flags: list[Cell] = []
    while (move := player.decide()).action == "flag":
        if len(flags) >= view.grid.size:
            raise AgentFault(f"agent {agent.name!r} sets flags for ever and names no cell")
        flags.append(move.cell)
        player.observe([Event(move.cell, FLAGGED)])
    champion, advice = _champion(agent), None
    if champion is not None and move.action == "open" and not move.certain:
        games = games or (BUDGET if champion.budget.playouts else QUICK)
        advice = judge(champion, view, rules, clues, games=games)
        if advice.method != "flags":
            advice = without_flagged(advice, view)
        if advice.candidates and advice.method != "flags":
            best = advice.candidates[0]
            told = isinstance(clues, Exact) and view.mines is not None
            why = reason(advice) + (_may_open(view, best.cell) if told else "")
            move = Move(best.cell, "open", best.risk, False, why)
    return Opinion(agent, flags, move, advice)
