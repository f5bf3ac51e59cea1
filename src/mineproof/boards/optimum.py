"""The best chance to win a small board, known exactly, by search over all that can be seen.

A state is what is opened and what it shows. Its worth is the number of boards that fit it
and that best play wins. The compiled twin is some hundred times faster.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from mineproof import _engine
from mineproof.errors import MineproofError, counted, whole
from mineproof.given import function, one_of
from mineproof.reasoning.score_tree import TooManyStates
from mineproof.world.board import OPENINGS, Deal, Opening
from mineproof.world.geometry import Cell, Grid

MEMORY, MOST_MEMORY = 2000, 10**9
"""Megabytes that a search may take, about."""
_STATE_BYTES, _BOARD_BYTES = 130, 24


@dataclass(frozen=True)
class Optimum:
    """Of `boards` that can be dealt, best play wins `wins`, if it begins at `first`.

    `first` is None where every cell is a mine: such a game is won when it begins.
    """

    wins: int
    boards: int
    first: Cell | None
    states: int
    """How many states were met, up to symmetry."""

    @property
    def chance(self) -> Fraction:
        """The best chance to win."""
        return Fraction(self.wins, self.boards)

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "wins": self.wins,
            "boards": self.boards,
            "chance": float(self.chance),
            "first": None if self.first is None else list(self.first),
            "states": self.states,
        }


def solve(
    rows: int,
    cols: int,
    mines: int,
    *,
    opening: Opening = "safe",
    memory: int = MEMORY,
    told: Callable[[int], None] | None = None,
) -> Optimum:
    """The best chance to win, and a best first cell. For small boards: the cost is exponential.

    With the opening rule `safe` or `clear` the boards are those that keep it at the first
    cell; a rule that no board can keep is refused. `memory` is in megabytes; what would take
    more is refused. `told` is called now and then with the number of states.
    """
    grid, mines, memory, named = read_size(rows, cols, mines, opening, memory)
    most = memory * 10**6 // _STATE_BYTES
    search = _solve_natively if _engine.is_native() else _solve_in_python
    with refuse_too_many(named, memory):
        return search(grid, mines, opening, most, listener(told))


def read_size(
    rows: int, cols: int, mines: int, opening: Opening, memory: int
) -> tuple[Grid, int, int, str]:
    """Grid, mines and memory as they were meant, and a name for the board; refuses large ones."""
    deal = Deal(rows, cols, mines)
    grid, mines = deal.grid, whole(mines, "mines")
    rows, cols = grid.rows, grid.cols
    memory = whole(memory, "memory", 1, MOST_MEMORY)
    one_of(opening, "opening rule", OPENINGS)
    deal.check(opening, (0, 0))  # nowhere is the rule easier to keep than in a corner
    named = f"{rows}x{cols} with {counted(mines, 'mine')}"
    # Of a large board the boards alone are a number of a hundred thousand digits.
    if grid.size > 128:
        raise MineproofError(
            f"{named} has too many boards for {memory} MB; a smaller board can be solved"
        )
    boards = comb(grid.size, mines)
    if grid.size > 64 or boards * _BOARD_BYTES > memory * 10**6:
        raise MineproofError(
            f"{named} has {counted(boards, 'board')}: too many for "
            f"{memory} MB; a smaller board or more memory can be solved"
        )
    return grid, mines, memory, named


@contextmanager
def refuse_too_many(named: str, memory: int) -> Iterator[None]:
    """Too many states within are told as an error."""
    try:
        yield
    except TooManyStates:
        raise MineproofError(f"{named} has more states than fit into {memory} MB") from None


def _solve_natively(
    grid: Grid, mines: int, opening: Opening, most: int, told: Callable[[int], None]
) -> Optimum:
    native = _engine.native
    rule = native.Opening[opening]
    try:
        found = native.solve(grid.rows, grid.cols, mines, rule, most, told)
    except native.TooManyStates:
        raise TooManyStates from None
    first = None if found.first < 0 else grid.cell(found.first)
    return Optimum(found.wins, found.boards, first, found.states)


def _solve_in_python(
    grid: Grid, mines: int, opening: Opening, most: int, told: Callable[[int], None]
) -> Optimum:
    if mines == grid.size:
        return Optimum(1, 1, None, 0)
    wins, boards, first, states = _Search(grid, mines, most, told).solve(
        OPENINGS.index(opening) - 1
    )
    return Optimum(wins, boards, grid.cell(first), states)


def listener(told: Callable[[int], None] | None) -> Callable[[int], None]:
    """Who is told the number of states: the function that was given, or nobody."""
    return _ignore if told is None else function(told, "told")


def _ignore(_: int) -> None:
    """Tell nobody."""


class _Search:
    """The search in Python; boards and sets of cells are whole numbers, a bit a cell."""

    def __init__(self, grid: Grid, mines: int, most: int, told: Callable[[int], None]) -> None:
        self._cells = range(grid.size)
        self._around = [sum(1 << near for near in grid.around(cell)) for cell in self._cells]
        self._boards = [sum(1 << cell for cell in m) for m in combinations(self._cells, mines)]
        self._memo: dict[tuple[int, ...], int] = {}
        self._most, self._told = most, told

    def solve(self, free: int) -> tuple[int, int, int, int]:
        """Wins, boards, a best first cell, states."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 4000))
        best = (0, 0, 0)
        for cell in self._cells:
            opened = 1 << cell | (self._around[cell] if free == 1 else 0)
            dealt = [b for b in self._boards if free < 0 or not b & opened]
            wins = self._after(dealt, 0, opened)
            if dealt and (not best[1] or wins * best[1] > best[0] * len(dealt)):
                best = (wins, len(dealt), cell)
        return (*best, len(self._memo))

    def _after(self, boards: list[int], opened: int, cells: int) -> int:
        """What is won after opening these cells: boards told apart by what they show."""
        outcomes: dict[tuple[int, ...], list[int]] = {}
        new = [cell for cell in self._cells if cells >> cell & 1]
        for board in boards:
            if not board & cells:
                shown = tuple((board & self._around[cell]).bit_count() for cell in new)
                outcomes.setdefault(shown, []).append(board)
        return sum(self._worth(fitting, opened | cells) for fitting in outcomes.values())

    def _worth(self, boards: list[int], opened: int) -> int:
        """How many of these boards best play wins."""
        if len(boards) <= 1:
            return len(boards)
        mined = 0
        for board in boards:
            mined |= board
        closed = [cell for cell in self._cells if not opened >> cell & 1]
        safe = sum(1 << cell for cell in closed if not mined >> cell & 1)
        if safe:  # opening what is safe never costs anything
            return self._after(boards, opened, safe)
        shown = ((boards[0] & self._around[c]).bit_count() for c in self._cells if opened >> c & 1)
        key = (opened, *shown)
        if key not in self._memo:
            if len(self._memo) >= self._most:
                raise TooManyStates
            best = max(self._after(boards, opened, 1 << cell) for cell in closed)
            self._memo[key] = best
            if len(self._memo) % 1024 == 0:
                self._told(len(self._memo))
        return self._memo[key]
