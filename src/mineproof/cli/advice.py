"""What an agent makes of a position, and how likely it is to be won."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mineproof import _engine
from mineproof.agents import Decision, Recipe, get
from mineproof.agents.champion import Advice, Champion
from mineproof.cli.screen import name_cell, say
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules
from mineproof.world.view import FLAGGED, Event, View

if TYPE_CHECKING:
    from rich.console import Console

_LARGE = 1000
"""Cells of a board whose chance is estimated only if somebody asks for the champion."""
_GAMES = 300


class Chance(NamedTuple):
    """A chance to win and its standard error, 0 where it is the true optimum."""

    chance: float
    error: float

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return {"chance": self.chance, "error": self.error, "exact": self.error == 0}


class Opinion(NamedTuple):
    """What an agent flags first, what it decides then, and what the champion considered."""

    agent: Recipe
    flags: list[Cell]
    decision: Decision
    advice: Advice | None

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        decision, advice = self.decision, self.advice
        told: dict[str, Any] = {
            "agent": {
                "name": self.agent.name,
                "flags": self.flags,
                "cell": decision.cell,
                "action": decision.action,
                "risk": decision.risk,
                "certain": decision.certain,
                "reason": decision.reason,
            }
        }
        if advice is not None:
            told["candidates"] = [
                {
                    "cell": one.cell,
                    "risk": one.risk,
                    "score": one.score,
                    "win": one.win,
                    "error": one.error,
                }
                for one in advice.candidates
            ]
        return told


def win_chance(view: View, clues: ClueModel, agent: str | None) -> Chance | None:
    """The chance to win, where it can be told: with exact clues and a known count."""
    guess = get(agent).guess if agent is not None else None
    champion = guess if isinstance(guess, Champion) else None
    if not _engine.is_native() or not isinstance(clues, Exact):
        return None
    if champion is None and view.grid.size > _LARGE:
        return None
    found = (champion or Champion()).win_chance(view, games=_GAMES)
    return None if found is None else Chance(*found)


def ask(name: str, view: View, clues: ClueModel, density: float | None) -> Opinion:
    """What an agent decides in a position out of the blue."""
    agent = get(name)
    known = view.mines is not None
    rules = Rules(count_known=known, density=None if known else density)
    player = agent.begin(view, rules=rules, clues=clues)
    flags: list[Cell] = []
    while (decision := player.decide()).action == "flag":
        flags.append(decision.cell)
        player.observe([Event(decision.cell, FLAGGED)])
    searched = isinstance(agent.guess, Champion) and not decision.certain
    advice = None
    if searched and decision.action == "open":
        assert isinstance(agent.guess, Champion)
        advice = agent.guess.advise(view, rules, clues)
    return Opinion(agent, flags, decision, advice)


def show_chance(console: Console, chance: Chance) -> None:
    """The chance in words."""
    if chance.error == 0:
        say(console, f"chance to win by best play: {chance.chance:.2%} (exact)")
        return
    say(
        console,
        f"chance to win: {chance.chance:.1%} +- {chance.error:.1%} ({_GAMES} games played out)",
    )


def show_opinion(console: Console, opinion: Opinion) -> None:
    """The agent's move, why, and what else it considered."""
    decision = opinion.decision
    first = f"flag {len(opinion.flags)} mined, then " if opinion.flags else ""
    what = f"{opinion.agent.name}: {first}{decision.action} {name_cell(decision.cell)}"
    say(console, f"{what}: {decision.reason}", style="bold")
    if opinion.advice is None or len(opinion.advice.candidates) < 2:
        return
    say(console, "  cell      risk    score   wins")
    for one in opinion.advice.candidates[:8]:
        score = "     -" if one.score is None else f"{one.score:6.3f}"
        wins = "-" if one.win is None else f"{one.win:.1%}"
        if one.error:
            wins += f" +- {one.error:.1%}"
        say(console, f"  {name_cell(one.cell):8} {one.risk:6.1%}  {score}   {wins}")
