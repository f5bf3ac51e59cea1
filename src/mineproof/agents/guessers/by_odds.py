"""Guesses by the exact posterior: the least risk, and flags that are worth their odds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mineproof._engine import twin
from mineproof.agents.guessers.by_clues import in_order
from mineproof.agents.guessers.order import CLOSE, SharedOrder, tell_shares
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.posterior import Posterior
from mineproof.world.clues import Exact
from mineproof.world.move import Action, Move
from mineproof.world.view import FLAGGED, HIDDEN, count_covered

EVEN = 0.5
"""A flag with this risk is worth nothing: it is as likely right as wrong."""


@twin("least_exact")
def least_exact(knowledge: Knowledge, order: SharedOrder) -> Move | None:
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
        tell_shares(knowledge, "the exact chance of a mine", {i: risk[i] for i in hidden.tolist()})
    least = float(risk[hidden].min())
    best = hidden[risk[hidden] <= least + CLOSE].tolist()
    by_rim = not knowledge.clues.can_be_missing
    index = min(best, key=lambda i: (by_rim and _hidden_around(knowledge, i), order.key(i), i))
    why = f"the least chance of a mine: {least:.1%}{_kind(posterior)}"
    cell, estimated = knowledge.grid.cell(index), not posterior.exact
    return Move(cell, "open", least, False, why, estimated=estimated)


def flag_by_odds(knowledge: Knowledge, posterior: Posterior) -> Move | None:
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


def _mark(knowledge: Knowledge, posterior: Posterior, index: int, action: Action, why: str) -> Move:
    cell = knowledge.grid.cell(index)
    risk = float(posterior.risk[cell])
    wrong = 1 - risk if action == "flag" else risk
    return Move(cell, action, wrong, False, why, estimated=not posterior.exact)


def _kind(posterior: Posterior) -> str:
    return "" if posterior.exact else " (an estimate)"


def _hidden_around(knowledge: Knowledge, index: int) -> int:
    """Neighbours that are not open: hidden, told safe or flagged."""
    return count_covered(knowledge.states[near] for near in knowledge.grid.around(index))
