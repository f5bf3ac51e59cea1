"""Guesses by the exact posterior: the lowest risk, and flags that pay off on average."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mineproof._engine import twin
from mineproof.agents.guessers.by_clues import in_order
from mineproof.agents.guessers.shared_order import CLOSE, SharedOrder, log_shares
from mineproof.phrases import Phrase
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.posterior import Posterior
from mineproof.world.clues import Exact
from mineproof.world.move import Action, Move
from mineproof.world.view import FLAGGED, HIDDEN, count_covered

EVEN = 0.5
"""The mine probability at which a flag gains nothing: it is as likely right as wrong."""


@twin("least_exact")
def least_exact(knowledge: Knowledge, order: SharedOrder) -> Move | None:
    """Guess the lowest exact risk; ties go to the fewest hidden neighbours, then the shared order.

    With fewer neighbours a zero is likelier, which opens more cells. If clues may be missing,
    zeros are rare and clues at the border inform about fewer cells: then the shared order decides.
    """
    posterior = knowledge.posterior()
    if posterior is None:  # contradictory clues, taken for exact
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
    if knowledge.report is not None:
        log_shares(knowledge, Phrase("log.exact-risk"), {i: risk[i] for i in hidden.tolist()})
    least = float(risk[hidden].min())
    best = hidden[risk[hidden] <= least + CLOSE].tolist()
    by_rim = not knowledge.clues.can_be_missing
    index = min(best, key=lambda i: (by_rim and _hidden_around(knowledge, i), order.key(i), i))
    cell, estimated = knowledge.grid.cell(index), not posterior.exact
    why = Phrase("guess.exact", {"risk": least, "estimated": estimated})
    return Move(cell, "open", least, False, why, estimated=estimated)


def flag_by_odds(knowledge: Knowledge, posterior: Posterior) -> Move | None:
    """Return the most valuable flag in a game for a score with uncertain clues.

    A flag on a cell with risk q gains q - (1 - q) = 2q - 1 on average. Opening a cell with
    q <= 1/2 loses no such gain and may inform about others, so flags wait until all remaining
    cells are probably mines; then each is worth a flag. A flag on a cell whose risk fell below
    1/2 (a cell was asked again) is removed. With exact clues only proved mines are flagged.
    """
    if knowledge.rules.on_mine == "end" or isinstance(knowledge.clues, Exact):
        return None
    states = np.frombuffer(bytes(knowledge.states), np.uint8)
    risk = posterior.risk.ravel()
    flagged = np.flatnonzero((states == FLAGGED) & (risk < EVEN - CLOSE))
    if flagged.size:
        index = _first(flagged, -risk)
        return _mark(knowledge, posterior, index, "unflag")
    hidden = np.flatnonzero(states == HIDDEN)
    if not hidden.size or risk[hidden].min() <= EVEN + CLOSE:
        return None
    index = _first(hidden, risk)
    return _mark(knowledge, posterior, index, "flag")


def _first(cells: NDArray[np.intp], worth: NDArray[np.float64]) -> int:
    """Return the cell that is worth most; of several, the first on the board."""
    return int(cells[worth[cells] >= worth[cells].max() - CLOSE][0])


def _mark(knowledge: Knowledge, posterior: Posterior, index: int, action: Action) -> Move:
    cell, estimated = knowledge.grid.cell(index), not posterior.exact
    risk = float(posterior.risk[cell])
    values = {"risk": risk, "estimated": estimated}
    if action == "flag":
        why = Phrase("guess.flag", {**values, "worth": 2 * risk - 1})
        return Move(cell, action, 1 - risk, False, why, estimated=estimated)
    return Move(cell, action, risk, False, Phrase("guess.unflag", values), estimated=estimated)


def _hidden_around(knowledge: Knowledge, index: int) -> int:
    """Return the number of covered neighbours: hidden, marked safe or flagged."""
    return count_covered(knowledge.states[near] for near in knowledge.grid.neighbours(index))
