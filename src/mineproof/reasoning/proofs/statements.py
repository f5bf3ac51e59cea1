"""The parts of a proof: constraints on unknown cells, and inferences from them.

A `ProofConstraint` limits the number of mines among some cells. A clue constrains the unknown cells
around it, the mine count all unknown cells. Twin of
`native/include/mineproof/proof.hpp`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from mineproof.reasoning.counting import only_total
from mineproof.reasoning.evidence import Evidence

COUNT = -1
"""The mine count, in place of the index of a clue."""


class OutOfBudget(Exception):
    """The budget of a search or a derivation is used up."""


class Allowance:
    """The remaining budget of a derivation, counted in cells that it looks at."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, cells: int) -> None:
        """Spend a part of the budget; raise `OutOfBudget` if too little is left."""
        self.left -= cells
        if self.left < 0:
            raise OutOfBudget


class ProofConstraint(NamedTuple):
    """A constraint: the possible numbers of mines among some cells."""

    clue: int
    """The index of the clue, or COUNT."""
    cells: tuple[int, ...]
    allowed: int
    """Bit n is set if n of the cells may be mines."""

    def bounds(self, mines: int, unknown: int) -> tuple[int, int] | None:
        """The minimum and maximum of mines among the unknown cells; None if it is contradicted."""
        possible = self.allowed >> mines & (2 << unknown) - 1
        if not possible:
            return None
        return (possible & -possible).bit_length() - 1, possible.bit_length() - 1

    @property
    def is_exact(self) -> bool:
        """Whether only one number is possible."""
        return self.allowed & (self.allowed - 1) == 0

    @property
    def deduces_all(self) -> bool:
        """Whether it alone makes all its cells mines, or all of them safe."""
        bounds = self.bounds(0, len(self.cells))
        return bounds is not None and (bounds[1] == 0 or bounds[0] == len(self.cells))

    def premises(self, settled: Mapping[int, bool], mine: bool) -> list[int]:
        """The known cells that limit the number of further mines from above (or from below).

        If only one number is possible, these are the mines (or the safe cells); otherwise all of
        them.
        """
        known = [cell for cell in self.cells if cell in settled]
        return [cell for cell in known if settled[cell] == mine] if self.is_exact else known

    def left(self, settled: Mapping[int, bool]) -> tuple[list[int], tuple[int, int] | None]:
        """The cells that are not known yet, and the bounds of the mines among them."""
        open_cells = [cell for cell in self.cells if cell not in settled]
        mines = sum(settled.get(cell, False) for cell in self.cells)
        return open_cells, self.bounds(mines, len(open_cells))


class InferenceKind(IntEnum):
    """The kind of an inference, from easy to hard."""

    CLUE = 0
    """One clue alone."""
    PATTERN = 1
    """Three or four clues in a row along a wall of unknown cells: 1-2-1 or 1-2-2-1."""
    SUBSET = 2
    """Two clues; the unknown cells of one are among those of the other."""
    PAIR = 3
    """Two clues that overlap."""
    SUM = 4
    """Three or more clues, added and subtracted."""
    COUNT = 5
    """The mine count, alone or with clues added and subtracted."""
    CASES = 6
    """The opposite leads to a contradiction."""


class CaseLineKind(IntEnum):
    """The kind of a line of an argument by cases."""

    ASSUME = 0
    FORCE = 1
    CLASH = 2


class CaseLine(NamedTuple):
    """A line of an argument by cases.

    ASSUME: suppose that the cell is a mine (or safe). FORCE: the clue then makes the cells mines
    (or safe). CLASH: the clue is contradicted, or the sum of the clues with their signs is. Two
    assumptions about the same cell at the same depth are the two cases.
    """

    what: CaseLineKind
    depth: int
    clues: tuple[int, ...]
    signs: tuple[int, ...]
    cells: tuple[int, ...]
    mine: bool


class Inference(NamedTuple):
    """One step of a proof: cells deduced from constraints and from earlier steps."""

    kind: InferenceKind
    clues: tuple[int, ...]
    """The indices of the clues; COUNT, if used, is the last."""
    signs: tuple[int, ...]
    """For each clue, 1 if its equation is added, -1 if it is subtracted."""
    settled: tuple[tuple[int, bool], ...]
    """The cells that it proves and that are used, and whether they are mines."""
    lines: tuple[CaseLine, ...] = ()
    """The lines of an argument by cases."""


class FoundProof(NamedTuple):
    """The finder's result for a certain cell; all cells are indices."""

    cell: int
    mine: bool
    clues: tuple[int, ...]
    count_used: bool
    least: bool
    irreducible: bool
    steps: tuple[Inference, ...]
    """Empty if they were not found within the budget."""


def cells_in(statements: Sequence[ProofConstraint]) -> int:
    """The total number of cells of all constraints, with repetition."""
    return sum(len(statement.cells) for statement in statements)


def sum_premises(
    used: Sequence[ProofConstraint], signs: Sequence[int], known: Mapping[int, bool], full: bool
) -> set[int]:
    """The known cells that a sum with the maximum (or minimum) number of mines rests on.

    With exact clues, only the cells whose value differs from the one that the sum would give them;
    the others might as well be unknown.
    """
    touched = {cell for statement in used for cell in statement.cells if cell in known}
    if not all(statement.is_exact for statement in used):
        return touched
    numbers: dict[int, int] = {}
    for statement, sign in zip(used, signs, strict=True):
        for cell in statement.cells:
            numbers[cell] = numbers.get(cell, 0) + sign
    return {c for c in touched if numbers[c] and known[c] != ((numbers[c] > 0) == full)}


def gather_statements(evidence: Evidence) -> list[ProofConstraint]:
    """Return the constraints of the clues, by index, without those that exclude nothing."""
    found = []
    for clue, cells, table in evidence.constraints:
        allowed = sum(1 << mines for mines, weight in enumerate(table) if weight > 0)
        if cells and allowed != (2 << len(cells)) - 1:
            found.append(ProofConstraint(clue, cells, allowed))
    return found


def count_statement(evidence: Evidence) -> ProofConstraint | None:
    """Return the constraint of the mine count; None if the count is unknown."""
    total = only_total(evidence)
    if total is None or total < 0:
        return None
    return ProofConstraint(COUNT, evidence.unknown, 1 << total)
