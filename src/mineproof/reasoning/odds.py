"""What opening a cell would show, and how likely each clue is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mineproof import _engine
from mineproof.errors import InvalidInput, shorten
from mineproof.given import of_type
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


VALUE_BUDGET = BUDGET // 4
"""States of one component for each of the two views that are counted."""


def value_odds(
    view: View,
    cell: Cell,
    clues: ClueModel | str = Exact(),
    *,
    density: float | None = None,
    trust_flags: bool = False,
    budget: int = VALUE_BUDGET,
) -> ValueOdds:
    """The exact distribution of what opening a cell would show, with its risk.

    That is the risk, and in the same view with the cell open the chance of each number of
    mines around it. `budget` is for each of the two.
    """
    of_type(view, View, "view")
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
    (around,) = _counts(opened, setting, [index], view.mines, [(index, (1.0,) * 9)])
    counts = [(1.0 - risk) * around.get(count, 0.0) for count in range(len(near) + 1)]
    clues = setting.clues
    bound = clues.bound_among(near)
    shown: dict[Shown, float] = {}
    for value in (*range(len(near) + 1), None):
        table = clues.likelihood(value, len(near), bound)
        if value is None and isinstance(clues, Exact):
            continue  # exact clues are never missing
        chance = sum(a * b for a, b in zip(counts, table, strict=True))
        if chance > 0:
            shown[value] = chance
    error = min(math.hypot(around.error, before.error), 1.0)
    return ValueOdds(risk, shown, around.exact and before.exact, error)


def count_odds(
    view: View,
    cell: Cell,
    clues: ClueModel | str = Exact(),
    *,
    density: float | None = None,
    budget: int = BUDGET,
) -> CountOdds:
    """How many mines are around an opened cell: the chance of every number that can be.

    With exact clues that is the clue; where clues are uncertain, all others tell of it, too.
    """
    return counts_around(view, [cell], clues, density=density, budget=budget)[0]


def counts_around(
    view: View,
    cells: Sequence[Cell],
    clues: ClueModel | str = Exact(),
    *,
    density: float | None = None,
    budget: int = BUDGET,
) -> list[CountOdds]:
    """`count_odds` of some cells; the compiled engine counts once for all of them."""
    of_type(view, View, "view")
    indices = [view.grid.index(cell) for cell in cells]
    for index in indices:
        if not is_opened(view.states[index]):
            where = f"{view.grid.name(index)} is not opened in {shorten(view.to_text())!r}"
            raise InvalidInput(f"cell {where}")
    found = _counts(view, setting_of(view, clues, density, False, budget), indices, view.mines)
    if not all(found):
        posterior(view, clues, density=density, budget=budget)  # which tells what contradicts
    return found


def _counts(
    view: View,
    setting: Setting,
    indices: Sequence[int],
    mines: int | None,
    own: Sequence[tuple[int, tuple[float, ...]]] = (),
) -> list[CountOdds]:
    """How many mines are around some opened cells; none of any number where nothing fits.

    `own`: likelihoods of the cells' own, by count, in place of those of their clues.
    """
    if not _engine.is_native():
        tables = dict(own)
        return [_counted(view, setting, index, mines, tables.get(index)) for index in indices]
    watched = list(dict.fromkeys(indices))
    found = _engine.native.posterior(*asked(view, setting, mines, own), watched)
    if not found.fits:
        return [CountOdds({}) for _ in indices]
    odds = {
        index: CountOdds(
            {count: chance for count, chance in enumerate(one.chance) if chance > 0},
            found.exact,
            # Components that were counted depend on estimates of others by the total alone.
            min(one.error or found.error, 1.0),
        )
        for index, one in zip(watched, found.count_odds, strict=True)
    }
    return [odds[index] for index in indices]


def _counted(
    view: View,
    setting: Setting,
    index: int,
    mines: int | None,
    own: tuple[float, ...] | None,
) -> CountOdds:
    """The same in Python: the weight of the view with each number of mines around the cell."""
    degree, state = view.grid.degree(index), view.states[index]
    shown = None if state == NO_CLUE else state
    bound = dict(view.bounds).get(index)
    table = own or setting.clues.likelihood(shown, degree, bound)
    logs = {
        count: _log_weight(view, setting, index, _spike(count, chance), mines)
        for count, chance in enumerate(table[: degree + 1])
        if chance > 0
    }
    top = max(logs.values(), default=-math.inf)
    if top == -math.inf:
        return CountOdds({})
    weights = {count: math.exp(log - top) for count, log in logs.items() if log > -math.inf}
    total = sum(weights.values())
    return CountOdds({count: weight / total for count, weight in weights.items()})


def _log_weight(
    view: View, setting: Setting, index: int, table: Sequence[float], mines: int | None
) -> float:
    """The logarithm of the weight of a view if an opened cell had this likelihood, by count."""
    bounds = tuple(bound for bound in view.bounds if bound[0] != index)
    evidence = evidence_of(View(view.grid, view.states, None, bounds), setting)
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
