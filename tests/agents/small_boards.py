"""Small positions, and all boards consistent with one."""

from __future__ import annotations

import mineproof as mp
from mineproof.world.chance import Purpose, Stream
from mineproof.world.view import HIDDEN, KNOWN_SAFE

SHAPES = [(3, 3, 2), (1, 9, 4), (4, 4, 5), (2, 7, 5), (4, 5, 5), (5, 5, 7), (3, 6, 6)]


def position(seed: int) -> mp.View:
    """A position of a small game with some safe cells open."""
    rows, cols, mines = SHAPES[seed % len(SHAPES)]
    board = mp.Board.random(rows, cols, mines, seed=seed)
    game = mp.Game(board, mp.Rules())
    stream = Stream(seed, Purpose.TIES)
    for _ in range(1 + stream.below(6)):
        covered = [i for i, state in enumerate(game.view.states) if state in {HIDDEN, KNOWN_SAFE}]
        safe = [i for i in covered if not board.mined[i]]
        if len(safe) <= 1:
            break
        game.open(board.grid.cell(safe[stream.below(len(safe))]))
    return game.view


def fitting(
    view: mp.View, hidden: list[int], around: list[frozenset[int]], mines: int
) -> list[frozenset[int]]:
    """All boards consistent with a view, by trying cell after cell."""
    clues = {i: state for i, state in enumerate(view.states) if state <= 8}
    found: list[frozenset[int]] = []

    def place(depth: int, mined: frozenset[int]) -> None:
        if len(mined) > mines:
            return
        if any(len(around[clue] & mined) > shown for clue, shown in clues.items()):
            return
        if depth == len(hidden):
            fits = all(len(around[clue] & mined) == shown for clue, shown in clues.items())
            if fits and len(mined) == mines:
                found.append(mined)
            return
        place(depth + 1, mined)
        if view.states[hidden[depth]] != KNOWN_SAFE:
            place(depth + 1, mined | {hidden[depth]})

    place(0, frozenset())
    return found
