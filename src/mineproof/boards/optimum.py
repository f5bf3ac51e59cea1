"""The best possible win probability on a small board, by an exact search of all positions.

A state is the set of open cells with what they show. Its value is the number of boards that are
consistent with it and that best play wins. The compiled twin is about a hundred times faster.
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
from mineproof.arguments import function, one_of
from mineproof.deprecated import renamed_argument
from mineproof.errors import MineproofError, check_integer, plural
from mineproof.reasoning.score_tree import TooManyStates
from mineproof.world.board import OPENINGS, Deal, Opening
from mineproof.world.geometry import Cell, Grid

MEMORY, MOST_MEMORY = 2000, 10**9
"""The default and the largest memory limit, in megabytes."""
_STATE_BYTES, _BOARD_BYTES = 130, 24


@dataclass(frozen=True)
class Optimum:
    """The result of best play: it wins `wins` of all `boards`, if it starts at `first`.

    `first` is None if every cell is a mine: such a game is won when it begins.
    """

    wins: int
    boards: int
    first: Cell | None
    states: int
    """The number of states searched, up to symmetry."""

    @property
    def chance(self) -> Fraction:
        """The best possible win probability, as an exact fraction."""
        return Fraction(self.wins, self.boards)

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "wins": self.wins,
            "boards": self.boards,
            "chance": float(self.chance),
            "first": None if self.first is None else list(self.first),
            "states": self.states,
        }


@renamed_argument("told", "on_progress")
def solve(
    rows: int,
    cols: int,
    mines: int,
    *,
    opening: Opening = "safe",
    memory: int = MEMORY,
    on_progress: Callable[[int], None] | None = None,
) -> Optimum:
    """Return the best possible win probability on a small board, with a best first cell.

    The cost grows exponentially with the size. With the opening rule `safe` or `clear`, only boards
    that satisfy it at the first cell count; if there are none, an error is raised. `memory` is in
    megabytes; a search that needs more raises an error. `on_progress` is called now and then with
    the number of states.
    """
    grid, mines, memory, named = read_size(rows, cols, mines, opening, memory)
    most = memory * 10**6 // _STATE_BYTES
    search = _solve_natively if _engine.is_native() else _solve_in_python
    with refuse_too_many(named, memory):
        return search(grid, mines, opening, most, listener(on_progress))


def read_size(
    rows: int, cols: int, mines: int, opening: Opening, memory: int
) -> tuple[Grid, int, int, str]:
    """Return grid, mines, memory and a name for the board; raise an error if it is too large."""
    deal = Deal(rows, cols, mines)
    grid, mines = deal.grid, check_integer(mines, "mines")
    rows, cols = grid.rows, grid.cols
    memory = check_integer(memory, "memory", 1, MOST_MEMORY)
    one_of(opening, "opening rule", OPENINGS)
    deal.check(opening, (0, 0))  # the rule is easiest to satisfy in a corner
    named = f"{rows}x{cols} with {plural(mines, 'mine')}"
    # On a large board, the number of boards alone may have a hundred thousand digits.
    if grid.size > 128:
        raise MineproofError(f"{named} is too large for {memory} MB; try a smaller board")
    boards = comb(grid.size, mines)
    if grid.size > 64 or boards * _BOARD_BYTES > memory * 10**6:
        raise MineproofError(
            f"{named} has {plural(boards, 'board')}: too many for "
            f"{memory} MB; try a smaller board or allow more memory"
        )
    return grid, mines, memory, named


@contextmanager
def refuse_too_many(named: str, memory: int) -> Iterator[None]:
    """Raise a clear error if the search has too many states."""
    try:
        yield
    except TooManyStates:
        raise MineproofError(
            f"{named} has more states than fit into {memory} MB; try a smaller board"
        ) from None


def _solve_natively(
    grid: Grid, mines: int, opening: Opening, most: int, on_progress: Callable[[int], None]
) -> Optimum:
    native = _engine.native
    rule = native.Opening[opening]
    try:
        found = native.solve(grid.rows, grid.cols, mines, rule, most, on_progress)
    except native.TooManyStates:
        raise TooManyStates from None
    first = None if found.first < 0 else grid.cell(found.first)
    return Optimum(found.wins, found.boards, first, found.states)


def _solve_in_python(
    grid: Grid, mines: int, opening: Opening, most: int, on_progress: Callable[[int], None]
) -> Optimum:
    if mines == grid.size:
        return Optimum(1, 1, None, 0)
    wins, boards, first, states = _OptimumSearch(grid, mines, most, on_progress).solve(
        OPENINGS.index(opening) - 1
    )
    return Optimum(wins, boards, grid.cell(first), states)


def listener(on_progress: Callable[[int], None] | None) -> Callable[[int], None]:
    """Return the function to call with the number of states; by default, it does nothing."""
    return _ignore if on_progress is None else function(on_progress, "on_progress")


def _ignore(_: int) -> None:
    """Do nothing."""


class _OptimumSearch:
    """The search in Python; boards and sets of cells are integers with one bit per cell."""

    def __init__(
        self, grid: Grid, mines: int, most: int, on_progress: Callable[[int], None]
    ) -> None:
        self._cells = range(grid.size)
        self._around = [sum(1 << near for near in grid.neighbours(cell)) for cell in self._cells]
        self._boards = [sum(1 << cell for cell in m) for m in combinations(self._cells, mines)]
        self._memo: dict[tuple[int, ...], int] = {}
        self._most, self._on_progress = most, on_progress

    def solve(self, free: int) -> tuple[int, int, int, int]:
        """Return wins, boards, a best first cell and states."""
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
        """Return the wins after opening these cells, summed over what they may show."""
        outcomes: dict[tuple[int, ...], list[int]] = {}
        new = [cell for cell in self._cells if cells >> cell & 1]
        for board in boards:
            if not board & cells:
                shown = tuple((board & self._around[cell]).bit_count() for cell in new)
                outcomes.setdefault(shown, []).append(board)
        return sum(self._worth(fitting, opened | cells) for fitting in outcomes.values())

    def _worth(self, boards: list[int], opened: int) -> int:
        """Return how many of these boards best play wins."""
        if len(boards) <= 1:
            return len(boards)
        mined = 0
        for board in boards:
            mined |= board
        closed = [cell for cell in self._cells if not opened >> cell & 1]
        safe = sum(1 << cell for cell in closed if not mined >> cell & 1)
        if safe:  # opening safe cells never costs anything
            return self._after(boards, opened, safe)
        shown = ((boards[0] & self._around[c]).bit_count() for c in self._cells if opened >> c & 1)
        key = (opened, *shown)
        if key not in self._memo:
            if len(self._memo) >= self._most:
                raise TooManyStates
            best = max(self._after(boards, opened, 1 << cell) for cell in closed)
            self._memo[key] = best
            if len(self._memo) % 1024 == 0:
                self._on_progress(len(self._memo))
        return self._memo[key]
