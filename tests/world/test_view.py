"""The meaning of a cell's state has one home; views follow events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given

import mineproof as mp
from mineproof.world import view
from mineproof.world.geometry import Grid
from mineproof.world.view import COVERED, LARGEST_CLUE, UNKNOWN, UNTOUCHED, is_clue, is_opened
from tests.strategies import games

HEADER = Path(__file__).parents[2] / "native" / "include" / "mineproof" / "cells.hpp"


def test_the_largest_clue_is_the_kernels() -> None:
    assert f"largest_clue = {LARGEST_CLUE};" in HEADER.read_text()


def test_every_state_is_a_clue_opened_covered_or_a_mine() -> None:
    states = range(view.FLAGGED + 1)
    assert [s for s in states if is_clue(s)] == list(range(9))
    assert [s for s in states if is_opened(s)] == [*range(9), view.NO_CLUE]
    rest = [s for s in states if not is_opened(s) and s not in COVERED]
    assert rest == [view.EXPLODED]
    assert {view.FLAGGED} == COVERED - UNTOUCHED
    assert {view.KNOWN_SAFE} == COVERED - UNKNOWN


@given(games())
def test_a_view_after_events_equals_the_referees_view(game: mp.Game) -> None:
    opened = 0
    while not game.over and (cells := game.view.cells(*UNTOUCHED)):  # flags may cover the rest
        seen = game.view
        assert seen.after(game.open(cells[0])) == game.view
        opened += 1
    event(f"{min(opened, 3)} opened")


@pytest.mark.parametrize("text", [".../.*.", "2x3/1 .../.*.", "..", "2x2/0 ../.."])
def test_a_text_that_could_be_a_board_is_refused(text: str) -> None:
    with pytest.raises(mp.FormatError, match="could be a view .. is hidden. or a board"):
        mp.View.from_text(text)
    hidden = mp.View.from_text(text, dots="hidden")
    assert hidden == mp.View.from_text(text.replace(".", "?"))
    assert mp.View.from_text(text, dots="safe") == mp.View.from_text(text.replace(".", "s"))


@pytest.mark.parametrize("text", ["2x3/2 .../.*.", "../1.", "F./..", "2x2/1 ../.."])
def test_dots_are_hidden_cells_if_the_text_cannot_be_a_board(text: str) -> None:
    assert mp.View.from_text(text) == mp.View.from_text(text.replace(".", "?"))
    assert mp.View.from_text("../..", 1) == mp.View.hidden(2, 2, 1)


CLUE = bytes([1, *[view.HIDDEN] * 8])


@pytest.mark.parametrize(
    "bounds",
    [
        ((-9, 1),),  # a negative index
        ((9, 1),),
        ((1, 1),),  # no clue at this cell
        ((0, -1),),
        ((0, 4),),  # a corner has 3 neighbours
        ((0, 1), (0, 2)),
        ((0,),),
        ((0, 1, 2),),
        ((0, 1.0),),
        ((0, True),),
        ((2**70, 1),),
        5,
        "ab",
        None,
    ],
)
def test_bounds_belong_to_clues(bounds: Any) -> None:
    with pytest.raises(mp.InvalidInput, match=r"bound|cell"):
        mp.View(Grid(3, 3), CLUE, 2, bounds)


def test_bounds_are_sorted() -> None:
    states = bytes([1, 1, *[view.HIDDEN] * 7])
    seen = mp.View(Grid(3, 3), states, 2, [[1, np.int8(2)], (0, 1)])  # type: ignore[arg-type]
    assert seen.bounds == ((0, 1), (1, 2))
    assert mp.View.from_text(str(seen)) == seen


def test_views_with_different_bounds_differ() -> None:
    bare, bounded = mp.View(Grid(3, 3), CLUE), mp.View(Grid(3, 3), CLUE, None, ((0, 1),))
    assert bounded != bare
    assert len({bare, bounded, bounded.after([])}) == 2


@given(games())
def test_the_events_of_a_view_lead_to_it(game: mp.Game) -> None:
    seen = game.view
    assert mp.View.hidden(seen.rows, seen.cols, seen.mines).after(seen.events) == seen


def test_an_event_is_serialised_as_a_short_list() -> None:
    assert view.Event((0, 1), view.FLAGGED).to_json() == [0, 1, "F"]
    assert view.Event((0, 1), 2, 0).to_json() == [0, 1, "2", 0]


@pytest.mark.parametrize("states", [9, "?" * 9, [300] * 9, [-1] * 9, None, ["1"] * 9, 1.5])
def test_states_are_bytes(states: Any) -> None:
    with pytest.raises(mp.InvalidInput, match="states must be one byte per cell"):
        mp.View(Grid(3, 3), states)


def test_a_view_has_a_grid() -> None:
    with pytest.raises(mp.InvalidInput, match="the grid of a view must be a Grid"):
        mp.View((3, 3), CLUE)  # type: ignore[arg-type]
