"""The best score of a small board, known exactly, by search over all that can be seen.

Right flags less wrong ones count, and a mine that is hit cannot be flagged any more. So a mine
that is opened costs one; and where play stops, a cell with risk q costs the lesser of q (not
flagged, a mine) and 1 - q (flagged, none). The *loss* of a state is the least that this comes to
in expectation; what is settled costs nothing more. With exact clues the compiled twin is some
hundred times faster; other clue models are searched here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Any

from mineproof import _engine
from mineproof.boards.optimum import MEMORY, TooManyStates, ignore, read_size, refuse_too_many
from mineproof.errors import InvalidInput
from mineproof.world.board import Opening
from mineproof.world.clues import ClueModel, Exact
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import EXPLODED, HIDDEN, NO_CLUE

_FINEST = 10**6
"""The largest denominator of a chance in a clue model that is taken for what it is."""


@dataclass(frozen=True)
class BestScore:
    """What best play scores on average, if it begins at `first`; None: flags are all that pays."""

    score: Fraction
    boards: int
    first: Cell | None
    states: int
    """How many states were met, up to symmetry."""

    def to_json(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "score": float(self.score),
            "fraction": str(self.score),
            "boards": self.boards,
            "first": None if self.first is None else list(self.first),
            "states": self.states,
        }


def solve_score(
    rows: int,
    cols: int,
    mines: int,
    *,
    opening: Opening = "any",
    clues: ClueModel = Exact(),
    memory: int = MEMORY,
    told: Callable[[int], None] | None = None,
) -> BestScore:
    """The best expected score where a mine does not end the game, and a best first cell.

    (right flags - wrong flags) / mines, with the count known. For small boards: the cost is
    exponential, with uncertain clues all the more. The other arguments are those of `solve`.
    """
    if clues.redraw or getattr(clues, "known", False):
        raise InvalidInput(
            f"{clues} clues depend on more than what is shown: the best score is known for exact, "
            "sometimes:P, optimistic, cautious and table clues"
        )
    grid, mines, memory, named = read_size(rows, cols, mines, opening, memory)
    natively = _engine.is_native() and isinstance(clues, Exact)
    search = _solve_natively if natively else _solve_in_python
    most = memory * 10**6 // (130 if natively else 400 + 100 * grid.size)
    with refuse_too_many(named, memory):
        found = search(grid, mines, opening, clues, most, told or ignore)
    if not found.boards:
        raise InvalidInput(f"no board of {named} is {opening} anywhere")
    return found


def _solve_natively(
    grid: Grid,
    mines: int,
    opening: Opening,
    clues: ClueModel,  # noqa: ARG001
    most: int,
    told: Callable[[int], None],
) -> BestScore:
    native = _engine.native
    try:
        found = native.solve_score(grid.rows, grid.cols, mines, native.Opening[opening], most, told)
    except native.TooManyStates:
        raise TooManyStates from None
    first = None if found.first < 0 else grid.cell(found.first)
    return BestScore(_score_of(found.loss, mines, found.boards), found.boards, first, found.states)


def _score_of(loss: int, mines: int, boards: int) -> Fraction:
    """Of the loss of so many boards (or of their weight)."""
    return 1 - Fraction(loss, mines * boards) if mines and boards else Fraction(1)


def _solve_in_python(
    grid: Grid,
    mines: int,
    opening: Opening,
    clues: ClueModel,
    most: int,
    told: Callable[[int], None],
) -> BestScore:
    return _Search(grid, mines, clues, most, told).solve(opening)


Weights = dict[int, int]
"""Boards that fit, each with its weight; a board is a whole number, a bit a cell."""


class _Search:
    """The search in Python, for every clue model.

    Chances are whole numbers: `unit` is 1. Weights get one such factor with every cell that is
    opened, and losses are told times one for every cell that is covered: so all is whole.
    """

    def __init__(
        self, grid: Grid, mines: int, clues: ClueModel, most: int, told: Callable[[int], None]
    ) -> None:
        self._cells = range(grid.size)
        self._around = [sum(1 << near for near in grid.around(cell)) for cell in self._cells]
        self._grid, self._mines = grid, mines
        self._boards = [sum(1 << cell for cell in m) for m in combinations(self._cells, mines)]
        self._unit, self._tables = _whole_tables(clues, {a.bit_count() for a in self._around})
        self._powers: list[int] = [self._unit**covered for covered in range(grid.size + 1)]
        self._ways = _symmetries(grid)
        self._memo: dict[bytes, int] = {}
        self._most, self._told = most, told

    def solve(self, opening: Opening) -> BestScore:
        """The best score, as the opening rule has it."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 4000))
        hidden = bytes([HIDDEN]) * len(self._cells)
        if opening == "any":
            loss, first = self._search(dict.fromkeys(self._boards, 1), hidden)
            return self._tell(loss, len(self._boards), first)
        found = BestScore(Fraction(-1), 0, None, 0)
        for cell in self._cells:
            free = 1 << cell | (self._around[cell] if opening == "clear" else 0)
            dealt = {board: 1 for board in self._boards if not board & free}
            if dealt:
                one = self._tell(self._after(dealt, hidden, cell), len(dealt), cell)
                found = max(found, one, key=lambda best: best.score)
        return replace(found, states=len(self._memo))

    def _tell(self, loss: int, boards: int, first: int | None) -> BestScore:
        cell = None if first is None else self._grid.cell(first)
        score = _score_of(loss, self._mines, boards * self._powers[-1])
        return BestScore(score, boards, cell, len(self._memo))

    def _after(self, fitting: Weights, states: bytes, cell: int) -> int:
        """The loss after opening a cell, over all that it may turn out to be."""
        outcomes: dict[int, Weights] = {}
        loss = 0
        table = self._tables[self._around[cell].bit_count()]
        for board, weight in fitting.items():
            if board >> cell & 1:
                loss += weight
                outcomes.setdefault(EXPLODED, {})[board] = weight * self._unit
                continue
            for shown, chance in table[(board & self._around[cell]).bit_count()]:
                outcomes.setdefault(shown, {})[board] = weight * chance
        loss *= self._powers[states.count(HIDDEN)]
        for shown, some in outcomes.items():
            loss += self._loss(some, states[:cell] + bytes([shown]) + states[cell + 1 :])
        return loss

    def _loss(self, fitting: Weights, states: bytes) -> int:
        """The least loss of a state."""
        if len(fitting) == 1:
            return 0
        key = max(bytes(states[cell] for cell in way) for way in self._ways)
        if key not in self._memo:
            if len(self._memo) >= self._most:
                raise TooManyStates
            self._memo[key] = self._search(fitting, states)[0]
            if len(self._memo) % 1024 == 0:
                self._told(len(self._memo))
        return self._memo[key]

    def _search(self, fitting: Weights, states: bytes) -> tuple[int, int | None]:
        """The least loss, and a cell that has it: None where it is best to stop."""
        everything = sum(fitting.values())
        mined = [0] * len(self._cells)
        for board, weight in fitting.items():
            for cell in self._cells:
                if board >> cell & 1:
                    mined[cell] += weight
        covered = [cell for cell in self._cells if states[cell] == HIDDEN]
        unsure = sorted((mined[cell], cell) for cell in covered if 0 < mined[cell] < everything)
        free = next((cell for cell in covered if not mined[cell]), None)
        if unsure and free is not None:  # opening what is safe costs nothing
            return self._after(fitting, states, free), free
        power = self._powers[len(covered)]
        best = sum(min(weight, everything - weight) for weight, _ in unsure) * power
        chosen: int | None = None
        for weight, cell in unsure:
            # Where stopping is as good, opening is told: it gives the same and may tell more.
            if weight * power > best or (weight * power == best and chosen is not None):
                break
            loss = self._after(fitting, states, cell)
            if loss < best or (loss == best and chosen is None):
                best, chosen = loss, cell
        return best, chosen


def _whole_tables(
    clues: ClueModel, degrees: set[int]
) -> tuple[int, dict[int, list[list[tuple[int, int]]]]]:
    """By degree and count what is shown, with its chance in units; and how many are 1."""
    states = (*range(9), NO_CLUE) if clues.can_be_missing else range(9)
    chances = {
        degree: [
            [
                Fraction(
                    clues.likelihood(None if s == NO_CLUE else s, degree)[count]
                ).limit_denominator(_FINEST)
                for s in states
            ]
            for count in range(degree + 1)
        ]
        for degree in degrees
    }
    unit = lcm(*(x.denominator for table in chances.values() for row in table for x in row))
    tables = {
        degree: [[(s, int(x * unit)) for s, x in zip(states, row, strict=True) if x] for row in t]
        for degree, t in chances.items()
    }
    if any(sum(x for _, x in row) != unit for table in tables.values() for row in table):
        raise InvalidInput(f"the chances of {clues} clues are not fractions that sum to 1")
    return unit, tables


def _symmetries(grid: Grid) -> list[list[int]]:
    """For each way to turn and mirror the board, the cell that comes to each place."""
    rows, cols = grid.rows, grid.cols
    ways = []
    for turned in (False, True) if rows == cols else (False,):
        for up in (False, True):
            for left in (False, True):
                way = []
                for row, col in map(grid.cell, range(grid.size)):
                    r, c = rows - 1 - row if up else row, cols - 1 - col if left else col
                    way.append(c * cols + r if turned else r * cols + c)
                ways.append(way)
    return ways
