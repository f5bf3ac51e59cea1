"""Why nothing fits: clues that cannot hold together, none of which can be left out.

Here nothing is weighed; it is enough to know which totals of mines are possible.
A set of totals is one number: bit t is set where t mines are possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from mineproof.reasoning.counting import only_total
from mineproof.reasoning.evidence import Constraint, Evidence, components
from mineproof.reasoning.sweep import Step, plan, transitions

ANY = -1
"""All totals there are."""


def explain(evidence: Evidence, *, fewest: bool = True) -> tuple[tuple[int, ...], bool]:
    """Cells whose clues cannot hold together, and whether the mine count takes part.

    For evidence that nothing fits. Without any one of the clues the others can hold
    (and without the count all of them, where it takes part). Where the count takes
    no part and three clues or fewer can be found, there are no fewer; not to ask for
    the `fewest` is quicker.
    """
    broken = [group for group in components(evidence.constraints) if not _totals(group)]
    total = only_total(evidence)
    if broken:
        few = next(_few(broken), None) if fewest else None
        found = few or _Core(min(broken, key=len), ANY).needed
    elif total is not None:
        found = list(_with_count(evidence, total))
    else:
        raise ValueError("there is no contradiction: something fits")
    return tuple(sorted(constraint.clue for constraint in found)), not broken


def fits(evidence: Evidence) -> bool:
    """Whether any arrangement fits."""
    totals, free = 1, len(evidence.unknown)
    for group in components(evidence.constraints):
        totals = _sums(totals, _totals(group))
        free -= len({cell for clue in group for cell in clue.cells})
    total = only_total(evidence)
    return bool(totals) and (total is None or _between(totals, total - free, total))


def _few(groups: list[tuple[Constraint, ...]]) -> Iterator[Sequence[Constraint]]:
    """Sets of one, of two, then of three clues that cannot hold together.

    Of three that cannot, while any two of them can, one shares cells with both others.
    """
    clues = [constraint for group in groups for constraint in group]
    yield from ([clue] for clue in clues if not any(clue.table))
    near = _neighbours(clues)
    clash = _Clash(clues)
    pairs = [(one, two) for one, others in enumerate(near) for two in others if one < two]
    triples = (
        (middle, one, two)
        for middle, others in enumerate(near)
        for one, two in combinations(others, 2)
    )
    yield from ([clues[one], clues[two]] for one, two in pairs if clash(one, two, two))
    yield from ([clues[i] for i in three] for three in triples if clash(*three))


def _neighbours(clues: list[Constraint]) -> list[list[int]]:
    """For each clue, the others that share cells with it, as positions."""
    holding: dict[int, list[int]] = {}
    for place, clue in enumerate(clues):
        for cell in clue.cells:
            holding.setdefault(cell, []).append(place)
    return [
        sorted({other for cell in clue.cells for other in holding[cell]} - {place})
        for place, clue in enumerate(clues)
    ]


class _Clash:
    """Whether three clues cannot hold together.

    That depends on their tables and on how many cells they share: there are many
    triples, but few that differ.
    """

    def __init__(self, clues: list[Constraint]) -> None:
        self.clues = clues
        self.kinds = [tuple(map(bool, clue.table)) for clue in clues]
        self.masks = [sum(1 << cell for cell in clue.cells) for clue in clues]
        self.known: dict[object, bool] = {}

    def __call__(self, one: int, two: int, three: int) -> bool:
        a, b, c = self.masks[one], self.masks[two], self.masks[three]
        ab = a & b
        shared = ab.bit_count(), (a & c).bit_count(), (b & c).bit_count(), (ab & c).bit_count()
        key = self.kinds[one], self.kinds[two], self.kinds[three], shared
        if key not in self.known:
            self.known[key] = _cannot_hold([self.clues[place] for place in {one, two, three}])
        return self.known[key]


def _cannot_hold(clues: Iterable[Constraint]) -> bool:
    return not all(_totals(group) for group in components(clues))


def _totals(group: Sequence[Constraint]) -> int:
    """The totals of mines that the clues of a component allow among the cells around them."""
    if not group[0].cells:
        return int(group[0].table[0] > 0)
    states = {0: 1}
    for step in _plan(group):
        states = _advance(step, states)
    return states.get(0, 0)


def _plan(group: Sequence[Constraint]) -> list[Step]:
    return plan(group, [tuple(int(entry > 0) for entry in clue.table) for clue in group])


def _advance(step: Step, states: dict[int, int]) -> dict[int, int]:
    """The states after a step, with the totals so far."""
    after: dict[int, int] = {}
    for move in transitions(step, states):
        after[move.after] = after.get(move.after, 0) | states[move.before] << move.mines
    return after


def _with_count(evidence: Evidence, total: int) -> Iterator[Constraint]:
    """An irreducible set of clues that cannot hold together with the count.

    Component by component: meanwhile the others stay as they are, summed up once.
    """
    groups = list(components(evidence.constraints))
    sizes = [len({cell for clue in group for cell in clue.cells}) for group in groups]
    free = len(evidence.unknown) - sum(sizes)
    later = [1]
    for group in reversed(groups):
        later.append(_sums(later[-1], _totals(group)))
    before = 1
    for group, size in zip(groups, sizes, strict=True):
        later.pop()
        others = _sums(before, later[-1])
        good = sum(
            1 << mines
            for mines in range(size + 1)
            if _between(others, total - mines - free, total - mines)
        )
        core = _Core(group, good)
        yield from core.needed
        before = _sums(before, core.totals)


def _sums(one: int, other: int) -> int:
    """All sums of a total of the one and a total of the other."""
    sums = 0
    while other:
        lowest = other & -other
        sums |= one * lowest
        other ^= lowest
    return sums


def _between(totals: int, least: int, most: int) -> bool:
    """Whether there is a total from the least to the most."""
    return most >= 0 and bool((totals & (2 << most) - 1) >> max(least, 0))


class _Core:
    """An irreducible part of the clues of a component that cannot reach a good total.

    A deletion filter: each clue in turn is left out for good if the others still
    fail. Clues are tried in the order in which the sweep meets them, so that only
    the steps from a clue's first box to its last one have to be taken again: the
    states before them are at hand, and what can follow the states after them is
    remembered.
    """

    def __init__(self, group: Sequence[Constraint], good: int) -> None:
        self.good = good
        self.steps = _plan(group)
        self.ahead: list[dict[int, int]] = [{} for _ in self.steps]
        """For each step, the totals still to come, by the state before it."""
        self.ahead.append({0: 1})
        self.needed: list[Constraint] = []
        spans: dict[int, list[int]] = {}
        for place, step in enumerate(self.steps):
            for shift, _ in step.gates:
                spans.setdefault(shift, []).append(place)
        states, done = {0: 1}, 0
        for shift, places in spans.items():
            for step in self.steps[done : places[0]]:
                states = _advance(step, states)
            done = places[0]
            if not self._leave_out(shift, slice(done, places[-1] + 1), states):
                self.needed.append(group[shift // 4])
        for step in self.steps[done:]:
            states = _advance(step, states)
        self.totals = states.get(0, 0)
        """The totals that the needed clues allow, with all cells of the component."""

    def _leave_out(self, shift: int, span: slice, states: dict[int, int]) -> bool:
        """Leave a clue out if the others still fail."""
        trial = [_without(step, shift) for step in self.steps[span]]
        for step in trial:
            states = _advance(step, states)
        if self._succeed(span.stop, states):
            return False
        self.steps[span] = trial
        self.ahead[span] = [{} for _ in trial]
        return True

    def _succeed(self, place: int, states: dict[int, int]) -> bool:
        self._look_ahead(place, states)
        for state, totals in states.items():
            if _sums(totals, self.ahead[place][state]) & self.good:
                return True
        return False

    def _look_ahead(self, place: int, states: Iterable[int]) -> None:
        """Find what can follow these states, as far as it is not known."""
        new = set(states) - self.ahead[place].keys()
        found = []
        while new:
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


def _without(step: Step, shift: int) -> Step:
    """The step, if the clue whose bits begin there said nothing."""
    gates = tuple(gate for gate in step.gates if gate[0] != shift)
    held = len(gates) < len(step.gates)
    return step._replace(gates=gates, unit=step.unit - (held << shift))
