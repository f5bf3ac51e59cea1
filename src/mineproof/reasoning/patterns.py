"""Patterns that players know by name, in clues from which known mines are subtracted.

| name | clues, after known mines | result |
| --- | --- | --- |
| corner | a 1 with one hidden neighbour, diagonal to it, at the corner of a wall | a mine |
| 1-1 | two 1s side by side; all hidden cells of one also touch the other; on one side | the rest of the other is safe |
| hole | the same with hidden cells on both sides: the second 1 is in a hole of the wall | the cells ahead are safe |
| 1-2 | a 1 next to a 2 that has one cell outside the 1's neighbours | a mine there, and the rest of the 1 is safe |
| 1-2-1, 1-2-2-1 | three or four in a row along a wall | mines next to the 1s; next to the 2s |

Each is a theorem about its own clues: its result follows wherever the pattern occurs.
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mineproof.phrases import say
from mineproof.reasoning.equations import COUNT, System
from mineproof.world.geometry import Grid
from mineproof.world.view import View

ALONG_A_WALL = {(1, 2, 1): (True, False, True), (1, 2, 2, 1): (False, True, True, False)}
"""Clues along a wall, and which cells of the wall next to them are mines."""

NAMES = ("corner", "1-1", "hole", "1-2", "1-2-1", "1-2-2-1")

_OUTSIDE = -2
_STEPS = ((0, 1), (1, 0))


class Reduced(NamedTuple):
    """The number of mines that a clue still needs, and the hidden cells that can hold them."""

    mines: int
    cells: frozenset[int]


class Pattern(NamedTuple):
    """A pattern in a position: its clues, and the cells that it proves (True: a mine)."""

    name: str
    clues: tuple[int, ...]
    settled: tuple[tuple[int, bool], ...]


def reduced(system: System) -> dict[int, Reduced]:
    """Return every clue with hidden cells and one value, after subtracting known mines."""
    return {
        one.clue: Reduced(one.least, frozenset(one.cells))
        for one in system.equations.values()
        if one.cells and one.is_exact and one.clue != COUNT
    }


def find(grid: Grid, clues: Mapping[int, Reduced]) -> Iterator[Pattern]:
    """Yield all named patterns of a position that prove a cell."""
    for clue, one in clues.items():
        if one.mines == len(one.cells) == 1 and not _are_adjacent(
            grid, clue, next(iter(one.cells))
        ):
            yield Pattern("corner", (clue,), ((next(iter(one.cells)), True),))
        for other in _adjacent(grid, clue):
            if other in clues and (name := pair_name(grid, clue, one, other, clues[other])):
                mined, safe = one.cells - clues[other].cells, clues[other].cells - one.cells
                settled = [(cell, True) for cell in mined] + [(cell, False) for cell in safe]
                if settled:
                    yield Pattern(name, (clue, other), tuple(sorted(settled)))
    yield from along_walls(grid, clues)


def pair_name(grid: Grid, clue: int, one: Reduced, other: int, two: Reduced) -> str | None:
    """Return the name of a pair of clues, if the first needs a mine in each cell of its own."""
    numbers = one.mines, two.mines
    apart = len(one.cells - two.cells)
    if not _are_adjacent(grid, clue, other) or one.mines - two.mines != apart:
        return None
    if numbers == (1, 1):
        return "hole" if _is_a_hole(grid, clue, other, one) else "1-1"
    return "1-2" if numbers == (2, 1) else None


def along_walls(grid: Grid, clues: Mapping[int, Reduced]) -> Iterator[Pattern]:
    """Yield 1-2-1 and 1-2-2-1: all hidden cells of the clues are in one line."""
    for clue in clues:
        for step in _STEPS:
            for numbers, mines in ALONG_A_WALL.items():
                row = _line(grid, clue, step, (0, 0), range(len(numbers)))
                if tuple(clues[i].mines if i in clues else -1 for i in row) != numbers:
                    continue
                for side in ((step[1], step[0]), (-step[1], -step[0])):
                    wall = _line(grid, clue, step, side, range(-1, len(numbers) + 1))
                    if all(clues[i].cells <= set(wall) for i in row):
                        on_wall = dict(zip(wall[1:-1], mines, strict=True))
                        hidden = sorted(set().union(*(clues[i].cells for i in row)))
                        verdicts = tuple((cell, on_wall.get(cell, False)) for cell in hidden)
                        yield Pattern("-".join(map(str, numbers)), tuple(sorted(row)), verdicts)


def words(view: View, clues: Mapping[int, Reduced], one: Pattern) -> str:
    """Return a pattern as text: `1-2 (the 2 at (1,1), the 1 at (1,2)): (0,3) is a mine`."""
    named = []
    for clue in sorted(one.clues):
        shown, left = view.states[clue], clues[clue].mines
        about = {"clue": shown, "at": view.grid.cell(clue), "left": left}
        named.append(say("pattern.clue", reduced=shown != left, **about))
    verdicts = []
    for mine, key in ((True, "cells.mines"), (False, "cells.safe")):
        cells = view.grid.cells([index for index, mined in one.settled if mined == mine])
        if cells:
            verdicts.append(say(key, cells=cells))
    about = {"clues": ", ".join(named), "verdicts": ", ".join(verdicts)}
    return say("pattern.found", name=one.name, **about)


def _are_adjacent(grid: Grid, one: int, other: int) -> bool:
    (a, b), (c, d) = grid.cell(one), grid.cell(other)
    return abs(a - c) + abs(b - d) == 1


def _adjacent(grid: Grid, index: int) -> list[int]:
    return [other for other in grid.neighbours(index) if _are_adjacent(grid, index, other)]


def _is_a_hole(grid: Grid, clue: int, other: int, one: Reduced) -> bool:
    """Return whether the hidden cells of the first are on both sides of the line through both."""
    (a, b), (c, _) = grid.cell(clue), grid.cell(other)
    across = [grid.cell(cell)[1] - b if a != c else grid.cell(cell)[0] - a for cell in one.cells]
    return min(across) < 0 < max(across)


def _line(
    grid: Grid, clue: int, step: tuple[int, int], side: tuple[int, int], places: range
) -> list[int]:
    """Return cells in a line, starting at a clue or next to it."""
    row, col = grid.cell(clue)
    cells = [(row + side[0] + step[0] * n, col + side[1] + step[1] * n) for n in places]
    return [grid.index(cell) if cell in grid else _OUTSIDE for cell in cells]
