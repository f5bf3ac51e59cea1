"""Undecided cells: the number of configurations, two examples, and the best cell to open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from mineproof import _engine
from mineproof.reasoning import counting
from mineproof.reasoning.evidence import Constraint
from mineproof.reasoning.posterior import (
    Posterior,
    ViewSettings,
    asked,
    evidence_of,
    posterior,
    sample,
    solve_in_python,
)
from mineproof.reasoning.sweep import OverBudget
from mineproof.world.clues import Likelihood
from mineproof.world.geometry import Cell
from mineproof.world.view import COVERED, EXPLODED, KNOWN_SAFE, NO_CLUE, View

_REACH = 2
"""How far from an undecided cell we look for the one to open."""


def arrangements(
    view: View, setting: ViewSettings, cell: Cell, odds: Posterior | None = None
) -> tuple[int, int] | None:
    """Count the configurations with and without a mine in a cell; None if there are too many.

    `odds` is the posterior of the view, if it is known.
    """
    evidence, index = evidence_of(view, setting), view.grid.index(cell)
    if odds is None:
        odds = posterior(view, setting.clues, density=setting.density)
    known = {view.grid.index(one): False for one in odds.safe if view.state(one) != KNOWN_SAFE}
    known |= {view.grid.index(one): True for one in odds.mined}
    try:
        mine, safe = (
            counting.arrangements(
                evidence._replace(
                    constraints=(*evidence.constraints, Constraint(index, (index,), table))
                ),
                known=known,
                budget=counting.BUDGET // 2,
            )
            for table in ((0.0, 1.0), (1.0, 0.0))
        )
    except OverBudget:
        return None
    return mine, safe


def witnesses(
    view: View, setting: ViewSettings, cell: Cell
) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Return the mines of a configuration with a mine in the cell, and of one without.

    They are random samples, always the same on the same engine.
    """
    index = view.grid.index(cell)
    mine, safe = (
        sample(
            replace(view, states=_with(view, index, state)),
            1,
            setting.clues,
            density=setting.density,
        )[0]
        for state in (EXPLODED, KNOWN_SAFE)
    )
    return tuple(mine.mines), tuple(safe.mines)


def settler(view: View, setting: ViewSettings, cell: Cell) -> tuple[Cell, float] | None:
    """The nearby cell whose opening would most likely decide a cell, and the probability."""
    index = view.grid.index(cell)
    before = _log_weight(view, setting)
    if before is None:
        return None
    best: tuple[float, int] | None = None
    for other in _near(view, index):
        ways = _deducing(view, setting, other, index)
        chance = math.fsum(math.exp(weight - before) for weight in ways)
        if chance > 0 and (best is None or chance > best[0] + 1e-9):
            best = chance, other
    return None if best is None else (view.grid.cell(best[1]), min(best[0], 1.0))


def _near(view: View, index: int) -> list[int]:
    """The hidden cells up to two steps away, by index."""
    row, col = view.grid.cell(index)
    return [
        view.grid.index((r, c))
        for r in range(max(row - _REACH, 0), min(row + _REACH + 1, view.rows))
        for c in range(max(col - _REACH, 0), min(col + _REACH + 1, view.cols))
        if (r, c) != (row, col) and view.state((r, c)) in COVERED
    ]


def _deducing(view: View, setting: ViewSettings, opened: int, asked_for: int) -> Iterator[float]:
    """Yield the log weights of the clues of an opened cell that make another cell certain."""
    near = [view.states[i] for i in view.grid.neighbours(opened)]
    for table in setting.clues.outcomes(near).values():
        weight, certain = _opened(view, setting, opened, asked_for, table)
        if certain and weight > -math.inf:
            yield weight


def _log_weight(view: View, setting: ViewSettings) -> float | None:
    """The log weight of a view; None if it is only an estimate."""
    if _engine.is_native():
        found = _engine.native.posterior(*asked(view, setting))
        return found.log_weight if found.exact else None
    solution = solve_in_python(evidence_of(view, setting), setting)
    return -math.inf if solution is None else solution.log_weight


def _opened(
    view: View, setting: ViewSettings, opened: int, asked_for: int, table: Likelihood
) -> tuple[float, bool]:
    """The log weight after opening a cell with this likelihood; whether the other is certain."""
    seen = replace(view, states=_with(view, opened, NO_CLUE), mines=None)
    own = {opened: table}
    if _engine.is_native():
        found = _engine.native.posterior(*asked(seen, setting, view.mines, own))
        if not found.fits:
            return -math.inf, False
        return found.log_weight, asked_for in found.safe or asked_for in found.mined
    solution = solve_in_python(evidence_of(seen, setting, view.mines, own), setting)
    if solution is None:
        return -math.inf, False
    return solution.log_weight, asked_for in solution.safe or asked_for in solution.mined


def _with(view: View, index: int, state: int) -> bytes:
    return bytes([*view.states[:index], state, *view.states[index + 1 :]])
