"""Help for the player: hints in steps, explanations of cells, mine probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mineproof import _engine, agents
from mineproof.cli.position_text import name_risk
from mineproof.errors import MineproofError
from mineproof.games.analysis import WinProbability, best_moves, opinion
from mineproof.phrases import say
from mineproof.reasoning.posterior import Posterior, Tracker
from mineproof.reasoning.proofs import Proof, easiest, explain, proofs
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell, Grid, name_cell
from mineproof.world.move import Move
from mineproof.world.rules import Rules
from mineproof.world.view import (
    COVERED,
    EXPLODED,
    FLAGGED,
    KNOWN_SAFE,
    View,
    count_covered,
    is_clue,
)

CHAMPION = "champion:budget=fast"
"""The agent that chooses the best guess."""
_GAMES = 600
"""Playouts for the win probability of a guess; they take tenths of a second."""
_BEST = 5
"""Cells listed as alternatives to a guess."""


@dataclass(frozen=True)
class Note:
    """A text for the player, and the cells that it is about."""

    text: str
    cell: Cell | None = None
    clues: tuple[Cell, ...] = ()
    settled: Mapping[Cell, bool] = field(default_factory=dict)
    good: bool | None = None
    """True for a won game, False for a lost one; None for all other notes."""


class Adviser:
    """Gives advice on the positions of a game with these rules and this clue model."""

    def __init__(self, rules: Rules, clues: ClueModel) -> None:
        self._rules, self._clues = rules, clues
        self._tracker = Tracker(clues, rules.density)

    def odds(self, view: View) -> Posterior:
        """The posterior: the mine probability of every hidden cell."""
        return self._tracker.posterior(view)

    def promise(self, view: View) -> str:
        """What the opening rule guarantees, before the first cell is opened; otherwise empty."""
        opened = count_covered(view.states) < view.grid.size
        if opened or self._rules.opening == "any" or KNOWN_SAFE in view.states:
            return ""
        return say("hint.first", opening=self._rules.opening)

    def why(self, view: View, cell: Cell) -> Note:
        """Explain why a cell is safe or a mine, or how likely it is to be a mine."""
        state = view.state(cell)
        if state == EXPLODED:
            return Note(say("hint.was-mine", cell=cell))
        if state not in COVERED:
            return Note(_shows(view, cell))
        if state == KNOWN_SAFE:
            return Note(say("hint.safe-by-rule", cell=cell), cell)
        if promise := self.promise(view):
            return Note(say("hint.none-open", first=promise))
        return _proof_note(explain(view, cell, self._clues, density=self._density(view)))

    def hint(self, view: View) -> Iterator[Note]:
        """Yield hints, each more specific than the one before."""
        if promise := self.promise(view):
            return self._first(view, promise)
        found = proofs(view, self._clues, density=self._density(view))
        wrong = [proof for proof in found if proof.refutes_flag]
        if wrong:
            return _wrong_flag(easiest(wrong) or wrong[0])
        safe = [proof for proof in found if proof.mine is False]
        guaranteed = view.cells(KNOWN_SAFE)
        if safe or guaranteed:
            return _safe(safe, guaranteed, view.grid)
        mines = [p for p in found if p.mine and view.state(p.cell) != FLAGGED]
        if mines and self._rules.on_mine == "continue":
            return _mine(mines, view.grid)
        return self._guess(view, len(mines))

    def _first(self, view: View, promise: str) -> Iterator[Note]:
        yield Note(promise)
        best = self._best(view)
        if best is not None:
            yield Note(say("hint.good-first", cell=best[0].cell), best[0].cell)

    def _guess(self, view: View, mines: int) -> Iterator[Note]:
        yield Note(say("hint.guess", mines=mines))
        best = self._best(view)
        if best is None:
            return
        move, chance = best
        risk = name_risk(move.risk, move.certain)
        words = say("hint.best", cell=move.cell, estimated=move.estimated, risk=risk)
        yield Note(words if chance is None else f"{words} {_wins(chance)}", move.cell)
        others = best_moves(self.odds(view), _BEST)
        risks = (f"{name_cell(one.cell)} {name_risk(one.risk, one.certain)}" for one in others)
        yield Note(f"{words} {say('hint.lowest', risks=', '.join(risks))}", move.cell)

    def _best(self, view: View) -> tuple[Move, WinProbability | None] | None:
        """The move that wins most often, if that can be computed; otherwise the safest cell."""
        usual = isinstance(self._clues, Exact) and self._rules.on_mine == "end"
        if usual and view.mines is not None and _engine.is_native():
            try:
                asked = opinion(
                    agents.get(CHAMPION), view, self._clues, rules=self._rules, games=_GAMES
                )
            except MineproofError:  # the position is too large to search
                asked = None
            if asked is not None and asked.move.action == "open":
                return asked.move, asked.chance
        moves = best_moves(self.odds(view), 1)
        return (moves[0], None) if moves else None

    def _density(self, view: View) -> float | None:
        return self._rules.density if view.mines is None else None


def _safe(found: list[Proof], guaranteed: list[Cell], grid: Grid) -> Iterator[Note]:
    best, number = easiest(found), len(found) + len(guaranteed)
    if guaranteed or best is None:
        cell = guaranteed[0] if guaranteed else found[0].cell
        yield Note(say("hint.safe-cells", cells=number))
        yield Note(say("hint.verdict", cell=cell, mine=False), cell)
        return
    where = region(grid, best.cell)
    if number == 1:
        yield Note(say("hint.where", region=where))
    else:
        number_safe = say("hint.safe-cells", cells=number)
        yield Note(f"{number_safe} {say('hint.easiest', region=where)}")
    yield Note(say("hint.verdict", cell=best.cell, mine=False), best.cell)
    yield _proof_note(best)


def _mine(found: list[Proof], grid: Grid) -> Iterator[Note]:
    best = easiest(found) or found[0]
    yield Note(say("hint.mines", mines=len(found), region=region(grid, best.cell)))
    yield Note(say("hint.verdict", cell=best.cell, mine=True), best.cell)
    yield _proof_note(best)


def _wrong_flag(proof: Proof) -> Iterator[Note]:
    where = region(proof.view.grid, proof.cell)
    yield Note(say("hint.flag-where", region=where))
    yield Note(say("hint.flag", cell=proof.cell), proof.cell)
    yield _proof_note(proof)


def _proof_note(proof: Proof) -> Note:
    """A proof as a note: its text, and the cells to mark."""
    settled = {cell: mine for step in proof.steps for cell, mine in step.settled}
    return Note(str(proof), proof.cell, proof.clues, settled)


def region(grid: Grid, cell: Cell) -> str:
    """The part of the board (of nine) that a cell is in: `in the top left`, `on the right`."""
    row = ("top", "middle", "bottom")[_third(cell[0], grid.rows)]
    col = ("left", "middle", "right")[_third(cell[1], grid.cols)]
    return say("hint.region", row=row, col=col)


def _third(place: int, length: int) -> int:
    return 1 if length < 3 else min(3 * place // length, 2)


def _shows(view: View, cell: Cell) -> str:
    """The text for an open cell: what it shows, and how many neighbours are not open."""
    state, grid = view.state(cell), view.grid
    around = [view.states[near] for near in grid.neighbours(grid.index(cell))]
    marked = sum(one in {FLAGGED, EXPLODED} for one in around)
    left = count_covered(around) - around.count(FLAGGED)
    shown = state if is_clue(state) else "none"
    return say("hint.shows", cell=cell, shown=shown, marked=marked, left=left)


def _wins(chance: WinProbability) -> str:
    low, high = (round(100 * end) for end in chance.interval)
    percent, exact = f"{100 * chance.chance:.0f} %", not chance.error
    return say("hint.wins", chance=percent, exact=exact, low=low, high=f"{high} %")
