"""Exact mine probabilities by counting, in integers.

Given the number of mines in each component, components are independent. So the weights of every
component for every number of mines (see `sweep`) are combined with those of the others, with the
interior cells (here called free) and with the prior; this gives the total weight. A backward
pass gives the weight around each component, and with it all risks at once. All numbers are integers
or fractions, so a risk of 0 or 1 is a proof.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from mineproof.reasoning import sweep
from mineproof.reasoning.evidence import (
    Constraint,
    CountPrior,
    DensityPrior,
    Evidence,
    Prior,
    components,
)
from mineproof.reasoning.sweep import Component, Weights
from mineproof.reasoning.totals import WorkBudget
from mineproof.world.chance import Stream

BUDGET = 2_000_000
"""The most weights that a count of configurations may add: about half a second."""

_PLAN, _STATE = 80, 8
"""The costs of a plan (times clues to the power 1.5) and of a state, in weights."""

Cache = dict[tuple[Constraint, ...], Component]
"""Components that were already counted, by their constraints."""


@dataclass(frozen=True)
class CountedSolution:
    """Exact mine probabilities, and a sampler for configurations."""

    risk: dict[int, Fraction]
    """The risk of every unknown cell, by index."""
    log_weight: float
    """The natural logarithm of the total weight of all configurations."""
    _prior: Prior
    _parts: list[Component]
    _behind: list[Weights]
    _free: list[int]

    @cached_property
    def safe(self) -> frozenset[int]:
        """The cells that are safe in every configuration."""
        return frozenset(cell for cell, risk in self.risk.items() if risk == 0)

    @cached_property
    def mined(self) -> frozenset[int]:
        """The cells that are mines in every configuration."""
        return frozenset(cell for cell, risk in self.risk.items() if risk == 1)

    def sample(self, stream: Stream) -> frozenset[int]:
        """Draw a configuration with its exact probability and return its mines."""
        drawn: set[int] = set()
        for part, behind in zip(self._parts, self._behind, strict=True):
            seen = len(drawn)
            totals = {mines: own * behind[seen + mines] for mines, own in part.weights.items()}
            drawn.update(sweep.draw(part, sweep.pick(totals, stream), stream))
        for place, cell in enumerate(self._free):
            risk = _free_risk(self._prior, len(self._free) - place, len(drawn))
            if sweep.below(risk.denominator, stream) < risk.numerator:
                drawn.add(cell)
        return frozenset(drawn)


def solve(
    evidence: Evidence, cache: Cache | None = None, *, budget: float = math.inf
) -> CountedSolution | None:
    """Return the exact mine probabilities, or None if no configuration is possible.

    Components in the cache are not counted again; afterwards the cache holds exactly the components
    of this evidence. `budget` is the total number of states that a component may have; beyond it
    `sweep.OverBudget` is raised.
    """
    parts = _swept(evidence, cache, budget)
    free = _free(evidence)
    front = _front(parts)
    behind, unit = _behind(parts, front, _rest(evidence, front[-1], len(free)))
    total = behind[0].get(0, 0)
    if not total:
        return None
    risk: dict[int, Fraction] = {}
    for part, before, after in zip(parts, front, behind[1:], strict=False):
        risk.update(_part_risk(part, before, after))
    if free:
        risks = (
            weight * behind[-1][mines] * _free_risk(evidence.prior, len(free), mines)
            for mines, weight in front[-1].items()
        )
        risk.update(dict.fromkeys(free, sum(risks, start=Fraction()) / total))
    scales = (part.scale for part in parts)
    return CountedSolution(
        {cell: risk[cell] for cell in evidence.unknown},
        _log(Fraction(total, unit)) + sum(map(_log, scales)) + evidence.constant,
        evidence.prior,
        parts,
        behind[1:],
        free,
    )


def arrangements(
    evidence: Evidence, *, known: Mapping[int, bool] | None = None, budget: float = math.inf
) -> int:
    """Return the number of configurations with positive weight.

    `known` has the certain cells and whether they are mines, which makes counting easier. Raises
    `sweep.OverBudget` if more weights than the budget would have to be added.
    """
    known = known or {}
    work, weights = WorkBudget(budget), {0: 1}
    constraints = [clue for clue in _left(evidence.constraints, known) if not all(clue.table)]
    for group in components(constraints):
        weights = _joined(weights, _ways(group, work))
    touched = {cell for clue in constraints for cell in clue.cells}
    free = sum(cell not in known and cell not in touched for cell in evidence.unknown)
    total = only_total(evidence)
    if total is None:
        return sum(weights.values()) << free
    total -= sum(known.values())
    return sum(weight * _choose(free, total - mines) for mines, weight in weights.items())


def _left(clues: Iterable[Constraint], known: Mapping[int, bool]) -> Iterator[Constraint]:
    """Yield the constraints on the cells that are not known."""
    for clue, cells, table in clues:
        mines = sum(known.get(cell, False) for cell in cells)
        open_cells = tuple(cell for cell in cells if cell not in known)
        yield Constraint(clue, open_cells, table[mines : mines + len(open_cells) + 1])


def _ways(group: tuple[Constraint, ...], work: WorkBudget) -> Weights:
    """The number of configurations of a component, by the number of mines."""
    if not group[0].cells:
        return {0: 1} if group[0].table[0] > 0 else {}
    tables = [tuple(int(entry > 0) for entry in clue.table) for clue in group]
    work.spend(_PLAN * len(group) ** 1.5)
    states: dict[int, Weights] = {0: {0: 1}}
    for step in sweep.plan(group, tables):
        after: dict[int, Weights] = {}
        for move in sweep.transitions(step, states):
            before, sums = states[move.before], after.setdefault(move.after, {})
            work.spend(_STATE + len(before))
            for seen, weight in before.items():
                mines = seen + move.mines
                sums[mines] = sums.get(mines, 0) + weight * move.factor
        states = after
    return states.get(0, {})


def only_total(evidence: Evidence) -> int | None:
    """The only number of mines among the unknown cells that the prior allows; None if several."""
    prior = evidence.prior
    if isinstance(prior, CountPrior):
        return prior.mines_left
    if isinstance(prior, DensityPrior) and prior.density in {0, 1}:
        return len(evidence.unknown) if prior.density else 0
    return None


def _swept(evidence: Evidence, cache: Cache | None, budget: float) -> list[Component]:
    known = cache or {}
    found = {
        group: known.get(group) or sweep.forwards(group, budget)
        for group in components(evidence.constraints)
    }
    if cache is not None:
        cache.clear()
        cache.update(found)
    return list(found.values())


def _front(parts: list[Component]) -> list[Weights]:
    """The joint weight of the components before each one; last, of all of them."""
    front = [{0: 1}]
    for part in parts:
        front.append(_joined(front[-1], part.weights))
    return front


def _joined(one: Weights, other: Weights) -> Weights:
    """The joint weight of two parts."""
    joined: Weights = {}
    for seen, weight in one.items():
        for mines, own in other.items():
            joined[seen + mines] = joined.get(seen + mines, 0) + weight * own
    return joined


def _behind(
    parts: list[Component], front: list[Weights], rest: dict[int, Fraction]
) -> tuple[list[Weights], int]:
    """The joint weight of each component, all later ones and the rest, by the mines before it.

    The last entry is the rest alone. The weights are scaled by `unit` to be integers.
    """
    unit = math.lcm(*(weight.denominator for weight in rest.values()))
    behind = [{mines: int(weight * unit) for mines, weight in rest.items()}]
    for part, before in zip(reversed(parts), reversed(front[:-1]), strict=True):
        after = behind[-1]
        here = {
            seen: sum(own * after[seen + mines] for mines, own in part.weights.items())
            for seen in before
        }
        behind.append(here)
    return behind[::-1], unit


def _part_risk(part: Component, before: Weights, after: Weights) -> Iterable[tuple[int, Fraction]]:
    """The risks in a component, from the weights before and after it."""
    around = {
        mines: sum(weight * after[seen + mines] for seen, weight in before.items())
        for mines in part.weights
    }
    common = math.gcd(*around.values())
    around = {mines: weight // common for mines, weight in around.items()}
    total = sum(own * around[mines] for mines, own in part.weights.items())
    for step, expected in sweep.backwards(part, around):
        risk = Fraction(expected, total * len(step.cells))
        yield from ((cell, risk) for cell in step.cells)


def _free(evidence: Evidence) -> list[int]:
    """The interior cells: unknown cells that touch no clue."""
    touched = {cell for constraint in evidence.constraints for cell in constraint.cells}
    return [cell for cell in evidence.unknown if cell not in touched]


def _rest(evidence: Evidence, totals: Iterable[int], free: int) -> dict[int, Fraction]:
    """The weight of the free cells and the prior, by the mines in all components."""
    prior, touched = evidence.prior, len(evidence.unknown) - free
    if isinstance(prior, CountPrior):
        return {mines: Fraction(_choose(free, prior.mines_left - mines)) for mines in totals}
    if isinstance(prior, DensityPrior):
        chance = sweep.as_fraction(prior.density)
        return {mines: chance**mines * (1 - chance) ** (touched - mines) for mines in totals}
    # The sum over r of C(free, r) / C(cells, known + mines + r), divided by cells + 1.
    other = prior.cells - free
    return {
        mines: Fraction(1, (other + 1) * math.comb(other, prior.known + mines)) for mines in totals
    }


def _free_risk(prior: Prior, free: int, mines: int) -> Fraction:
    """The mine probability of one of the free cells if `mines` other cells are mines."""
    if isinstance(prior, CountPrior):
        return Fraction(prior.mines_left - mines, free)
    if isinstance(prior, DensityPrior):
        return sweep.as_fraction(prior.density)
    return Fraction(prior.known + mines + 1, prior.cells - free + 2)  # Laplace's rule


def _choose(cells: int, mines: int) -> int:
    return math.comb(cells, mines) if mines >= 0 else 0


def _log(number: Fraction) -> float:
    return math.log(number.numerator) - math.log(number.denominator)
