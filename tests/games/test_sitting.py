"""A game played by hand: chords are openings, and the deeds are the whole game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.games.sitting import ACTS, Deed, Sitting

FLOODLESS = mp.Rules(flood=False)


def sat(text: str, rules: mp.Rules = FLOODLESS) -> Sitting:
    return Sitting(mp.Game(mp.Board.from_text(text), rules))


def test_a_chord_opens_what_is_left_around_a_clue() -> None:
    sitting = sat("3x3/1 *../.../...")
    sitting.play(Deed((1, 1), "open"))
    sitting.play(Deed((0, 0), "flag"))
    events = sitting.play(Deed((1, 1), "chord"))
    assert {event.cell for event in events} == {(r, c) for r in range(3) for c in range(3)} - {
        (0, 0),
        (1, 1),
    }
    assert sitting.game.won
    assert len(sitting.deeds) == 3
    record = sitting.record("you", 1.0)
    assert [move.action for move in record.moves] == ["open", "flag", *["open"] * 7]
    assert record.view == sitting.game.view


def test_a_wrong_flag_makes_a_chord_hit_the_mine_and_the_rest_stays() -> None:
    sitting = sat("1x3/1 *..")
    sitting.play(Deed((0, 1), "open"))
    sitting.play(Deed((0, 2), "flag"))
    sitting.play(Deed((0, 1), "chord"))
    assert sitting.game.over
    assert not sitting.game.won
    wide = sat("3x3/1 *../.../...")
    wide.play(Deed((1, 1), "open"))
    wide.play(Deed((2, 2), "flag"))
    wide.play(Deed((1, 1), "chord"))
    assert len(wide.moves) == 3  # the mine came first


def test_exploded_mines_count_as_marked() -> None:
    sitting = sat("1x3/1 *..", mp.Rules(on_mine="continue", flood=False))
    for cell in ((0, 0), (0, 1)):
        sitting.play(Deed(cell, "open"))
    sitting.play(Deed((0, 1), "chord"))
    assert sitting.game.over


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ((0, 0), "shows no clue"),
        ((0, 1), "shows 1, but 0 neighbours are marked"),
        ((0, 3), "no neighbours left to open"),
        ((5, 5), "outside"),
    ],
)
def test_a_chord_that_means_nothing_is_refused(cell: tuple[int, int], words: str) -> None:
    sitting = sat("1x6/1 *.....")
    for column in (1, 2, 3, 4):
        sitting.play(Deed((0, column), "open"))
    with pytest.raises((mp.IllegalMove, mp.InvalidInput), match=words):
        sitting.play(Deed(cell, "chord"))


@given(
    st.integers(0, 1000),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from(ACTS)), max_size=25),
)
def test_the_deeds_are_the_whole_game(seed: int, wishes: list[tuple[int, int, str]]) -> None:
    """Played again they give the same events; views follow from the events."""

    def begin() -> Sitting:
        rules = mp.Rules(on_mine="continue", opening="any")
        return Sitting(mp.Game.deal(5, 5, 5, rules=rules, seed=seed))

    sitting, views = begin(), []
    views.append(sitting.game.view)
    for row, col, action in wishes:
        before = sitting.game.view
        try:
            sitting.play(Deed((row, col), action))  # type: ignore[arg-type]
            views.append(sitting.game.view)
        except mp.IllegalMove:
            assert sitting.game.view == before
    again = begin()
    for deed in sitting.deeds:
        again.play(deed)
    assert again.events == sitting.events
    assert again.moves == sitting.moves
    assert [sitting.view_at(number) for number in range(len(views))] == views
    if sitting.game.over:
        assert sitting.record("you", 0.0).view == sitting.game.view
    else:
        with pytest.raises(mp.IllegalMove):
            sitting.record("you", 0.0)
