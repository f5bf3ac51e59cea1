"""The orders in which the reports' agents play, as options."""

from __future__ import annotations

import mineproof as mp
from mineproof.agents.recipes import RecipePlayer


def test_fixed_corners_and_edges_come_row_by_row() -> None:
    view = mp.View.from_text("3x4/4 ????/?3??/????")
    agent = mp.agents.get("one-two-corners:fixed=true")
    for seed in range(5):
        assert agent.decide(view, seed=seed).cell == (0, 0)
    opened = mp.View.from_text("3x4/4 2?31/?3??/2??1")
    assert agent.decide(opened).cell == (0, 1)
    in_order = {mp.agents.get("one-two-corners").decide(view, seed=s).cell for s in range(20)}
    assert in_order == {(0, 0), (0, 3), (2, 0), (2, 3)}


def test_a_lazy_baseline_plays_its_queue_before_it_reasons_again() -> None:
    """Only both clues together prove a cell, and the lazy agent has not combined them yet."""
    rules = mp.Rules(on_mine="continue", flood=False, opening="any")
    view = mp.View.from_text("2x5 1????/?????")
    players = [
        mp.agents.get(name).begin(view, rules=rules) for name in ("baseline", "baseline:lazy=true")
    ]
    for player in players:
        assert isinstance(player, RecipePlayer)
        player.observe([mp.Event((0, 3), 0)])
        assert player.decide().certain
        player.observe([mp.Event((0, 2), 1)])
        player.observe([mp.Event((1, 2), 1)])
        player.observe([mp.Event((1, 1), 1)])
        player.decide()
    known = [{d.cell for d in player.knowledge.deductions} for player in players]
    assert known[1] < known[0]


def test_lazy_play_sets_fewer_flags_where_clues_are_too_low() -> None:
    rules = mp.Rules(on_mine="continue", opening="any")
    names = ["baseline:naive=true", "baseline:lazy=true,naive=true"]
    clues = mp.clues.Optimistic(known=True)
    eager, lazy = mp.arena(
        names, mp.Deal(10, 10, density=0.2), games=60, rules=rules, clues=clues, seed=1
    ).agents
    flags = [one.right + one.wrong for one in (eager, lazy)]
    assert flags[1] < flags[0]


def test_with_exact_clues_lazy_play_is_sound_and_ends() -> None:
    rules = mp.Rules(on_mine="continue", opening="any")
    for seed in range(20):
        record = mp.play(mp.Deal(9, 9, 12), "baseline:lazy=true", rules=rules, seed=seed)
        assert record.wrong == 0
        assert record.right + record.exploded == 12
