"""What a proof is made of: statements about unknown cells, and inferences from them.

A statement says how many of some cells may be mines: a clue says so of the unknown cells
around it, the mine count of all of them. Twin of `native/include/mineproof/proof.hpp`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from mineproof.reasoning.counting import only_total
from mineproof.reasoning.evidence import Evidence

COUNT = -1
"""Stands for the mine count where the index of a clue is asked for."""


class OutOfBudget(Exception):
    """Nothing more may be asked, or looked at."""


class Allowance:
    """What a derivation may still do, counted in cells that are looked at."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, cells: int) -> None:
        """Raises `OutOfBudget` where that is more than is left."""
        self.left -= cells
        if self.left < 0:
            raise OutOfBudget


class Statement(NamedTuple):
    """So many of these cells are mines."""

    clue: int
    """The index of the cell that says so, or COUNT."""
    cells: tuple[int, ...]
    allowed: int
    """Bit n is set where n of the cells may be mines."""

    def bounds(self, mines: int, unsettled: int) -> tuple[int, int] | None:
        """The least and the most of the unsettled cells that are mines; None: it cannot hold."""
        possible = self.allowed >> mines & (2 << unsettled) - 1
        if not possible:
            return None
        return (possible & -possible).bit_length() - 1, possible.bit_length() - 1

    @property
    def is_exact(self) -> bool:
        """Whether only one number is possible."""
        return self.allowed & (self.allowed - 1) == 0

    @property
    def settles_all(self) -> bool:
        """Whether it says of itself that all its cells are mines, or that none is."""
        bounds = self.bounds(0, len(self.cells))
        return bounds is not None and (bounds[1] == 0 or bounds[0] == len(self.cells))

    def premises(self, settled: Mapping[int, bool], mine: bool) -> list[int]:
        """The settled cells on which it rests that there are no more mines (or not fewer).

        With one possible number these are the mines (or the safe cells); else all of them.
        """
        known = [cell for cell in self.cells if cell in settled]
        return [cell for cell in known if settled[cell] == mine] if self.is_exact else known

    def left(self, settled: Mapping[int, bool]) -> tuple[list[int], tuple[int, int] | None]:
        """The cells that are not settled, and the bounds of the mines among them."""
        open_cells = [cell for cell in self.cells if cell not in settled]
        mines = sum(settled.get(cell, False) for cell in self.cells)
        return open_cells, self.bounds(mines, len(open_cells))


class Kind(IntEnum):
    """How an inference is made, the easiest first."""

    CLUE = 0
    """One clue alone."""
    PATTERN = 1
    """Three or four clues in a row along a wall of unknown cells: 1-2-1 or 1-2-2-1."""
    SUBSET = 2
    """Two clues; the unsettled cells of one lie among those of the other."""
    PAIR = 3
    """Two clues that overlap."""
    SUM = 4
    """Three clues or more, added and taken away."""
    COUNT = 5
    """The mine count, alone or with clues added and taken away."""
    CASES = 6
    """The opposite leads to a clue that cannot hold."""


class What(IntEnum):
    """What a line of an argument by cases does."""

    ASSUME = 0
    FORCE = 1
    CLASH = 2


class Line(NamedTuple):
    """A line of an argument by cases.

    ASSUME that the cell is a mine (or not); FORCE: the clue then makes the cells mines (or not);
    CLASH: the clue cannot hold, or the clues, added and taken away by their signs, cannot. Two
    assumptions of the same cell and depth are the two cases.
    """

    what: What
    depth: int
    clues: tuple[int, ...]
    signs: tuple[int, ...]
    cells: tuple[int, ...]
    mine: bool


class Inference(NamedTuple):
    """One step of a proof: cells that are settled by statements and by earlier steps."""

    kind: Kind
    clues: tuple[int, ...]
    """The indices of the clues used; COUNT, if it is used, is the last."""
    signs: tuple[int, ...]
    """For each of them 1 where its equation is added, -1 where it is taken away."""
    settled: tuple[tuple[int, bool], ...]
    """The cells that it settles and that are used, with whether they are mines."""
    lines: tuple[Line, ...] = ()
    """Of an argument by cases."""


class Found(NamedTuple):
    """What a finder found for a certain cell; everything by index."""

    cell: int
    mine: bool
    clues: tuple[int, ...]
    count_used: bool
    least: bool
    irreducible: bool
    steps: tuple[Inference, ...]
    """None where they were not found within the budget."""


def cells_in(statements: Sequence[Statement]) -> int:
    """The cells of all statements, counted as often as they are named."""
    return sum(len(statement.cells) for statement in statements)


def sum_premises(
    used: Sequence[Statement], signs: Sequence[int], known: Mapping[int, bool], full: bool
) -> set[int]:
    """The known cells that a sum rests on which has all the mines it can (or none).

    With exact clues only those whose value is not the one that the sum would give them: the
    others may as well be open.
    """
    touched = {cell for statement in used for cell in statement.cells if cell in known}
    if not all(statement.is_exact for statement in used):
        return touched
    numbers: dict[int, int] = {}
    for statement, sign in zip(used, signs, strict=True):
        for cell in statement.cells:
            numbers[cell] = numbers.get(cell, 0) + sign
    return {c for c in touched if numbers[c] and known[c] != ((numbers[c] > 0) == full)}


def gather_statements(evidence: Evidence) -> list[Statement]:
    """What the clues say, by index; those that exclude nothing are left out."""
    found = []
    for clue, cells, table in evidence.constraints:
        allowed = sum(1 << mines for mines, weight in enumerate(table) if weight > 0)
        if cells and allowed != (2 << len(cells)) - 1:
            found.append(Statement(clue, cells, allowed))
    return found


def count_statement(evidence: Evidence) -> Statement | None:
    """What the mine count says, where it is known."""
    total = only_total(evidence)
    if total is None or total < 0:
        return None
    return Statement(COUNT, evidence.unknown, 1 << total)
