"""The finder in Python: the readable twin of `native/src/proof.cpp`.

For a certain cell it finds the smallest sets of clues that prove it, derives the cell from each of
them, and takes the one with the easiest steps; ties are broken by distance, then by index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from mineproof.reasoning.consistency import Consistency
from mineproof.reasoning.contradiction import fits
from mineproof.reasoning.evidence import Constraint, Evidence, UniformPrior
from mineproof.reasoning.posterior import ViewSettings, solve_in_python
from mineproof.reasoning.proofs.derivation import derive
from mineproof.reasoning.proofs.smallest import (
    MOST_CLUES,
    Clues,
    Oracle,
    SmallestProofSearch,
    reduce,
)
from mineproof.reasoning.proofs.statements import (
    Allowance,
    FoundProof,
    Inference,
    OutOfBudget,
    ProofConstraint,
    count_statement,
    gather_statements,
)

MOST_DERIVED = 8
"""The most proofs of equal size that are derived, the nearest first."""

LOCAL_PRICE, COUNT_PRICE = 1, 20
"""The cost of a consistency check in units of the budget: without and with the mine count."""

_EXPERT, _LARGE = 480, 48_000
"""On boards with more cells than this, checks with the count cost more, or much more."""

_CELLS = 2000
"""Cells that a derivation may look at, per unit of the budget."""

_FEW_CLUES = 64
"""The most clues considered in the first, quick search."""

_LOCAL_EFFORT, _COUNT_EFFORT, _FIELD_EFFORT, _CELLS_A_NODE = 50, 4, 4, 10
"""Search nodes per easy check, per unit of the price of a check with the count, and per clue of a
field; and the number of cells that a derivation looks at in the time of one node."""

_HARD_EFFORT, _EFFORT_A_QUESTION = 100_000, 500
"""The nodes that each of many hard proofs may take if there are enough for all; and the nodes per
check, which is counted twice: once for a smallest proof, once for any proof."""

_IN_ALL = 450
"""The nodes that all cells of a view may take together, per unit of the budget."""

_LEAST = 5000
"""The budget that the steps of a proof always have, in checks."""


class _Limits(NamedTuple):
    """The limits of the search for one proof."""

    questions: int
    """Consistency checks per search."""
    cells: int
    """Cells that its derivation may look at."""
    easy: bool = False
    """Give up unless these checks find all smallest proofs."""


class _Chosen(NamedTuple):
    places: tuple[int, ...]
    least: bool
    irreducible: bool


class _Field(NamedTuple):
    """The clues in the order in which `SmallestProofSearch` considers them."""

    order: Sequence[int]
    rings: Sequence[int]
    linked: Sequence[Clues]
    near: Clues | None
    is_whole: bool
    """Whether all clues that can matter are included."""

    @property
    def counted(self) -> bool:
        """Whether the mine count is used."""
        return self.near is None


class ProofFinder:
    """Finds proofs in one consistent view."""

    def __init__(self, evidence: Evidence, setting: ViewSettings, budget: int) -> None:
        self._evidence, self._budget = evidence, budget
        self._work = 0
        self.statements = gather_statements(evidence)
        self.count = count_statement(evidence)
        self._consistency = Consistency(self.statements)
        prior = UniformPrior(evidence.grid.size, 0)
        alone = solve_in_python(evidence._replace(prior=prior), setting)
        assert alone is not None
        self._alone = dict.fromkeys(alone.safe, False) | dict.fromkeys(alone.mined, True)

    def prove_all(self, certain: Mapping[int, bool]) -> list[FoundProof]:
        """Return proofs of certain cells, given with whether each is a mine.

        Easy proofs come first, then each remaining cell gets an equal share of the effort. Proofs
        that are not known to be smallest then get the rest of the budget, one by one. If the total
        effort is used up, the last of very many cells have neither clues nor steps.
        """
        if len(certain) == 1:
            return [self.prove(cell, mine) for cell, mine in certain.items()]
        asserted = (), False, False, False, ()
        found = {cell: FoundProof(cell, mine, *asserted) for cell, mine in certain.items()}
        most = _IN_ALL * max(self._budget, _LEAST)
        share = most // 2 // max(len(found), 1)
        few = _Limits(min(self._budget, share // _LOCAL_EFFORT), self._cells, easy=True)
        hard: dict[int, int] = {}  # by cell, the number of checks allowed so far
        for cell, mine in certain.items():
            proof = self._try(cell, mine, few) if self._work < most else None
            if proof is None:
                hard[cell] = 0
            else:
                found[cell] = proof

        def prove_one(cell: int, effort: int) -> None:
            questions = min(self._budget, effort // _EFFORT_A_QUESTION)
            if self._work < most and questions > hard[cell]:
                hard[cell] = questions
                limits = _Limits(questions, min(self._cells, effort * _CELLS_A_NODE))
                proof = self._try(cell, certain[cell], limits)
                assert proof is not None
                found[cell] = proof

        for done, cell in enumerate(hard):
            prove_one(cell, max(_HARD_EFFORT, (most - self._work) // (len(hard) - done)))
        for cell in hard:
            if not found[cell].least:
                prove_one(cell, most - self._work)
        return list(found.values())

    def prove(self, cell: int, mine: bool) -> FoundProof:
        """Return a smallest proof for a cell, which must be certain."""
        proof = self._try(cell, mine, _Limits(self._budget, self._cells))
        assert proof is not None
        return proof

    @property
    def _cells(self) -> int:
        """The number of cells that a derivation may look at."""
        return _CELLS * max(self._budget, _LEAST)

    def _try(self, cell: int, mine: bool, limits: _Limits) -> FoundProof | None:
        """Return a proof within the limits, or None if the limits are for easy proofs only."""
        counted = cell not in self._alone
        if counted and self.count is not None and self.count.deduces_all:
            # No clue is needed, but a search would return one.
            return self._derived([_Chosen((), True, True)], counted, cell, mine, limits)
        field = (
            self._everything(cell)
            if counted
            else self._by_links(cell, _FEW_CLUES if limits.easy else MOST_CLUES)
        )
        self._consistency.gave_up = False
        oracle = self._oracle(field, cell, mine, limits.questions)
        choices = self._least(oracle, field)
        if limits.easy and (not choices or oracle.ended):
            self._work += oracle.work
            return None
        if not choices:
            if not field.is_whole:
                field = self._by_links(cell, len(self.statements))
            choices = [self._reduced(oracle, field, limits.questions)]
        self._work += oracle.work
        choices.sort(key=lambda choice: self._distance(choice, cell))
        return self._derived(choices[:MOST_DERIVED], counted, cell, mine, limits)

    def _derived(
        self, choices: Sequence[_Chosen], counted: bool, cell: int, mine: bool, limits: _Limits
    ) -> FoundProof:
        """Return the easiest of the choices as a result with its steps."""
        allowance = Allowance(limits.cells)
        chosen, steps = self._easiest(choices, counted, cell, mine, allowance)
        self._work += (limits.cells - max(allowance.left, 0)) // _CELLS_A_NODE
        clues = tuple(self.statements[place].clue for place in chosen.places)
        if not chosen.irreducible and steps:  # clues that no step names are certainly not needed
            named = {clue for step in steps for clue in step.clues}
            clues = tuple(clue for clue in clues if clue in named)
        return FoundProof(cell, mine, clues, counted, chosen.least, chosen.irreducible, steps)

    def _easiest(
        self,
        choices: Sequence[_Chosen],
        counted: bool,
        cell: int,
        mine: bool,
        allowance: Allowance,
    ) -> tuple[_Chosen, tuple[Inference, ...]]:
        """The choice with the easiest steps; no steps if none were found within the allowance."""
        found = []
        with suppress(OutOfBudget):
            for choice in choices:
                found.append((choice, self._derive(choice.places, counted, cell, mine, allowance)))
        return min(
            found,
            key=lambda pair: (
                max(step.kind for step in pair[1]),
                len(pair[1]),
                sum(len(step.lines) for step in pair[1]),
                self._distance(pair[0], cell),
            ),
            default=(choices[0], ()),
        )

    def _least(self, oracle: Oracle, field: _Field) -> list[_Chosen]:
        """The smallest sets of clues; empty if they are not found within the budget."""
        found = SmallestProofSearch(oracle, field.rings, field.linked, field.near).run()
        sure = not self._consistency.gave_up
        return [_Chosen(_places(chosen, field.order), sure, sure) for chosen in found]

    def _reduced(self, oracle: Oracle, field: _Field, budget: int) -> _Chosen:
        """An irreducible set of clues, if the budget is large enough."""
        oracle.left = budget
        oracle.look_at(field.order)
        distinct = (n for n in dict.fromkeys(field.rings) if n)
        size = next((n for n in distinct if self._proves(oracle, n)), len(field.order))
        kept, ended = reduce(oracle, size)
        ended = ended and not self._consistency.gave_up
        return _Chosen(_places(kept, field.order), False, ended)

    @staticmethod
    def _proves(oracle: Oracle, size: int) -> bool:
        try:
            return oracle((1 << size) - 1)
        except OutOfBudget:
            return False

    def _oracle(self, field: _Field, cell: int, mine: bool, budget: int) -> Oracle:
        def local(chosen: Sequence[int]) -> bool:
            return self._consistency.refutes(chosen, cell, not mine)

        def with_count(chosen: Sequence[int]) -> bool:
            wanted = {self.statements[n].clue for n in chosen}
            clues = [clue for clue in self._evidence.constraints if clue.clue in wanted]
            opposite = Constraint(cell, (cell,), (1.0, 0.0) if mine else (0.0, 1.0))
            return not fits(self._evidence._replace(constraints=(*clues, opposite)))

        if not field.counted:
            cost = LOCAL_PRICE, _LOCAL_EFFORT
            return Oracle(local, lambda: self._consistency.nodes, field.order, cost, budget)
        cells = self._evidence.grid.size
        price = max(COUNT_PRICE, COUNT_PRICE * cells // _EXPERT * (_LARGE + cells) // _LARGE)
        return Oracle(with_count, lambda: 0, field.order, (price, _COUNT_EFFORT * price), budget)

    def _by_links(self, cell: int, most: int) -> _Field:
        """The clues linked to a cell, nearest links first, until there are more than `most`."""
        groups_of, of_group = self._consistency.groups_of, self._consistency.of_group
        ring = {n for n, statement in enumerate(self.statements) if cell in statement.cells}
        order: list[int] = []
        rings = [0]
        seen = set(ring)
        while ring and len(order) <= most:
            order += sorted(ring, key=lambda n: (self._king(self.statements[n].clue, cell), n))
            rings.append(len(order))
            groups = {group for n in ring for group in groups_of[n]}
            ring = {n for group in groups for n in of_group[group]} - seen
            seen |= ring
        self._work += _FIELD_EFFORT * len(order)
        near = (1 << rings[1]) - 1 if len(rings) > 1 else 0
        if not ring:
            rings += [len(order)] * (len(order) + 1 - len(rings))
        place = {n: i for i, n in enumerate(order)}
        linked = [
            sum({1 << place[m] for group in groups_of[n] for m in of_group[group] if m in place})
            for n in order
        ]
        return _Field(order, rings, linked, near, is_whole=not ring)

    def _everything(self, cell: int) -> _Field:
        """All clues: together with the mine count any of them can matter."""
        order = sorted(
            range(len(self.statements)),
            key=lambda n: (self._king(self.statements[n].clue, cell), n),
        )
        self._work += _FIELD_EFFORT * len(order)
        return _Field(order, [len(order)] * (len(order) + 1), [], None, is_whole=True)

    def _derive(
        self, places: Sequence[int], counted: bool, cell: int, mine: bool, allowance: Allowance
    ) -> tuple[Inference, ...]:
        statements: list[ProofConstraint] = [self.statements[place] for place in places]
        if counted and self.count is not None:
            statements.append(self.count)
        return derive(self._evidence.grid, statements, cell, mine, allowance)

    def _distance(self, choice: _Chosen, cell: int) -> tuple[int, tuple[int, ...]]:
        far = sum(self._king(self.statements[place].clue, cell) for place in choice.places)
        return far, choice.places

    def _king(self, one: int, other: int) -> int:
        (a, b), (c, d) = self._evidence.grid.cell(one), self._evidence.grid.cell(other)
        return max(abs(a - c), abs(b - d))


def _places(chosen: Clues, order: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(order[n] for n in range(chosen.bit_length()) if chosen >> n & 1))
