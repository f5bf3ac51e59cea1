"""Compares all reasoners: none deduces anything wrong, and the last one deduces everything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

import mineproof as mp
from mineproof.cli import main
from mineproof.reasoning import reasoner_comparison
from mineproof.reasoning.reasoner_comparison import LADDER, compare
from mineproof.world.view import HIDDEN, KNOWN_SAFE
from tests.strategies import clue_models, middles


@settings(max_examples=60)
@given(middles(clue_models))
def test_each_deduces_a_subset_of_the_certain_cells(game: mp.Game) -> None:
    view = game.view
    odds = mp.posterior(view, game.clues)
    shown = set(view.cells(KNOWN_SAFE))
    safe, mined = set(odds.safe) - shown, set(odds.mined)
    rungs = compare(view, game.clues)
    seen = set()
    for rung in rungs:
        assert {cell for cell, one in rung.settled.items() if one.mine} <= mined
        assert {cell for cell, one in rung.settled.items() if not one.mine} <= safe
        assert set(rung.first) == set(rung.settled) - seen
        assert set(rung.missed) == (safe | mined) - set(rung.settled)
        seen |= set(rung.settled)
    assert rungs[-1].name == "exact"
    assert set(rungs[-1].settled) == safe | mined


def test_local_rules_miss_what_takes_two_clues(engine: str) -> None:
    view = mp.View.from_text("3x5 ?????/12121/ss0ss")
    by_name = {rung.name: rung for rung in compare(view)}
    assert set(by_name) == {reasoning.name for reasoning in LADDER}
    assert (0, 1) in by_name["local"].missed
    assert (0, 1) in (*by_name["pairs"].first, *by_name["one_two"].first)


def test_the_command_shows_all_reasoners(capsys: pytest.CaptureFixture[str]) -> None:
    position = "6x6/6 1??1??/?2?2?1/?2??2?/1?2???/??????/????11"
    assert main(["reasoners", position]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert [line.strip().split("  ")[0] for line in lines[1:9]] == [
        reasoning.name for reasoning in LADDER
    ]
    assert "(5,0) is safe: proved by the mine count and 7 clues" in out
    assert main(["reasoners", position, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [rung["name"] for rung in shown] == [reasoning.name for reasoning in LADDER]
    assert [5, 0] in shown[-1]["first"]
    assert [5, 0] in shown[0]["missed"]


def test_a_contradiction_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reasoners", "2x3/2 ???/141"]) == 2
    assert "is impossible" in capsys.readouterr().err


def test_a_reasoner_that_would_take_too_long_is_skipped_and_that_is_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    board = mp.Board.random(60, 60, 1260, seed=1)
    states = bytearray(board.counts)
    for index, mine in enumerate(board.mined):
        row, col = board.grid.cell(index)
        if mine or (2 * row + col) % 5:
            states[index] = HIDDEN
    view = mp.View(board.grid, bytes(states), board.mine_count)
    by_name = {rung.name: rung for rung in compare(view)}
    cut = by_name.get("linear_programme")
    assert cut is None or (not cut.whole and cut.settled == by_name["local"].settled)
    assert all(rung.whole for name, rung in by_name.items() if name != "linear_programme")
    assert main(["reasoners", view.to_text()]) == 0
    assert ("skipped: too many" in capsys.readouterr().out) == (cut is not None)


def test_work_shared_by_reasoners_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    class Counted(reasoner_comparison.Knowledge):
        def __init__(self, *given: Any) -> None:
            begun.append(given)
            super().__init__(*given)

    monkeypatch.setattr(reasoner_comparison, "Knowledge", Counted)
    compare(mp.View.from_text("3x5/3 ?????/?12??/?????"))
    assert len(begun) == len({reasoning.reasoners for reasoning in LADDER}) < len(LADDER)


def test_connected_clues_are_more_work_than_as_many_separate_cells() -> None:
    board = mp.Board.random(100, 100, 2000, seed=1)
    states = bytearray(board.counts)
    for index, mine in enumerate(board.mined):
        if mine or sum(board.grid.cell(index)) % 2:
            states[index] = HIDDEN
    by_name = {rung.name: rung for rung in compare(mp.View(board.grid, bytes(states), 2000))}
    for name in ("gauss", "gauss with count"):
        assert not by_name[name].whole
        assert by_name[name].settled == by_name["local"].settled
    assert by_name["subset"].whole
