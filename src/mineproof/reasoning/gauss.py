"""All clues of a component at once, as linear equations: Gaussian elimination.

Exact integers throughout. Columns are taken by cell index, so the reduced row echelon
form, and with it what is settled, does not depend on the order of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from mineproof.reasoning.components import components
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.describing import matrix_text
from mineproof.reasoning.equations import COUNT, Equation, System

Terms = dict[int, int]


class Row(NamedTuple):
    """The sum of coefficient x cell is `value`; it is made of `parts`: clue x multiplier.

    The cells that no clue touches have one coefficient in common, so one of them, the
    first, stands for all.
    """

    terms: Terms
    value: int
    parts: Terms


def gauss(system: System) -> Iterator[Deduction]:
    """What single rows of the reduced system settle.

    A row settles its cells when its positive coefficients sum to its value: they are
    mines and the others safe; or when its negative ones do: the reverse. (Report 000
    negates rows of negative value and asks for one sign where the value is 0; report 002
    asks as here. Both settle the same, see the tests.) Where the count takes part it is
    one more row.
    """
    yield from _gauss(system, slack=False)


def gauss_with_slack(system: System) -> Iterator[Deduction]:
    """The same where clues give only bounds, each made an equation by one more unknown.

    So report 002 has it. The unknown is what the clue could still have had: from 0 to the
    width of its bounds.
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
    if system.tell is not None:
        system.tell("\n".join(_describe(system, clues, reduced, outside, width)))
    found: dict[int, tuple[bool, Row]] = {}
    for row in reduced:
        for index, mine in settled_by(row, outside, width):
            found.setdefault(index, (mine, row))
    for index, (mine, row) in sorted(found.items()):
        yield _deduction(system, index, mine, row)


def settled_by(
    row: Row, outside: Sequence[int] = (), width: Mapping[int, int] = {}
) -> Iterator[tuple[int, bool]]:
    """Cells that a row settles, and whether each is a mine; `width` are the unknowns of bounds."""
    alike = {outside[0]: outside} if outside else {}
    most = least = 0
    for index, coefficient in row.terms.items():
        total = coefficient * width.get(index, len(alike.get(index, (index,))))
        if total > 0:
            most += total
        else:
            least += total
    if row.value in {most, least}:
        for index, coefficient in row.terms.items():
            mine = (coefficient > 0) == (row.value == most)
            if index in width:
                continue
            yield from ((cell, mine) for cell in alike.get(index, (index,)))


def row_of(equation: Equation, size: int = 0) -> Row:
    """A clue as a row; bounds with the unknown that they have more."""
    clue, columns, value = _said(equation, size)
    return Row(dict.fromkeys(columns, 1), value, {clue: 1})


Said = tuple[int, tuple[int, ...], int]


def _said(equation: Equation, size: int) -> Said:
    """An equation as plain numbers: clue, cells, value.

    Bounds have one unknown more, which is numbered as their clue is, from `size` on: with it
    they come to the most that they allow.
    """
    more = () if equation.is_exact else (size + equation.clue,)
    return equation.clue, (*sorted(equation.cells), *more), equation.most


@lru_cache(maxsize=4096)
def reduce(said: tuple[Said, ...]) -> tuple[Row, ...]:
    """The reduced row echelon form; a component that did not change is not reduced again."""
    rows = [Row(dict.fromkeys(cells, 1), value, {clue: 1}) for clue, cells, value in said]
    done: list[Row] = []
    for column in sorted({index for _, cells, _ in said for index in cells}):
        place = next((i for i, row in enumerate(rows) if column in row.terms), None)
        if place is None:
            continue
        pivot = rows.pop(place)
        rows = [_eliminate(row, pivot, column) for row in rows]
        done = [_eliminate(row, pivot, column) for row in done]
        done.append(_primitive(pivot, column))
    return tuple(done)


def with_count(reduced: list[Row], count: Equation, outside: Sequence[int]) -> list[Row]:
    """The reduced form with the row of the count: what it adds is one row."""
    row = row_of(count)
    for index in outside[1:]:
        del row.terms[index]
    for pivot in reduced:
        row = _eliminate(row, pivot, min(pivot.terms))
    if not row.terms:
        return reduced
    column = min(row.terms)
    row = _primitive(row, column)
    return [*(_eliminate(other, row, column) for other in reduced), row]


def _eliminate(row: Row, pivot: Row, column: int) -> Row:
    """The row without this column: so many times itself less so many times the pivot."""
    if column not in row.terms:
        return row
    times, less = pivot.terms[column], row.terms[column]
    if times < 0:
        times, less = -times, -less
    common = gcd(times, less)
    times, less = times // common, less // common
    made = Row(
        _combine(row.terms, times, pivot.terms, less),
        times * row.value - less * pivot.value,
        _combine(row.parts, times, pivot.parts, less),
    )
    return _primitive(made, min(made.terms)) if made.terms else made


def _combine(a: Terms, times: int, b: Terms, less: int) -> Terms:
    made = {key: times * value for key, value in a.items()}
    for key, value in b.items():
        left = made.get(key, 0) - less * value
        if left:
            made[key] = left
        else:
            made.pop(key, None)
    return made


def _primitive(row: Row, column: int) -> Row:
    """The row in lowest terms, its pivot positive."""
    common = gcd(row.value, *row.terms.values())
    if row.terms[column] < 0:
        common = -common
    if common == 1:
        return row
    terms = {key: value // common for key, value in row.terms.items()}
    # Its parts may then be fractions; that they take part is what matters.
    if all(value % common == 0 for value in row.parts.values()):
        parts = {key: value // common for key, value in row.parts.items()}
    else:
        parts = row.parts
    return Row(terms, row.value // common, parts)


def _deduction(system: System, index: int, mine: bool, row: Row) -> Deduction:
    grid = system.grid
    used = sorted(row.parts)
    equations = [system.equations[clue] for clue in used]
    known = sorted({other for equation in equations for other in equation.known})
    clues = tuple(grid.cell(clue) for clue in used if clue != COUNT)
    why = f"a row of the reduced clues says {row_text(row, system)}"
    cells = tuple(grid.cells(known))
    return Deduction(grid.cell(index), mine, "gauss", clues, cells, why, COUNT in row.parts)


def row_text(row: Row, system: System) -> str:
    """A row as an equation."""
    text = ""
    for index, coefficient in sorted(row.terms.items()):
        sign = "-" if coefficient < 0 else "+" if text else ""
        number = "" if abs(coefficient) == 1 else str(abs(coefficient))
        text += f"{' ' if text else ''}{sign}{' ' if text else ''}{number}{_name(index, system)}"
    return f"{text or 0} = {row.value}"


def _name(column: int, system: System) -> str:
    """A cell, or the unknown of a bound."""
    size = system.grid.size
    return ("s" if column >= size else "") + system.grid.name(column % size)


WIDE = 30
"""Matrices with more columns are told as equations."""


def _describe(
    system: System,
    clues: Sequence[Equation],
    reduced: Sequence[Row],
    outside: Sequence[int],
    width: Mapping[int, int],
) -> Iterator[str]:
    """For a log: the rows, the matrix before and after reduction, and what its rows settle."""
    grid, count = system.grid, system.equations.get(COUNT)
    clues = sorted(clues, key=lambda equation: equation.clue)
    before = [row_of(equation, grid.size) for equation in clues]
    yield "rows:" if clues or count else "rows: none"
    for equation, row in zip(clues, before, strict=True):
        yield f"  from {grid.name(equation.clue)}: {row_text(row, system)}"
    if count is not None:
        row = row_of(count)
        before.append(row._replace(terms={i: 1 for i in row.terms if i not in outside[1:]}))
        yield f"  from the count: {row_text(before[-1], system)}"
    if len(outside) > 1:
        alike = f"{len(outside)} cells that no clue touches"
        yield f"  ({grid.name(outside[0])} stands for all {alike})"
    columns = sorted({index for row in before for index in row.terms})
    if len(columns) <= WIDE:
        yield f"columns: {' '.join(_name(column, system) for column in columns)}"
        yield matrix_text("matrix", columns, [row[:2] for row in before])
        yield matrix_text("reduced", columns, [row[:2] for row in reduced])
    else:
        yield "reduced:"
        yield from (f"  {row_text(row, system)}" for row in reduced)
    for row in reduced:
        found = dict(settled_by(row, outside, width))
        if found:
            each = ", ".join(f"{grid.name(i)} {'mined' if found[i] else 'safe'}" for i in found)
            yield f"using {row_text(row, system)}: {each}"
