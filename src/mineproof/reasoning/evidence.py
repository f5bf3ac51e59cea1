"""The information of a view about its unknown cells, as numbers.

Every opened cell becomes a table: the likelihood of its clue for every number of mines among the
unknown cells around it. The prior is a weight for every total. The weight of a configuration is
its prior times one entry of each table. Counting needs nothing more: no clue model and no game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mineproof.errors import InvalidInput, check_probability, plural
from mineproof.reasoning import components as linking
from mineproof.world.clues import ClueModel, Exact, Likelihood
from mineproof.world.geometry import Grid
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, KNOWN_SAFE, UNKNOWN, View


class Constraint(NamedTuple):
    """The constraint of one opened cell on the unknown cells around it."""

    clue: int
    """The index of the opened cell."""
    cells: tuple[int, ...]
    """The indices of the unknown cells around it, in increasing order."""
    table: tuple[float, ...]
    """The likelihood of the clue for 0..len(cells) mines among them."""


class CountPrior(NamedTuple):
    """The mine count is known: this is the number of mines among the unknown cells.

    The number may be impossible (negative, or larger than the number of unknown cells); then no
    configuration is possible.
    """

    mines_left: int


class DensityPrior(NamedTuple):
    """Every unknown cell is a mine with this probability, independently of the others."""

    density: float


class UniformPrior(NamedTuple):
    """Nothing is known about the mine count: every total 0..cells on the board is equally likely.

    All configurations with the same total are equally likely. `known` mines are already known.
    """

    cells: int
    known: int


Prior = CountPrior | DensityPrior | UniformPrior


class Evidence(NamedTuple):
    """All information of a view. Cells are indices in increasing order."""

    grid: Grid
    unknown: tuple[int, ...]
    """Hidden cells, and flagged cells unless flags are trusted."""
    known_safe: tuple[int, ...]
    mined: tuple[int, ...]
    """Flagged cells, if flags are trusted."""
    constraints: tuple[Constraint, ...]
    """In the order of the clues; those without information are left out."""
    prior: Prior
    constant: float = 0.0
    """The logarithm of the likelihoods of the constraints that were left out."""


def gather(
    view: View,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    trust_flags: bool = False,
    mines: int | None = None,
    own: Mapping[int, Likelihood] = {},
) -> Evidence:
    """Return the information of a view under a clue model.

    Flags are marks, not evidence, unless they are trusted. `density` is for views without a mine
    count. Impossible clues are no error here: they become tables that no configuration satisfies.
    `mines` is a count that need not fit the view; `own` replaces likelihoods of opened cells.
    """
    states = view.states
    unknown_states = frozenset({HIDDEN}) if trust_flags else UNKNOWN
    mine_states = frozenset({EXPLODED, FLAGGED} if trust_flags else {EXPLODED})
    known_mines = sum(states.count(state) for state in mine_states)
    tables = {**clues.likelihoods(view), **own}
    constraints, constant = _constraints(view, tables, unknown_states, mine_states)
    return Evidence(
        view.grid,
        tuple(index for index, state in enumerate(states) if state in unknown_states),
        tuple(index for index, state in enumerate(states) if state == KNOWN_SAFE),
        tuple(index for index, state in enumerate(states) if state == FLAGGED and trust_flags),
        constraints,
        _prior(view, density, known_mines) if mines is None else CountPrior(mines - known_mines),
        constant,
    )


def check_density(view: View, density: float | None) -> float | None:
    """Return the density, or raise an error if it is invalid or the view has a mine count."""
    if density is None:
        return None
    number = check_probability(density, "a density")
    if view.mines is not None:
        raise InvalidInput(
            f"a density of {density} was given, but the view has {plural(view.mines, 'mine')}: "
            "only one of them can be the prior; leave one out"
        )
    return number


def _prior(view: View, density: float | None, known_mines: int) -> Prior:
    density = check_density(view, density)
    if density is not None:
        return DensityPrior(density)
    if view.mines is not None:
        return CountPrior(view.mines - known_mines)
    return UniformPrior(view.grid.size, known_mines)


def _constraints(
    view: View,
    tables: Mapping[int, Likelihood],
    unknown_states: frozenset[int],
    mine_states: frozenset[int],
) -> tuple[tuple[Constraint, ...], float]:
    """The constraints with information, and the logarithm of the weight of the others."""
    states = view.states
    found = []
    constant = 0.0
    for index, likelihood in tables.items():
        around = view.grid.neighbours(index)
        cells = tuple(near for near in around if states[near] in unknown_states)
        known = sum(states[near] in mine_states for near in around)
        table = likelihood[known : known + len(cells) + 1]
        if table[0] > 0 and len(set(table)) == 1:
            constant += math.log(table[0])
        else:
            found.append(Constraint(index, cells, table))
    return tuple(found), constant


def components(constraints: Iterable[Constraint]) -> list[tuple[Constraint, ...]]:
    """Return the constraints in groups without shared cells, each in the order of its clues.

    Constraints without unknown cells come first: if one of them fails, nothing can be counted.
    """
    every = list(constraints)
    alone = [(constraint,) for constraint in every if not constraint.cells]
    linked = linking.components(constraint for constraint in every if constraint.cells)
    return [*alone, *(tuple(sorted(group)) for group in linked)]
