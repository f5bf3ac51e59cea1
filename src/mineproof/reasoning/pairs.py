"""Two clues side by side: what one needs more than the other lies where they do not meet."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof._engine import twin
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import COUNT, Equation, System
from mineproof.world.geometry import Cell, name_cell


@twin("pairs")
def pairs(system: System) -> Iterator[Deduction]:
    """Every clue that changed, beside every clue that shares cells with it.

    A clue that needs as many mines more than another as it has cells apart from it has them
    all there, and the other has none apart: the patterns 1-1 and 1-2 along a wall, and many
    more. All is found before any of it is settled, so a round is the same in any order.
    """
    found: dict[int, Deduction] = {}
    for clue, other in sorted(_meeting(system)):
        for deduction in _compare(system, system.equations[clue], system.equations[other]):
            found.setdefault(system.grid.index(deduction.cell), deduction)
    yield from (found[index] for index in sorted(found))


def _meeting(system: System) -> set[tuple[int, int]]:
    """Clues with a cell in common, one of which changed; both ways round."""
    meeting: set[tuple[int, int]] = set()
    for equation in system.fresh("pairs"):
        if equation.clue == COUNT:
            continue
        others = {other.clue for index in equation.cells for other in system.holding(index)}
        for other in others - {equation.clue, COUNT}:
            meeting |= {(equation.clue, other), (other, equation.clue)}
    return meeting


def _compare(system: System, one: Equation, other: Equation) -> Iterator[Deduction]:
    """What follows if the first needs all its own cells to have so many more."""
    own, others = one.cells - other.cells, other.cells - one.cells
    if one.least - other.most != len(own):
        return
    grid = system.grid
    here, there = clues = (grid.cell(one.clue), grid.cell(other.clue))
    known = tuple(grid.cells(sorted({*one.known, *other.known})))
    needs = f"{name_cell(here)} shows {system.states[one.clue]} and needs {one.least} more"
    mined = f"at most {other.most} of them beside {name_cell(there)}: {_rest(own, here)} mined"
    part = f"at least {other.most} of them" if own else "all"
    safe = f"{part} beside {name_cell(there)}, which can have no more: {_rest(others, there)} safe"
    for cells, mine, why in ((own, True, mined), (others, False, safe)):
        for index in cells:
            yield Deduction(grid.cell(index), mine, "pairs", clues, known, f"{needs}, {why}")


def _rest(cells: set[int], clue: Cell) -> str:
    if len(cells) == 1:
        return f"the other hidden neighbour of {name_cell(clue)} is"
    return f"the other {len(cells)} hidden neighbours of {name_cell(clue)} are"
