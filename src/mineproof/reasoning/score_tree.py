"""The whole game tree of a small board played for a score, under any clue model.

An opened mine costs its flag. When play stops, a cell with risk q costs the smaller of q (not
flagged, but a mine) and 1 - q (flagged, but safe). The *loss* of a state is the smallest expected
cost; certain cells cost nothing more. All numbers are integers, so nothing is rounded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import lcm

from mineproof.errors import InvalidInput
from mineproof.world.clues import ClueModel
from mineproof.world.geometry import Cell, Grid
from mineproof.world.view import EXPLODED, HIDDEN, NO_CLUE

MOST_STATES = 10**6
_FINEST = 10**6
"""The largest denominator of a probability in a clue model."""


class TooManyStates(Exception):
    """A search met more states than its limit."""


def is_known(clues: ClueModel) -> bool:
    """Whether clues depend only on the number of mines, so that a state is the view alone."""
    return not clues.redraw and not clues.known


Weights = dict[int, int]
"""The possible boards with their weights; a board is an integer with one bit per cell."""


class ScoreTree:
    """The search in Python, for every clue model.

    Probabilities are integers in multiples of 1 / `unit`. Weights gain one factor `unit` per opened
    cell, and losses have one per hidden cell, so all numbers are integers.
    """

    def __init__(
        self,
        grid: Grid,
        mines: int,
        clues: ClueModel,
        most: int = MOST_STATES,
        on_progress: Callable[[int], None] | None = None,
    ) -> None:
        self._cells = range(grid.size)
        self._around = [sum(1 << near for near in grid.neighbours(cell)) for cell in self._cells]
        self._grid, self._mines = grid, mines
        self._boards = [sum(1 << cell for cell in m) for m in combinations(self._cells, mines)]
        self._unit, self._tables = _whole_tables(clues, {a.bit_count() for a in self._around})
        self._powers: list[int] = [self._unit**covered for covered in range(grid.size + 1)]
        self._ways = _symmetries(grid)
        self._memo: dict[bytes, int] = {}
        self._most, self._on_progress = most, on_progress or _ignore
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 4000))

    def first(self, opening: str) -> tuple[Fraction, int, Cell | None]:
        """The best score under the opening rule, the number of boards, and the first cell."""
        hidden = bytes([HIDDEN]) * len(self._cells)
        best: tuple[Fraction, int, Cell | None] = (Fraction(-1), 0, None)
        if opening == "any":
            loss, first = self._search(dict.fromkeys(self._boards, 1), hidden)
            return self._score(loss, len(self._boards)), len(self._boards), self._named(first)
        for cell in self._cells:
            free = 1 << cell | (self._around[cell] if opening == "clear" else 0)
            dealt = {board: 1 for board in self._boards if not board & free}
            if dealt:
                score = self._score(self._after(dealt, hidden, cell), len(dealt))
                best = max(best, (score, len(dealt), self._named(cell)), key=lambda one: one[0])
        return best

    def best(self, states: bytes) -> tuple[bool, Cell | None]:
        """Return whether the view is possible, and the best cell; None if it is best to stop."""
        fitting = self._fitting(states)
        return bool(fitting), self._named(self._search(fitting, states)[1]) if fitting else None

    @property
    def states(self) -> int:
        """The number of states met so far, up to symmetry."""
        return len(self._memo)

    def _fitting(self, states: bytes) -> Weights:
        """The boards that are consistent with the view, with their weights."""
        weights = {}
        opened = [(cell, state) for cell, state in enumerate(states) if state != HIDDEN]
        for board in self._boards:
            weight = 1
            for cell, state in opened:
                around = self._around[cell]
                if (state == EXPLODED) != (board >> cell & 1):
                    weight = 0
                elif state == EXPLODED:
                    weight *= self._unit
                else:
                    shown = dict(self._tables[around.bit_count()][(board & around).bit_count()])
                    weight *= shown.get(state, 0)
            if weight:
                weights[board] = weight
        return weights

    def _score(self, loss: int, boards: int) -> Fraction:
        every = self._mines * boards * self._powers[-1]
        return 1 - Fraction(loss, every) if every else Fraction(1)

    def _named(self, cell: int | None) -> Cell | None:
        return None if cell is None else self._grid.cell(cell)

    def _after(self, fitting: Weights, states: bytes, cell: int) -> int:
        """The loss after opening a cell, summed over its outcomes."""
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
        """The smallest loss of a state."""
        if len(fitting) == 1:
            return 0
        key = max(bytes(states[cell] for cell in way) for way in self._ways)
        if key not in self._memo:
            if len(self._memo) >= self._most:
                raise TooManyStates
            self._memo[key] = self._search(fitting, states)[0]
            if len(self._memo) % 1024 == 0:
                self._on_progress(len(self._memo))
        return self._memo[key]

    def _search(self, fitting: Weights, states: bytes) -> tuple[int, int | None]:
        """The smallest loss and a cell with it; None if it is best to stop."""
        everything = sum(fitting.values())
        mined = [0] * len(self._cells)
        for board, weight in fitting.items():
            for cell in self._cells:
                if board >> cell & 1:
                    mined[cell] += weight
        covered = [cell for cell in self._cells if states[cell] == HIDDEN]
        unsure = sorted((mined[cell], cell) for cell in covered if 0 < mined[cell] < everything)
        free = next((cell for cell in covered if not mined[cell]), None)
        if unsure and free is not None:  # opening a safe cell costs nothing
            return self._after(fitting, states, free), free
        power = self._powers[len(covered)]
        best = sum(min(weight, everything - weight) for weight, _ in unsure) * power
        chosen: int | None = None
        for weight, cell in unsure:
            # If stopping is equally good, prefer opening: it costs the same and may reveal more.
            if weight * power > best or (weight * power == best and chosen is not None):
                break
            loss = self._after(fitting, states, cell)
            if loss < best or (loss == best and chosen is None):
                best, chosen = loss, cell
        return best, chosen


def _whole_tables(
    clues: ClueModel, degrees: set[int]
) -> tuple[int, dict[int, list[list[tuple[int, int]]]]]:
    """By degree and count, the clues with their probabilities in units; and the unit."""
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
        raise InvalidInput(f"the probabilities of {clues} clues are not fractions that sum to 1")
    return unit, tables


def _symmetries(grid: Grid) -> list[list[int]]:
    """For each symmetry of the board, the cell that is mapped to each place."""
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


def _ignore(_: int) -> None:
    pass
