"""Analysis of one hidden cell: its risk, the clues it may show, and the value of opening it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mineproof import _engine
from mineproof.arguments import of_type
from mineproof.errors import InvalidInput, check_integer, shorten
from mineproof.games.analysis import BUDGET, LARGE, WinProbability, best_moves, rules_for
from mineproof.games.move_cost import (
    SCORED,
    BestMove,
    ExpectedScore,
    MoveValue,
    for_score,
    percent,
    to_win,
    with_promise,
)
from mineproof.phrases import say
from mineproof.reasoning.clue_odds import value_odds
from mineproof.reasoning.posterior import Posterior, posterior
from mineproof.world.clues import ClueModel, Exact, Shown, as_clues
from mineproof.world.geometry import Cell
from mineproof.world.move import Move
from mineproof.world.rules import RulesLike, as_rules
from mineproof.world.view import EXPLODED, FLAGGED, KNOWN_SAFE, UNTOUCHED, View


@dataclass(frozen=True, slots=True)
class CellAnalysis:
    """What is known about a hidden cell, and the value of opening it compared with the best move.

    `risk` is its mine probability; `certain` is True if it is proved safe or proved a mine. `shown`
    has the probability of every clue (None: no clue) that the cell may show; with the risk they sum
    to 1. `exact` is False if these are estimates, with standard errors up to `error`. `missing` is
    the reason why `worth` is not available, or empty.
    """

    cell: Cell
    risk: float
    certain: bool
    shown: dict[Shown, float]
    exact: bool
    error: float
    worth: MoveValue
    best: BestMove | None
    missing: str = ""

    @property
    def win(self) -> WinProbability | None:
        """The win probability if this cell is opened, if available."""
        return self.worth.win

    @property
    def score(self) -> ExpectedScore | None:
        """The expected score, if a mine does not end the game."""
        return self.worth.score

    @property
    def best_move(self) -> Move | None:
        """The best move as a `Move`, if it opens a cell and its value is known."""
        if self.best is None or self.best.action != "open" or not any(self.best.worth):
            return None
        cell, _, risk, worth = self.best
        return Move(cell, "open", risk, risk == 0, str(worth))

    def __str__(self) -> str:
        """The analysis in words, one line per part."""
        return "\n".join(_lines(self))

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        best = None
        if self.best is not None:
            cell, action, risk, worth = self.best
            best = {"cell": cell, "action": action, "risk": risk, **worth.to_json()}
        return {
            "cell": self.cell,
            "risk": self.risk,
            "certain": self.certain,
            "shown": [{"clue": clue, "chance": chance} for clue, chance in self.shown.items()],
            "exact": self.exact,
            "error": self.error,
            **self.worth.to_json(),
            "missing": self.missing or None,
            "best": best,
        }


def analyse_cell(
    view: View,
    cell: Cell,
    clues: ClueModel | str = Exact(),
    *,
    rules: RulesLike | None = None,
    density: float | None = None,
    trust_flags: bool = False,
    games: int | None = None,
) -> CellAnalysis:
    """Analyse a hidden cell: its risk, the clues it may show, and the value of opening it.

    The value is exact if few configurations are left; otherwise it is an estimate from `games`
    playouts (default: about a second), with its standard error. Without `rules` a mine ends the
    game, and the first cell may be a mine.
    """
    of_type(view, View, "view")
    if games is not None:
        games = check_integer(games, "games", 2, 10**9)
    clues = as_clues(clues)
    rules = rules_for(view, density) if rules is None else as_rules(rules, dealt=False)
    if density is None:
        density = rules.density
    cell = _hidden(view, cell)
    seen = with_promise(view, cell, rules)
    shows = value_odds(seen, cell, clues, density=density, trust_flags=trust_flags)
    odds = posterior(seen, clues, density=density, trust_flags=trust_flags)
    missing = _missing(odds, clues, trust_flags)
    if missing:
        moves = best_moves(odds, 1)
        best = BestMove(moves[0].cell, "open", moves[0].risk or 0.0, MoveValue()) if moves else None
        worth = MoveValue()
    elif rules.on_mine == "end":
        worth, best = to_win(view, seen, cell, odds, rules, games or BUDGET)
    else:
        worth, best = for_score(view, seen, cell, odds, rules, games or SCORED)
    return CellAnalysis(
        cell, shows.risk, cell in {*odds.safe, *odds.mined} or seen.state(cell) == KNOWN_SAFE,
        shows.shown, shows.exact, shows.error, worth, best, missing,
    )  # fmt: skip


def _hidden(view: View, cell: Cell) -> Cell:
    """Return the cell if it can be opened, or raise an error."""
    index = view.grid.index(cell)
    cell, state = view.grid.cell(index), view.states[index]
    if state in UNTOUCHED:
        return cell
    position = repr(shorten(view.to_text()))
    shown = {FLAGGED: "flagged", EXPLODED: "exploded"}.get(state, "open")
    raise InvalidInput(say("refusal.not-openable", cell=cell, position=position, state=shown))


def _missing(odds: Posterior, clues: ClueModel, trust_flags: bool) -> str:
    """Why the value cannot be computed; empty if it can."""
    reasons = (
        (not _engine.is_native(), "engine"),
        (not isinstance(clues, Exact), "clues"),
        (odds.view.mines is None, "count"),
        (trust_flags, "flags"),
        (odds.view.grid.size > LARGE, "large"),
        (not odds.exact, "estimates"),
    )
    why = next((why for applies, why in reasons if applies), None)
    return "" if why is None else say("value.missing", why=why, most=LARGE)


def _lines(found: CellAnalysis) -> Iterator[str]:
    about = {"estimated": not found.exact, "risk": percent(found.risk)}
    verdict = "unknown" if not found.certain else "mine" if found.risk > 0.5 else "safe"
    yield say("cell.risk", cell=found.cell, verdict=verdict, **about)
    shown = ", ".join(
        say(
            "cell.shown",
            clue="none" if clue is None else clue,
            estimated=not found.exact,
            chance=percent(chance),
        )
        for clue, chance in found.shown.items()
    )
    yield f"  {say('cell.may-show', shown=shown or say('cell.nothing-shown'))}"
    if found.missing:
        yield f"  {say('cell.no-value', why=found.missing)}"
    else:
        yield f"  {say('cell.value', worth=str(found.worth))}"
    if found.best is not None:
        best = found.best
        values = {"safe": best.risk == 0, "risk": percent(best.risk), "worth": best.worth}
        values["worth"] = str(best.worth) or "none"
        yield f"  {say('cell.best', action=best.action, cell=best.cell, **values)}"
