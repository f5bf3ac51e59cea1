"""A manual game: chords are openings, and the turns describe the whole game."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mineproof as mp
from mineproof.games.manual import ManualGame
from mineproof.world.move import Act
from mineproof.world.turn import by_hand

FLOODLESS = mp.Rules(flood=False)


def manual_game(text: str, rules: mp.Rules = FLOODLESS) -> ManualGame:
    return ManualGame(mp.Game(mp.Board.from_text(text), rules))


def test_a_chord_opens_the_remaining_cells_around_a_clue() -> None:
    played = manual_game("3x3/1 *../.../...")
    played.play(by_hand((1, 1), "open"))
    played.play(by_hand((0, 0), "flag"))
    chord = played.play(by_hand((1, 1), "chord"))
    rest = {(r, c) for r in range(3) for c in range(3)} - {(0, 0), (1, 1)}
    assert {event.cell for event in chord.events} == rest
    assert [move.cell for move in chord.moves] == sorted(rest)
    assert played.game.won
    assert len(played.turns) == 3
    record = played.record("you", 1.0)
    assert [move.action for move in record.moves] == ["open", "flag", *["open"] * 7]
    assert record.view == played.game.view


def test_a_chord_with_a_wrong_flag_stops_at_the_mine() -> None:
    played = manual_game("1x3/1 *..")
    played.play(by_hand((0, 1), "open"))
    played.play(by_hand((0, 2), "flag"))
    played.play(by_hand((0, 1), "chord"))
    assert played.game.over
    assert not played.game.won
    wide = manual_game("3x3/1 *../.../...")
    wide.play(by_hand((1, 1), "open"))
    wide.play(by_hand((2, 2), "flag"))
    wide.play(by_hand((1, 1), "chord"))
    assert len(wide.turns[-1].moves) == 1  # the mine was opened first


def test_exploded_mines_count_as_marked() -> None:
    played = manual_game("1x3/1 *..", mp.Rules(on_mine="continue", flood=False))
    for cell in ((0, 0), (0, 1)):
        played.play(by_hand(cell, "open"))
    played.play(by_hand((0, 1), "chord"))
    assert played.game.over


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ((0, 0), "shows no clue"),
        ((0, 1), "shows 1, but 0 neighbours are marked"),
        ((0, 3), "no neighbours left to open"),
        ((5, 5), "outside"),
    ],
)
def test_an_impossible_chord_is_refused(cell: tuple[int, int], words: str) -> None:
    played = manual_game("1x6/1 *.....")
    for column in (1, 2, 3, 4):
        played.play(by_hand((0, column), "open"))
    with pytest.raises((mp.IllegalMove, mp.InvalidInput), match=words):
        played.play(by_hand(cell, "chord"))


@given(
    st.integers(0, 1000),
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from(get_args(Act))), max_size=25
    ),
)
def test_the_turns_describe_the_whole_game(seed: int, wishes: list[tuple[int, int, str]]) -> None:
    """Replaying them gives the same events, and the views follow from the events."""

    def begin() -> ManualGame:
        rules = mp.Rules(on_mine="continue", opening="any")
        return ManualGame(mp.Game.deal(5, 5, 5, rules=rules, seed=seed))

    played, views = begin(), []
    views.append(played.game.view)
    for row, col, action in wishes:
        before = played.game.view
        try:
            played.play(by_hand((row, col), action))  # type: ignore[arg-type]
            views.append(played.game.view)
        except mp.IllegalMove:
            assert played.game.view == before
    again = begin()
    for turn in played.turns:
        again.play(turn)
    assert again.turns == played.turns
    assert [played.view_at(number) for number in range(len(views))] == views
    if played.game.over:
        assert played.record("you", 0.0).view == played.game.view
    else:
        with pytest.raises(mp.IllegalMove):
            played.record("you", 0.0)
