"""What opening a cell is worth: the chance to win by it, as the champion plays on."""

from __future__ import annotations

import math
from collections import deque

from mineproof.agents.champion import Champion
from mineproof.games.analysis import Chance, win_chance
from mineproof.reasoning.odds import value_odds
from mineproof.reasoning.posterior import sample
from mineproof.world.board import Board
from mineproof.world.geometry import Cell
from mineproof.world.rules import Rules
from mineproof.world.view import COVERED, UNTOUCHED, Event, View

_GAMES = 400
"""Played out for all that a cell may show together, and a tenth of it at least for each."""
_DRAWN = 40
"""Boards that are drawn to see what a zero opens around it."""


def cost(view: View, cell: Cell, before: Chance, rules: Rules, *, certain: bool) -> Chance | None:
    """How much less likely a win is by opening this cell than by the champion's; 0 for its own.

    `before` is the chance to win here, which where something is `certain` is the champion's.
    For exact clues and a known count; None where the chance to win cannot be told.
    """
    best: Chance | None = before
    if not certain:
        advice = Champion().advise(view, rules)
        if not advice.candidates:
            return None
        if advice.candidates[0].cell == cell:
            return Chance(0.0, 0.0)
        best = worth(view, advice.candidates[0].cell, rules)
    own = worth(view, cell, rules)
    if own is None or best is None:
        return None
    return Chance(best.chance - own.chance, math.hypot(best.error, own.error))


def is_nothing(cost: Chance) -> bool:
    """Whether a cost is too small to tell from none: within its 95 % interval, or invisible."""
    return cost.chance < max(cost.reach, 5e-4)


def worth(view: View, cell: Cell, rules: Rules) -> Chance | None:
    """The chance to win by opening a covered cell.

    How likely it shows what is counted; each of these is played out.
    """
    total = variance = 0.0
    for count, share in value_odds(view, cell).shown.items():
        if share <= 0 or count is None:
            continue
        if count == 0 and rules.flood:
            found = _after_zero(view, cell, rules)
        else:
            games = max(round(_GAMES * share), _GAMES // 10)
            found = _won(view.after([Event(cell, count)]), games)
        if found is None:
            return None
        total += share * found.chance
        variance += (share * found.error) ** 2
    return Chance(total, math.sqrt(variance))


def _after_zero(view: View, cell: Cell, rules: Rules) -> Chance | None:
    """The chance once a zero has opened what is around it: the mean over what that may be."""
    boards = sample(view.after([Event(cell, 0)]), _DRAWN)
    found = [_won(opened(view, board, cell, rules), _GAMES // _DRAWN) for board in boards]
    chances = [one for one in found if one is not None]
    if len(chances) < len(boards):
        return None
    mean = math.fsum(one.chance for one in chances) / len(chances)
    spread = math.fsum((one.chance - mean) ** 2 for one in chances) / (len(chances) - 1)
    return Chance(mean, math.sqrt(spread / len(chances)))


def _won(view: View, games: int) -> Chance | None:
    covered = sum(state in COVERED for state in view.states)
    if covered == view.mines:
        return Chance(1.0, 0.0)
    return win_chance(view, games=games)


def opened(view: View, board: Board, cell: Cell, rules: Rules) -> View:
    """The view after a safe cell of a board is opened, and what a zero opens around it."""
    grid, counts = view.grid, board.counts
    first = grid.index(cell)
    found, pending = {first}, deque([first])
    while pending:
        index = pending.popleft()
        if counts[index] or not rules.flood:
            continue
        for near in grid.around(index):
            if near not in found and view.states[near] in UNTOUCHED:
                found.add(near)
                pending.append(near)
    return view.after(Event(grid.cell(index), counts[index]) for index in sorted(found))
