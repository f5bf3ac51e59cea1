"""Two clues that overlap: mines that do not fit into the shared cells are outside them."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof._engine import twin
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import COUNT, Equation, System
from mineproof.reasoning.reason_phrases import reduced_phrase


@twin("pairs")
def pairs(system: System) -> Iterator[Deduction]:
    """Compare every clue that changed with every clue that shares cells with it.

    If a clue needs n mines more than another and has n cells that the other does not touch,
    these n cells are mines, and the cells that only the other touches are safe: the patterns 1-1
    and 1-2 along a wall, and many more. All pairs are compared before any deduction is
    applied, so the result of a round does not depend on the order.
    """
    found: dict[int, Deduction] = {}
    for clue, other in sorted(_meeting(system)):
        for deduction in _compare(system, system.equations[clue], system.equations[other]):
            found.setdefault(system.grid.index(deduction.cell), deduction)
    yield from (found[index] for index in sorted(found))


def _meeting(system: System) -> set[tuple[int, int]]:
    """Return the pairs of clues with a common cell of which one changed, in both orders."""
    meeting: set[tuple[int, int]] = set()
    for equation in system.fresh("pairs"):
        if equation.clue == COUNT:
            continue
        others = {other.clue for index in equation.cells for other in system.holding(index)}
        for other in others - {equation.clue, COUNT}:
            meeting |= {(equation.clue, other), (other, equation.clue)}
    return meeting


def _compare(system: System, one: Equation, other: Equation) -> Iterator[Deduction]:
    """Yield what follows if the first clue needs all cells that are its own to be mines."""
    own, others = one.cells - other.cells, other.cells - one.cells
    if one.least - other.most != len(own):
        return
    grid = system.grid
    clues = (grid.cell(one.clue), grid.cell(other.clue))
    known = tuple(grid.cells(sorted({*one.known, *other.known})))
    here, there = (reduced_phrase(each, system.states, grid) for each in (one, other))
    values = {"one": here, "other": there, "shared": other.most, "own": len(own)}
    mines = Phrase("pairs.mines", {**values, "at": clues[0]})
    safe = Phrase("pairs.safe", {**values, "at": clues[1], "rest": len(others)})
    for cells, mine, why in ((own, True, mines), (others, False, safe)):
        for index in cells:
            yield Deduction(grid.cell(index), mine, "pairs", clues, known, why)
