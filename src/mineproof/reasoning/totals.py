"""The totals of mines that clues allow, without weights.

A set of totals is one integer: bit t is set if t mines are possible. All functions spend from an
amount of work that is shared by everything that belongs to one answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from mineproof.reasoning.evidence import Constraint
from mineproof.reasoning.sweep import OverBudget, SweepStep, plan, transitions


class WorkBudget:
    """The remaining work for an answer, in units of about a microsecond."""

    def __init__(self, left: float = math.inf) -> None:
        self.left = left

    def spend(self, amount: float) -> None:
        """Spend some work; raise `OverBudget` if too little is left."""
        self.left -= amount
        if self.left < 0:
            raise OverBudget


_PLAN, _STEP, _STATE = 40, 10, 4
"""The costs of a plan (times clues to the power 1.5), of a step, and of each of its states."""

_MANY = 200
"""The number of clues that doubles the cost of a state, which has four bits per clue."""


def totals(constraints: Sequence[Constraint], work: WorkBudget) -> int:
    """Return the totals of mines that the clues of a component allow among its cells."""
    if not constraints[0].cells:
        return int(constraints[0].table[0] > 0)
    states = {0: 1}
    for step in _plan(constraints, work):
        states = _advance(step, states, work)
    return states.get(0, 0)


def _plan(constraints: Sequence[Constraint], work: WorkBudget) -> list[SweepStep]:
    work.spend(_PLAN * len(constraints) ** 1.5)  # every step compares the neighbouring groups
    return plan(
        constraints, [tuple(int(entry > 0) for entry in clue.table) for clue in constraints]
    )


def _advance(step: SweepStep, states: dict[int, int], work: WorkBudget) -> dict[int, int]:
    """Return the states after a step, with the totals so far."""
    work.spend(_STEP + _price(step) * len(states))
    after: dict[int, int] = {}
    for move in transitions(step, states):
        after[move.after] = after.get(move.after, 0) | states[move.before] << move.mines
    return after


def _price(step: SweepStep) -> float:
    return _STATE * (1 + step.unit.bit_length() / (4 * _MANY))


def sums(one: int, other: int) -> int:
    """Return all sums of a total of one set and a total of the other."""
    found = 0
    while other:
        lowest = other & -other
        found |= one * lowest
        other ^= lowest
    return found


def between(totals: int, least: int, most: int) -> bool:
    """Whether the set has a total from `least` to `most`."""
    return most >= 0 and bool((totals & (2 << most) - 1) >> max(least, 0))


class Core:
    """An irreducible set of clues of a component that cannot reach a good total.

    This is a deletion filter: each clue in turn is left out for good if the others still fail.
    Clues are tried in the order of the sweep, so only the steps from a clue's first group of cells
    to its last one have to be repeated: the states before are known, and the totals that can follow
    the states after are cached.
    """

    def __init__(self, constraints: Sequence[Constraint], good: int, work: WorkBudget) -> None:
        self.good, self.work = good, work
        self.steps = _plan(constraints, work)
        self.ahead: list[dict[int, int]] = [{} for _ in self.steps]
        """For each step, the totals of the remaining steps, by the state before it."""
        self.ahead.append({0: 1})
        self.needed: list[Constraint] = []
        spans: dict[int, list[int]] = {}
        for place, step in enumerate(self.steps):
            for shift, _ in step.gates:
                spans.setdefault(shift, []).append(place)
        states, done = {0: 1}, 0
        for shift, places in spans.items():
            for step in self.steps[done : places[0]]:
                states = _advance(step, states, self.work)
            done = places[0]
            if not self._leave_out(shift, slice(done, places[-1] + 1), states):
                self.needed.append(constraints[shift // 4])
        for step in self.steps[done:]:
            states = _advance(step, states, self.work)
        self.totals = states.get(0, 0)
        """The totals that the needed clues allow among all cells of the component."""

    def _leave_out(self, shift: int, span: slice, states: dict[int, int]) -> bool:
        """Leave a clue out if the others still fail."""
        trial = [_without(step, shift) for step in self.steps[span]]
        for step in trial:
            states = _advance(step, states, self.work)
        if self._succeed(span.stop, states):
            return False
        self.steps[span] = trial
        self.ahead[span] = [{} for _ in trial]
        return True

    def _succeed(self, place: int, states: dict[int, int]) -> bool:
        self._look_ahead(place, states)
        for state, totals in states.items():
            if sums(totals, self.ahead[place][state]) & self.good:
                return True
        return False

    def _look_ahead(self, place: int, states: Iterable[int]) -> None:
        """Compute the totals that can follow these states, unless they are cached."""
        new = set(states) - self.ahead[place].keys()
        found = []
        while new:
            self.work.spend(_STEP + _price(self.steps[place]) * len(new))
            steps = list(transitions(self.steps[place], new))
            found.append((new, steps))
            place += 1
            new = {move.after for move in steps} - self.ahead[place].keys()
        for new, steps in reversed(found):
            after = self.ahead[place]
            place -= 1
            self.ahead[place].update(dict.fromkeys(new, 0))
            for move in steps:
                self.ahead[place][move.before] |= after[move.after] << move.mines


def _without(step: SweepStep, shift: int) -> SweepStep:
    """The step without the clue whose bits begin at `shift`."""
    gates = tuple(gate for gate in step.gates if gate[0] != shift)
    held = len(gates) < len(step.gates)
    return step._replace(gates=gates, unit=step.unit - (held << shift))
