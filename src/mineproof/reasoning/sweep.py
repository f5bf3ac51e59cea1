"""One component, that is unknown cells linked by clues, counted in one sweep.

Unknown cells around the same clues form a *group*: only its number of mines matters, and there are
C(m, k) ways to place k mines in m cells. Groups are processed one at a time. The remaining groups
depend only on the number of mines that each *open* clue (some but not all of its groups are
processed) has so far: this is the state. Configurations that lead to the same state are merged into
one weight for every number of mines so far.

A backward pass over the same states gives the expected mines of each group; sampling backwards from
the last state draws configurations with their exact probabilities.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

from mineproof.reasoning.evidence import Constraint
from mineproof.world.chance import Stream

Weights = dict[int, int]
"""A weight for every number of mines."""
CellGroup = tuple[int, ...]
"""The clues around a group, as places among the constraints of its component."""
Choice = TypeVar("Choice", bound=Hashable)

HARD = 3000
"""If a component has more states than this, by estimate, several orders are tried."""


COEFFICIENTS = 12
"""The mean number of weights that a state may hold; each takes about 150 bytes."""


class OverBudget(Exception):
    """A component has more states or more weights than the budget allows."""


class SweepStep(NamedTuple):
    """Processing one group. A state has four bits for every open clue: its mines so far."""

    cells: tuple[int, ...]
    unit: int
    """The number that a mine in the group adds to a state."""
    gates: tuple[tuple[int, tuple[int, ...]], ...]
    """For each clue of the group, the position of its bits and a factor for every count: its table
    if this is its last group, otherwise 1 if the clue can still be satisfied and 0 if not."""
    keep: int
    """The bits of the clues that stay open."""


class Transition(NamedTuple):
    """A transition between states by the mines in the group; `factor` is its weight."""

    before: int
    mines: int
    factor: int
    after: int


class SweepStage(NamedTuple):
    """One step of the forward pass: the states before it, their weights, and the transitions."""

    step: SweepStep
    states: dict[int, Weights]
    transitions: list[Transition]


class Component(NamedTuple):
    """A component and its forward pass."""

    stages: list[SweepStage]
    weights: Weights
    """The weight of the whole component."""
    scale: Fraction
    """The factor of all these weights, because tables were scaled to integers."""


def plan(constraints: Sequence[Constraint], tables: Sequence[tuple[int, ...]]) -> list[SweepStep]:
    """Return the groups of a component in the order in which they are processed."""
    around: dict[int, list[int]] = {}
    for clue, constraint in enumerate(constraints):
        for cell in constraint.cells:
            around.setdefault(cell, []).append(clue)
    groups: dict[CellGroup, list[int]] = {}
    for cell, clues in around.items():
        groups.setdefault(tuple(clues), []).append(cell)
    left = [len(constraint.cells) for constraint in constraints]
    steps = []
    for group in _best_order(groups, [_spans(table) for table in tables]):
        for clue in group:
            left[clue] -= len(groups[group])
        gates = tuple((4 * clue, _gate(tables[clue], left[clue])) for clue in group)
        closed = sum(15 << 4 * clue for clue in group if not left[clue])
        unit = sum(1 << 4 * clue for clue in group)
        steps.append(SweepStep(tuple(groups[group]), unit, gates, ~closed))
    return steps


@lru_cache(maxsize=4096)
def _gate(table: tuple[int, ...], left: int) -> tuple[int, ...]:
    """A factor for every count so far of a clue with `left` remaining cells."""
    if not left:
        return table
    return tuple(int(any(table[count : count + left + 1])) for count in range(len(table)))


@lru_cache(maxsize=4096)
def _spans(table: tuple[int, ...]) -> list[int]:
    """The number of possible counts of a clue, by the number of processed cells; 1 at the end."""
    size = len(table) - 1
    open_spans = [sum(_gate(table, size - taken)[: taken + 1]) or 1 for taken in range(size)]
    return [*open_spans, 1]


def _best_order(groups: dict[CellGroup, list[int]], spans: list[list[int]]) -> list[CellGroup]:
    """The order from a far end; for hard components, the best of several starting groups."""
    holding: dict[int, list[CellGroup]] = {}
    for group in groups:
        for clue in group:
            holding.setdefault(clue, []).append(group)
    if not holding:
        return []
    walk = list(_walk(next(iter(groups)), holding))
    cost, order = _order(walk[-1], groups, holding, spans)
    if cost > HARD:
        starts = walk[:: len(walk) // 12 + 1]
        cost, order = min([(cost, order), *(_order(s, groups, holding, spans) for s in starts)])
    return order


def _order(
    start: CellGroup,
    groups: dict[CellGroup, list[int]],
    holding: dict[int, list[CellGroup]],
    spans: list[list[int]],
) -> tuple[float, list[CellGroup]]:
    """A greedy order: the next group is the one with the fewest states after it.

    Also returns an estimate of all states, which treats the counts of open clues as independent.
    """
    rank = {group: place for place, group in enumerate(_walk(start, holding))}
    taken = [0] * len(spans)
    order: list[CellGroup] = []
    fringe = {start}
    width, cost = 1.0, 0.0

    def growth(group: CellGroup) -> tuple[float, int]:
        factor, size = 1.0, len(groups[group])
        for clue in group:
            factor *= spans[clue][taken[clue] + size] / spans[clue][taken[clue]]
        return factor, rank[group]

    while fringe:
        (factor, _), group = min((growth(group), group) for group in fringe)
        order.append(group)
        width *= factor
        cost += width
        del rank[group]
        for clue in group:
            taken[clue] += len(groups[group])
            fringe.update(near for near in holding[clue] if near in rank)
        fringe.discard(group)
    return cost, order


def _walk(start: CellGroup, holding: dict[int, list[CellGroup]]) -> Iterator[CellGroup]:
    """Yield the groups of a component, breadth first."""
    seen = {start}
    queue = deque([start])
    while queue:
        group = queue.popleft()
        yield group
        for clue in group:
            fresh = [near for near in holding[clue] if near not in seen]
            seen.update(fresh)
            queue.extend(fresh)


def forwards(constraints: Sequence[Constraint], budget: float = math.inf) -> Component:
    """Run the forward pass over the groups of a component; `budget` limits the states.

    The number of weights is limited, too, because all layers are kept for the backward pass.
    """
    room = COEFFICIENTS * budget
    tables = [as_integers(constraint.table) for constraint in constraints]
    stages = []
    states: dict[int, Weights] = {0: {0: 1}}
    for step in plan(constraints, [table for table, _ in tables]):
        stage = SweepStage(step, states, list(transitions(step, states)))
        stages.append(stage)
        budget -= len(states)
        room -= sum(map(len, states.values()))
        if budget < 0 or room < 0:
            raise OverBudget
        states = {}
        for before, mines, factor, after in stage.transitions:
            sums = states.setdefault(after, {})
            for seen, weight in stage.states[before].items():
                sums[seen + mines] = sums.get(seen + mines, 0) + weight * factor
    weights = states.get(0, {})
    if not stages and tables[0][0][0] == 0:  # a clue that its known neighbours contradict
        weights = {}
    return Component(stages, weights, math.prod((scale for _, scale in tables), start=Fraction(1)))


def transitions(step: SweepStep, states: Iterable[int]) -> Iterator[Transition]:
    """Yield the transitions of every state for every number of mines that the clues allow."""
    ways = [math.comb(len(step.cells), mines) for mines in range(len(step.cells) + 1)]
    for state in states:
        after = state
        for mines, factor in enumerate(ways):
            for shift, gate in step.gates:
                factor *= gate[after >> shift & 15]  # noqa: PLW2901
            if factor:
                yield Transition(state, mines, factor, after & step.keep)
            after += step.unit


def backwards(component: Component, around: Weights) -> Iterator[tuple[SweepStep, int]]:
    """Yield for each group, last to first, the sum of weight times mines over all configurations.

    `around` is the weight of everything else, by the number of mines in this component. This is the
    adjoint of the forward pass.
    """
    later = {0: around}
    for step, states, transitions in reversed(component.stages):
        here: dict[int, Weights] = {}
        expected = 0
        for before, mines, factor, after in transitions:
            if after not in later:
                continue
            ends, sums = later[after], here.setdefault(before, {})
            for seen, weight in states[before].items():
                end = factor * ends[seen + mines]
                sums[seen] = sums.get(seen, 0) + end
                expected += mines * weight * end
        yield step, expected
        later = here


def draw(component: Component, total: int, stream: Stream) -> Iterator[int]:
    """Draw the mines of a component with `total` mines, backwards from its last state."""
    state = 0
    for step, states, transitions in reversed(component.stages):
        ways = {
            (before, mines): factor * states[before].get(total - mines, 0)
            for before, mines, factor, after in transitions
            if after == state
        }
        state, mines = pick(ways, stream)
        total -= mines
        for place, cell in enumerate(step.cells):
            if below(len(step.cells) - place, stream) < mines:
                mines -= 1
                yield cell


def pick(ways: dict[Choice, int], stream: Stream) -> Choice:
    """Pick one of the choices with a probability proportional to its weight."""
    point = below(sum(ways.values()), stream)
    for choice, weight in ways.items():
        point -= weight
        if point < 0:
            return choice
    raise ValueError("nothing to pick from")


def below(limit: int, stream: Stream) -> int:
    """Draw a uniform integer in 0..limit-1 of any size, by rejection."""
    bits = (limit - 1).bit_length()
    while True:
        number = 0
        for _ in range(0, bits, 32):
            number = number << 32 | stream.next()
        number >>= -bits % 32
        if number < limit:
            return number


@lru_cache(maxsize=4096)
def as_integers(table: tuple[float, ...]) -> tuple[tuple[int, ...], Fraction]:
    """The smallest integers in the proportions of a table, and the factor between them."""
    entries = [as_fraction(entry) for entry in table]
    unit = math.lcm(*(entry.denominator for entry in entries))
    numbers = [int(entry * unit) for entry in entries]
    common = math.gcd(*numbers) or 1
    return tuple(number // common for number in numbers), Fraction(common, unit)


def as_fraction(number: float) -> Fraction:
    """A simple fraction that rounds to this float; if there is none, the exact value."""
    simple = Fraction(number).limit_denominator(10**9)
    return simple if float(simple) == number else Fraction(number)
