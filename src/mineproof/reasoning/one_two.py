"""The 1-2 pattern of report 003: a 1 next to a 2 along an edge of hidden cells."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.phrases import Phrase
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import COUNT, Equation, System
from mineproof.reasoning.once import waits
from mineproof.world.geometry import Cell

_WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def one_two(system: System) -> Iterator[Deduction]:
    """Deduce that the cell diagonal to the 2, away from the 1, is a mine.

    The sound form: known mines are subtracted from both clues, and the only unresolved
    neighbours of the 2 are the three cells on that side. At most one of the two that it shares
    with the 1 is a mine, so the third is a mine.
    """
    return _search(system, raw=False)


def one_two_raw(system: System) -> Iterator[Deduction]:
    """Apply the pattern as in report 003: to clues as shown, whatever else is around them.

    Safe cells that wait to be opened count as hidden. Unsound: it also flags safe cells.
    """
    return _search(system, raw=True)


def _search(system: System, *, raw: bool) -> Iterator[Deduction]:
    """Look for the pattern around every equation that changed, as the 1 or as the 2."""
    for equation in system.fresh("one-two"):
        if equation.clue == COUNT:
            continue
        here = system.grid.cell(equation.clue)
        for step in _WAYS:
            yield from _pattern_at(system, here, step, raw=raw)
            before = (here[0] - step[0], here[1] - step[1])
            if before in system.grid:
                yield from _pattern_at(system, before, step, raw=raw)


def _pattern_at(system: System, here: Cell, step: Cell, *, raw: bool) -> Iterator[Deduction]:
    """Look for the pattern with the 1 here and the 2 one step further, on both sides."""
    grid = system.grid
    there = (here[0] + step[0], here[1] + step[1])
    if there not in grid:
        return
    one, two = (system.equations.get(grid.index(cell)) for cell in (here, there))
    if one is None or two is None or not _are(system, one, two, raw=raw):
        return
    for side in ((step[1], step[0]), (-step[1], -step[0])):
        yield from _pattern(system, here, there, step, side, raw=raw)


def _are(system: System, one: Equation, two: Equation, *, raw: bool) -> bool:
    """Return whether the two clues are a 1 and a 2."""
    if raw:
        return system.states[one.clue] == 1 and system.states[two.clue] == 2
    return (one.least, one.most, two.least, two.most) == (1, 1, 2, 2)


def _pattern(
    system: System, one: Cell, two: Cell, step: Cell, side: Cell, *, raw: bool
) -> Iterator[Deduction]:
    grid = system.grid
    near = [(cell[0] + side[0], cell[1] + side[1]) for cell in (one, two)]
    far = (near[1][0] + step[0], near[1][1] + step[1])
    row = [*near, far]
    if not all(cell in grid for cell in row) or not system.is_open(grid.index(far)):
        return
    places = map(grid.index, near)
    if not all(system.is_open(i) or (raw and waits(system, i)) for i in places):
        return
    others = system.equations[grid.index(two)].cells - {grid.index(cell) for cell in row}
    if others and not raw:
        return
    known = set(system.equations[grid.index(one)].known)
    known.update(system.equations[grid.index(two)].known)
    numbers = {"one": _shown(system, one, 1), "two": _shown(system, two, 2)}
    why = Phrase("one-two.mine", numbers)
    yield Deduction(far, True, "one-two", (one, two), tuple(grid.cells(sorted(known))), why)


def _shown(system: System, clue: Cell, number: int) -> Phrase:
    """Return a clue, with what known mines leave of it."""
    shown = system.states[system.grid.index(clue)]
    if shown == number:
        return Phrase("clue.shown", {"clue": shown, "at": clue})
    return Phrase("clue.reduced", {"clue": shown, "at": clue, "least": number})
