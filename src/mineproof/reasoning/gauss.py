"""Gaussian elimination: all clues of a component at once, as linear equations.

All numbers are exact integers. Columns are in the order of cell indices, so the reduced row
echelon form, and what is deduced from it, does not depend on the order of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from mineproof.phrases import Phrase
from mineproof.reasoning.components import components
from mineproof.reasoning.deductions import Deduction, Entry
from mineproof.reasoning.equations import COUNT, Equation, System
from mineproof.reasoning.reason_phrases import matrix_lines

Terms = dict[int, int]


class LinearEquation(NamedTuple):
    """A linear equation: the sum of coefficient x cell equals `value`.

    `parts` are the clues it is a combination of, with their multipliers. Interior cells have the
    same coefficient, so the first of them represents all.
    """

    terms: Terms
    value: int
    parts: Terms


def gauss(system: System) -> Iterator[Deduction]:
    """Deduce what single rows of the reduced system prove.

    If the positive coefficients of a row sum to its value, their cells are mines and the others
    safe; if the negative ones do, it is the reverse. (Report 000 negates rows of negative value
    and requires one sign if the value is 0; report 002 does it as here. Both deduce the same:
    see the tests.) If the mine count takes part, it is one more row.
    """
    yield from _gauss(system, slack=False)


def gauss_with_slack(system: System) -> Iterator[Deduction]:
    """The same for clues that give only bounds: a slack variable makes each an equation.

    This is the method of report 002. The slack variable ranges from 0 to the width of the bounds.
    """
    yield from _gauss(system, slack=True)


def _gauss(system: System, *, slack: bool) -> Iterator[Deduction]:
    clues = [
        equation
        for equation in system.equations.values()
        if equation.cells and equation.clue != COUNT and (slack or equation.is_exact)
    ]
    size = system.grid.size
    width = {size + e.clue: e.most - e.least for e in clues if not e.is_exact}
    reduced = [
        row
        for linked in components(clues)
        for row in reduce(tuple(sorted(_said(equation, size) for equation in linked)))
    ]
    count = system.equations.get(COUNT)
    outside: list[int] = []
    if count is not None:
        outside = sorted(count.cells.difference(*(equation.cells for equation in clues)))
        reduced = with_count(reduced, count, outside)
    if system.report is not None:
        for entry in _describe(system, clues, reduced, outside, width):
            system.report(entry)
    found: dict[int, tuple[bool, LinearEquation]] = {}
    for row in reduced:
        for index, mine in deduced_by(row, outside, width):
            found.setdefault(index, (mine, row))
    for index, (mine, row) in sorted(found.items()):
        yield _deduction(system, index, mine, row, _why(system, row, outside, width))


def deduced_by(
    row: LinearEquation, outside: Sequence[int] = (), width: Mapping[int, int] = {}
) -> Iterator[tuple[int, bool]]:
    """Yield the cells that a row proves, with whether each is a mine.

    `width` has the ranges of the slack variables.
    """
    alike = {outside[0]: outside} if outside else {}
    least, most = _extremes(row, outside, width)
    if row.value in {most, least}:
        for index, coefficient in row.terms.items():
            mine = (coefficient > 0) == (row.value == most)
            if index in width:
                continue
            yield from ((cell, mine) for cell in alike.get(index, (index,)))


def _extremes(
    row: LinearEquation, outside: Sequence[int], width: Mapping[int, int]
) -> tuple[int, int]:
    """Return the smallest and the largest value that the left side of a row can have."""
    alike = {outside[0]: outside} if outside else {}
    most = least = 0
    for index, coefficient in row.terms.items():
        total = coefficient * width.get(index, len(alike.get(index, (index,))))
        if total > 0:
            most += total
        else:
            least += total
    return least, most


def linear_equation(equation: Equation, size: int = 0) -> LinearEquation:
    """Return a clue as a row; if it gives bounds, with its slack variable."""
    clue, columns, value = _said(equation, size)
    return LinearEquation(dict.fromkeys(columns, 1), value, {clue: 1})


Said = tuple[int, tuple[int, ...], int]


def _said(equation: Equation, size: int) -> Said:
    """Return an equation as plain numbers: clue, cells, value.

    Bounds have a slack variable, numbered `size` plus the clue's index: with it the sum is the
    upper bound.
    """
    more = () if equation.is_exact else (size + equation.clue,)
    return equation.clue, (*sorted(equation.cells), *more), equation.most


@lru_cache(maxsize=4096)
def reduce(said: tuple[Said, ...]) -> tuple[LinearEquation, ...]:
    """Return the reduced row echelon form; unchanged components come from the cache."""
    rows = [
        LinearEquation(dict.fromkeys(cells, 1), value, {clue: 1}) for clue, cells, value in said
    ]
    done: list[LinearEquation] = []
    for column in sorted({index for _, cells, _ in said for index in cells}):
        place = next((i for i, row in enumerate(rows) if column in row.terms), None)
        if place is None:
            continue
        pivot = rows.pop(place)
        rows = [_eliminate(row, pivot, column) for row in rows]
        done = [_eliminate(row, pivot, column) for row in done]
        done.append(_primitive(pivot, column))
    return tuple(done)


def with_count(
    reduced: list[LinearEquation], count: Equation, outside: Sequence[int]
) -> list[LinearEquation]:
    """Return the reduced form with one more row, that of the mine count."""
    row = linear_equation(count)
    for index in outside[1:]:
        del row.terms[index]
    for pivot in reduced:
        row = _eliminate(row, pivot, min(pivot.terms))
    if not row.terms:
        return reduced
    column = min(row.terms)
    row = _primitive(row, column)
    return [*(_eliminate(other, row, column) for other in reduced), row]


def _eliminate(row: LinearEquation, pivot: LinearEquation, column: int) -> LinearEquation:
    """Eliminate a column from a row: a multiple of the row minus a multiple of the pivot."""
    if column not in row.terms:
        return row
    times, minus = pivot.terms[column], row.terms[column]
    if times < 0:
        times, minus = -times, -minus
    common = gcd(times, minus)
    times, minus = times // common, minus // common
    made = LinearEquation(
        _combine(row.terms, times, pivot.terms, minus),
        times * row.value - minus * pivot.value,
        _combine(row.parts, times, pivot.parts, minus),
    )
    return _primitive(made, min(made.terms)) if made.terms else made


def _combine(a: Terms, times: int, b: Terms, minus: int) -> Terms:
    made = {key: times * value for key, value in a.items()}
    for key, value in b.items():
        left = made.get(key, 0) - minus * value
        if left:
            made[key] = left
        else:
            made.pop(key, None)
    return made


def _primitive(row: LinearEquation, column: int) -> LinearEquation:
    """Return the row in lowest terms, with a positive pivot."""
    common = gcd(row.value, *row.terms.values())
    if row.terms[column] < 0:
        common = -common
    if common == 1:
        return row
    terms = {key: value // common for key, value in row.terms.items()}
    # Its multipliers may then be fractions; only which clues take part matters.
    if all(value % common == 0 for value in row.parts.values()):
        parts = {key: value // common for key, value in row.parts.items()}
    else:
        parts = row.parts
    return LinearEquation(terms, row.value // common, parts)


def _deduction(
    system: System, index: int, mine: bool, row: LinearEquation, why: Phrase
) -> Deduction:
    grid = system.grid
    used = sorted(row.parts)
    equations = [system.equations[clue] for clue in used]
    known = sorted({other for equation in equations for other in equation.known})
    clues = tuple(grid.cell(clue) for clue in used if clue != COUNT)
    cells = tuple(grid.cells(known))
    return Deduction(grid.cell(index), mine, "gauss", clues, cells, why, COUNT in row.parts)


def _why(
    system: System, row: LinearEquation, outside: Sequence[int], width: Mapping[int, int]
) -> Phrase:
    """Return the row, with why it proves its cells."""
    text = equation_text(row, system)
    if len(row.terms) == 1 and row.terms.keys().isdisjoint(outside):
        return Phrase("gauss.cell", {"row": text})
    _, most = _extremes(row, outside, width)
    return Phrase("gauss.extreme", {"row": text, "largest": row.value == most})


def equation_text(row: LinearEquation, system: System) -> str:
    """Return a row as an equation."""
    text = ""
    for index, coefficient in sorted(row.terms.items()):
        sign = "-" if coefficient < 0 else "+" if text else ""
        number = "" if abs(coefficient) == 1 else str(abs(coefficient))
        text += f"{' ' if text else ''}{sign}{' ' if text else ''}{number}{_name(index, system)}"
    return f"{text or 0} = {row.value}"


def _name(column: int, system: System) -> str:
    """Return the name of a cell or, with an `s`, of a slack variable."""
    size = system.grid.size
    return ("s" if column >= size else "") + system.grid.name(column % size)


WIDE = 30
"""Matrices with more columns are written as equations."""


def _describe(
    system: System,
    clues: Sequence[Equation],
    reduced: Sequence[LinearEquation],
    outside: Sequence[int],
    width: Mapping[int, int],
) -> Iterator[Entry]:
    """Yield the log: rows, the matrix before and after reduction, and deductions."""

    def line(key: Phrase | str) -> Entry:
        return Entry(key, "columns")

    grid, count = system.grid, system.equations.get(COUNT)
    clues = sorted(clues, key=lambda equation: equation.clue)
    before = [linear_equation(equation, grid.size) for equation in clues]
    yield line(Phrase("log.rows", {"rows": len(clues) + (count is not None)}))
    for equation, row in zip(clues, before, strict=True):
        values = {"at": grid.cell(equation.clue), "row": equation_text(row, system)}
        yield line(Phrase("log.row", values))
    if count is not None:
        row = linear_equation(count)
        before.append(row._replace(terms={i: 1 for i in row.terms if i not in outside[1:]}))
        yield line(Phrase("log.count-row", {"row": equation_text(before[-1], system)}))
    if len(outside) > 1:
        first = grid.cell(outside[0])
        yield line(Phrase("log.represents", {"at": first, "cells": len(outside)}))
    columns = sorted({index for row in before for index in row.terms})
    if len(columns) <= WIDE:
        names = " ".join(_name(column, system) for column in columns)
        yield line(Phrase("log.columns", {"names": names}))
        yield line(Phrase("log.matrix", {"rows": len(before)}))
        yield from matrix_lines(columns, [row[:2] for row in before])
        yield line(Phrase("log.reduced", {"rows": len(reduced)}))
        yield from matrix_lines(columns, [row[:2] for row in reduced])
    else:
        yield line(Phrase("log.reduced", {"rows": 1}))
        yield from (line(f"  {equation_text(row, system)}") for row in reduced)
    for row in reduced:
        if found := dict(deduced_by(row, outside, width)):
            verdicts = [
                Phrase("log.verdict", {"cell": grid.cell(i), "mine": found[i]}) for i in found
            ]
            values = {"row": equation_text(row, system), "verdicts": verdicts}
            yield Entry(Phrase("log.row-proves", values))
