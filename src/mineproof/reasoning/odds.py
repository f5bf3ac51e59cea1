"""What opening a cell would show, and how likely each clue is."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
    clue) that can come, of all cases: together with the risk they sum to 1.
    """

    risk: float
    shown: dict[Shown, float]


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
        _log_weight(opened, setting, index, _spike(count), view.mines) - before.log_weight
        for count in range(len(near) + 1)
    ]
    top = max(weights)
    counts = [math.exp(weight - top) if weight > -math.inf else 0.0 for weight in weights]
    scale = (1.0 - risk) / sum(counts) if top > -math.inf else 0.0
    bound = clues.bound_among(near)
    shown: dict[Shown, float] = {}
    for value in (*range(len(near) + 1), None):
        table = clues.likelihood(value, len(near), bound)
        if value is None and isinstance(clues, Exact):
            continue  # exact clues are never missing
        chance = scale * sum(a * b for a, b in zip(counts, table, strict=True))
        if chance > 0:
            shown[value] = chance
    return ValueOdds(risk, shown)


def count_odds(
    view: View,
    cell: Cell,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    budget: int = BUDGET,
) -> dict[int, float]:
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
        count: _log_weight(view, setting, index, _spike(count, chance), view.mines)
        for count, chance in enumerate(table)
        if chance > 0
    }
    top = max(weights.values(), default=-math.inf)
    if top == -math.inf:
        posterior(view, clues, density=density, budget=budget)  # which tells what contradicts
    odds = {count: math.exp(weight - top) for count, weight in weights.items()}
    total = sum(odds.values())
    return {count: chance / total for count, chance in odds.items() if chance > 0}


def _log_weight(
    view: View, setting: Setting, index: int, table: Sequence[float], mines: int | None
) -> float:
    """The log of the weight of a view if an opened cell had this likelihood, by count."""
    bounds = tuple(bound for bound in view.bounds if bound[0] != index)
    seen = View(view.grid, view.states, None, bounds)
    if _engine.is_native():
        found = _engine.native.posterior(*asked(seen, setting, mines, [(index, tuple(table))]))
        return found.log_weight if found.fits else -math.inf
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
    return -math.inf if counted is None else counted.log_weight


def _spike(count: int, height: float = 1.0) -> tuple[float, ...]:
    """The likelihood that leaves one number of mines."""
    return tuple(height * (i == count) for i in range(9))


def _mines(setting: Setting) -> set[int]:
    return {EXPLODED, FLAGGED} if setting.trust_flags else {EXPLODED}
