"""What a cell's state means is asked in one place; views follow events."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import event, given

import mineproof as mp
from mineproof.world import view
from mineproof.world.view import COVERED, LARGEST_CLUE, UNKNOWN, UNTOUCHED, is_clue, is_opened
from tests.strategies import games

HEADER = Path(__file__).parents[2] / "native" / "include" / "mineproof" / "cells.hpp"


def test_states_have_the_numbers_of_their_compiled_twins() -> None:
    text = HEADER.read_text()
    states = re.search(r"enum State : std::uint8_t \{(.*?)\}", text, re.S)
    assert states is not None
    for name, number in re.findall(r"(\w+) = (\d+)", states[1]):
        assert getattr(view, name.upper()) == int(number)
    assert f"largest_clue = {LARGEST_CLUE};" in text


def test_every_state_is_a_clue_opened_covered_or_a_mine() -> None:
    states = range(view.FLAGGED + 1)
    assert [s for s in states if is_clue(s)] == list(range(9))
    assert [s for s in states if is_opened(s)] == [*range(9), view.NO_CLUE]
    rest = [s for s in states if not is_opened(s) and s not in COVERED]
    assert rest == [view.EXPLODED]
    assert {view.FLAGGED} == COVERED - UNTOUCHED
    assert {view.TOLD_SAFE} == COVERED - UNKNOWN


@given(games())
def test_a_view_after_events_is_what_the_referee_shows(game: mp.Game) -> None:
    opened = 0
    while not game.over and (cells := game.view.cells(*UNTOUCHED)):  # flags may hide the rest
        seen = game.view
        assert seen.after(game.open(cells[0])) == game.view
        opened += 1
    event(f"{min(opened, 3)} opened")


@pytest.mark.parametrize("text", [".../.*.", "2x3/1 .../.*.", "..", "2x2/0 ../.."])
def test_a_text_that_could_be_a_board_is_refused(text: str) -> None:
    with pytest.raises(mp.FormatError, match="could be a view, its . hidden, or a board"):
        mp.View.from_text(text)
    hidden = mp.View.from_text(text, dots="hidden")
    assert hidden == mp.View.from_text(text.replace(".", "?"))
    assert mp.View.from_text(text, dots="safe") == mp.View.from_text(text.replace(".", "s"))


@pytest.mark.parametrize("text", ["2x3/2 .../.*.", "../1.", "F./..", "2x2/1 ../.."])
def test_dots_are_hidden_where_no_board_is_meant(text: str) -> None:
    assert mp.View.from_text(text) == mp.View.from_text(text.replace(".", "?"))
    assert mp.View.from_text("../..", 1) == mp.View.hidden(2, 2, 1)
