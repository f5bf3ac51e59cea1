"""What a view says about its unknown cells, as numbers.

Every opened cell is a table: the likelihood of what it shows, for every number of
mines among the unknown cells around it. The prior is a weight for every total. An
arrangement (which unknown cells are mined) weighs its prior times one entry of
each table. This is all that counting needs; it knows no clue model and no game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from mineproof.errors import InvalidInput, counted, share
from mineproof.reasoning import components as linking
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Grid
from mineproof.world.view import (
    EXPLODED,
    FLAGGED,
    HIDDEN,
    NO_CLUE,
    TOLD_SAFE,
    UNKNOWN,
    View,
    is_opened,
)


class Constraint(NamedTuple):
    """What one opened cell says about the unknown cells around it."""

    clue: int
    """The index of the cell that says so."""
    cells: tuple[int, ...]
    """The indices of the unknown cells around it, rising."""
    table: tuple[float, ...]
    """The likelihood of what is shown, for 0..len(cells) mines among them."""


class CountPrior(NamedTuple):
    """The count is known: so many mines are among the unknown cells.

    The number may be one that cannot be (below 0, or above the unknown cells):
    then nothing fits.
    """

    mines_left: int


class DensityPrior(NamedTuple):
    """Every unknown cell is mined with this chance, independently of all others."""

    density: float


class UniformPrior(NamedTuple):
    """Nothing is known: every total on the board, 0..cells, is as likely as any other.

    Given the total all arrangements are alike. `known` mines are known already.
    """

    cells: int
    known: int


Prior = CountPrior | DensityPrior | UniformPrior


class Evidence(NamedTuple):
    """All that a view says. Cells are indices, rising."""

    grid: Grid
    unknown: tuple[int, ...]
    """Cells whose truth is open: hidden ones, and flagged ones unless flags are trusted."""
    told_safe: tuple[int, ...]
    mined: tuple[int, ...]
    """Flagged cells, where flags are trusted."""
    constraints: tuple[Constraint, ...]
    """By the index of their clue; those that tell nothing are left out."""
    prior: Prior
    constant: float = 0.0
    """The logarithm of the likelihoods of what was left out."""


def gather(
    view: View,
    clues: ClueModel = Exact(),
    *,
    density: float | None = None,
    trust_flags: bool = False,
) -> Evidence:
    """What a view says under a clue model.

    Flags are marks, not evidence, unless they are trusted. `density` is for views
    without a mine count. Clues that cannot hold are no error here: they become
    tables that no arrangement satisfies.
    """
    states = view.states
    unknown_states = frozenset({HIDDEN}) if trust_flags else UNKNOWN
    mine_states = frozenset({EXPLODED, FLAGGED} if trust_flags else {EXPLODED})
    known_mines = sum(states.count(state) for state in mine_states)
    constraints, constant = _constraints(view, clues, unknown_states, mine_states)
    return Evidence(
        view.grid,
        tuple(index for index, state in enumerate(states) if state in unknown_states),
        tuple(index for index, state in enumerate(states) if state == TOLD_SAFE),
        tuple(index for index, state in enumerate(states) if state == FLAGGED and trust_flags),
        constraints,
        _prior(view, density, known_mines),
        constant,
    )


def check_density(view: View, density: float | None) -> float | None:
    """The density, if it is one and the view has no mine count of its own."""
    if density is None:
        return None
    number = share(density, "a density")
    if view.mines is not None:
        raise InvalidInput(
            f"a density of {density} was given, but the view says {counted(view.mines, 'mine')}: "
            "only one of them can be the prior"
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
    view: View, clues: ClueModel, unknown_states: frozenset[int], mine_states: frozenset[int]
) -> tuple[tuple[Constraint, ...], float]:
    """The constraints that tell something, and the logarithm of what the others weigh."""
    grid, states, bounds = view.grid, view.states, dict(view.bounds)
    tables: dict[tuple[int, int, int | None], tuple[float, ...]] = {}
    found = []
    constant = 0.0
    for index, state in enumerate(states):
        if not is_opened(state):
            continue
        around = grid.around(index)
        key = state, len(around), bounds.get(index)
        if key not in tables:
            shown = None if state == NO_CLUE else state
            tables[key] = clues.likelihood(shown, len(around), key[2])
        cells = tuple(near for near in around if states[near] in unknown_states)
        known = sum(states[near] in mine_states for near in around)
        table = tables[key][known : known + len(cells) + 1]
        if table[0] > 0 and len(set(table)) == 1:
            constant += math.log(table[0])
        else:
            found.append(Constraint(index, cells, table))
    return tuple(found), constant


def components(constraints: Iterable[Constraint]) -> list[tuple[Constraint, ...]]:
    """The constraints in groups that share no cells, each by the index of its clues.

    Those that no unknown cell is around come first: nothing can be counted if one fails.
    """
    every = list(constraints)
    alone = [(constraint,) for constraint in every if not constraint.cells]
    linked = linking.components(constraint for constraint in every if constraint.cells)
    return [*alone, *(tuple(sorted(group)) for group in linked)]
