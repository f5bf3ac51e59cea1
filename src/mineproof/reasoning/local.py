"""One clue at a time: all its open cells are mines, or all are safe."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.knowledge import Equation, Knowledge


def local(knowledge: Knowledge) -> Iterator[Deduction]:
    """The two local rules, on every equation that changed.

    Where all the mines of a clue are known, the rest around it is safe; where as
    many mines are missing as cells are open, all of them are mines. Settling a
    cell changes the equations that hold it, so going on until nothing changes is
    the fixpoint over all that is known.
    """
    for equation in knowledge.fresh("local"):
        yield from apply(knowledge, equation)


def apply(knowledge: Knowledge, equation: Equation) -> Iterator[Deduction]:
    """The two rules on one equation."""
    cells = equation.cells
    if not cells or not (equation.most == 0 or equation.least == len(cells)):
        return
    mine = equation.most != 0
    grid, shown = knowledge.grid, knowledge.states[equation.clue]
    clue = grid.cell(equation.clue)
    left = len(cells)
    if mine:
        why = f"{_at(clue)} shows {shown} and needs {left} more: its {_hidden(left)} mined"
    else:
        why = f"{_at(clue)} shows {shown} and has them all: its {_hidden(left)} safe"
    known = tuple(grid.cells(equation.known))
    for index in sorted(cells):
        yield Deduction(grid.cell(index), mine, "local", (clue,), known, why)


def _at(cell: tuple[int, int]) -> str:
    return f"({cell[0]},{cell[1]})"


def _hidden(left: int) -> str:
    return "last hidden neighbour is" if left == 1 else f"last {left} hidden neighbours are"
