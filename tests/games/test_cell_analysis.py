"""The value of opening a hidden cell equals full enumeration on small boards."""

from __future__ import annotations

import json
from random import Random

import pytest

import mineproof as mp
from mineproof.agents import get
from mineproof.agents.champion import Champion
from mineproof.games.analysis import opinion
from mineproof.games.cell_analysis import analyse_cell
from mineproof.world.view import COVERED, HIDDEN
from tests.best_play import best_win, cost_by, fitting, least_cost, win_by

compiled = pytest.mark.skipif(mp.engine != "native", reason="win probabilities are compiled")
VIEW = mp.View.from_text("4x4/4 01?1/12?1/??32/????")
TO_WIN = mp.Rules(opening="any")
FOR_SCORE = mp.Rules(on_mine="continue", opening="any")


def positions(number: int, rows: int, cols: int, mines: int, rules: mp.Rules) -> list[mp.View]:
    """Some positions of games on small boards."""
    found = []
    for seed in range(number):
        board = mp.Board.random(rows, cols, mines, seed=seed)
        game, order = mp.Game(board, rules), Random(seed)
        for _ in range(1 + seed % 3):
            safe = [one for one in game.view.cells(HIDDEN) if not board.is_mine(one)]
            if safe and not game.over:
                game.open(order.choice(safe))
        if not game.over:
            found.append(game.view)
    return found


@compiled
def test_the_win_probability_of_every_cell_equals_enumeration() -> None:
    views = [VIEW, *positions(8, 3, 3, 3, TO_WIN), *positions(4, 2, 4, 3, TO_WIN)]
    assert len(views) > 8
    for view in views:
        boards = fitting(view)
        top = float(best_win(view, boards))
        for cell in view.cells(*COVERED):
            found = analyse_cell(view, cell, rules=TO_WIN)
            assert found.win is not None
            assert found.win == (pytest.approx(float(win_by(view, boards, cell))), 0), view
            assert found.best is not None
            assert found.best.win is not None
            assert found.best.win.chance == pytest.approx(top)
            assert found.risk == pytest.approx(sum(b.is_mine(cell) for b in boards) / len(boards))


@compiled
def test_the_expected_score_of_every_cell_equals_enumeration() -> None:
    views = [VIEW, *positions(5, 2, 4, 3, FOR_SCORE)]
    for view in views:
        boards, mines = fitting(view), view.mines or 0
        top = 1 - float(least_cost(view, boards)) / mines
        for cell in view.cells(*COVERED):
            found = analyse_cell(view, cell, rules=FOR_SCORE)
            assert found.win is None
            assert found.score is not None
            expected = 1 - float(cost_by(view, boards, cell)) / mines
            assert found.score == (pytest.approx(expected), 0), (view, cell)
            assert found.best is not None
            assert found.best.score is not None
            assert found.best.score.mean == pytest.approx(top)


@compiled
def test_an_exploded_mine_counts_in_the_score() -> None:
    view = mp.View.from_text("2x4/3 1*??/????")
    boards = fitting(view)
    for cell in view.cells(*COVERED):
        found = analyse_cell(view, cell, rules=FOR_SCORE).score
        assert found is not None
        assert found.mean == pytest.approx((2 - float(cost_by(view, boards, cell))) / 3)


@compiled
@pytest.mark.parametrize("deal", [mp.Deal(9, 9, 10), mp.Deal(16, 16, 40)])
def test_the_best_cell_has_the_champions_value(deal: mp.Deal) -> None:
    """Whether estimated or exact, both report the same number."""
    found = []
    for seed in range(30):
        view = first_guess(deal, seed)
        judged = None if view is None else opinion(get("champion"), view, rules=TO_WIN, games=600)
        if view is None or judged is None or judged.chance is None:
            continue
        one = analyse_cell(view, judged.move.cell, rules=TO_WIN, games=600)
        assert one.win == judged.chance
        assert one.best is not None
        assert (one.best.cell, one.best.win) == (judged.move.cell, judged.chance)
        found.append(one)
    assert len(found) >= 5


def first_guess(deal: mp.Deal, seed: int) -> mp.View | None:
    """The view before the first guess of a game."""
    game = mp.Game(deal, mp.Rules(opening="clear"), seed=seed)
    player = get("exact").begin(game.view, rules=game.rules)
    while not game.over:
        move = player.decide()
        if not move.certain and game.view.cells(0):
            return game.view
        player.observe(list(game.play(move.cell, move.action)))
    return None


@compiled
def test_estimates_agree_with_exact_values() -> None:
    """With a budget too small for perfect play, estimates are at most slightly too low."""
    few = Champion(Champion().budget._replace(arrangements=1))
    for view in positions(8, 5, 5, 5, TO_WIN):
        for cell in view.cells(HIDDEN)[:4]:
            exact, estimate = Champion().win_chance(view, TO_WIN, first=cell), None
            estimate = few.win_chance(view, TO_WIN, games=2000, first=cell)
            assert exact is not None
            assert estimate is not None
            if exact[1] == 0:
                # Playouts are not perfect play: they win at most as often, and only a little less.
                assert estimate[0] <= exact[0] + 4 * estimate[1] + 1e-9
                assert estimate[0] >= exact[0] - 0.1


@compiled
def test_an_estimated_score_is_close_to_the_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    view = positions(3, 3, 4, 4, FOR_SCORE)[2]
    cells = view.cells(HIDDEN)[:3]
    exact = [analyse_cell(view, cell, rules=FOR_SCORE).score for cell in cells]
    monkeypatch.setattr(Champion, "score_cost", lambda *_, **__: None)
    for cell, known in zip(cells, exact, strict=True):
        found = analyse_cell(view, cell, rules=FOR_SCORE, games=400).score
        assert found is not None
        assert known is not None
        assert known.error == 0 < found.error
        assert abs(found.mean - known.mean) < 5 * found.error + 0.02


@compiled
def test_a_safe_cell_equals_the_best_and_a_certain_mine_loses() -> None:
    view = mp.View.from_text("3x4/2 01??/01??/01??")
    odds = mp.posterior(view)
    for safe in odds.safe:
        found = analyse_cell(view, safe)
        assert found.certain
        assert found.best is not None
        assert found.worth == found.best.worth
    for mine in odds.mined:
        found = analyse_cell(view, mine)
        assert (found.certain, found.risk, found.shown) == (True, 1.0, {})
        assert found.win == (0, 0)
        assert "certainly a mine" in str(found)


@compiled
def test_the_opening_rule_applies_to_the_first_cell() -> None:
    view = mp.View.hidden(3, 3, 2)
    for opening, risk in (("any", 2 / 9), ("safe", 0.0), ("clear", 0.0)):
        rules = mp.Rules(opening=opening)  # type: ignore[arg-type]
        found = analyse_cell(view, (0, 0), rules=rules)
        assert found.risk == pytest.approx(risk)
        assert found.best is not None
        assert found.best.win is not None
        assert found.best.win.chance == pytest.approx(
            float(mp.solve(3, 3, 2, opening=opening).chance)
        )
        if opening == "clear":
            assert found.shown == {0: pytest.approx(1.0)}
    assert analyse_cell(view, (0, 0)).risk == pytest.approx(2 / 9), (
        "without rules, the first cell is not promised to be safe"
    )


def test_possible_clues_have_the_probabilities_of_value_odds() -> None:
    for clues in (mp.clues.Exact(), mp.clues.Sometimes(0.5), mp.clues.Optimistic()):
        view = mp.View.from_text("3x5/3 ?????/?12??/?????")
        found, odds = analyse_cell(view, (0, 4), clues), mp.value_odds(view, (0, 4), clues)
        assert (found.risk, found.shown) == (odds.risk, odds.shown)
        assert sum(found.shown.values()) + found.risk == pytest.approx(1)


@pytest.mark.parametrize(
    ("view", "more", "why"),
    [
        ("2x3/2 ???/12?", {"clues": mp.clues.Optimistic()}, "the clues are uncertain"),
        ("2x3 ???/12?", {}, "the mine count is unknown"),
        ("2x3/2 F??/12?", {"trust_flags": True}, "flags are treated as mines"),
    ],
)
def test_an_unavailable_value_is_left_out_with_the_reason(
    view: str, more: dict[str, object], why: str
) -> None:
    if mp.engine != "native":
        why = "it needs the compiled engine"
    for on_mine in ("end", "continue"):
        seen = mp.View.from_text(view)
        rules = mp.Rules(on_mine=on_mine, opening="any", count_known=seen.mines is not None)  # type: ignore[arg-type]
        found = analyse_cell(seen, (0, 1), rules=rules, **more)  # type: ignore[arg-type]
        assert found.worth == (None, None)
        assert found.missing == why
        assert f"not available: {why}" in str(found)
        assert found.to_json()["missing"] == why
        json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ((0, 0), r"\(0,0\) in .* is already open: choose a hidden cell"),
        ((0, 1), r"\(0,1\) in .* is flagged and cannot be opened: remove the flag first"),
        ((1, 0), r"\(1,0\) in .* is an exploded mine: choose a hidden cell"),
        ((5, 5), r"\(5,5\) is not on the board|outside"),
    ],
)
def test_a_cell_that_is_not_hidden_is_refused(cell: mp.Cell, words: str) -> None:
    with pytest.raises(mp.InvalidInput, match=words):
        analyse_cell(mp.View.from_text("2x3/3 2F?/*??"), cell)
