"""A review takes its risks from the posterior, and luck compares them with the outcomes."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.games.analysis import WinProbability
from mineproof.games.review import JudgedMove, course, luck_of, review
from mineproof.world.move import Move


@pytest.mark.parametrize("agent", ["random", "baseline", "exact"])
@pytest.mark.parametrize("clues", ["exact", "optimistic"])
def test_risks_are_exact_at_each_move(agent: str, clues: str) -> None:
    model = mp.clues.parse(clues)
    rules = mp.Rules(opening="safe", on_mine="continue")
    record = mp.play(mp.Deal(5, 5, 5), agent, rules=rules, clues=model, seed=4)
    for judged, (view, turn) in zip(review(record, win=False), record.positions(), strict=True):
        move = turn.asked
        if move.action in {"open", "flag"} and view.states.count(9) < 25:
            odds = mp.posterior(view, model)
            mine = float(odds.risk[move.cell])
            assert judged.risk == pytest.approx(mine if move.action == "open" else 1 - mine)
            assert judged.least == pytest.approx(float(min(odds.risk[odds.risk >= 0])))
            if judged.risk and move.action == "open":
                assert judged.missed == tuple(odds.safe)


def test_a_first_cell_promised_to_be_safe_has_no_risk() -> None:
    record = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="safe"), seed=2)
    assert next(review(record)).risk == 0
    record = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="any"), seed=3)
    assert next(review(record)).risk == pytest.approx(10 / 81)


def test_luck_averages_to_zero() -> None:
    """Over many games, the number of mines hit matches the risks taken."""
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
    assert {one.verdict for one in each} == {"lucky", "expected", "unlucky", "unnecessary"}


def opening(risk: float, least: float, *, hit: bool = False, **more: object) -> JudgedMove:
    missed = ((0, 1),) if least == 0 and risk else ()
    move = Move((0, 0), "open", None, False, "")
    return JudgedMove(0, move, mp.View.hidden(1, 2, 1), risk, least, missed, hit, True, **more)  # type: ignore[arg-type]


def test_a_mine_hit_at_an_unnecessary_risk_is_not_bad_luck() -> None:
    """69.5 % taken where 15.2 % was available: not lucky, despite all earlier risks."""
    before = [opening(0.2, 0.2) for _ in range(4)]
    luck = luck_of([*before, opening(0.695, 0.152, hit=True)])
    assert luck.luck > 0, "more than one hit was expected"
    assert luck.verdict == "unnecessary"
    assert (luck.unnecessary, luck.unnecessary_hits, luck.needless) == (1, 1, 0)
    missed = luck_of([*before, opening(0.1, 0.0, hit=True)])
    assert (missed.verdict, missed.needless) == ("unnecessary", 1)


@pytest.mark.parametrize(
    ("risks", "hits", "verdict"),
    [
        ([], 0, "none"),
        ([0.1], 0, "expected"),
        ([0.3, 0.4], 0, "lucky"),
        ([0.1], 1, "unlucky"),
        ([0.7], 1, "expected"),
        ([0.2] * 5, 1, "expected"),
        ([0.5] * 6, 1, "lucky"),
        ([0.5] * 6, 5, "unlucky"),
    ],
)
def test_luck_compares_hits_with_the_risks_taken(
    risks: list[float], hits: int, verdict: str
) -> None:
    judged = [opening(risk, risk, hit=at < hits) for at, risk in enumerate(risks)]
    luck = luck_of([opening(0.0, 0.0), *judged])
    assert luck.verdict == verdict
    assert luck.as_good + luck.as_bad >= 1 - 1e-12
    if hits == 0:
        assert luck.as_good == pytest.approx(luck.survival)


def test_a_risk_that_costs_no_win_probability_is_not_unnecessary() -> None:
    assert opening(0.1, 0.04).unnecessary
    assert not opening(0.1, 0.04, cost=WinProbability(0.0, 0.0)).unnecessary
    assert not opening(0.1, 0.04, cost=WinProbability(0.01, 0.02)).unnecessary
    assert opening(0.1, 0.04, cost=WinProbability(0.08, 0.01)).unnecessary
    assert not opening(0.16, 0.125).unnecessary


@pytest.mark.skipif(mp.engine != "native", reason="win probabilities are compiled")
def test_a_game_without_a_guess_has_no_win_curve() -> None:
    """A single estimate, after the first cell, is not a curve."""
    record = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="clear"), seed=1)
    judged = list(review(record))
    assert not any(one.risk for one in judged if one.move.action == "open")
    assert judged[0].after is not None
    assert list(course(judged)) == []


def test_the_win_probability_is_shown_before_risky_openings() -> None:
    if mp.engine != "native":
        pytest.skip("win probabilities are compiled")
    record = mp.play(mp.Deal(6, 6, 8), "random", rules=mp.Rules(opening="safe"), seed=1)
    judged = [one for one in review(record) if one.risk and one.move.action == "open"]
    assert judged
    assert all(one.win is not None and 0 <= one.win.chance <= 1 for one in judged)
    assert all(one.win is None for one in review(record, win=False))
