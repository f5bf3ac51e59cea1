"""Optimal play by exhaustive search: what every cell of a small position is worth.

It shares nothing with the searches that it judges: it lists every board and opens cells one by one.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import combinations

import mineproof as mp
from mineproof.world.view import COVERED, EXPLODED, UNTOUCHED

Boards = list[mp.Board]


def fitting(view: mp.View) -> Boards:
    """All boards consistent with the view, by trying every one."""
    cells = view.cells(*COVERED)
    hit = view.cells(EXPLODED)
    found = []
    for mines in combinations(cells, (view.mines or 0) - len(hit)):
        board = mp.Board.from_mines(view.rows, view.cols, [*mines, *hit])
        opened = set(view.grid.cells(range(view.grid.size))) - {*cells, *hit}
        if all(board.clue(cell) == view.state(cell) for cell in opened):
            found.append(board)
    return found


def opened(view: mp.View, board: mp.Board, cell: mp.Cell) -> mp.View:
    """The view after opening a safe cell of a board, including what a zero floods."""
    grid, counts = view.grid, board.counts
    first = grid.index(cell)
    found, pending = {first}, deque([first])
    while pending:
        index = pending.popleft()
        for near in grid.neighbours(index) if counts[index] == 0 else ():
            if near not in found and view.states[near] in UNTOUCHED:
                found.add(near)
                pending.append(near)
    return view.after(mp.Event(grid.cell(index), counts[index]) for index in sorted(found))


def best_win(view: mp.View, boards: Boards) -> Fraction:
    """The win probability."""
    covered = view.cells(*COVERED)
    if len(covered) == view.mines:
        return Fraction(1)
    return max(win_by(view, boards, cell) for cell in covered)


def win_by(view: mp.View, boards: Boards, cell: mp.Cell) -> Fraction:
    """The win probability if this cell is opened first."""
    shown: dict[mp.View, Boards] = {}
    for board in boards:
        if not board.is_mine(cell):
            shown.setdefault(opened(view, board, cell), []).append(board)
    return sum(
        (
            best_win(after, some) * len(some) / Fraction(len(boards))
            for after, some in shown.items()
        ),
        Fraction(0),
    )


def least_cost(view: mp.View, boards: Boards) -> Fraction:
    """The expected number of flags lost where a mine does not end the game."""
    covered = view.cells(*COVERED)
    mines = [sum(board.is_mine(cell) for board in boards) for cell in covered]
    stop = sum(
        (Fraction(min(count, len(boards) - count), len(boards)) for count in mines), Fraction(0)
    )
    if stop == 0:
        return stop
    open_now = [cell for cell, count in zip(covered, mines, strict=True) if count < len(boards)]
    return min(stop, *(cost_by(view, boards, cell) for cell in open_now))


def cost_by(view: mp.View, boards: Boards, cell: mp.Cell) -> Fraction:
    """The same, if this cell is opened first."""
    shown: dict[mp.View, Boards] = {}
    hit = 0
    for board in boards:
        mine = board.is_mine(cell)
        hit += mine
        after = view.after([mp.Event(cell, EXPLODED)]) if mine else opened(view, board, cell)
        shown.setdefault(after, []).append(board)
    lost = (least_cost(after, some) * len(some) for after, some in shown.items())
    return (hit + sum(lost, Fraction(0))) / Fraction(len(boards))
