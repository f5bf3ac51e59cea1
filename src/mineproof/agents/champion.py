"""The champion's guesser: it maximises the win probability, not the survival of the next click.

If few configurations are left, it plays perfectly by searching the game tree. Otherwise it looks
one step ahead at everything that a cell may show and, if several cells are close, compares
them by playouts on boards drawn from the posterior. docs/play.md explains each step and what it
gains. The search is compiled and has no Python version.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import comb
from typing import Any

from mineproof import _engine
from mineproof.agents.budget import BUDGETS, LIMITS, Budget
from mineproof.agents.guessers import SharedOrder, least_exact
from mineproof.errors import EngineError, InvalidInput, check_integer
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.score_tree import ScoreTree, is_known
from mineproof.world.clues import ClueModel, Exact, as_clues
from mineproof.world.geometry import Cell, Grid
from mineproof.world.move import Move
from mineproof.world.rules import Rules, RulesLike, as_rules
from mineproof.world.view import FLAGGED, HIDDEN, UNTOUCHED, View


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that was considered.

    `score` is its value in the look-ahead (higher is better), `win` the win probability after
    opening it, and `error` the standard error of `win`, 0 if it is exact. In games that continue
    after a mine, only `loss` is set (lower is better): the expected number of missing and wrong
    flags. With the methods `endgame` and `opening`, where play from here is perfect, `loss` is for
    the whole game, otherwise for this step and the next. Figures that are not available are None.
    """

    cell: Cell
    risk: float
    score: float | None
    win: float | None
    error: float | None
    loss: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Advice:
    """How the champion decides: the method and the cells considered, the best first."""

    method: str
    candidates: tuple[Candidate, ...]

    def __str__(self) -> str:
        """Return one line per cell, the best first."""
        return "\n".join(map(str, describe(self)))


@_engine.twin("champion")
@dataclass(frozen=True, slots=True)
class Champion:
    """The guesser of the agent `champion`."""

    budget: Budget = BUDGETS["default"]

    def __post_init__(self) -> None:
        """Check the ranges of the budget."""
        for (name, (kind, least, most, _)), value in zip(LIMITS.items(), self.budget, strict=True):
            if kind is bool and not isinstance(value, bool):
                raise InvalidInput(f"champion:{name} must be true or false, got {value!r}")
            if not least <= value <= most:
                raise InvalidInput(f"champion:{name} must be from {least} to {most}, got {value}")

    def __str__(self) -> str:
        """Return its name in lists of agents."""
        return "search"

    def __call__(self, knowledge: Knowledge, order: SharedOrder) -> Move | None:
        """Return the best cell by search.

        In games for a score with uncertain clues, small boards are played perfectly by searching
        their whole game tree; on others it looks ahead if it can, and otherwise takes the lowest
        risk, with flags that pay off on average (docs/uncertainty.md).
        """
        if knowledge.rules.on_mine == "continue" and not isinstance(knowledge.clues, Exact):
            return _by_tree(knowledge) or self._ahead(knowledge) or least_exact(knowledge, order)
        advice = self.advise(knowledge.view, knowledge.rules, knowledge.clues)
        if not advice.candidates:  # contradictory clues, taken for exact
            return least_exact(knowledge, order)
        if knowledge.report is not None:
            for entry in describe(advice):
                knowledge.report(entry)
        if advice.method == "flags":
            return _flag(advice, knowledge) or least_exact(knowledge, order)
        advice = without_flagged(advice, knowledge.view)
        if not advice.candidates:
            return least_exact(knowledge, order)
        best = advice.candidates[0]
        return Move(best.cell, "open", best.risk, False, reason(advice))

    def _ahead(self, knowledge: Knowledge) -> Move | None:
        """Return the best cell by look-ahead for a score with uncertain clues, or None.

        None means to take the lowest risk, which is as good for the first cell and better if cells
        are asked again: then a cell's information comes later, when others are open. On boards with
        few mines, clues that are always shown but seldom true do not repay a look-ahead; with
        estimated risks it would take too long.
        """
        clues, cells = knowledge.clues, knowledge.grid.size
        few = knowledge.mines is not None and knowledge.mines < FEW * cells
        if clues.redraw or knowledge.covered == cells or (few and not clues.can_be_missing):
            return None
        odds = knowledge.posterior()
        if odds is None or not odds.exact:
            return None
        advice = self.advise(knowledge.view, knowledge.rules, knowledge.clues)
        if advice.method != "look-ahead":
            return None
        if knowledge.report is not None:
            for entry in describe(advice):
                knowledge.report(entry)
        for best in advice.candidates:
            if knowledge.states[knowledge.grid.index(best.cell)] == HIDDEN:
                return Move(best.cell, "open", best.risk, False, reason(advice))
        return None

    def advise(
        self, view: View, rules: RulesLike = Rules(), clues: ClueModel | str = Exact()
    ) -> Advice:
        """Return the cells it considers in a position without certain cells, the best first.

        If no cell is open yet, the opening rule applies to the first one.
        """
        check_engine()
        rules, clues = as_rules(rules, dealt=False), as_clues(clues)
        found = _engine.native.advise(
            view,
            _engine.model_of(clues),
            list(clues.overrides(view).items()),
            rules.density if view.mines is None else None,
            _engine.rules_of(rules),
            _engine.budget_of(self.budget._asdict()),
        )
        cell = view.grid.cell
        return Advice(
            _engine.text_of(found.method),
            tuple(
                Candidate(cell(one.cell), one.risk, one.score, one.win, one.error, one.loss)
                for one in found.candidates
            ),
        )

    def win_chance(
        self,
        view: View,
        rules: RulesLike = Rules(),
        *,
        games: int = 400,
        first: Cell | None = None,
    ) -> tuple[float, float] | None:
        """Return the win probability of a position and its standard error, 0 if it is exact.

        With `first`, a covered cell, it is the win probability after opening that cell. None unless
        clues are exact, the mine count is known and a mine ends the game.
        """
        if view.mines is None:
            return None
        check_engine()
        budget = _engine.budget_of(self.budget._asdict())
        games = check_integer(games, "games", 1, 10**9)
        index = None if first is None else view.grid.index(first)
        by = _engine.rules_of(as_rules(rules, dealt=False))
        found = _engine.native.win_chance(view, by, budget, games, first=index)
        return None if found is None else (found.win, found.error)

    def score_cost(
        self, view: View, rules: RulesLike = Rules(on_mine="continue"), *, first: Cell | None = None
    ) -> float | None:
        """Return the expected number of missing and wrong flags under perfect play from here.

        For games that continue after a mine. With `first`, a covered cell, that cell is opened
        first. None if perfect play is out of reach, the mine count unknown or clues uncertain.
        """
        if view.mines is None:
            return None
        check_engine()
        budget = _engine.budget_of(self.budget._asdict())
        index = None if first is None else view.grid.index(first)
        by = _engine.rules_of(as_rules(rules, dealt=False))
        return _engine.native.score_cost(view, by, budget, first=index)


FEW = 0.075
"""The mine density below which the lowest risk scores as well as a look-ahead."""
_MOST_BOARDS, MOST_TREE_CELLS = 30, 8
"""The largest board that is played perfectly with uncertain clues: a tree takes up to 2 seconds."""


@lru_cache(maxsize=4)
def _tree(grid: Grid, mines: int, clues: ClueModel) -> ScoreTree:
    return ScoreTree(grid, mines, clues)


def _by_tree(knowledge: Knowledge) -> Move | None:
    """Return the best cell by the game tree of a small board; None if large or best to flag."""
    grid, mines, clues = knowledge.grid, knowledge.mines, knowledge.clues
    states = bytes(
        HIDDEN if state in UNTOUCHED or state == FLAGGED else state for state in knowledge.states
    )
    if mines is None or grid.size > MOST_TREE_CELLS or not is_known(clues):
        return None
    if comb(grid.size, mines) > _MOST_BOARDS:
        return None
    fits, cell = _tree(grid, mines, clues).best(states)
    if not fits or cell is None or knowledge.states[grid.index(cell)] != HIDDEN:
        return None
    posterior = knowledge.posterior()
    risk = None if posterior is None else float(posterior.risk[cell])
    return Move(cell, "open", risk, False, Phrase("search.tree"))


def _flag(advice: Advice, knowledge: Knowledge) -> Move | None:
    """Return a flag on the likeliest mine without one; None if no more flags are worth it."""
    for one in advice.candidates:
        if knowledge.states[knowledge.grid.index(one.cell)] == HIDDEN:
            why = Phrase("search.flag", {"risk": one.risk})
            return Move(one.cell, "flag", 1 - one.risk, False, why)
    return None


def without_flagged(advice: Advice, view: View) -> Advice:
    """Drop the flagged cells: the search ignores flags, but a flagged cell cannot be opened."""
    states, index = view.states, view.grid.index
    left = (one for one in advice.candidates if states[index(one.cell)] != FLAGGED)
    return replace(advice, candidates=tuple(left))


def check_engine() -> None:
    """Raise an error if the compiled engine is not in use."""
    if not _engine.is_native():
        raise EngineError(
            "the agent 'champion' needs the compiled engine, and this is the Python engine: "
            "install a C++ compiler and reinstall mineproof, or use the agent 'exact'"
        )


CONFIDENT = 1.96
"""Half the width of a 95 % confidence interval, in standard errors."""


def reason(advice: Advice) -> Phrase:
    """Return why the first candidate is the best."""
    best, *others = advice.candidates
    method = advice.method
    values = {"risk": best.risk, "wins": _wins(best), "costs": _costs(best)}
    values["next"] = _next_best(best, others[0]) if others else ""
    if method == "opening":
        return Phrase("search.opening", {"wins": values["wins"], "costs": values["costs"]})
    if method == "least-risk":
        return Phrase("search.least-risk", {"risk": best.risk})
    if best.risk == 0.5 and (method == "part" or best.win == 0.5):
        return Phrase("search.even", {"wins": values["wins"]})
    if method == "part":
        return Phrase("search.part", {"risk": best.risk})
    if method == "fifty-fifty":
        return Phrase("search.fifty-fifty", values)
    if method == "endgame":
        return Phrase("search.endgame" if best.win is not None else "search.score", values)
    if best.win is not None:
        return Phrase("search.win", values)
    return Phrase("search.estimate", {**values, "learned": method == "learned"})


def _next_best(best: Candidate, other: Candidate) -> Phrase:
    values = {"cell": other.cell, "win": other.win}
    if best.win is None or other.win is None:
        return Phrase("search.next", values)
    # By chance, in different playouts, the other may win more often.
    return Phrase("search.as-good" if other.win > best.win else "search.next-win", values)


def _win(candidate: Candidate) -> Phrase:
    """Return a win probability, with its 95 % interval if it is an estimate."""
    assert candidate.win is not None
    if not candidate.error:
        return Phrase("search.win-share", {"win": candidate.win})
    reach = CONFIDENT * candidate.error
    low, high = max(candidate.win - reach, 0.0), min(candidate.win + reach, 1.0)
    values = {"win": candidate.win, "low": 100 * low, "high": high}
    return Phrase("search.win-interval", values)


def _wins(candidate: Candidate) -> Phrase | str:
    return "" if candidate.win is None else Phrase("search.wins", {"win": _win(candidate)})


def _costs(candidate: Candidate) -> Phrase | str:
    """Return what perfect play costs after this cell, if that is known."""
    return "" if candidate.loss is None else Phrase("search.costs", {"loss": candidate.loss})


def describe(advice: Advice) -> Iterator[Entry]:
    """Yield the method and everything considered, line by line."""
    candidates, method = advice.candidates, advice.method
    yield Entry(Phrase("log.considered", {"method": method, "cells": len(candidates)}))
    for one in candidates:
        values: dict[str, Any] = {
            "cell": one.cell,
            "risk": one.risk,
            "score": "",
            "win": "",
            "loss": "",
        }
        if one.score is not None:
            values["score"] = Phrase("log.score", {"score": one.score})
        if one.win is not None:
            values["win"] = Phrase("log.win", {"win": _win(one)})
        if one.loss is not None:
            steps = method not in {"endgame", "opening"}
            values["loss"] = Phrase("log.loss", {"loss": one.loss, "steps": steps})
        yield Entry(Phrase("log.candidate", values), "columns")
