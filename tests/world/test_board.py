"""Boards: the requested number of mines, none where promised, and every board equally likely."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof import _engine
from mineproof.world.board import Opening, promised
from mineproof.world.geometry import Grid
from mineproof.world.view import HIDDEN
from tests.strategies import boards, seeds


@given(st.integers(1, 12), st.integers(1, 12))
def test_neighbours_are_the_cells_at_distance_one(rows: int, cols: int) -> None:
    grid = Grid(rows, cols)
    rim = []
    for index in range(grid.size):
        row, col = grid.cell(index)
        near = [
            i
            for i in range(grid.size)
            if i != index and abs(i // cols - row) <= 1 and abs(i % cols - col) <= 1
        ]
        assert list(grid.neighbours(index)) == near
        assert grid.neighbour_count(index) == len(near)
        if len(near) < 8:
            rim.append(index)
    assert sorted(grid.border()) == rim


@given(st.data(), seeds, st.sampled_from(["any", "safe", "clear"]))
def test_a_deal_keeps_its_opening_rule(data: st.DataObject, seed: int, opening: Opening) -> None:
    rows, cols = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    start = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1))
    free = promised(Grid(rows, cols), start, opening)
    mines = data.draw(st.integers(0, rows * cols - len(free)))
    dealt = []
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            dealt.append(
                mp.Board.random(rows, cols, mines, seed=seed, start=start, opening=opening)
            )
    assert dealt[0] == dealt[1]
    assert dealt[0].mine_count == mines
    assert dealt[0].keeps(opening, start)
    assert not any(dealt[0].mined[index] for index in free)


def test_every_board_is_equally_likely(engine: str) -> None:
    # 3 mines on a 3x3 board whose corner is free: C(8,3) = 56 boards.
    seen = Counter(
        mp.Board.random(3, 3, 3, seed=seed, start=(0, 0), opening="safe").mined
        for seed in range(11_200)
    )
    assert len(seen) == 56
    expected = 200
    chi_square = sum((times - expected) ** 2 / expected for times in seen.values())
    assert chi_square < 100  # 55 degrees of freedom: p = 0.0002


@given(seeds, st.floats(0, 1))
def test_independent_mines_are_the_same_on_both_engines(seed: int, density: float) -> None:
    dealt = []
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            dealt.append(
                mp.Board.random(
                    8,
                    9,
                    density=density,
                    independent=True,
                    seed=seed,
                    start=(4, 4),
                    opening="clear",
                )
            )
    assert dealt[0] == dealt[1]
    assert dealt[0].keeps("clear", (4, 4))


def test_independent_mines_have_the_requested_density() -> None:
    board = mp.Board.random(300, 300, density=0.2, independent=True, seed=3)
    assert abs(board.mine_count - 18_000) < 5 * (90_000 * 0.2 * 0.8) ** 0.5


def test_a_density_is_rounded_to_a_mine_count() -> None:
    assert mp.Board.random(15, 15, density=0.13, seed=1).mine_count == 29
    assert mp.Board.random(1, 1, density=0.5, seed=1).mine_count == 1


@given(boards())
def test_counts_equal_their_definition(board: mp.Board) -> None:
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            fresh = mp.Board(board.grid, board.mined)
            assert list(fresh.counts) == [
                sum(board.mined[near] for near in board.grid.neighbours(index))
                for index in range(board.grid.size)
            ]


@given(boards(side=9))
def test_3bv_is_the_number_of_clicks_needed(board: mp.Board) -> None:
    """Click every opening once, then every safe cell still hidden: these clicks are the 3BV."""
    game = mp.Game(board)
    clicks = openings = 0
    for wanted in (0, None):
        for index in range(board.grid.size):
            cell = board.grid.cell(index)
            fits = not board.mined[index] and (wanted is None or board.counts[index] == wanted)
            if fits and not game.over and game.view.state(cell) == HIDDEN:
                game.open(cell)
                clicks += 1
                openings += wanted == 0
    for engine in _engine.ENGINES:
        with _engine.using(engine):
            figures = mp.Board(board.grid, board.mined).figures
            assert (figures.bbbv, figures.openings) == (clicks, openings)


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("*..\n...", (1, 1, 2)),
        ("...\n...", (1, 0, 1)),
        ("***\n***", (0, 0, 0)),
        (".*.\n***\n.*.", (0, 4, 4)),
        (".*.*.", (0, 3, 3)),
        ("*....\n.....\n.....\n....*", (1, 0, 1)),
    ],
)
def test_small_boards_have_known_statistics(
    engine: str, text: str, figures: tuple[int, int, int]
) -> None:
    assert mp.Board.from_text(text).figures == figures


def test_islands_are_the_same_on_both_engines() -> None:
    for seed in range(50):
        found = []
        for engine in _engine.ENGINES:
            with _engine.using(engine):
                found.append(mp.Board.random(16, 30, 99, seed=seed).figures)
        assert found[0] == found[1]


def test_the_largest_board_can_be_dealt_and_counted(engine: str) -> None:
    board = mp.Board.random(1000, 1000, 200_000, seed=1)
    assert board.mine_count == 200_000
    assert np.frombuffer(board.counts, np.uint8).max() <= 8


def test_levels_are_the_conventional_ones() -> None:
    assert dict(mp.LEVELS) == {
        "beginner": (9, 9, 10),
        "intermediate": (16, 16, 40),
        "expert": (16, 30, 99),
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 5, 1), "a board must have 1 to 1000 rows, got 0"),
        ((5, 1001, 1), "a board must have 1 to 1000 columns, got 1001"),
        ((2.5, 5, 1), "rows must be a whole number, got 2.5"),
        ((3, 3, 10), "10 mines do not fit: 3x3 has 9 cells"),
        ((3, 3, -1), "-1 mines do not fit"),
        ((3, 3, None), "give either the number of mines or their density"),
        ((3, 3, 1.0), "mines must be a whole number"),
    ],
)
def test_impossible_boards_are_refused(arguments: tuple[int, int, int], message: str) -> None:
    with pytest.raises(mp.InvalidInput, match=message):
        mp.Board.random(*arguments)


def test_mines_that_leave_no_room_for_the_opening_are_refused() -> None:
    with pytest.raises(ValueError, match="90 mines do not fit: 9x9 has 81 cells"):
        mp.Board.random(9, 9, 90)
    with pytest.raises(
        ValueError,
        match="73 mines do not fit: 9x9 has 72 cells besides the first one and its neighbours",
    ):
        mp.Board.random(9, 9, 73, start=(4, 4), opening="clear")
    with pytest.raises(ValueError, match="81 mines do not fit: 9x9 has 80 cells besides the first"):
        mp.Game.deal(9, 9, 81, rules=mp.Rules(opening="safe"))
    with pytest.raises(ValueError, match="the opening rule 'safe' needs a first cell"):
        mp.Board.random(9, 9, 10, opening="safe")
    with pytest.raises(ValueError, match=r"cell \(9,0\) is outside the board: rows 0 to 8"):
        mp.Board.random(9, 9, 10, start=(9, 0), opening="safe")
    with pytest.raises(ValueError, match="unknown opening rule 'cleer': did you mean 'clear'"):
        mp.Board.random(9, 9, 10, start=(0, 0), opening="cleer")  # type: ignore[arg-type]


@pytest.mark.parametrize("density", [-0.1, 1.1, float("nan")])
def test_densities_outside_the_range_are_refused(density: float) -> None:
    with pytest.raises(mp.InvalidInput, match="a density must be from 0 to 1"):
        mp.Board.random(9, 9, density=density)
