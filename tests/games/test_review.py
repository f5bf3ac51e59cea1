"""A review's risks are those of the posterior, and luck is what they come to."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.games.review import luck_of, review


@pytest.mark.parametrize("agent", ["random", "baseline", "exact"])
@pytest.mark.parametrize("clues", ["exact", "optimistic"])
def test_risks_are_exact_odds_at_that_moment(agent: str, clues: str) -> None:
    model = mp.clues.parse(clues)
    rules = mp.Rules(opening="safe", on_mine="continue")
    record = mp.play(mp.Deal(5, 5, 5), agent, rules=rules, clues=model, seed=4)
    game = record.begin()
    for judged, move in zip(review(record, win=False), record.moves, strict=True):
        if move.action in {"open", "flag"} and game.view.states.count(9) < 25:
            odds = mp.posterior(game.view, model)
            mine = float(odds.risk[move.cell])
            assert judged.risk == pytest.approx(mine if move.action == "open" else 1 - mine)
            assert judged.least == pytest.approx(float(min(odds.risk[odds.risk >= 0])))
            if judged.risk and move.action == "open":
                assert judged.missed == tuple(odds.safe)
        game.play(move.cell, move.action)


def test_the_promised_first_cell_is_no_risk() -> None:
    record = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="safe"), seed=2)
    assert next(review(record)).risk == 0
    record = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="any"), seed=3)
    assert next(review(record)).risk == pytest.approx(10 / 81)


def test_luck_averages_to_nothing() -> None:
    """Hits are what the risks say, over many games: the calibration of a review."""
    rules = mp.Rules(opening="any", on_mine="continue")
    each = []
    for seed in range(150):
        record = mp.play(mp.Deal(4, 4, 4), "random", rules=rules, seed=seed)
        each.append(luck_of(review(record, win=False)))
    expected = sum(one.expected_hits for one in each)
    hits = sum(one.hits for one in each)
    assert hits > 100
    assert abs(expected - hits) < 4 * expected**0.5
    assert all(0 <= one.survival <= 1 and one.excess >= 0 for one in each)
    assert all(one.luck == one.expected_hits - one.hits for one in each)


def test_the_chance_to_win_is_told_before_risky_openings() -> None:
    if mp.engine != "native":
        pytest.skip("chances to win are compiled")
    record = mp.play(mp.Deal(6, 6, 8), "random", rules=mp.Rules(opening="safe"), seed=1)
    judged = [one for one in review(record) if one.risk and one.move.action == "open"]
    assert judged
    assert all(one.win is not None and 0 <= one.win.chance <= 1 for one in judged)
    assert all(one.win is None for one in review(record, win=False))
