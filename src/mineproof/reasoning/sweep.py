"""One component: unknown cells linked by clues, counted in one sweep.

Unknown cells around the same clues are a *box*: only how many mines it has matters,
and k mines in m cells lie in C(m, k) ways. Boxes are taken one at a time. All that
the boxes to come need to know of those taken is how many mines each *open* clue
(some but not all of its boxes taken) has so far: that is the state. Arrangements
that lead to one state go on together, as a weight for every number of mines so far.

Backwards over the same states gives what is around each box; drawing from the last
state back gives arrangements with their exact chance.
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
Box = tuple[int, ...]
"""The clues around a box, as positions among the constraints of its component."""
Choice = TypeVar("Choice", bound=Hashable)

HARD = 3000
"""Above so many states, by estimate, a component is worth several tries at an order."""


COEFFICIENTS = 12
"""Weights that a state of the budget may hold, in the mean: each takes some 150 bytes."""


class OverBudget(Exception):
    """A component has more states than it was allowed, or more weights."""


class Step(NamedTuple):
    """A box is taken. A state holds four bits for every open clue: its mines so far."""

    cells: tuple[int, ...]
    unit: int
    """What a mine in the box adds to a state."""
    gates: tuple[tuple[int, tuple[int, ...]], ...]
    """For each clue of the box, where its bits begin, and a factor for every count: its
    table if the box is its last one, else 1 or 0, whether the table can still be met."""
    keep: int
    """The bits of the clues that stay open."""


class Transition(NamedTuple):
    """From one state to another by the mines in the box; `factor` is what that weighs."""

    before: int
    mines: int
    factor: int
    after: int


class Stage(NamedTuple):
    """One step of the forward pass: the states before it, what each weighs, and the transitions."""

    step: Step
    states: dict[int, Weights]
    transitions: list[Transition]


class Component(NamedTuple):
    """A component and its forward pass."""

    stages: list[Stage]
    weights: Weights
    """What the whole component weighs."""
    scale: Fraction
    """What all these weights are to be multiplied with, since tables were made whole."""


def plan(constraints: Sequence[Constraint], tables: Sequence[tuple[int, ...]]) -> list[Step]:
    """The boxes of a component in the order they are taken."""
    around: dict[int, list[int]] = {}
    for clue, constraint in enumerate(constraints):
        for cell in constraint.cells:
            around.setdefault(cell, []).append(clue)
    boxes: dict[Box, list[int]] = {}
    for cell, clues in around.items():
        boxes.setdefault(tuple(clues), []).append(cell)
    left = [len(constraint.cells) for constraint in constraints]
    steps = []
    for box in _best_order(boxes, [_spans(table) for table in tables]):
        for clue in box:
            left[clue] -= len(boxes[box])
        gates = tuple((4 * clue, _gate(tables[clue], left[clue])) for clue in box)
        closed = sum(15 << 4 * clue for clue in box if not left[clue])
        unit = sum(1 << 4 * clue for clue in box)
        steps.append(Step(tuple(boxes[box]), unit, gates, ~closed))
    return steps


@lru_cache(maxsize=4096)
def _gate(table: tuple[int, ...], left: int) -> tuple[int, ...]:
    """A factor for every count so far of a clue with `left` cells to come."""
    if not left:
        return table
    return tuple(int(any(table[count : count + left + 1])) for count in range(len(table)))


@lru_cache(maxsize=4096)
def _spans(table: tuple[int, ...]) -> list[int]:
    """How many counts a clue can have, for every number of its cells taken; 1 once it closes."""
    size = len(table) - 1
    open_spans = [sum(_gate(table, size - taken)[: taken + 1]) or 1 for taken in range(size)]
    return [*open_spans, 1]


def _best_order(boxes: dict[Box, list[int]], spans: list[list[int]]) -> list[Box]:
    """From a far end; on hard components other beginnings are tried, too."""
    holding: dict[int, list[Box]] = {}
    for box in boxes:
        for clue in box:
            holding.setdefault(clue, []).append(box)
    if not holding:
        return []
    walk = list(_walk(next(iter(boxes)), holding))
    cost, order = _order(walk[-1], boxes, holding, spans)
    if cost > HARD:
        starts = walk[:: len(walk) // 12 + 1]
        cost, order = min([(cost, order), *(_order(s, boxes, holding, spans) for s in starts)])
    return order


def _order(
    start: Box, boxes: dict[Box, list[int]], holding: dict[int, list[Box]], spans: list[list[int]]
) -> tuple[float, list[Box]]:
    """Next comes the box that leaves the fewest states; with an estimate of all of them.

    The estimate takes the counts of the open clues for independent.
    """
    rank = {box: place for place, box in enumerate(_walk(start, holding))}
    taken = [0] * len(spans)
    order: list[Box] = []
    fringe = {start}
    width, cost = 1.0, 0.0

    def growth(box: Box) -> tuple[float, int]:
        factor, size = 1.0, len(boxes[box])
        for clue in box:
            factor *= spans[clue][taken[clue] + size] / spans[clue][taken[clue]]
        return factor, rank[box]

    while fringe:
        (factor, _), box = min((growth(box), box) for box in fringe)
        order.append(box)
        width *= factor
        cost += width
        del rank[box]
        for clue in box:
            taken[clue] += len(boxes[box])
            fringe.update(near for near in holding[clue] if near in rank)
        fringe.discard(box)
    return cost, order


def _walk(start: Box, holding: dict[int, list[Box]]) -> Iterator[Box]:
    """The boxes of a component, breadth first."""
    seen = {start}
    queue = deque([start])
    while queue:
        box = queue.popleft()
        yield box
        for clue in box:
            fresh = [near for near in holding[clue] if near not in seen]
            seen.update(fresh)
            queue.extend(fresh)


def forwards(constraints: Sequence[Constraint], budget: float = math.inf) -> Component:
    """Take the boxes one at a time, all arrangements together; within so many states.

    What they hold is bounded with them, so that memory is: the layers are kept to go back.
    """
    room = COEFFICIENTS * budget
    tables = [as_integers(constraint.table) for constraint in constraints]
    stages = []
    states: dict[int, Weights] = {0: {0: 1}}
    for step in plan(constraints, [table for table, _ in tables]):
        stage = Stage(step, states, list(transitions(step, states)))
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
    if not stages and tables[0][0][0] == 0:  # a clue that its known surroundings break
        weights = {}
    return Component(stages, weights, math.prod((scale for _, scale in tables), start=Fraction(1)))


def transitions(step: Step, states: Iterable[int]) -> Iterator[Transition]:
    """Every state with every number of mines in the box, where the clues allow it."""
    ways = [math.comb(len(step.cells), mines) for mines in range(len(step.cells) + 1)]
    for state in states:
        after = state
        for mines, factor in enumerate(ways):
            for shift, gate in step.gates:
                factor *= gate[after >> shift & 15]  # noqa: PLW2901
            if factor:
                yield Transition(state, mines, factor, after & step.keep)
            after += step.unit


def backwards(component: Component, around: Weights) -> Iterator[tuple[Step, int]]:
    """For each box, last to first, the sum over all arrangements of weight times its mines.

    `around` is what all else weighs, by the mines of this component. This is the
    adjoint of the forward pass: what follows each state weighs, by the mines so far.
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
    """The mined cells of a component with `total` mines, drawn back from its end."""
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
    """One of the choices, with a chance in proportion to its weight."""
    point = below(sum(ways.values()), stream)
    for choice, weight in ways.items():
        point -= weight
        if point < 0:
            return choice
    raise ValueError("nothing to pick from")


def below(limit: int, stream: Stream) -> int:
    """Uniform on 0..limit-1, however large: drawn until it is below the limit."""
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
    """The least whole numbers in the proportions of a table, and what to multiply them with."""
    entries = [as_fraction(entry) for entry in table]
    unit = math.lcm(*(entry.denominator for entry in entries))
    numbers = [int(entry * unit) for entry in entries]
    common = math.gcd(*numbers) or 1
    return tuple(number // common for number in numbers), Fraction(common, unit)


def as_fraction(number: float) -> Fraction:
    """The simple fraction that this is the nearest float of; if there is none, the float."""
    simple = Fraction(number).limit_denominator(10**9)
    return simple if float(simple) == number else Fraction(number)
