"""What reasons and logs say: clues, cells, equations, shares and matrices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Entry
from mineproof.reasoning.equations import Equation
from mineproof.world.geometry import Grid, name_cell
from mineproof.world.view import is_clue

MOST_CELLS = 40
"""Longer lists of cells are cut off and end with the number of omitted cells."""


def clue_phrase(index: int, states: Sequence[int], grid: Grid) -> Phrase:
    """Return a clue: `the 2 at (1,1)`."""
    if is_clue(states[index]):
        return Phrase("clue.shown", {"clue": states[index], "at": grid.cell(index)})
    # An agent that replaces missing clues reasons about them, too.
    return Phrase("clue.missing", {"at": grid.cell(index)})


def reduced_phrase(equation: Equation, states: Sequence[int], grid: Grid) -> Phrase:
    """Return a clue with what known mines leave of it: `the 4 at (1,1), reduced to 2,`."""
    state = states[equation.clue]
    if not is_clue(state) or (equation.is_exact and equation.least == state):
        return clue_phrase(equation.clue, states, grid)
    values = {"clue": state, "at": grid.cell(equation.clue), "least": equation.least}
    if equation.is_exact:
        return Phrase("clue.reduced", values)
    return Phrase("clue.bounded", {**values, "most": equation.most})


def sum_text(indices: Iterable[int], least: int, most: int, grid: Grid) -> str:
    """Return the sum of some cells as an equation, or between two bounds."""
    cells = " + ".join(map(name_cell, grid.cells(sorted(indices)))) or "0"
    return f"{cells} = {least}" if least == most else f"{least} <= {cells} <= {most}"


def shares_entry(title: Phrase, shares: Mapping[int, float], grid: Grid) -> Entry:
    """Return the share of every cell, the lowest first, cut off after `MOST_CELLS`."""
    ranked = sorted(shares.items(), key=lambda item: (item[1], item[0]))
    shown = ranked[:MOST_CELLS]
    each = ", ".join(f"{grid.name(index)} {100 * share:.1f} %" for index, share in shown)
    more = max(len(ranked) - MOST_CELLS, 0)
    values = {"title": title, "cells": len(ranked), "shares": each, "more": more}
    return Entry(Phrase("log.shares", values))


def matrix_lines(
    columns: Sequence[int], rows: Iterable[tuple[Mapping[int, int], int]]
) -> Iterator[Entry]:
    """Yield rows of coefficients and their values, aligned as a matrix."""
    lines = [
        [*(str(terms.get(column, 0)) for column in columns), str(value)] for terms, value in rows
    ]
    width = max((len(number) for line in lines for number in line), default=1)
    for *numbers, value in ([number.rjust(width) for number in line] for line in lines):
        yield Entry(f"  [{' '.join(numbers)} | {value}]", "columns")
