"""Runs several reasoners to a fixpoint: in which order they run, and what the count adds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.agents.recipes import EXACT, ROWS, ROWS_WITH_COUNT, SUBSETS, AdvancedRule
from mineproof.reasoning.closure import Reasoner, UntilAllAreFound, close
from mineproof.reasoning.deductions import Deduction
from mineproof.reasoning.equations import System
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.local import local
from mineproof.world.clues import Exact, Sometimes
from mineproof.world.geometry import Grid
from mineproof.world.view import EXPLODED, FLAGGED, HIDDEN, NO_CLUE
from tests.strategies import corners, middles


def finding(name: str, asked: list[str], *cells: int | None) -> Reasoner:
    """A reasoner that finds one of these cells per call (None: nothing), and then nothing more."""
    left = iter(cells)

    def reasoner(_: System) -> Iterator[Deduction]:
        asked.append(name)
        cell = next(left, None)
        if cell is not None:
            yield Deduction((0, cell), False, name)

    return reasoner


def test_the_first_reasoner_runs_again_whenever_a_later_one_finds_something() -> None:
    system = System(Grid(1, 8), bytearray([HIDDEN]) * 8)
    asked: list[str] = []
    one = finding("one", asked, None, 1)
    two = finding("two", asked, 0)
    three = finding("three", asked, 2, 2)
    assert [(d.cell[1], d.rule) for d in close(system, (one, two, three))] == [
        (0, "two"),
        (1, "one"),
        (2, "three"),
    ]
    assert asked == ["one", "two", "one", "one", "two", "three", "one", "two", "three"]


KEPT = [SUBSETS, ROWS, ROWS_WITH_COUNT, EXACT]
exact = st.just(Exact())


@pytest.mark.parametrize("beyond", KEPT, ids=lambda beyond: beyond.name)
@settings(max_examples=30)
@given(game=corners(exact) | middles(exact))
def test_incremental_reasoning_equals_starting_from_scratch(
    beyond: AdvancedRule, game: mp.Game
) -> None:
    """Opens one cell after another and reasons in between; no cached result becomes stale."""
    knowledge, kept = Knowledge(game.view, game.rules), beyond.make()
    for _ in range(4):
        for _ in close(knowledge, (local,)):
            pass
        fresh = beyond.make()(knowledge_of(game))
        found = kept(knowledge)
        assert {i: d.mine for i, d in found.items() if knowledge.is_open(i)} == {
            i: d.mine for i, d in fresh.items() if knowledge.is_open(i)
        }
        hidden = game.view.cells(HIDDEN)
        if game.over or not hidden:
            break
        knowledge.observe(game.open(hidden[len(hidden) // 2]))


def knowledge_of(game: mp.Game) -> Knowledge:
    knowledge = Knowledge(game.view, game.rules)
    for _ in close(knowledge, (local,)):
        pass
    return knowledge


def test_every_informative_event_changes_the_version() -> None:
    """Opened cells, a repeated clue query, and deductions, right or wrong, each get a new one."""
    knowledge = Knowledge(mp.View.from_text("2x4 ????/????"), clues=Sometimes(0.5))
    versions = [knowledge.version]
    for event in (mp.Event((0, 1), 2), mp.Event((1, 3), NO_CLUE), mp.Event((1, 3), 1)):
        knowledge.observe([event])
        versions.append(knowledge.version)
    knowledge.deduce(Deduction((0, 0), True, "test"))
    versions.append(knowledge.version)
    knowledge.deduce(Deduction((1, 0), False, "wrong"))
    versions.append(knowledge.version)
    knowledge.observe([mp.Event((1, 0), EXPLODED)])
    versions.append(knowledge.version)
    assert versions == sorted(set(versions))
    knowledge.observe([mp.Event((0, 2), FLAGGED)])
    assert knowledge.version == versions[-1], "a flag is no information"


def test_once_all_mines_are_found_the_rest_is_safe() -> None:
    knowledge = Knowledge(mp.View.from_text("1x6/2 *?????"))
    mine, safe = Deduction((0, 2), True, "inner"), Deduction((0, 4), False, "inner")
    found = UntilAllAreFound(lambda _: {2: mine, 4: safe})(knowledge)
    assert (found.pop(2), found.pop(4)) == (mine, safe)
    assert sorted(found) == [1, 3, 5]
    for index, one in found.items():
        assert one.cell == (0, index)
        assert (one.mine, one.rule, one.count_used) == (False, "count", True)
        assert one.why == "all 2 mines are known, so every other cell is safe"
    assert UntilAllAreFound(lambda _: {4: safe})(knowledge) == {4: safe}, (
        "one mine is still unknown"
    )
    hidden_ones = Knowledge(mp.View.from_text("1x6 *?????"))
    assert UntilAllAreFound(lambda _: {2: mine})(hidden_ones) == {2: mine}


def test_once_the_last_mine_is_known_no_reasoner_runs() -> None:
    def never(_: Knowledge) -> dict[int, Deduction]:
        raise AssertionError("asked for no use")

    found = UntilAllAreFound(never)(Knowledge(mp.View.from_text("1x6/1 *?????")))
    assert sorted(found) == [1, 2, 3, 4, 5]
