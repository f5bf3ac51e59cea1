"""What opening a cell would show, and how likely each clue is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mineproof import _engine
from mineproof.errors import InvalidInput, shorten
from mineproof.reasoning.evidence import Constraint, CountPrior
from mineproof.reasoning.posterior import (
    BUDGET,
    Setting,
    asked,
    evidence_of,
    posterior,
    setting_of,
    solve_in_python,
)
from mineproof.world.clues import ClueModel, Exact, Shown
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, NO_CLUE, View, is_opened


class ValueOdds(NamedTuple):
    """What opening a cell would show.

    `risk` is the chance of a mine; `shown` gives the chance of every clue (None: no
    clue) that can come, of all cases: together with the risk they sum to 1. `exact` is False
    where an estimate was needed; `error` is then the largest standard error of a chance, as a
    `Posterior` has it.
    """

    risk: float
    shown: dict[Shown, float]
    exact: bool = True
    error: float = 0.0


class CountOdds(dict[int, float]):
    """How many mines are around a cell: the chance of every number that can be.

    `exact` is False where an estimate was needed; `error` is then the largest standard error.
    """

    def __init__(self, chances: Mapping[int, float], exact: bool = True, error: float = 0.0):
        super().__init__(chances)
        self.exact = exact
        self.error = error


class _Weight(NamedTuple):
    """The logarithm of a weight and its standard error; None where it was counted."""

    log: float
    error: float | None = None


_NOTHING = _Weight(-math.inf)
_UNKNOWN = 1.0
"""The standard error of a logarithm of which hardly anything is known."""


def value_odds(
    view: View,
    cell: Cell,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    trust_flags: bool = False,
    budget: int = BUDGET,
) -> ValueOdds:
    """The exact distribution of what opening a cell would show, with its risk.

    The weight of the view, and of the same view with the cell open and each number
    of mines around it, are counted; their ratios are the chances.
    """
    index = view.grid.index(cell)
    state = view.states[index]
    if state not in COVERED or (state == FLAGGED and trust_flags):
        raise InvalidInput(
            f"cell {name_cell(cell)} is not open to question in {shorten(view.to_text())!r}"
        )
    setting = setting_of(view, clues, density, trust_flags, budget)
    before = posterior(view, clues, density=density, trust_flags=trust_flags, budget=budget)
    risk = float(before.risk[view.grid.cell(index)])
    near = [view.states[i] for i in view.grid.around(index)]
    states = bytes([*view.states[:index], NO_CLUE, *view.states[index + 1 :]])
    opened = View(view.grid, states, None, view.bounds)
    weights = [
        _weight(opened, setting, index, _spike(count), view.mines) for count in range(len(near) + 1)
    ]
    counts = _shares([weight.log for weight in weights])
    exact, error = _exactness(weights, counts)
    counts = [(1.0 - risk) * share for share in counts]
    bound = clues.bound_among(near)
    shown: dict[Shown, float] = {}
    for value in (*range(len(near) + 1), None):
        table = clues.likelihood(value, len(near), bound)
        if value is None and isinstance(clues, Exact):
            continue  # exact clues are never missing
        chance = sum(a * b for a, b in zip(counts, table, strict=True))
        if chance > 0:
            shown[value] = chance
    return ValueOdds(risk, shown, exact and before.exact, min(math.hypot(error, before.error), 1.0))


def count_odds(
    view: View,
    cell: Cell,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    budget: int = BUDGET,
) -> CountOdds:
    """How many mines are around an opened cell: the chance of every number that can be.

    With exact clues that is the clue; where clues are uncertain, all others tell of it, too.
    """
    index = view.grid.index(cell)
    state = view.states[index]
    if not is_opened(state):
        raise InvalidInput(f"cell {name_cell(cell)} is not opened in {shorten(view.to_text())!r}")
    setting = setting_of(view, clues, density, False, budget)
    degree = view.grid.degree(index)
    shown = None if state == NO_CLUE else state
    table = clues.likelihood(shown, degree, dict(view.bounds).get(index))
    weights = {
        count: _weight(view, setting, index, _spike(count, chance), view.mines)
        for count, chance in enumerate(table)
        if chance > 0
    }
    if all(weight.log == -math.inf for weight in weights.values()):
        posterior(view, clues, density=density, budget=budget)  # which tells what contradicts
    shares = _shares([weight.log for weight in weights.values()])
    chances = {count: share for count, share in zip(weights, shares, strict=True) if share > 0}
    return CountOdds(chances, *_exactness(list(weights.values()), shares))


def _shares(logs: Sequence[float]) -> list[float]:
    """What each of some weights, given as logarithms, is of all of them."""
    top = max(logs, default=-math.inf)
    if top == -math.inf:
        return [0.0] * len(logs)
    weights = [math.exp(log - top) for log in logs]
    total = sum(weights)
    return [weight / total for weight in weights]


def _exactness(weights: Sequence[_Weight], shares: Sequence[float]) -> tuple[bool, float]:
    """Whether all of these weights were counted, and the largest standard error of their shares.

    To first order a share changes by itself times its own relative error less the mean of all.
    A weight that nothing is known of may be all there is, or nothing.
    """
    errors = [weight.error or 0.0 for weight in weights]
    parts = [(share * error) ** 2 for share, error in zip(shares, errors, strict=True)]
    spread = sum(parts)
    most = max(
        (
            math.sqrt((1 - share) ** 2 * part + share**2 * (spread - part))
            for share, part in zip(shares, parts, strict=True)
        ),
        default=0.0,
    )
    if max(errors, default=0.0) >= _UNKNOWN:
        most = max(most, 0.5)
    return all(weight.error is None for weight in weights), most


def _weight(
    view: View, setting: Setting, index: int, table: Sequence[float], mines: int | None
) -> _Weight:
    """The weight of a view if an opened cell had this likelihood, by count."""
    bounds = tuple(bound for bound in view.bounds if bound[0] != index)
    seen = View(view.grid, view.states, None, bounds)
    if _engine.is_native():
        found = _engine.native.posterior(*asked(seen, setting, mines, [(index, tuple(table))]))
        if not found.fits:
            return _NOTHING
        return _Weight(found.log_weight, None if found.exact else found.log_error)
    evidence = evidence_of(seen, setting)
    if mines is not None:
        hit = sum(view.states.count(state) for state in _mines(setting))
        evidence = evidence._replace(prior=CountPrior(mines - hit))
    around = view.grid.around(index)
    unknown = tuple(i for i in around if i in set(evidence.unknown))
    hit = sum(view.states[i] in _mines(setting) for i in around)
    own = Constraint(index, unknown, tuple(table[hit : hit + len(unknown) + 1]))
    others = (constraint for constraint in evidence.constraints if constraint.clue != index)
    counted = solve_in_python(evidence._replace(constraints=(*others, own)), setting)
    return _NOTHING if counted is None else _Weight(counted.log_weight)


def _spike(count: int, height: float = 1.0) -> tuple[float, ...]:
    """The likelihood that leaves one number of mines."""
    return tuple(height * (i == count) for i in range(9))


def _mines(setting: Setting) -> set[int]:
    return {EXPLODED, FLAGGED} if setting.trust_flags else {EXPLODED}
