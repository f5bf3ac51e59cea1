"""Arguments by cases: the opposite of a verdict leads to a contradiction.

Single clues force cells, in rounds. If that ends without a contradiction, and no sum of a few clues
is contradicted either, a cell is assumed to be a mine, and then to be safe. Only the lines that a
contradiction rests on are kept. Twin of `native/src/proof_cases.cpp`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple

from mineproof.reasoning.proofs.statements import (
    Allowance,
    CaseLine,
    CaseLineKind,
    ProofConstraint,
    cells_in,
    sum_premises,
)

Values = Mapping[int, bool]

_TERMS = ((10, 5), (24, 3))
"""Pairs (n, k): with up to n open constraints, sums of up to k of them are tried."""


class _Forced(NamedTuple):
    """A clue, given by its place, makes all its unknown cells mines, or all safe."""

    place: int
    cells: tuple[int, ...]
    mine: bool
    premises: list[int]


class _Refutation(NamedTuple):
    lines: list[CaseLine]
    used: set[int]
    """The already known cells that the refutation rests on."""


def refute(
    statements: Sequence[ProofConstraint],
    settled: Values,
    cell: int,
    mine: bool,
    allowance: Allowance,
) -> tuple[tuple[CaseLine, ...], tuple[int, ...]]:
    """Refute that a cell is a mine (or safe): return the lines and the clues that they name."""
    found = _refutation(statements, {**settled, cell: mine}, 1, allowance)
    lines = (CaseLine(CaseLineKind.ASSUME, 0, (), (), (cell,), mine), *found.lines)
    named = {clue for line in lines for clue in line.clues}
    return lines, tuple(statement.clue for statement in statements if statement.clue in named)


def _refutation(
    statements: Sequence[ProofConstraint], values: Values, depth: int, allowance: Allowance
) -> _Refutation:
    trail, after, clash = _propagate(statements, values, allowance)
    if clash is not None:
        lines = [CaseLine(CaseLineKind.CLASH, depth, (statements[clash].clue,), (1,), (), False)]
        used = set(_clash_premises(statements[clash], after))
        return _slice(statements, trail, _Refutation(lines, used), depth)
    together = _sum_clash(statements, after, allowance)
    if together is not None:
        places, signs, full = together
        clues = tuple(statements[place].clue for place in places)
        used = sum_premises([statements[place] for place in places], signs, after, full)
        lines = [CaseLine(CaseLineKind.CLASH, depth, clues, signs, (), full)]
        return _slice(statements, trail, _Refutation(lines, used), depth)
    cell = _split(statements, after, allowance)
    lines, used = [], set()
    for mine in (True, False):
        case = _refutation(statements, {**after, cell: mine}, depth + 1, allowance)
        if cell not in case.used:  # a contradiction whatever the cell is
            return _slice(statements, trail, _shallower(case), depth)
        lines += [CaseLine(CaseLineKind.ASSUME, depth, (), (), (cell,), mine), *case.lines]
        used |= case.used - {cell}
    return _slice(statements, trail, _Refutation(lines, used), depth)


def _shallower(case: _Refutation) -> _Refutation:
    return _Refutation([line._replace(depth=line.depth - 1) for line in case.lines], case.used)


def _propagate(
    statements: Sequence[ProofConstraint], values: Values, allowance: Allowance
) -> tuple[list[_Forced], dict[int, bool], int | None]:
    """The cells that single clues force, in rounds, and the first clue that is contradicted."""
    known = dict(values)
    trail: list[_Forced] = []
    size = cells_in(statements)
    while True:
        allowance.spend(size)
        forced: dict[int, bool] = {}
        before = len(trail)
        for place, statement in enumerate(statements):
            cells, bounds = statement.left(known)
            if bounds is None:
                return trail, known, place
            if cells and (bounds[1] == 0 or bounds[0] == len(cells)):
                fresh = tuple(cell for cell in cells if cell not in forced)
                if fresh:
                    forced.update(dict.fromkeys(fresh, bounds[1] != 0))
                    premises = statement.premises(known, bounds[1] == 0)
                    trail.append(_Forced(place, fresh, bounds[1] != 0, premises))
        if len(trail) == before:
            return trail, known, None
        known.update(forced)


def _sum_clash(
    statements: Sequence[ProofConstraint], values: Values, allowance: Allowance
) -> tuple[tuple[int, ...], tuple[int, ...], bool] | None:
    """Find constraints that contradict each other; return their places and their signs.

    The third value is True if their sum needs more mines than it has cells, False if fewer than 0.
    """
    left = []
    for place, statement in enumerate(statements):
        cells, bounds = statement.left(values)
        if cells and bounds is not None:
            left.append((place, cells, bounds))
    most_terms = next((terms for most, terms in _TERMS if len(left) <= most), 1)
    for size in range(2, most_terms + 1):
        for chosen in combinations(left, size):
            room = sum(len(cells) for _, cells, _ in chosen)
            for others in product((1, -1), repeat=size - 1):
                allowance.spend(room)
                signs = (1, *others)
                least = most = 0
                numbers: dict[int, int] = {}
                for (_, cells, (low, high)), sign in zip(chosen, signs, strict=True):
                    least += low if sign > 0 else -high
                    most += high if sign > 0 else -low
                    for cell in cells:
                        numbers[cell] = numbers.get(cell, 0) + sign
                above = sum(number for number in numbers.values() if number > 0)
                below = sum(number for number in numbers.values() if number < 0)
                if least > above or most < below:
                    return tuple(place for place, _, _ in chosen), signs, least > above
    return None


def _split(statements: Sequence[ProofConstraint], values: Values, allowance: Allowance) -> int:
    """The cell to split on: one whose cases are contradicted soon, both or at least one."""
    best: tuple[int, int, int] | None = None
    for cell in sorted({cell for statement in statements for cell in statement.cells}):
        if cell in values:
            continue
        ends = []
        for mine in (True, False):
            trail, _, clash = _propagate(statements, {**values, cell: mine}, allowance)
            if clash is not None:
                ends.append(len(trail))
        key = 2 - len(ends), sum(ends), cell
        if best is None or key < best:
            best = key
    assert best is not None, "the constraints do not refute it"
    return best[2]


def _slice(
    statements: Sequence[ProofConstraint], trail: Sequence[_Forced], end: _Refutation, depth: int
) -> _Refutation:
    """Prepend the forced cells that the end of an argument rests on."""
    used = set(end.used)
    lines: list[CaseLine] = []
    for place, forced, mine, premises in reversed(trail):
        cells = tuple(cell for cell in forced if cell in used)
        if cells:
            lines.append(
                CaseLine(CaseLineKind.FORCE, depth, (statements[place].clue,), (1,), cells, mine)
            )
            used.difference_update(forced)
            used.update(premises)
    return _Refutation(lines[::-1] + end.lines, used)


def case_premises(
    statements: Sequence[ProofConstraint], known: Values, lines: Sequence[CaseLine]
) -> set[int]:
    """Return the already known cells that the lines of an argument rest on."""
    by_clue = {statement.clue: statement for statement in statements}
    used: set[int] = set()
    values = [dict(known)]
    for what, depth, clues, signs, cells, mine in lines:
        del values[depth + 1 :]
        if what == CaseLineKind.ASSUME:
            values.append({**values[-1], cells[0]: mine})
        elif what == CaseLineKind.FORCE:
            used.update(by_clue[clues[0]].premises(values[-1], not mine))
            values[-1].update(dict.fromkeys(cells, mine))
        elif len(clues) == 1:
            used.update(_clash_premises(by_clue[clues[0]], values[-1]))
        else:
            used |= sum_premises([by_clue[clue] for clue in clues], signs, values[-1], mine)
    return {cell for cell in used if cell in known}


def _clash_premises(statement: ProofConstraint, values: Values) -> list[int]:
    mines = sum(values.get(cell, False) for cell in statement.cells)
    return statement.premises(values, mine=mines >= statement.allowed.bit_length())
