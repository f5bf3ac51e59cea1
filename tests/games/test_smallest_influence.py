"""Chains from smallest proofs: the premises of a cell prove it, and each of them is needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.cli import main
from mineproof.messages.files import InfluenceEntry
from mineproof.reasoning.influence import Influence
from mineproof.reasoning.influence_text import phrases_of
from mineproof.reasoning.smallest_premises import SmallestPremiseFinder
from mineproof.world.view import EXPLODED, HIDDEN, KNOWN_SAFE
from tests.oracle import judge
from tests.strategies import CLUE_MODELS, seeds


def a_game(agent: str, seed: int) -> mp.Record:
    rules = mp.Rules(on_mine="continue", opening="safe")
    return mp.play(mp.Deal(3, 4, 3), agent, rules=rules, start=(0, 0), seed=seed)


def certain(
    influence: Influence, node: InfluenceEntry, without: mp.Cell | None, mines: int | None
) -> bool:
    """Check by enumeration whether the premises of a cell, except `without`, prove it."""
    grid, states = influence.view.grid, bytearray([HIDDEN]) * influence.view.grid.size
    for place, cell in enumerate(node.parents):
        if cell == without:
            continue
        state = influence.view.state(cell)
        known = state if place < node.clues or state == EXPLODED else KNOWN_SAFE
        states[grid.index(cell)] = known
    view = mp.View(grid, bytes(states), mines if node.count_used else None)
    found = judge(view)
    return grid.index(node.cell) in (found.mined if node.kind == "mine" else found.safe)


@settings(max_examples=12)
@given(seeds, st.sampled_from(["baseline", "exact", "csp-count"]))
def test_premises_prove_their_cell_and_all_are_needed(seed: int, agent: str) -> None:
    record = a_game(agent, seed)
    graph = record.smallest_influence
    for node in graph.nodes:
        if node.kind in {"safe", "mine"}:
            assert certain(graph, node, None, record.board.mine_count), node
            for parent in node.parents:
                assert not certain(graph, node, parent, record.board.mine_count), (node, parent)


@given(seeds, st.sampled_from(CLUE_MODELS))
@settings(max_examples=15)
def test_games_under_all_clue_models_have_a_graph(seed: int, clues: Any) -> None:
    rules = mp.Rules(on_mine="continue", opening="clear")
    record = mp.play(mp.Deal(6, 6, 6), "exact", rules=rules, clues=clues, seed=seed)
    graph = record.smallest_influence
    assert {node.cell for node in graph.nodes} == {node.cell for node in record.influence.nodes}


@pytest.mark.parametrize("agent", ["baseline", "csp", "exact"])
def test_chains_are_no_longer_and_mostly_shorter(agent: str) -> None:
    pairs = []
    for seed in range(8):
        record = mp.play(
            mp.Deal(9, 9, 14), agent, rules=mp.Rules(opening="safe", on_mine="continue"), seed=seed
        )
        pairs.append((len(record.smallest_influence.longest), len(record.influence.longest)))
    assert sum(short for short, _ in pairs) < 0.9 * sum(long for _, long in pairs)


def test_a_proof_by_the_count_names_only_the_clues_it_uses() -> None:
    """An enclosed corner that only the count proves safe needs no distant cells."""
    view = mp.View.from_text("2x6/1 ?1000?/?10000")
    assert SmallestPremiseFinder(view).premises((0, 5), mine=False) is not None
    found = SmallestPremiseFinder(view).premises((0, 5), mine=False)
    assert found is not None
    assert found.clues == ((0, 4),)
    counted = mp.View.from_text("2x6/1 ?100??/?100??")
    by_count = SmallestPremiseFinder(counted).premises((0, 5), mine=False)
    assert by_count is not None
    assert by_count.count_used
    assert len(by_count.clues) == 1
    assert by_count.known == ()


def test_an_uncertain_cell_has_no_premises() -> None:
    view = mp.View.from_text("2x3/1 ???/1??")
    assert SmallestPremiseFinder(view).premises((0, 2), mine=True) is None


def test_a_cell_is_shown_step_by_step() -> None:
    graph = mp.play(
        mp.Deal(9, 9, 10), "csp", rules=mp.Rules(opening="safe"), seed=3
    ).smallest_influence
    lines = [*map(str, phrases_of(graph, (8, 8)))]
    assert lines[0] == "(8,8) rests on 56 cells; the longest chain to it has 14 cells:"
    assert lines[1:4] == [
        "1. (0,0) is opened by choice; it shows 0.",
        "2-5. Zeros open (0,1), (0,2), (0,3) and (1,4).",
        "6. (2,5) is safe because of the 1 at (1,2) and the 1 at (1,4), given 5 known cells; "
        "it shows 0.",
    ]
    assert graph.chain_to((8, 8))[-1] == (8, 8)
    assert len(graph.chain_to((8, 8))) == graph.depth((8, 8)) + 1
    with pytest.raises(mp.InvalidInput, match="did not become known"):
        graph.chain_to((9, 9))


def test_the_command_shows_and_draws_one_cell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, drawn = tmp_path / "game.json", tmp_path / "cell.svg"
    assert main(["play", "--level", "beginner", "--agent", "csp", "--seed", "3", "--json"]) == 0
    game.write_text(capsys.readouterr().out)
    asked = ["influence", str(game), "--smallest", "--cell", "8,8"]
    assert main([*asked, "--svg", str(drawn)]) == 0
    words = capsys.readouterr().out.splitlines()
    assert main([*asked, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["words"] == words
    assert (shown["cell"], shown["depth"], len(shown["chain"])) == ([8, 8], 13, 14)
    assert len(shown["ancestors"]) == 56
    ElementTree.fromstring(drawn.read_text())
    assert main(["influence", str(game), "--smallest"]) == 0
    assert "longest chain: 14 cells" in capsys.readouterr().out
