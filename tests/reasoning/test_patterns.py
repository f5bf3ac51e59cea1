"""Patterns that players know are found by name, and their deductions are true."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.reasoning.closure import close
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import local
from mineproof.reasoning.one_two import one_two
from mineproof.reasoning.patterns import NAMES, find, reduced, words

from .test_one_two import all_ways


def patterns(text: str) -> dict[str, dict[mp.Cell, bool]]:
    """What the patterns of a position deduce, grouped by pattern name."""
    view = mp.View.from_text(text)
    found: dict[str, dict[mp.Cell, bool]] = {}
    for one in find(view.grid, reduced(Knowledge(view))):
        found.setdefault(one.name, {}).update({view.grid.cell(i): m for i, m in one.settled})
    return found


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("corner", ["M--", "-1-", "---"]),
        ("1-1", ["??S", "11-", "---"]),
        ("1-2", ["???M", "-12-", "----"]),
        ("1-2-1", ["?MSM?", "-121-", "-----"]),
        ("1-2-2-1", ["SSMMSS", "-1221-", "------"]),
        ("hole", ["SSS", "?1?", "-1-", "---"]),
    ],
)
def test_it_is_found_in_all_directions(name: str, picture: list[str]) -> None:
    for way in all_ways(picture):
        wanted = {
            (r, c): mark == "M"
            for r, row in enumerate(way)
            for c, mark in enumerate(row)
            if mark in "MS"
        }
        text = "\n".join(way).replace("M", "?").replace("S", "?")
        settled = patterns(text)[name]
        assert {cell: settled.get(cell) for cell in wanted} == wanted


def test_two_ones_of_report_004_and_the_pattern_of_report_003() -> None:
    from mineproof.formats.examples import position_text

    assert patterns(position_text("report004-two-ones")) == {
        "hole": {(0, 4): False, (1, 4): False, (2, 4): False}
    }, "the second 1 touches hidden cells on both sides"
    assert patterns(position_text("report003-5x5"))["1-2"] == {(3, 2): True, (0, 2): False}


def test_known_mines_are_subtracted_from_clues() -> None:
    """Next to an exploded mine, a 2 reads as a 1, and a 3 as a 2."""
    assert patterns("3x4 ????/-23-/-*--")["1-2"] == {(0, 3): True, (0, 0): False}


def test_deductions_by_patterns_are_true() -> None:
    rules = mp.Rules(on_mine="continue")
    seen = dict.fromkeys(NAMES, 0)
    for seed in range(12):
        game = mp.Game(mp.Board.random(12, 12, 28, seed=seed), rules)
        board = mp.Board.random(12, 12, 28, seed=seed)
        player = mp.agents.get("baseline").begin(game.view, rules=rules)
        while not game.over:
            move = player.decide()
            player.observe(game.play(move.cell, move.action))
            for one in find(board.grid, reduced(player.knowledge)):
                seen[one.name] += 1
                assert all(board.mined[index] == mine for index, mine in one.settled), one
    assert all(seen.values()), seen


def test_sentences_show_the_clues_as_on_the_board() -> None:
    knowledge = Knowledge(mp.View.from_text("3x4 ????/-23-/-*--"))
    for _ in close(knowledge, (local,)):
        pass
    (found,) = {d.why for d in one_two(knowledge)}
    assert found.startswith(
        "the 2 at (1,1), reduced to 1, and the 3 at (1,2), reduced to 2, share "
    )


def test_a_pattern_in_words() -> None:
    view = mp.View.from_text("3x4 ????/-23-/-*--")
    left = reduced(Knowledge(view))
    shown = [words(view, left, one) for one in find(view.grid, left)]
    assert shown == [
        "1-2 (the 2 at (1,1) reduced to 1, the 3 at (1,2) reduced to 2): "
        "(0,3) is a mine, (0,0) is safe"
    ]
