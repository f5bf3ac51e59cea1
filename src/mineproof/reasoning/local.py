"""The local rules: one clue at a time, whose unresolved cells are all mines or all safe."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof._engine import twin
from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import COUNT, Equation, System
from mineproof.reasoning.reason_phrases import clue_phrase
from mineproof.world.geometry import Cell


@twin("local")
def local(system: System) -> Iterator[Deduction]:
    """Apply the two local rules to every equation that changed.

    If all mines of a clue are known, its other cells are safe; if it still needs as many
    mines as it has unresolved cells, all of them are mines. Deducing a cell changes the
    equations that contain it, so repeating this until nothing changes reaches the fixpoint.
    """
    for equation in system.fresh("local"):
        if equation.clue != COUNT:
            yield from apply(system, equation)


def count(system: System) -> Iterator[Deduction]:
    """Apply the same rules to the equation of the mine count, if the system has it."""
    equation = system.equations.get(COUNT)
    if equation is not None:
        yield from apply(system, equation)


def apply(system: System, equation: Equation) -> Iterator[Deduction]:
    """Apply the two rules to one equation."""
    cells = equation.cells
    if not cells or not (equation.most == 0 or equation.least == len(cells)):
        return
    mine, grid = equation.most != 0, system.grid
    clues: tuple[Cell, ...]
    if equation.clue == COUNT:
        rule, clues = "count", ()
        phrase = Phrase("count.mines" if mine else "count.safe", {"cells": len(cells)})
    else:
        rule, clues = "local", (grid.cell(equation.clue),)
        phrase = _clue_phrase(system, equation, mine=mine)
    known = tuple(grid.cells(equation.known))
    for index in sorted(cells):
        yield Deduction(grid.cell(index), mine, rule, clues, known, phrase, rule == "count")


def _clue_phrase(system: System, equation: Equation, *, mine: bool) -> Phrase:
    """Return the reason, which stays true while its cells are played one after the other."""
    clue = clue_phrase(equation.clue, system.states, system.grid)
    if not mine:
        return Phrase("local.found", {"clue": clue, "mines": equation.mines})
    number = len(equation.cells) + equation.mines
    if system.states[equation.clue] == number:
        return Phrase("local.needed", {"clue": clue, "mines": number})
    return Phrase("local.needed-at-least", {"clue": clue, "mines": number})
