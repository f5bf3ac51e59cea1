"""The clues that opening a cell may show, and their probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from mineproof import _engine
from mineproof.arguments import of_type
from mineproof.errors import InvalidInput, shorten
from mineproof.reasoning.posterior import (
    BUDGET,
    ViewSettings,
    asked,
    evidence_of,
    posterior,
    solve_in_python,
    view_settings,
)
from mineproof.world.clues import ClueModel, Exact, Likelihood, Shown
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.view import COVERED, FLAGGED, NO_CLUE, View, is_opened


class ValueOdds(NamedTuple):
    """The possible outcomes of opening a cell.

    `risk` is the mine probability; `shown` has the probability of every possible clue (None: no
    clue). Together with the risk they sum to 1. `exact` is False if the result is an estimate;
    `error` is then the largest standard error of a probability, as in `Posterior`.
    """

    risk: float
    shown: dict[Shown, float]
    exact: bool = True
    error: float = 0.0


class CountOdds(dict[int, float]):
    """The probability of every possible number of mines around a cell.

    `exact` is False if the result is an estimate; `error` is then the largest standard error.
    """

    def __init__(self, chances: Mapping[int, float], exact: bool = True, error: float = 0.0):
        super().__init__(chances)
        self.exact = exact
        self.error = error


VALUE_BUDGET = BUDGET // 4
"""The budget of states per component for each of the two views that are counted."""


def value_odds(
    view: View,
    cell: Cell,
    clues: ClueModel | str = Exact(),
    *,
    density: float | None = None,
    trust_flags: bool = False,
    budget: int = VALUE_BUDGET,
) -> ValueOdds:
    """Return the risk of a cell and the probability of every clue that it may show.

    The result combines the posterior of the view with that of the view in which the cell is open;
    `budget` applies to each of the two.
    """
    of_type(view, View, "view")
    index = view.grid.index(cell)
    state = view.states[index]
    if state not in COVERED or (state == FLAGGED and trust_flags):
        raise InvalidInput(
            f"cell {name_cell(cell)} is open or a known mine in {shorten(view.to_text())!r}: "
            "choose a hidden cell"
        )
    setting = view_settings(view, clues, density, trust_flags, budget)
    before = posterior(view, clues, density=density, trust_flags=trust_flags, budget=budget)
    risk = float(before.risk[view.grid.cell(index)])
    near = [view.states[i] for i in view.grid.neighbours(index)]
    states = bytes([*view.states[:index], NO_CLUE, *view.states[index + 1 :]])
    opened = replace(view, states=states, mines=None)
    (around,) = _counts(opened, setting, [index], view.mines, {index: (1.0,) * 9})
    counts = [(1.0 - risk) * around.get(count, 0.0) for count in range(len(near) + 1)]
    shown: dict[Shown, float] = {}
    for value, table in setting.clues.outcomes(near).items():
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
    """Return the probability of every possible number of mines around an opened cell.

    With exact clues it is the clue itself; with uncertain clues all other clues matter, too.
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
    """Return `count_odds` of several cells; the compiled engine counts once for all of them."""
    of_type(view, View, "view")
    indices = [view.grid.index(cell) for cell in cells]
    for index in indices:
        if not is_opened(view.states[index]):
            where = f"{view.grid.name(index)} is not open in {shorten(view.to_text())!r}"
            raise InvalidInput(f"cell {where}: choose an open cell")
    found = _counts(view, view_settings(view, clues, density, False, budget), indices, view.mines)
    if not all(found):
        posterior(
            view, clues, density=density, budget=budget
        )  # raises if the clues contradict each other
    return found


def _counts(
    view: View,
    setting: ViewSettings,
    indices: Sequence[int],
    mines: int | None,
    own: Mapping[int, Likelihood] = {},
) -> list[CountOdds]:
    """The number of mines around opened cells; empty results if the view is impossible.

    `own` has likelihoods that replace those of the clues of some cells.
    """
    if not _engine.is_native():
        tables = {**setting.clues.likelihoods(view), **own}
        return [_counted(view, setting, index, mines, tables[index]) for index in indices]
    watched = list(dict.fromkeys(indices))
    found = _engine.native.posterior(*asked(view, setting, mines, own), watched)
    if not found.fits:
        return [CountOdds({}) for _ in indices]
    odds = {
        index: CountOdds(
            {count: chance for count, chance in enumerate(one.chance) if chance > 0},
            found.exact,
            # Exactly counted components depend on estimated ones only through the total.
            min(one.error or found.error, 1.0),
        )
        for index, one in zip(watched, found.count_odds, strict=True)
    }
    return [odds[index] for index in indices]


def _counted(
    view: View, setting: ViewSettings, index: int, mines: int | None, table: Likelihood
) -> CountOdds:
    """The same in Python, from the weight of the view for each number of mines around the cell."""
    logs = {
        count: _log_weight(view, setting, {index: _spike(count, chance)}, mines)
        for count, chance in enumerate(table[: view.grid.neighbour_count(index) + 1])
        if chance > 0
    }
    top = max(logs.values(), default=-math.inf)
    if top == -math.inf:
        return CountOdds({})
    weights = {count: math.exp(log - top) for count, log in logs.items() if log > -math.inf}
    total = sum(weights.values())
    return CountOdds({count: weight / total for count, weight in weights.items()})


def _log_weight(
    view: View, setting: ViewSettings, own: Mapping[int, Likelihood], mines: int | None
) -> float:
    """The logarithm of the weight of a view in which some opened cells have these likelihoods."""
    counted = solve_in_python(evidence_of(view, setting, mines, own), setting)
    return -math.inf if counted is None else counted.log_weight


def _spike(count: int, height: float = 1.0) -> tuple[float, ...]:
    """The likelihood that allows only one number of mines."""
    return tuple(height * (i == count) for i in range(9))
