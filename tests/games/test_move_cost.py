"""The cost of guesses, speed and luck in a review equal direct calculations."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mineproof as mp
from mineproof.games.analysis import WinProbability
from mineproof.games.move_cost import cost, move_value
from mineproof.games.review import champions_luck, course, luck_of, review
from mineproof.games.speed import solved_bbbv, speed_of
from mineproof.world.view import COVERED
from tests.best_play import best_win, fitting, opened, win_by

compiled = pytest.mark.skipif(mp.engine != "native", reason="win probabilities are compiled")
VIEW = mp.View.from_text("4x4/4 01?1/12?1/??32/????")


@compiled
def test_the_value_of_a_cell_equals_enumeration() -> None:
    boards = fitting(VIEW)
    assert len(boards) == 5
    for cell in VIEW.cells(*COVERED):
        found = move_value(VIEW, cell, mp.Rules())
        assert found is not None
        assert abs(found.chance - float(win_by(VIEW, boards, cell))) <= 4 * found.error + 1e-9, cell
        assert found.error < 0.01


@compiled
def test_a_guess_costs_the_win_probability_it_loses_to_the_best_one() -> None:
    boards = fitting(VIEW)
    top = best_win(VIEW, boards)
    costs = {}
    for cell in VIEW.cells(*COVERED):
        found = cost(VIEW, cell, WinProbability(float(top), 0.0), mp.Rules(), certain=False)
        assert found is not None
        costs[cell] = found
        expected = float(top - win_by(VIEW, boards, cell))
        assert abs(found.chance - expected) <= 4 * found.error + 1e-9, cell
    assert any(one == (0.0, 0.0) for one in costs.values())  # the champion's own choice
    assert max(one.chance for one in costs.values()) > 0.3


@compiled
def test_a_risk_instead_of_a_safe_cell_costs_all_it_loses() -> None:
    view = mp.View.from_text("2x4/2 1???/12??")
    odds = mp.posterior(view)
    assert odds.safe
    cell = next(cell for cell in view.cells(*COVERED) if 0 < odds.risk[cell] < 1)
    chance = WinProbability(float(best_win(view, fitting(view))), 0.0)
    found = cost(view, cell, chance, mp.Rules(), certain=True)
    assert found is not None
    assert found.chance == pytest.approx(chance.chance - float(win_by(view, fitting(view), cell)))


@compiled
def test_the_oracle_opens_cells_like_the_referee() -> None:
    for seed in range(30):
        board = mp.Board.random(5, 6, 5, seed=seed)
        game = mp.Game(board)
        for index in range(seed % 7, 30, 7):
            cell = board.grid.cell(index)
            if game.over or game.view.state(cell) not in COVERED or board.is_mine(cell):
                continue
            before = game.view
            game.open(cell)
            assert opened(before, board, cell).states == game.view.states


def test_solved_3bv_never_decreases_and_ends_at_the_boards_3bv() -> None:
    for seed in range(40):
        board = mp.Board.random(6, 7, 6, seed=seed)
        game, least = mp.Game(board), 0
        for index in range(board.grid.size):
            cell = board.grid.cell(index)
            if board.is_mine(cell) or game.over:
                continue
            now = solved_bbbv(board, game.view)
            assert least <= now <= board.figures.bbbv
            least = now
            if game.view.state(cell) in COVERED:
                game.open(cell)
        assert solved_bbbv(board, game.view) == board.figures.bbbv


def test_speed_needs_times() -> None:
    record = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="safe"), seed=2)
    pace = speed_of(record)
    assert (pace.seconds, pace.bbbv_per_second) == (None, None)
    assert pace.clicks == sum(move.action == "open" for move in record.moves)
    turns = tuple(turn._replace(seconds=n / 2) for n, turn in enumerate(record.turns))
    pace = speed_of(replace(record, turns=turns, clicks=50))
    assert pace.bbbv_per_second == pytest.approx(pace.solved / (len(record.moves) - 1) * 2)
    assert pace.efficiency == pytest.approx(pace.solved / 50)


@compiled
def test_the_win_curve_of_a_game_ends_with_its_outcome() -> None:
    for seed in range(6):
        record = mp.play(mp.Deal(6, 6, 8), "baseline", rules=mp.Rules(opening="safe"), seed=seed)
        judged = list(review(record))
        shown = list(course(judged))
        places = [at for at, _, _ in shown]
        assert places == sorted(places)
        risky = [one for one in judged if one.risk and one.move.action == "open"]
        assert sum(guess for _, _, guess in shown) == len(risky)
        assert all(one.cost is not None for one in risky)
        if not record.won:
            assert shown[-1][1] == (0.0, 0.0)


@compiled
def test_the_champions_luck_comes_from_its_own_game() -> None:
    record = mp.play(mp.Deal(9, 9, 10), "random", rules=mp.Rules(opening="safe"), seed=5)
    found = champions_luck(record)
    assert found is not None
    won, luck = found
    own = mp.play(
        record.board, "champion:budget=fast", rules=record.rules, start=record.moves[0].cell, seed=5
    )
    assert (own.won, luck_of(review(own, win=False))) == (won, luck)
    assert luck.needless == 0
    score = mp.play(mp.Deal(4, 4, 3), "exact", rules=mp.Rules(on_mine="continue"), seed=1)
    assert champions_luck(score) is None
