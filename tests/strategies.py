"""Boards, views and records as hypothesis draws them. Positions come from play."""

from __future__ import annotations

from hypothesis import strategies as st

import mineproof as mp
from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic, Sometimes, Table

SLIPS = Table(
    [
        [0.8 if clue == count else 0.2 if clue == max(count - 1, 0) else 0.0 for clue in range(9)]
        if count
        else [1.0] + [0.0] * 8
        for count in range(9)
    ]
)
CLUE_MODELS: list[ClueModel] = [
    Exact(),
    Sometimes(0.5),
    Sometimes(0.3, redraw=True),
    Optimistic(),
    Optimistic(known=True),
    Cautious(),
    Cautious(known=True),
    SLIPS,
]
seeds = st.integers(0, 2**64 - 1)
clue_models = st.sampled_from(CLUE_MODELS)


@st.composite
def boards(draw: st.DrawFn, side: int = 7) -> mp.Board:
    rows, cols = draw(st.integers(1, side)), draw(st.integers(1, side))
    mines = draw(st.integers(0, rows * cols))
    return mp.Board.random(rows, cols, mines, seed=draw(seeds))


@st.composite
def rules(draw: st.DrawFn) -> mp.Rules:
    return mp.Rules(
        on_mine=draw(st.sampled_from(["end", "continue"])),
        count_known=draw(st.booleans()),
        flood=draw(st.booleans()),
    )


@st.composite
def games(draw: st.DrawFn, models: st.SearchStrategy[ClueModel] = clue_models) -> mp.Game:
    """A game some moves in: cells opened and flagged anywhere."""
    board = draw(boards())
    game = mp.Game(board, draw(rules()), draw(models), seed=draw(seeds))
    for index in draw(st.lists(st.integers(0, board.grid.size - 1), max_size=12, unique=True)):
        if game.over:
            break
        cell = board.grid.cell(index)
        if game.view.state(cell) == 9:
            game.play(cell, draw(st.sampled_from(["open", "open", "open", "flag"])))
    return game


@st.composite
def middles(draw: st.DrawFn, models: st.SearchStrategy[ClueModel] = clue_models) -> mp.Game:
    """A game in its middle: some safe cells are opened, and clues lie side by side."""
    rows, cols = draw(st.integers(3, 6)), draw(st.integers(3, 6))
    board = mp.Board.random(rows, cols, draw(st.integers(1, rows * cols // 4)), seed=draw(seeds))
    game = mp.Game(board, draw(rules()), draw(models), seed=draw(seeds))
    safe = [cell for cell in map(board.grid.cell, range(rows * cols)) if not board.is_mine(cell)]
    for cell in draw(st.permutations(safe))[: draw(st.integers(len(safe) // 3, len(safe)))]:
        if not game.over and game.view.state(cell) == 9:
            game.open(cell)
    return game
