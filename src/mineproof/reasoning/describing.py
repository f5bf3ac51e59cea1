"""What reasoners and guessers tell a log: cells, equations, shares and matrices in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mineproof.reasoning.equations import Equation
from mineproof.world.geometry import Grid, name_cell, name_cells

MOST_CELLS = 40
"""Longer lists of cells end in how many more there are."""


def some(grid: Grid, indices: Iterable[int], most: int = MOST_CELLS) -> str:
    """Some cells by index, not too many of them."""
    cells = grid.cells(sorted(indices))
    more = f" and {len(cells) - most} more" if len(cells) > most else ""
    return f"{name_cells(cells[:most])}{more}"


def equation_text(equation: Equation, grid: Grid) -> str:
    """`(0,1) + (0,2) = 1`, or with what it lies between."""
    return sum_text(equation.cells, equation.least, equation.most, grid)


def sum_text(indices: Iterable[int], least: int, most: int, grid: Grid) -> str:
    """The sum of some cells, as an equation or between two numbers."""
    cells = " + ".join(map(name_cell, grid.cells(sorted(indices)))) or "0"
    return f"{cells} = {least}" if least == most else f"{least} <= {cells} <= {most}"


def shares_text(title: str, shares: Mapping[int, float], grid: Grid) -> str:
    """The share of every cell, the least first, not too many of them."""
    ranked = sorted(shares.items(), key=lambda item: (item[1], item[0]))
    each = ", ".join(f"{grid.name(index)} {share:.1%}" for index, share in ranked[:MOST_CELLS])
    more = f" and {len(ranked) - MOST_CELLS} more" if len(ranked) > MOST_CELLS else ""
    return f"{title}: {each or 'none'}{more}"


def matrix_text(
    title: str, columns: Sequence[int], rows: Iterable[tuple[Mapping[int, int], int]]
) -> str:
    """Rows of coefficients and their values, one under the other."""
    lines = [
        [*(str(terms.get(column, 0)) for column in columns), str(value)] for terms, value in rows
    ]
    width = max((len(number) for line in lines for number in line), default=1)
    padded = [[number.rjust(width) for number in line] for line in lines]
    shown = [f"  [{' '.join(line[:-1])} | {line[-1]}]" for line in padded]
    return "\n".join([f"{title}:" if shown else f"{title}: none", *shown])
