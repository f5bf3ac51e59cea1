"""Help for a player: hints in steps, why a cell is what it is, mine probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mineproof import _engine, agents
from mineproof.cli.screen import name_risk
from mineproof.errors import MineproofError, counted
from mineproof.games.analysis import Chance, best_moves, opinion
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
    TOLD_SAFE,
    View,
    count_covered,
    is_clue,
)

CHAMPION = "champion:budget=fast"
"""Who names the best guess."""
_GAMES = 600
"""Games that are played out for the win probability of a guess: tenths of a second."""
_BEST = 5
"""Cells that a guess is compared with."""


@dataclass(frozen=True)
class Note:
    """Words for the player, and what they are about."""

    text: str
    cell: Cell | None = None
    clues: tuple[Cell, ...] = ()
    settled: Mapping[Cell, bool] = field(default_factory=dict)
    good: bool | None = None
    """True and False for how a game ended; None for everything else."""


class Adviser:
    """Knows the rules and the clue model of a game, and is asked about its positions."""

    def __init__(self, rules: Rules, clues: ClueModel) -> None:
        self._rules, self._clues = rules, clues
        self._tracker = Tracker(clues, rules.density)

    def odds(self, view: View) -> Posterior:
        """The mine probability of every covered cell."""
        return self._tracker.posterior(view)

    def promise(self, view: View) -> str:
        """What the opening rule says of any first cell, before one is opened; otherwise nothing."""
        opened = count_covered(view.states) < view.grid.size
        if opened or self._rules.opening == "any" or TOLD_SAFE in view.states:
            return ""
        if self._rules.opening == "clear":
            return "The first cell is safe, and so are its neighbours: open any."
        return "The first cell is safe: open any."

    def why(self, view: View, cell: Cell) -> Note:
        """Why a cell is safe or a mine, or how likely it is one."""
        state, name = view.state(cell), name_cell(cell)
        if state == EXPLODED:
            return Note(f"{name} was a mine.")
        if state not in COVERED:
            return Note(_shows(view, cell))
        if state == TOLD_SAFE:
            return Note(f"{name} is safe: the opening rule promises it.", cell)
        if promise := self.promise(view):
            return Note(f"Nothing is open yet. {promise}")
        return _told(explain(view, cell, self._clues, density=self._density(view)))

    def hint(self, view: View) -> Iterator[Note]:
        """Help in steps, each of which tells a little more."""
        if promise := self.promise(view):
            return self._first(view, promise)
        found = proofs(view, self._clues, density=self._density(view))
        wrong = [proof for proof in found if proof.refutes_flag]
        if wrong:
            return _wrong_flag(easiest(wrong) or wrong[0])
        safe = [proof for proof in found if proof.mine is False]
        told = view.cells(TOLD_SAFE)
        if safe or told:
            return _safe(safe, told, view.grid)
        mines = [p for p in found if p.mine and view.state(p.cell) != FLAGGED]
        if mines and self._rules.on_mine == "continue":
            return _mine(mines, view.grid)
        return self._guess(view, len(mines))

    def _first(self, view: View, promise: str) -> Iterator[Note]:
        yield Note(promise)
        best = self._best(view)
        if best is not None:
            yield Note(f"A good first cell is {name_cell(best[0].cell)}.", best[0].cell)

    def _guess(self, view: View, mines: int) -> Iterator[Note]:
        certain = f" ({counted(mines, 'mine')} not flagged yet: certain.)" if mines else ""
        yield Note(f"No cell is certainly safe: you have to guess.{certain}")
        best = self._best(view)
        if best is None:
            return
        move, chance = best
        words = f"Best guess: {name_cell(move.cell)}, {_probability(move)}."
        yield Note(f"{words}{'' if chance is None else f' {_wins(chance)}'}", move.cell)
        others = best_moves(self.odds(view), _BEST)
        risks = (f"{name_cell(one.cell)} {name_risk(one.risk, one.certain)}" for one in others)
        yield Note(f"{words} The least mine probabilities: {', '.join(risks)}.", move.cell)

    def _best(self, view: View) -> tuple[Move, Chance | None] | None:
        """The move that wins most, where that is known; otherwise the least probable mine."""
        usual = isinstance(self._clues, Exact) and self._rules.on_mine == "end"
        if usual and view.mines is not None and _engine.is_native():
            try:
                asked = opinion(
                    agents.get(CHAMPION), view, self._clues, rules=self._rules, games=_GAMES
                )
            except MineproofError:  # it is too much to search
                asked = None
            if asked is not None and asked.move.action == "open":
                return asked.move, asked.chance
        moves = best_moves(self.odds(view), 1)
        return (moves[0], None) if moves else None

    def _density(self, view: View) -> float | None:
        return self._rules.density if view.mines is None else None


def _safe(found: list[Proof], told: list[Cell], grid: Grid) -> Iterator[Note]:
    best, number = easiest(found), len(found) + len(told)
    if told or best is None:
        cell = told[0] if told else found[0].cell
        yield Note(f"{_are(number)} certainly safe.")
        yield Note(f"{name_cell(cell)} is safe.", cell)
        return
    where = region(grid, best.cell)
    if number == 1:
        yield Note(f"There is a safe cell {where} of the board.")
    else:
        yield Note(f"{_are(number)} certainly safe. The easiest to see is {where}.")
    yield Note(f"{name_cell(best.cell)} is safe.", best.cell)
    yield _told(best)


def _mine(found: list[Proof], grid: Grid) -> Iterator[Note]:
    best = easiest(found) or found[0]
    what = "a mine is" if len(found) == 1 else f"{len(found)} mines are"
    one = "" if len(found) == 1 else "one of them "
    where = f"{one}{region(grid, best.cell)} of the board"
    yield Note(f"No cell is certainly safe, but {what} certain and not flagged, {where}.")
    yield Note(f"{name_cell(best.cell)} is a mine.", best.cell)
    yield _told(best)


def _wrong_flag(proof: Proof) -> Iterator[Note]:
    where = region(proof.view.grid, proof.cell)
    yield Note(f"A flag is wrong, {where} of the board.")
    yield Note(f"The flag on {name_cell(proof.cell)} is wrong: the cell is safe.", proof.cell)
    yield _told(proof)


def _told(proof: Proof) -> Note:
    """A proof in words and marks."""
    settled = {cell: mine for step in proof.steps for cell, mine in step.settled}
    return Note(str(proof), proof.cell, proof.clues, settled)


def region(grid: Grid, cell: Cell) -> str:
    """The ninth of the board that a cell is in: `in the top left`, `on the right`."""
    rows = ("top", "", "bottom")[_third(cell[0], grid.rows)]
    cols = ("left", "", "right")[_third(cell[1], grid.cols)]
    if rows and cols:
        return f"in the {rows} {cols}"
    return f"at the {rows}" if rows else f"on the {cols}" if cols else "in the middle"


def _third(place: int, length: int) -> int:
    return 1 if length < 3 else min(3 * place // length, 2)


def _are(number: int) -> str:
    return "1 cell is" if number == 1 else f"{number} cells are"


def _shows(view: View, cell: Cell) -> str:
    """What there is around an open cell."""
    state, grid = view.state(cell), view.grid
    around = [view.states[near] for near in grid.around(grid.index(cell))]
    marked = sum(one in {FLAGGED, EXPLODED} for one in around)
    left = count_covered(around) - around.count(FLAGGED)
    rest = f"{counted(marked, 'neighbour')} flagged or hit, {left} covered without a flag"
    what = f"shows {state}" if is_clue(state) else "is open and shows no clue"
    return f"{name_cell(cell)} {what}: {rest}."


def _probability(move: Move) -> str:
    about = "about " if move.estimated else ""
    return f"mine probability {about}{name_risk(move.risk, move.certain)}"


def _wins(chance: Chance) -> str:
    low, high = (round(100 * end) for end in chance.interval)
    interval = f" (95 % CI {low} to {high} %)" if chance.error else " (exact)"
    return f"Win probability {100 * chance.chance:.0f} %{interval}."
