"""The finder in Python: the readable twin of `native/src/proof.cpp`.

For a certain cell it finds the smallest sets of clues that prove it, derives the cell from
each, and takes the one with the easiest steps; of those the nearest, then the first by index.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from mineproof.reasoning.consistency import Consistency
from mineproof.reasoning.contradiction import fits
from mineproof.reasoning.evidence import Constraint, Evidence, UniformPrior
from mineproof.reasoning.posterior import Setting, solve_in_python
from mineproof.reasoning.proofs.derivation import derive
from mineproof.reasoning.proofs.smallest import Clues, Oracle, Search, reduce
from mineproof.reasoning.proofs.statements import (
    Allowance,
    Found,
    Inference,
    OutOfBudget,
    Statement,
    count_statement,
    gather_statements,
)

MOST_DERIVED = 8
"""Proofs of equal size that are worked out, the nearest first."""

LOCAL_PRICE, COUNT_PRICE = 1, 20
"""What a question costs of the budget: of clues alone, and with the mine count."""

_EXPERT, _LARGE = 480, 48_000
"""Cells of an expert board: on larger ones the count costs more, and on large ones much more."""

_CELLS = 2000
"""Cells that a derivation may look at, for each question of the budget."""

_LINKS = 4
"""Clues that are looked at before a search and that cost as much as a question."""

_IN_ALL = 40
"""So many times what one proof may cost all cells of a view may cost together."""

_LEAST = 5000
"""Questions; the steps of a proof may always cost as much."""


class _Chosen(NamedTuple):
    places: tuple[int, ...]
    least: bool
    irreducible: bool


class Finder:
    """Finds proofs in one view that something fits."""

    def __init__(self, evidence: Evidence, setting: Setting, budget: int) -> None:
        self._evidence, self._budget = evidence, budget
        self._spent = 0
        self.statements = gather_statements(evidence)
        self.count = count_statement(evidence)
        self._consistency = Consistency(self.statements)
        prior = UniformPrior(evidence.grid.size, 0)
        alone = solve_in_python(evidence._replace(prior=prior), setting)
        assert alone is not None
        self._alone = dict.fromkeys(alone.safe, False) | dict.fromkeys(alone.mined, True)

    def prove(self, cell: int, mine: bool) -> Found:
        """A smallest proof that a cell is (or is not) a mine; it must be certain.

        Neither clues nor steps are told where the cells before it took too much.
        """
        if self._spent // _IN_ALL > max(self._budget, _LEAST):
            return Found(cell, mine, (), False, False, False, ())
        counted = cell not in self._alone
        order, rings, near = self._everything(cell) if counted else self._by_links(cell)
        self._consistency.gave_up = False
        oracle = self._oracle(order, cell, mine, counted)
        linked = [] if counted else self._linked(order)
        choices = self._smallest(oracle, order, rings, linked, near)
        self._spent += len(order) // _LINKS + self._budget - oracle.left
        choices.sort(key=lambda choice: self._distance(choice, cell))
        chosen, steps = self._easiest(choices[:MOST_DERIVED], counted, cell, mine)
        clues = tuple(self.statements[place].clue for place in chosen.places)
        if not chosen.irreducible and steps:  # what the steps do not name is not needed for sure
            named = {clue for step in steps for clue in step.clues}
            clues = tuple(clue for clue in clues if clue in named)
        return Found(cell, mine, clues, counted, chosen.least, chosen.irreducible, steps)

    def _easiest(
        self, choices: Sequence[_Chosen], counted: bool, cell: int, mine: bool
    ) -> tuple[_Chosen, tuple[Inference, ...]]:
        """The choice with the easiest steps; with none where they are not found in time."""
        budget = max(self._budget, _LEAST)
        allowance = Allowance(_CELLS * budget)
        found = []
        with suppress(OutOfBudget):
            for choice in choices:
                found.append((choice, self._derive(choice.places, counted, cell, mine, allowance)))
        self._spent += budget - max(allowance.left, 0) // _CELLS
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

    def _smallest(
        self,
        oracle: Oracle,
        order: Sequence[int],
        rings: Sequence[int],
        linked: Sequence[Clues],
        near: Clues | None,
    ) -> list[_Chosen]:
        """The smallest sets of clues, or else one of which none can be left out."""
        found = Search(oracle, rings, linked, near).run()
        if found:
            sets = [_places(chosen, order) for chosen in found]
            sure = not self._consistency.gave_up
            return [_Chosen(places, sure, sure) for places in sets]
        self._spent += self._budget - oracle.left
        oracle.left = self._budget
        distinct = (n for n in dict.fromkeys(rings) if n)
        size = next((n for n in distinct if self._proves(oracle, n)), len(order))
        kept, ended = reduce(oracle, size)
        ended = ended and not self._consistency.gave_up
        return [_Chosen(_places(kept, order), False, ended)]

    @staticmethod
    def _proves(oracle: Oracle, size: int) -> bool:
        try:
            return oracle((1 << size) - 1)
        except OutOfBudget:
            return False

    def _oracle(self, order: Sequence[int], cell: int, mine: bool, counted: bool) -> Oracle:
        def local(chosen: Sequence[int]) -> bool:
            return self._consistency.refutes((order[n] for n in chosen), cell, not mine)

        def with_count(chosen: Sequence[int]) -> bool:
            wanted = {self.statements[order[n]].clue for n in chosen}
            clues = [clue for clue in self._evidence.constraints if clue.clue in wanted]
            opposite = Constraint(cell, (cell,), (1.0, 0.0) if mine else (0.0, 1.0))
            return not fits(self._evidence._replace(constraints=(*clues, opposite)))

        if counted:
            cells = self._evidence.grid.size
            price = COUNT_PRICE * cells // _EXPERT * (_LARGE + cells) // _LARGE
            return Oracle(with_count, lambda: 0, max(COUNT_PRICE, price), self._budget)
        return Oracle(local, lambda: self._consistency.nodes, LOCAL_PRICE, self._budget)

    def _by_links(self, cell: int) -> tuple[list[int], list[int], Clues]:
        """The clues linked to a cell, by links; how many at each; those that touch the cell."""
        ring = {n for n, statement in enumerate(self.statements) if cell in statement.cells}
        order: list[int] = []
        rings = [0]
        seen = set(ring)
        while ring:
            order += sorted(ring, key=lambda n: (self._king(self.statements[n].clue, cell), n))
            rings.append(len(order))
            boxes = {box for n in ring for box in self._consistency.boxes_of[n]}
            ring = {n for box in boxes for n in self._consistency.of_box[box]} - seen
            seen |= ring
        near = (1 << rings[1]) - 1 if len(rings) > 1 else 0
        rings += [len(order)] * (len(order) + 1 - len(rings))
        return order, rings, near

    def _everything(self, cell: int) -> tuple[list[int], list[int], None]:
        order = sorted(
            range(len(self.statements)),
            key=lambda n: (self._king(self.statements[n].clue, cell), n),
        )
        return order, [len(order)] * (len(order) + 1), None

    def _linked(self, order: Sequence[int]) -> list[Clues]:
        place = {n: i for i, n in enumerate(order)}
        boxes_of, of_box = self._consistency.boxes_of, self._consistency.of_box
        return [
            sum({1 << place[other] for box in boxes_of[n] for other in of_box[box]}) for n in order
        ]

    def _derive(
        self, places: Sequence[int], counted: bool, cell: int, mine: bool, allowance: Allowance
    ) -> tuple[Inference, ...]:
        statements: list[Statement] = [self.statements[place] for place in places]
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
