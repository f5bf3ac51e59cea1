"""By cases: the opposite of a cell leads to a clue that cannot hold.

Single clues force cells, all that can at a time; where that ends and nothing clashes, a cell is
taken to be a mine, then not to be one. Only the lines that a clash rests on are kept. Twin of
`native/src/cases.cpp`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mineproof.reasoning.proofs.statements import Line, Statement, What

Values = Mapping[int, bool]


class _Forced(NamedTuple):
    """A clue, given by its place, makes its unsettled cells mines, or none of them."""

    place: int
    cells: tuple[int, ...]
    mine: bool
    premises: list[int]


class _Refutation(NamedTuple):
    lines: list[Line]
    used: set[int]
    """The cells that were settled before and that it rests on."""


def refute(
    statements: Sequence[Statement], settled: Values, cell: int, mine: bool
) -> tuple[tuple[Line, ...], tuple[int, ...]]:
    """Why a cell cannot be (or not be) a mine: the lines, and the clues that they name."""
    found = _refutation(statements, {**settled, cell: mine}, 1)
    lines = (Line(What.ASSUME, 0, 0, (cell,), mine), *found.lines)
    named = {line.clue for line in lines if line.what != What.ASSUME}
    return lines, tuple(statement.clue for statement in statements if statement.clue in named)


def _refutation(statements: Sequence[Statement], values: Values, depth: int) -> _Refutation:
    trail, after, clash = _propagate(statements, values)
    if clash is not None:
        lines = [Line(What.CLASH, depth, statements[clash].clue, (), False)]
        used = set(_clash_premises(statements[clash], after))
        return _slice(statements, trail, _Refutation(lines, used), depth)
    cell = _split(statements, after)
    lines, used = [], set()
    for mine in (True, False):
        case = _refutation(statements, {**after, cell: mine}, depth + 1)
        if cell not in case.used:  # it clashes whatever the cell is
            return _slice(statements, trail, _shallower(case), depth)
        lines += [Line(What.ASSUME, depth, 0, (cell,), mine), *case.lines]
        used |= case.used - {cell}
    return _slice(statements, trail, _Refutation(lines, used), depth)


def _shallower(case: _Refutation) -> _Refutation:
    return _Refutation([line._replace(depth=line.depth - 1) for line in case.lines], case.used)


def _propagate(
    statements: Sequence[Statement], values: Values
) -> tuple[list[_Forced], dict[int, bool], int | None]:
    """What single clues force, round by round, and the first that cannot hold."""
    known = dict(values)
    trail: list[_Forced] = []
    while True:
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


def _split(statements: Sequence[Statement], values: Values) -> int:
    """The cell to take both ways: one that clashes soon both ways, or one way, or at all."""
    best: tuple[int, int, int] | None = None
    for cell in sorted({cell for statement in statements for cell in statement.cells}):
        if cell in values:
            continue
        ends = []
        for mine in (True, False):
            trail, _, clash = _propagate(statements, {**values, cell: mine})
            if clash is not None:
                ends.append(len(trail))
        key = 2 - len(ends), sum(ends), cell
        if best is None or key < best:
            best = key
    assert best is not None, "the statements do not refute it"
    return best[2]


def _slice(
    statements: Sequence[Statement], trail: Sequence[_Forced], end: _Refutation, depth: int
) -> _Refutation:
    """The lines that what is used at the end rests on, before it."""
    used = set(end.used)
    lines: list[Line] = []
    for place, forced, mine, premises in reversed(trail):
        cells = tuple(cell for cell in forced if cell in used)
        if cells:
            lines.append(Line(What.FORCE, depth, statements[place].clue, cells, mine))
            used.difference_update(forced)
            used.update(premises)
    return _Refutation(lines[::-1] + end.lines, used)


def case_premises(
    statements: Sequence[Statement], known: Values, lines: Sequence[Line]
) -> set[int]:
    """The cells known before that the lines of an argument rest on."""
    by_clue = {statement.clue: statement for statement in statements}
    used: set[int] = set()
    values = [dict(known)]
    for what, depth, clue, cells, mine in lines:
        del values[depth + 1 :]
        if what == What.ASSUME:
            values.append({**values[-1], cells[0]: mine})
            continue
        statement = by_clue[clue]
        if what == What.FORCE:
            used.update(statement.premises(values[-1], not mine))
            values[-1].update(dict.fromkeys(cells, mine))
        else:
            used.update(_clash_premises(statement, values[-1]))
    return {cell for cell in used if cell in known}


def _clash_premises(statement: Statement, values: Values) -> list[int]:
    mines = sum(values.get(cell, False) for cell in statement.cells)
    return statement.premises(values, mine=mines >= statement.allowed.bit_length())
