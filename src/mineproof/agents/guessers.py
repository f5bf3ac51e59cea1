"""What to open when nothing is proved safe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof._engine import twin
from mineproof.reasoning.deductions import at
from mineproof.reasoning.equations import Equation
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.posterior import Posterior
from mineproof.reasoning.telling import shares_text
from mineproof.world.chance import order_keys
from mineproof.world.clues import Exact
from mineproof.world.game import Action
from mineproof.world.geometry import Cell
from mineproof.world.view import FLAGGED, HIDDEN, TOLD_SAFE

CLOSE = 1e-10
"""Chances that are no further apart count as equal."""


EVEN = 0.5
"""A flag with this risk is worth nothing: it is as likely right as wrong."""


class Guess(NamedTuple):
    """A cell to open, its risk as the guesser sees it, if it does, and why.

    Or a cell to flag, or a flag to take back: then the risk is that of being wrong in that.
    """

    cell: Cell
    risk: float | None
    reason: str
    certain: bool = False
    action: Action = "open"
    estimated: bool = False
    """Whether the risk is an estimate: there was too much to count."""


class SharedOrder:
    """The random order of cells that all agents on a board share.

    It belongs to the game's seed: cells come by rising key. What is settled never
    comes back, so asking again goes on from where it was.
    """

    def __init__(self, size: int, seed: int) -> None:
        self._size, self._seed = size, seed
        self._keys: list[int] | None = None
        self._order: list[int] = []
        self._passed = 0

    def first(
        self, knowledge: Knowledge, wanted: Callable[[int], bool] | None = None
    ) -> int | None:
        """The first cell whose truth is open, that bears no flag and is wanted."""
        self.key(0)
        order = self._order
        while self._passed < self._size and not knowledge.is_open(order[self._passed]):
            self._passed += 1
        for place in range(self._passed, self._size):
            index = order[place]
            if can_be_opened(knowledge, index) and (wanted is None or wanted(index)):
                return index
        return None

    def key(self, index: int) -> int:
        """What a cell is ordered by."""
        if self._keys is None:
            keys = order_keys(self._size, self._seed)
            self._keys = keys.tolist()
            self._order = np.argsort(keys, kind="stable").tolist()
        return self._keys[index]

    def least(self, cells: Iterable[int]) -> int:
        """The one of these cells that comes first."""
        return min(cells, key=lambda index: (self.key(index), index))


Guesser = Callable[[Knowledge, SharedOrder], Guess | None]


def can_be_opened(knowledge: Knowledge, index: int) -> bool:
    """Whether a cell's truth is open and it bears no flag."""
    return knowledge.is_open(index) and knowledge.states[index] != FLAGGED


@twin("in_order")
def in_order(knowledge: Knowledge, order: SharedOrder) -> Guess | None:
    """The next cell of the shared order."""
    index = order.first(knowledge)
    if index is None:
        return None
    why = "nothing is certain: the next cell of the shared random order"
    return Guess(knowledge.grid.cell(index), None, why)


def corners_then_edges(knowledge: Knowledge, order: SharedOrder) -> Guess | None:
    """Corners first, then edges, then the others; each in the shared order (report 003)."""
    rows, cols = knowledge.grid.rows, knowledge.grid.cols

    def rims(index: int) -> int:
        row, col = divmod(index, cols)
        return (row in {0, rows - 1}) + (col in {0, cols - 1})

    for kind, sides in (("corner", 2), ("edge", 1)):
        cells = [i for i in _rim(knowledge) if rims(i) == sides]
        if cells:
            why = f"nothing is certain: the next {kind} in the shared order"
            return Guess(knowledge.grid.cell(order.least(cells)), None, why)
    return in_order(knowledge, order)


def _rim(knowledge: Knowledge) -> Iterator[int]:
    return (index for index in knowledge.grid.rim() if can_be_opened(knowledge, index))


@twin("clue_ratio")
def least_clue_ratio(knowledge: Knowledge, order: SharedOrder) -> Guess | None:
    """Beside the clue with the fewest mines left a hidden cell (report 001)."""
    best: tuple[float, int, Equation] | None = None
    if knowledge.tell is not None:
        ratios = {e.clue: _ratio(e) for e in knowledge.equations.values() if e.cells}
        _tell(knowledge, "the share of mines around each clue", ratios)
    for equation in knowledge.equations.values():
        if any(can_be_opened(knowledge, index) for index in equation.cells):
            rank = (_ratio(equation), order.key(equation.clue), equation)
            if best is None or rank[:2] < best[:2]:
                best = rank
    if best is None:
        return in_order(knowledge, order)
    ratio, _, equation = best
    cells = [index for index in equation.cells if can_be_opened(knowledge, index)]
    clue = at(knowledge.grid.cell(equation.clue))
    why = f"of all clues {clue} has the least share of mines around: {ratio:.0%}"
    return Guess(knowledge.grid.cell(order.least(cells)), ratio, why)


def _ratio(equation: Equation) -> float:
    """The share of mines among a clue's cells, if it says one; else the middle of its range."""
    share = (equation.least + equation.most) / 2 / len(equation.cells)
    return min(max(share, 0.0), 1.0)


@twin("local_probability")
def least_local_probability(knowledge: Knowledge, order: SharedOrder) -> Guess | None:
    """The least chance of a mine as single clues tell it, the largest of them (report 002).

    Cells without clues have the chance of all cells together.
    """
    risks: dict[int, float] = {}
    for equation in knowledge.equations.values():
        if equation.cells:
            ratio = _ratio(equation)
            for index in equation.cells:
                risks[index] = max(risks.get(index, 0.0), ratio)
    risks = {index: risk for index, risk in risks.items() if can_be_opened(knowledge, index)}
    _tell(knowledge, "the chance of a mine as single clues tell it", risks)
    elsewhere = order.first(knowledge, lambda index: not knowledge.holding(index))
    overall = _overall(knowledge)
    if elsewhere is not None and overall is not None:
        risks[elsewhere] = overall
    if not risks:
        return in_order(knowledge, order)
    least = min(risks.values())
    index = order.least(index for index, risk in risks.items() if risk <= least + CLOSE)
    whose = "no clue tells of it; of all cells" if index == elsewhere else "as single clues tell it"
    return Guess(
        knowledge.grid.cell(index), least, f"the least chance of a mine: {least:.1%}, {whose}"
    )


def _overall(knowledge: Knowledge) -> float | None:
    """The share of mines among all cells whose truth is open, if anything is known of it."""
    left = knowledge.mines_left
    if left is None:
        return knowledge.rules.density
    hidden = knowledge.covered - len(knowledge.settled)
    return min(max(left / hidden, 0.0), 1.0) if hidden else None


@twin("clue_sum")
def least_clue_sum(knowledge: Knowledge, order: SharedOrder) -> Guess | None:
    """Next to opened cells, where the clues around sum to the least (report 004).

    Ties go to the first on the board, not in the shared order: so its figures come out.
    """
    sums: dict[int, int] = {}
    for equation in knowledge.equations.values():
        for index in equation.cells:
            sums[index] = sums.get(index, 0) + knowledge.states[equation.clue]
    sums = {index: total for index, total in sums.items() if can_be_opened(knowledge, index)}
    if not sums:
        return in_order(knowledge, order)
    least = min(sums.values())
    if knowledge.tell is not None:
        number = sum(total == least for total in sums.values())
        knowledge.tell(f"clues around {len(sums)} cells summed: {number} have the least, {least}")
    index = min(index for index, total in sums.items() if total == least)
    return Guess(knowledge.grid.cell(index), None, f"the clues around it sum to the least: {least}")


@twin("least_exact")
def least_exact(knowledge: Knowledge, order: SharedOrder) -> Guess | None:
    """The least exact chance of a mine; ties to fewest hidden neighbours, then the shared order.

    The fewer neighbours, the likelier a zero, which opens more. Where clues may be missing that
    seldom happens, and clues at the rim tell of fewer cells: there the shared order decides alone.
    """
    posterior = knowledge.posterior()
    if posterior is None:  # clues that are not what they are taken for
        return in_order(knowledge, order)
    if (flag := flag_by_odds(knowledge, posterior)) is not None:
        return flag
    states = np.frombuffer(bytes(knowledge.states), np.uint8)
    risk = posterior.risk.ravel()
    hidden = np.flatnonzero((states == HIDDEN) & (risk < 1.0))
    if not hidden.size:
        hidden = np.flatnonzero(states == HIDDEN)
    if not hidden.size:
        return None
    if knowledge.tell is not None:
        _tell(knowledge, "the exact chance of a mine", {i: risk[i] for i in hidden.tolist()})
    least = float(risk[hidden].min())
    best = hidden[risk[hidden] <= least + CLOSE].tolist()
    by_rim = not knowledge.clues.can_be_missing
    index = min(best, key=lambda i: (by_rim and _hidden_around(knowledge, i), order.key(i), i))
    why = f"the least chance of a mine: {least:.1%}{_kind(posterior)}"
    return Guess(knowledge.grid.cell(index), least, why, estimated=not posterior.exact)


def flag_by_odds(knowledge: Knowledge, posterior: Posterior) -> Guess | None:
    """The flag that is worth most where uncertain clues are played for a score.

    A flag on a cell with risk q is worth q - (1 - q) = 2q - 1. Opening a cell with q <= 1/2
    gives away no flag that is worth something and may tell of others, so flags wait until all
    cells left are more likely mined than not; then each is worth a flag. A flag on a cell that
    became less likely mined than not (a cell was asked again) is taken back. With exact clues
    a flag says that the mine is proved, and none is set by odds.
    """
    if knowledge.rules.on_mine == "end" or isinstance(knowledge.clues, Exact):
        return None
    states = np.frombuffer(bytes(knowledge.states), np.uint8)
    risk = posterior.risk.ravel()
    flagged = np.flatnonzero((states == FLAGGED) & (risk < EVEN - CLOSE))
    if flagged.size:
        index = _first(flagged, -risk)
        why = f"flagged, but a mine with {risk[index]:.1%} only{_kind(posterior)}"
        return _mark(knowledge, posterior, index, "unflag", why)
    hidden = np.flatnonzero(states == HIDDEN)
    if not hidden.size or risk[hidden].min() <= EVEN + CLOSE:
        return None
    index = _first(hidden, risk)
    worth = 2 * float(risk[index]) - 1
    why = f"all cells left are likely mined, this one most: {risk[index]:.1%}{_kind(posterior)}"
    return _mark(knowledge, posterior, index, "flag", f"{why}, so a flag is worth {worth:+.2f}")


def _first(cells: NDArray[np.intp], worth: NDArray[np.float64]) -> int:
    """Of the cells that are worth most the first on the board."""
    return int(cells[worth[cells] >= worth[cells].max() - CLOSE][0])


def _mark(
    knowledge: Knowledge, posterior: Posterior, index: int, action: Action, why: str
) -> Guess:
    cell = knowledge.grid.cell(index)
    risk = float(posterior.risk[cell])
    wrong = 1 - risk if action == "flag" else risk
    return Guess(cell, wrong, why, action=action, estimated=not posterior.exact)


def _kind(posterior: Posterior) -> str:
    return "" if posterior.exact else " (an estimate)"


def _tell(knowledge: Knowledge, title: str, shares: Mapping[int, float]) -> None:
    """The share of every cell, if somebody wants to know."""
    if knowledge.tell is not None:
        knowledge.tell(shares_text(title, shares, knowledge.grid))


def _hidden_around(knowledge: Knowledge, index: int) -> int:
    """Neighbours that are not open: hidden, told safe or flagged."""
    covered = {HIDDEN, TOLD_SAFE, FLAGGED}
    return sum(knowledge.states[near] in covered for near in knowledge.grid.around(index))
