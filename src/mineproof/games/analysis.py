"""Analysis of a position: the safest moves, the win probability, an agent's opinion."""

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
from mineproof.errors import AgentFault, check_integer
from mineproof.games.guarded_player import start_player
from mineproof.phrases import Phrase
from mineproof.reasoning.clue_odds import value_odds
from mineproof.reasoning.posterior import Posterior
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.view import COVERED, FLAGGED, KNOWN_SAFE, Event, View, count_covered

LARGE = 1000
"""On boards with more cells the win probability is estimated only if a champion is given."""
GAMES = 300
"""Playouts for a win probability."""
BUDGET, QUICK = 9000, 900
"""Playouts for a champion's opinion of one position (about a second on expert), and for the opinion
of a champion that uses none in its games."""
_JUDGED = 3
"""The number of candidates that are evaluated by playouts: the champion's best ones."""
_MAY_OPEN = 0.1 - 1e-9
"""The smallest probability of a 0 that is mentioned: a tenth, whatever the rounding error."""


def best_moves(odds: Posterior, count: int) -> list[Move]:
    """Return up to `count` cells to open, in order of increasing risk.

    Ties are broken by the number of hidden neighbours, then by index. Cells that are proved safe
    come before cells whose estimated risk is 0.
    """
    grid, states = odds.view.grid, odds.view.states
    safe = set(map(grid.index, odds.safe))
    mined = set(map(grid.index, odds.mined))
    risks = odds.risk.ravel().tolist()
    # As in play, risks within 1e-10 are equal.
    ranks = {
        index: -1 if index in safe else round(1e10 * risks[index])
        for index, state in enumerate(states)
        if state in COVERED and index not in mined
    }
    last = sorted(ranks.values())[:count][-1:]
    near = {
        index: count_covered(states[other] for other in grid.neighbours(index))
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
        return Move(cell, "open", 0.0, True, Phrase("best.safe"), "exact")
    why = Phrase("best.risk", {"risk": risk})
    return Move(cell, "open", risk, False, why, estimated=estimated)


def begin_with(move: Move, moves: list[Move]) -> list[Move]:
    """Return the moves with an agent's move put first; their number stays the same."""
    others = [one for one in moves if one.cell != move.cell]
    return [move, *others][: len(moves)]


def odds_json(odds: Posterior, moves: list[Move]) -> dict[str, Any]:
    """Return mine probabilities and the best moves as JSON data."""
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


class WinProbability(NamedTuple):
    """A win probability and its standard error; the error is 0 if it is exact (best play)."""

    chance: float
    error: float

    @property
    def reach(self) -> float:
        """Half the width of the 95 % confidence interval."""
        return CONFIDENT * self.error

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval."""
        return max(0.0, self.chance - self.reach), min(1.0, self.chance + self.reach)

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        data = {"chance": self.chance, "error": self.error, "exact": self.error == 0}
        return {**data, "interval": list(self.interval)}


def win_chance(
    view: View,
    clues: ClueModel = Exact(),
    agent: Agent | None = None,
    *,
    games: int = GAMES,
    odds: Posterior | None = None,
) -> WinProbability | None:
    """Return the win probability of a position, or None if it is not available.

    It needs exact clues and a known mine count. The champion plays: `agent` if it is one. Pass
    `odds` of the view if you have them: if they are an estimate, the result is None at once.
    """
    games = check_integer(games, "games", 1, 10**9)
    champion = _champion(agent)
    if not _engine.is_native() or not isinstance(clues, Exact):
        return None
    if champion is None and view.grid.size > LARGE:
        return None
    if odds is not None and not odds.exact:
        return None
    found = (champion or Champion()).win_chance(view, games=games)
    return None if found is None else WinProbability(*found)


def _champion(agent: Agent | None) -> Champion | None:
    """Return the guesser of a champion; None for other agents."""
    guess = agent.guess if isinstance(agent, Recipe) else None
    return guess if isinstance(guess, Champion) else None


def judge(champion: Champion, view: View, rules: Rules, clues: ClueModel, *, games: int) -> Advice:
    """Return the champion's candidates, the best of them evaluated by `games` playouts in all.

    The win probability of a position is that of its best move. Half of the playouts choose that
    move; the other half estimate its win probability, because the best of several looks better than
    it is in the playouts that chose it. Exact win probabilities are kept; where none is available,
    candidates are returned without one.
    """
    advice = champion.advise(view, rules, clues)
    win_defined = rules.on_mine == "end" and isinstance(clues, Exact) and view.mines is not None
    best = advice.candidates[:1]
    if not win_defined or not best or advice.method == "opening" or best[0].error == 0:
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
    """Return the candidate with its win probability, by playouts that assume that it is safe.

    `after` skips that number of playouts.
    """
    index, states = view.grid.index(candidate.cell), bytearray(view.states)
    states[index] = KNOWN_SAFE
    safe = replace(view, states=bytes(states))
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
    """The mean and its error over the later games, from those over all and over the first games."""
    left = games - without
    mean = (every[0] * games - first[0] * without) / left
    squares = sum(
        sign * number * (number * error**2 + share**2)
        for sign, number, (share, error) in ((1, games, every), (-1, without, first))
    )
    variance = max(squares / left - mean**2, 1 / left)
    return min(max(mean, 0.0), 1.0), math.sqrt(variance / left)


def _may_open(view: View, cell: Cell, why: Phrase) -> Phrase:
    """The reason, with what the cell opens if it shows 0, unless that is unlikely."""
    if value_odds(view, cell).shown.get(0, 0.0) < _MAY_OPEN:
        return why
    (row, col), last = cell, (view.rows - 1, view.cols - 1)
    sides = (row in {0, last[0]}) + (col in {0, last[1]})
    return Phrase("search.may-open", {"why": why, "sides": sides})


class Opinion(NamedTuple):
    """An agent's flags, its move after them, and the champion's candidates."""

    agent: Agent
    flags: list[Cell]
    move: Move
    advice: Advice | None

    @property
    def chance(self) -> WinProbability | None:
        """The win probability after the move, if it is known."""
        best = self.advice.candidates[0] if self.advice and self.advice.candidates else None
        if best is None or best.win is None:
            return None
        return WinProbability(best.win, best.error or 0.0)

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
    """Return the rules for a position that comes without rules."""
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
    """Return an agent's move in a position; `density` is used only without `rules`.

    A champion's guess is chosen by `games` playouts in all (default: about a second), so it may
    differ from its guess in a game.
    """
    if games is not None:
        games = check_integer(games, "games", 1, 10**9)
    rules = rules_for(view, density) if rules is None else rules
    player = start_player(agent, view, rules=rules, clues=clues, seed=seed)
    flags: list[Cell] = []
    while (move := player.decide()).action == "flag":
        if len(flags) >= view.grid.size:
            raise AgentFault("keeps setting flags and never opens a cell", agent.name)
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
            may_open = isinstance(clues, Exact) and view.mines is not None
            why = _may_open(view, best.cell, reason(advice)) if may_open else reason(advice)
            move = Move(best.cell, "open", best.risk, False, why)
    return Opinion(agent, flags, move, advice)
