"""One clue at a time: all its open cells are mines, or all are safe."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof._engine import twin
from mineproof.errors import counted
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import COUNT, Equation, System
from mineproof.world.geometry import Cell, name_cell
from mineproof.world.view import is_clue


@twin("local")
def local(system: System) -> Iterator[Deduction]:
    """The two local rules, on every equation that changed.

    Where all the mines of a clue are known, the rest around it is safe; where as
    many mines are missing as cells are open, all of them are mines. Settling a
    cell changes the equations that hold it, so going on until nothing changes is
    the fixpoint over all that is known.
    """
    for equation in system.fresh("local"):
        if equation.clue != COUNT:
            yield from apply(system, equation)


def count(system: System) -> Iterator[Deduction]:
    """The same rules on the equation of the mine count, where it takes part."""
    equation = system.equations.get(COUNT)
    if equation is not None:
        yield from apply(system, equation)


def apply(system: System, equation: Equation) -> Iterator[Deduction]:
    """The two rules on one equation."""
    cells = equation.cells
    if not cells or not (equation.most == 0 or equation.least == len(cells)):
        return
    mine = equation.most != 0
    grid, left = system.grid, len(cells)
    if equation.clue == COUNT:
        clues: tuple[Cell, ...] = ()
        are = "is" if equation.most == 1 else "are"
        why = f"{counted(equation.most, 'mine')} {are} left for {counted(left, 'cell')}"
    else:
        clues = (grid.cell(equation.clue),)
        needs = f"needs {left} more" if mine else "has them all"
        last = f"{_hidden(left)} {'mined' if mine else 'safe'}"
        state = system.states[equation.clue]
        # An agent that replaces missing clues reasons about them, too.
        shows = f"shows {state} and" if is_clue(state) else "has no clue, by the expected number"
        why = f"{name_cell(clues[0])} {shows} {needs}: its {last}"
    rule = "count" if equation.clue == COUNT else "local"
    known = tuple(grid.cells(equation.known))
    for index in sorted(cells):
        yield Deduction(grid.cell(index), mine, rule, clues, known, why, rule == "count")


def _hidden(left: int) -> str:
    return "last hidden neighbour is" if left == 1 else f"last {left} hidden neighbours are"
