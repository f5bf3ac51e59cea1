"""The champion's guess: to win the game, not to survive the click.

With few arrangements left it plays perfectly, by searching the game tree. Else it looks one
step ahead over all that a cell may show, and, where that leaves some cells close together,
plays games out from each of them on boards drawn from the posterior. docs/play.md tells how
and what each step is worth. The search is compiled: it has no twin in Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

from mineproof import _engine
from mineproof.agents.guessers import SharedOrder, least_exact
from mineproof.errors import EngineError, InvalidInput, whole
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.posterior import own_likelihoods
from mineproof.reasoning.score_tree import ScoreTree, is_known
from mineproof.world.clues import ClueModel, Exact, as_clues
from mineproof.world.geometry import Cell, Grid, name_cell
from mineproof.world.move import Move
from mineproof.world.rules import Rules, RulesLike, as_rules
from mineproof.world.view import FLAGGED, HIDDEN, UNTOUCHED, View


class Budget(NamedTuple):
    """What a decision may cost, counted in what is done: so results repeat on any machine.

    `arrangements`: play is perfect with no more than these left, if the search of the game
    tree takes no more `work` (cells times arrangements, over all sets it looks at). `parts`:
    a part of the board that tells nothing of the others is solved apart if it has no more.
    `candidates`: the cells that are looked at; the safest alone with 1. `premium`: what cells
    that will be known to be safe are worth in the look-ahead. `leaves`: what a cell may show
    is solved where it leaves no more arrangements. `playouts`: games, for all cells together, at
    most: they end as soon as the next ones are not expected to change the choice for the better.
    `fifties`: whether a 50/50 that nothing will ever tell apart is taken as soon as it is seen (1),
    or when it is all that is left (0). `further`: whether the look-ahead goes one step further (1)
    between close cells, where neither leaves nor playouts tell more. `learned`: whether close cells
    are appraised by what games played out have taught (1); that takes `fifties`.
    """

    arrangements: int
    work: int
    parts: int
    candidates: int
    premium: float
    leaves: int
    playouts: int
    fifties: int = 1
    further: int = 1
    learned: int = 1


BUDGET_FIELDS = {
    "arrangements": "Play perfectly once at most this many configurations are left.",
    "work": "The most work per search of the game tree, in cells times configurations.",
    "parts": "Solve an independent part of the board exactly up to this many configurations.",
    "candidates": "Compare this many cells; 1 takes the safest.",
    "premium": "What a cell that will become known to be safe is worth in the look-ahead.",
    "leaves": "Solve what a cell may show exactly up to this many configurations.",
    "playouts": "The most playouts per move, for all cells together; 0 for none.",
    "fifties": "Take a 50/50 that nothing can resolve as soon as it is seen (1) or last (0).",
    "further": "Look one step further ahead between close cells (1) or not (0).",
    "learned": "Rank close cells by the trained network (1) or not (0).",
}
"""What each number of a budget does, in a sentence."""
BUDGETS = {
    "fast": Budget(500, 500_000, 200, 18, 0.1, 0, 0),
    "default": Budget(1000, 2_000_000, 200, 24, 0.1, 500, 1400),
    "max": Budget(4000, 50_000_000, 1000, 32, 0.1, 2000, 10_000),
}
_MOST = Budget(50_000, 10**12, 50_000, 1000, 1.0, 50_000, 10**8, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that was considered.

    `score` is what the look-ahead gives it, the higher the better, `win` the chance to win by
    opening it and `error` its standard error, 0 where it is exact. Where a mine does not end the
    game there are none of these but `loss`, the lower the better: how many flags it is expected to
    cost, counting mines that will have no flag and safe cells that will have one. It is that of the
    whole game by the methods `endgame` and `opening`, where play from here is perfect, and
    otherwise of this step and the next. None where there is no such figure.
    """

    cell: Cell
    risk: float
    score: float | None
    win: float | None
    error: float | None
    loss: float | None = None

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Advice:
    """How the champion decides: by which method, and what it considered, the best first."""

    method: str
    candidates: tuple[Candidate, ...]

    def __str__(self) -> str:
        """A line a cell, the best first."""
        return "\n".join(describe(self))


@_engine.twin("champion")
@dataclass(frozen=True, slots=True)
class Champion:
    """The guesser of the agent `champion`."""

    budget: Budget = BUDGETS["default"]

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name, number, most in zip(Budget._fields, self.budget, _MOST, strict=True):
            least = 1 if name == "candidates" else 0
            if not least <= number <= most:
                raise InvalidInput(f"champion:{name} is from {least} to {most}, got {number}")

    def __str__(self) -> str:
        """As lists of agents name it."""
        return "search"

    def __call__(self, knowledge: Knowledge, order: SharedOrder) -> Move | None:
        """The best cell by search.

        Where uncertain clues are played for a score, small boards are played perfectly, by their
        whole tree; on others it looks ahead where it can, else it is the least risk, with flags by
        odds (docs/uncertainty.md).
        """
        if knowledge.rules.on_mine == "continue" and not isinstance(knowledge.clues, Exact):
            return _by_tree(knowledge) or self._ahead(knowledge) or least_exact(knowledge, order)
        advice = self.advise(knowledge.view, knowledge.rules, knowledge.clues)
        if not advice.candidates:  # clues that are not what they are taken for
            return least_exact(knowledge, order)
        if knowledge.tell is not None:
            knowledge.tell("\n".join(describe(advice)))
        if advice.method == "flags":
            return _flag(advice, knowledge) or least_exact(knowledge, order)
        advice = without_flagged(advice, knowledge.view)
        if not advice.candidates:
            return least_exact(knowledge, order)
        best = advice.candidates[0]
        return Move(best.cell, "open", best.risk, False, reason(advice))

    def _ahead(self, knowledge: Knowledge) -> Move | None:
        """The best two steps ahead for a score under uncertain clues; None for the least risk.

        That is as good for the first cell, and better where cells are asked again: what a cell will
        tell comes later then, when others are open. Where mines are few, clues that are always
        shown but seldom true are worth no look; where odds are estimates, it would take too long.
        """
        clues, cells = knowledge.clues, knowledge.grid.size
        few = knowledge.mines is not None and knowledge.mines < _FEW * cells
        if clues.redraw or knowledge.covered == cells or (few and not clues.can_be_missing):
            return None
        odds = knowledge.posterior()
        if odds is None or not odds.exact:
            return None
        advice = self.advise(knowledge.view, knowledge.rules, knowledge.clues)
        if advice.method != "look-ahead":
            return None
        if knowledge.tell is not None:
            knowledge.tell("\n".join(describe(advice)))
        for best in advice.candidates:
            if knowledge.states[knowledge.grid.index(best.cell)] == HIDDEN:
                return Move(best.cell, "open", best.risk, False, reason(advice))
        return None

    def advise(
        self, view: View, rules: RulesLike = Rules(), clues: ClueModel | str = Exact()
    ) -> Advice:
        """What it considers in a position in which nothing is certain.

        Where nothing is opened either, the first cell is what the opening rule promises.
        """
        check_engine()
        rules, clues = as_rules(rules, dealt=False), as_clues(clues)
        found = _engine.native.advise(
            view,
            _engine.model_of(clues),
            own_likelihoods(view, clues),
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
        """The chance to win a position and its standard error, 0 where it is the true optimum.

        With `first`, a covered cell, by opening that cell and the best play after it. For exact
        clues, a known count and games that a mine ends; else None.
        """
        if view.mines is None:
            return None
        check_engine()
        budget = _engine.budget_of(self.budget._asdict())
        games = whole(games, "games", 1, 10**9, "are")
        index = None if first is None else view.grid.index(first)
        by = _engine.rules_of(as_rules(rules, dealt=False))
        found = _engine.native.win_chance(view, by, budget, games, first=index)
        return None if found is None else (found.win, found.error)

    def score_cost(
        self, view: View, rules: RulesLike = Rules(on_mine="continue"), *, first: Cell | None = None
    ) -> float | None:
        """The flags that perfect play costs from here to the end, where mines do not end the game.

        These are mines that will have no flag and safe cells that will have one. With `first`, a
        covered cell, by opening that cell first. None where perfect play is out of reach, the count
        is not known, or clues are uncertain.
        """
        if view.mines is None:
            return None
        check_engine()
        budget = _engine.budget_of(self.budget._asdict())
        index = None if first is None else view.grid.index(first)
        by = _engine.rules_of(as_rules(rules, dealt=False))
        return _engine.native.score_cost(view, by, budget, first=index)


_FEW = 0.075
"""Mines a cell, below which the least risk scores no less than a look ahead."""
_MOST_BOARDS, _MOST_CELLS = 30, 8
"""Of a board that is played perfectly under uncertain clues: a tree takes two seconds at most."""


@lru_cache(maxsize=4)
def _tree(grid: Grid, mines: int, clues: ClueModel) -> ScoreTree:
    return ScoreTree(grid, mines, clues)


def _by_tree(knowledge: Knowledge) -> Move | None:
    """The best cell by the whole tree of a small board; None where it is large, or best to flag."""
    grid, mines, clues = knowledge.grid, knowledge.mines, knowledge.clues
    states = bytes(
        HIDDEN if state in UNTOUCHED or state == FLAGGED else state for state in knowledge.states
    )
    if mines is None or grid.size > _MOST_CELLS or not is_known(clues):
        return None
    if comb(grid.size, mines) > _MOST_BOARDS:
        return None
    fits, cell = _tree(grid, mines, clues).best(states)
    if not fits or cell is None or knowledge.states[grid.index(cell)] != HIDDEN:
        return None
    posterior = knowledge.posterior()
    risk = None if posterior is None else float(posterior.risk[cell])
    return Move(cell, "open", risk, False, "the best for the score, by the whole game tree")


def _flag(advice: Advice, knowledge: Knowledge) -> Move | None:
    """The likeliest mine that has no flag yet; None where all that are worth one have it."""
    for one in advice.candidates:
        if knowledge.states[knowledge.grid.index(one.cell)] == HIDDEN:
            why = (
                f"a mine with {_percent(one.risk)}: flags are worth more than what a cell may tell"
            )
            return Move(one.cell, "flag", 1 - one.risk, False, why)
    return None


def without_flagged(advice: Advice, view: View) -> Advice:
    """The cells that can be opened: to a search flags tell nothing, the referee refuses them."""
    states, index = view.states, view.grid.index
    left = (one for one in advice.candidates if states[index(one.cell)] != FLAGGED)
    return replace(advice, candidates=tuple(left))


def check_engine() -> None:
    """Say so where the search is not there."""
    if not _engine.is_native():
        raise EngineError(
            "the search of 'champion' is compiled, and this is the Python engine: install a C++ "
            "compiler and mineproof again, or take the agent 'exact'"
        )


CONFIDENT = 1.96
"""Standard errors of a chance to either side of it are its 95 % interval."""


def reason(advice: Advice) -> str:
    """Why the first candidate, in one sentence."""
    best, *others = advice.candidates
    risk = f"{_percent(best.risk)} risk"
    if advice.method == "opening":
        wins = "" if best.win is None else f"; from here it wins {_win(best)}"
        return f"nothing is open: the best cell to begin with{wins}{_costs(best)}"
    if advice.method == "least-risk":
        return f"{risk}, the least: a look ahead would take too long here"
    if best.risk == 0.5 and (advice.method == "part" or best.win == 0.5):
        return f"a 50/50: nothing will ever tell these two apart, guess now{_wins(best)}"
    if advice.method == "part":
        return f"{risk}, the least bad here: nothing elsewhere can ever help"
    if advice.method == "fifty-fifty":
        why = "safe, or half of a 50/50: nothing will ever tell the two apart, guess now"
        return f"{risk}; {why}{_wins(best)}"
    second = f", {_next_best(best, others[0])}" if others else ""
    if advice.method == "endgame" and best.win is None:
        return f"{risk}{_costs(best)}"
    if advice.method == "endgame":
        return f"{risk}; perfect play from here wins {_win(best)}{second}"
    if best.win is not None:
        return f"{risk}; wins {_win(best)}{second}"
    learned = advice.method == "learned"
    ahead = "by what games played out have taught" if learned else "two steps ahead"
    return f"{risk}; the best {ahead}{second}"


def _next_best(best: Candidate, other: Candidate) -> str:
    cell = name_cell(other.cell)
    if best.win is None or other.win is None:
        return f"next best {cell}"
    if other.win > best.win:  # in other games, as far as these tell
        return f"about as good {cell}"
    return f"next best {cell} {_percent(other.win)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _win(candidate: Candidate) -> str:
    """A chance to win, and half of its 95 % interval."""
    assert candidate.win is not None
    error = f" +- {100 * CONFIDENT * candidate.error:.1f}" if candidate.error else ""
    return f"{_percent(candidate.win)}{error}"


def _wins(candidate: Candidate) -> str:
    return "" if candidate.win is None else f"; wins {_win(candidate)}"


def _costs(candidate: Candidate) -> str:
    """What perfect play costs after this cell, where that is known."""
    if candidate.loss is None:
        return ""
    return f"; perfect play from here costs {candidate.loss:.2f} flags on average"


def describe(advice: Advice) -> Iterator[str]:
    """All that was considered, line by line."""
    number = len(advice.candidates)
    steps = "" if advice.method in {"endgame", "opening"} else " in two steps"
    yield f"{advice.method}: {number} {'cell' if number == 1 else 'cells'} considered"
    for one in advice.candidates:
        figures = [f"risk {_percent(one.risk)}"]
        if one.score is not None:
            figures.append(f"score {one.score:.3f}")
        if one.win is not None:
            figures.append(f"wins {_win(one)}")
        if one.loss is not None:
            figures.append(f"costs {one.loss:.3f} flags{steps}")
        yield f"  {name_cell(one.cell)} {', '.join(figures)}"
