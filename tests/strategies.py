"""Hypothesis strategies for boards, views and records. Positions come from play."""

from __future__ import annotations

from pathlib import Path
from random import Random

from hypothesis import strategies as st

import mineproof as mp
from mineproof.world.clues import Cautious, ClueModel, Exact, Optimistic, Sometimes, Table, parse
from mineproof.world.view import HIDDEN

SLIPS = Table(
    [
        [0.8 if clue == count else 0.2 if clue == max(count - 1, 0) else 0.0 for clue in range(9)]
        if count
        else [1.0] + [0.0] * 8
        for count in range(9)
    ]
)
_EXAMPLES = Path(__file__).parents[1] / "examples"
LIAR = parse(f"table:{(_EXAMPLES / 'liar.json').read_text()}")
"""Every clue is one too high or one too low; a board of a single cell cannot be played with it."""
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
    """A game after some moves: random cells opened and flagged."""
    board = draw(boards())
    game = mp.Game(board, draw(rules()), draw(models), seed=draw(seeds))
    for index in draw(st.lists(st.integers(0, board.grid.size - 1), max_size=12, unique=True)):
        if game.over:
            break
        cell = board.grid.cell(index)
        if game.view.state(cell) == HIDDEN:
            game.play(cell, draw(st.sampled_from(["open", "open", "open", "flag"])))
    return game


@st.composite
def middles(draw: st.DrawFn, models: st.SearchStrategy[ClueModel] = clue_models) -> mp.Game:
    """A game in progress: some safe cells are opened, and clues are next to each other."""
    rows, cols = draw(st.integers(3, 6)), draw(st.integers(3, 6))
    board = mp.Board.random(rows, cols, draw(st.integers(1, rows * cols // 4)), seed=draw(seeds))
    game = mp.Game(board, draw(rules()), draw(models), seed=draw(seeds))
    safe = [cell for cell in map(board.grid.cell, range(rows * cols)) if not board.is_mine(cell)]
    for cell in draw(st.permutations(safe))[: draw(st.integers(len(safe) // 3, len(safe)))]:
        if not game.over and game.view.state(cell) == HIDDEN:
            game.open(cell)
    return game


@st.composite
def corners(
    draw: st.DrawFn,
    models: st.SearchStrategy[ClueModel] = clue_models,
    *,
    least: int = 4,
    most: int = 13,
) -> mp.Game:
    """A game with `least` to `most` hidden cells, about which the clues say something, but not all.

    Strips at the edges stay hidden and all other cells are opened, so there are several clues,
    often several components, and in most positions a deduction that needs more than one clue.
    Cells come from a seed, because hypothesis prefers draws that are too small and too similar.
    """
    random = Random(draw(seeds))
    for _ in range(12):
        grid = mp.View.hidden(random.randint(3, 6), random.randint(5, 9)).grid
        covered = patches(random, grid.rows, grid.cols, random.randint(least, most))
        hit = random.choice([0.1, 0.4, 0.6])  # exploded cells show nothing
        board = mp.Board(
            grid,
            bytes(random.random() < (0.45 if i in covered else hit) for i in range(grid.size)),
        )
        if len(open_clues(board, covered)) >= 2:
            break
    rules = mp.Rules(on_mine="continue", count_known=draw(st.booleans()), flood=False)
    game = mp.Game(board, rules, draw(models), seed=draw(seeds))
    flags = draw(st.integers(0, 2))
    for index in random.sample(sorted(covered), flags):
        game.flag(grid.cell(index))
    for index in range(grid.size):
        if index not in covered and not game.over:
            game.open(grid.cell(index))
    return game


def patches(random: Random, rows: int, cols: int, size: int) -> set[int]:
    """`size` cells, in strips one or two wide along the edges of a board."""
    found: set[int] = set()
    while len(found) < size:
        deep, long = random.choice([1, 2, 2, 2]), random.randint(2, 5)
        height, width = random.choice([(deep, long), (deep, long), (long, deep)])
        height, width = min(height, rows), min(width, cols)
        top = random.choice([0, rows - height])
        left = random.choice([0, cols - width, random.randint(0, cols - width)])
        patch = {(top + i) * cols + left + j for i in range(height) for j in range(width)}
        found.update(sorted(patch - found)[: size - len(found)])
    return found


def open_clues(board: mp.Board, covered: set[int]) -> set[int]:
    """The clues that are still informative after all deductions from single clues."""
    clues = {i for i in range(board.grid.size) if i not in covered and not board.mined[i]}
    unknown, before = set(covered), -1
    while len(unknown) != before:
        before = len(unknown)
        for clue in clues:
            around = unknown.intersection(board.grid.neighbours(clue))
            if sum(board.mined[i] for i in around) in {0, len(around)}:
                unknown -= around
    return {clue for clue in clues if unknown.intersection(board.grid.neighbours(clue))}
