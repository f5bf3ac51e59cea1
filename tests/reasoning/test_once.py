"""Report 003's agents: a cell queued to be opened counts as hidden; corners come second."""

from __future__ import annotations

from statistics import fmean

import pytest

import mineproof as mp
from mineproof.reasoning.closure import close
from mineproof.reasoning.knowledge import Knowledge
from mineproof.reasoning.once import once
from mineproof.world.view import Event

AS_IN_THE_REPORT = mp.Rules(on_mine="continue", opening="any", count_known=False)
"""Report 003's games."""


def shown(knowledge: Knowledge, *events: Event) -> list[tuple[tuple[int, int], bool]]:
    """Everything deduced while these events arrive one by one."""
    found = []
    for event in events:
        knowledge.observe([event])
        found += [(one.cell, one.mine) for one in close(knowledge, [once])]
    return found


def test_a_queued_cell_counts_as_hidden() -> None:
    """The 1 is looked at once, while (1,0) and (1,1) are only queued: its mine stays unknown."""
    knowledge = Knowledge(mp.View.from_text("2x3 ???/???"))
    assert shown(knowledge, Event((0, 0), 0), Event((0, 1), 1)) == [
        ((0, 1), False),
        ((1, 0), False),
        ((1, 1), False),
    ]
    assert not shown(knowledge, Event((1, 0), 0), Event((0, 2), 1))
    assert knowledge.is_open(5)


def test_without_queued_cells_the_mine_is_deduced() -> None:
    knowledge = Knowledge(mp.View.from_text("2x3 ???/???"))
    events = [Event((0, 0), 0), Event((1, 0), 0), Event((1, 1), 1), Event((0, 1), 1)]
    assert ((1, 2), True) not in shown(knowledge, *events)
    assert shown(knowledge, Event((0, 2), 1)) == [((1, 2), True)]


@pytest.mark.parametrize("seed", range(5))
def test_the_first_pick_is_random_then_corners(seed: int) -> None:
    view = mp.View.from_text("5x5 " + "/".join(["?????"] * 5))
    plain, cornered = (mp.agents.get(name) for name in ("one-two", "one-two-corners"))
    first = cornered.decide(view, rules=AS_IN_THE_REPORT, seed=seed)
    assert first.cell == plain.decide(view, rules=AS_IN_THE_REPORT, seed=seed).cell
    begun = mp.View.from_text("5x5 ?????/?????/??3??/?????/?????")
    then = cornered.decide(begun, rules=AS_IN_THE_REPORT, seed=seed)
    assert then.cell in [(0, 0), (0, 4), (4, 0), (4, 4)]


@pytest.mark.parametrize(
    ("agent", "published"),
    [("simple", 0.2437), ("one-two:raw=true", 0.2517), ("one-two-corners:raw=true", 0.2792)],
)
def test_the_published_rates_are_reproduced(agent: str, published: float) -> None:
    """The mean share of mines flagged correctly, on boards with 1 to 100 mines.

    If queued cells counted as safe, it would be 0.30 to 0.33. The standard error over
    500 games is 0.007.
    """
    games = [
        mp.play(mp.Deal(10, 10, mines), agent, rules=AS_IN_THE_REPORT, seed=seed)
        for mines in range(1, 101)
        for seed in range(5)
    ]
    assert fmean(game.right / game.board.mine_count for game in games) == pytest.approx(
        published, abs=0.025
    )
