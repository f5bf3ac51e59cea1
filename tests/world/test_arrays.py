"""Boards and views as NumPy arrays, and cell states by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

import mineproof as mp
from mineproof.world import view as constants
from tests.strategies import seeds


@given(seeds)
def test_a_board_round_trips_through_its_array(seed: int) -> None:
    board = mp.Board.random(5, 7, 9, seed=seed)
    array = board.array
    assert (array.shape, array.sum(), array.dtype) == ((5, 7), 9, np.bool_)
    assert all(board.is_mine((row, col)) == array[row, col] for row in range(5) for col in range(7))
    for same in (array, array.astype(int), array.tolist()):
        assert mp.Board.from_array(same) == board


@given(seeds)
def test_a_view_round_trips_through_its_array(seed: int) -> None:
    record = mp.play(mp.Deal(5, 7, 9), "baseline", rules={"on_mine": "continue"}, seed=seed)
    view = record.view
    for same in (view.array, view.array.tolist()):
        assert mp.View.from_array(same, mines=9) == view


def test_cell_states_have_names() -> None:
    view = mp.View.from_array([[1, mp.State.HIDDEN], [mp.State.FLAGGED, mp.State.NO_CLUE]])
    assert view == mp.View.from_text("2x2 1?/F-")
    assert [state.name for state in mp.State] == [
        "HIDDEN",
        "SAFE",
        "NO_CLUE",
        "EXPLODED",
        "FLAGGED",
    ]
    assert view.cells(mp.State.HIDDEN) == [(0, 1)]
    assert constants.KNOWN_SAFE == mp.State.SAFE == 10


def test_arrays_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        mp.View.hidden(2, 2).array[0, 0] = 1


@pytest.mark.parametrize(
    ("odd", "message"),
    [
        ([[1, 2], [3]], "must be rows of equal length"),
        ([1, 2], "must be rows of whole numbers"),
        ("12/34", "must be rows of whole numbers"),
        ([[0.5]], "must be rows of whole numbers"),
        ([["?"]], "must be rows of whole numbers"),
        (None, "must be rows of whole numbers"),
        ([[14]], "must be numbers from 0 to 13, got 14"),
        ([[-1]], "must be numbers from 0 to 13, got -1"),
        (np.zeros((0, 3), int), "a board must have 1 to 1000 rows, got 0"),
    ],
    ids=str,
)
def test_invalid_arrays_are_refused(odd: Any, message: str) -> None:
    with pytest.raises(mp.InvalidInput, match=message):
        mp.View.from_array(odd)


def test_the_array_of_a_board_contains_only_mines_and_safe_cells() -> None:
    with pytest.raises(mp.InvalidInput, match="mines must be numbers from 0 to 1, got 2"):
        mp.Board.from_array([[0, 2]])
