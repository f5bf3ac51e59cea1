"""The best moves of a position, its win probability and an agent's opinion, as data."""

from __future__ import annotations

import json
import statistics

import pytest

import mineproof as mp
from mineproof._engine import is_native
from mineproof.agents.champion import Champion
from mineproof.agents.recipes import Recipe
from mineproof.games.analysis import (
    WinProbability,
    _without,
    begin_with,
    best_moves,
    odds_json,
    opinion,
    win_chance,
)
from mineproof.world.clues import Optimistic
from mineproof.world.move import Move
from mineproof.world.view import HIDDEN
from tests.calibration import Claim, calibration_p

PROVED = mp.View.from_text("2x3/2 ???/121")
OPEN = mp.View.from_text("1x4/1 ??1?")
EVEN = mp.View.from_text("1x3/1 ?1?")


def test_best_moves_are_sorted_by_risk(engine: str) -> None:
    (move,) = best_moves(mp.posterior(PROVED), 5)
    assert (move.cell, move.action, move.risk, move.certain) == ((0, 1), "open", 0.0, True)
    moves = best_moves(mp.posterior(OPEN), 5)
    assert [move.cell for move in moves] == [(0, 0), (0, 3), (0, 1)]
    assert moves[0].certain
    assert moves[1:] == [
        Move((0, 3), "open", 0.5, False, "mine probability 50.0 %"),
        Move((0, 1), "open", 0.5, False, "mine probability 50.0 %"),
    ]
    assert best_moves(mp.posterior(OPEN), 1) == moves[:1]


def test_odds_are_json(engine: str) -> None:
    odds = mp.posterior(OPEN)
    data = json.loads(json.dumps(odds_json(odds, best_moves(odds, 1)), allow_nan=False))
    assert data["risk"] == [[0.0, 0.5, None, 0.5]]
    assert data["safe"] == [[0, 0]]
    assert data["best"] == [{"cell": [0, 0], "risk": 0.0}]
    assert data["exact"]


def test_an_agent_flags_proved_mines_and_then_moves(engine: str) -> None:
    found = opinion(mp.agents.get("exact"), PROVED)
    assert found.flags == [(0, 0), (0, 2)]
    assert (found.move.cell, found.move.certain, found.advice) == ((0, 1), True, None)
    assert found.to_json()["agent"]["flags"] == [(0, 0), (0, 2)]


@pytest.mark.skipif(mp.engine != "native", reason="the champion is compiled")
def test_the_win_probability_is_exact_where_little_is_left() -> None:
    champion = mp.agents.get("champion")
    assert win_chance(OPEN) == WinProbability(1.0, 0.0)  # opening the safe cells resolves the rest
    assert win_chance(EVEN) == win_chance(EVEN, agent=champion) == WinProbability(0.5, 0.0)
    assert win_chance(OPEN, Optimistic()) is None
    assert win_chance(mp.View.hidden(40, 40, 300)) is None
    considered = opinion(champion, EVEN).advice
    assert considered is not None
    assert considered.candidates[0].win == 0.5


@pytest.mark.parametrize("games", [0, -1, 10**9 + 1])
def test_the_number_of_playouts_is_checked(games: int) -> None:
    view = mp.View.from_text("2x3/2 ???/121")
    with pytest.raises(mp.InvalidInput, match=rf"games must be from 1 to 10\*\*9, got {games}"):
        win_chance(view, games=games)


@pytest.mark.skipif(mp.engine != "native", reason="the champion is compiled")
def test_the_win_probability_of_a_position_is_that_of_its_best_move() -> None:
    view = mp.View.from_text(
        "8x8/14 3???????/????????/????????/????????/????????/????????/????????/????????"
    )
    champion = mp.agents.get("champion:budget=fast")
    found = opinion(champion, view, games=300)
    assert found == opinion(champion, view, games=300)
    assert found.advice is not None
    best, *others = found.advice.candidates
    assert found.move.cell == best.cell
    assert found.chance is not None
    assert (found.chance.chance, found.chance.error) == (best.win, best.error)
    assert sum(one.win is not None for one in others) == 2  # only three have playouts
    low, high = found.chance.interval
    assert low < found.chance.chance < high
    win, least, most = (f"{100 * share:.1f}" for share in (found.chance.chance, low, high))
    words = f"win probability {win} % (95 % CI {least} to {most} %)"
    assert words in found.move.reason
    assert begin_with(found.move, best_moves(mp.posterior(view), 3))[0] == found.move


@pytest.mark.skipif(mp.engine != "native", reason="the champion is compiled")
def test_a_win_probability_excludes_the_playouts_that_chose_the_move() -> None:
    """The mean of the later playouts follows from the means of all and of the first ones."""
    view = mp.View.from_text("8x8/14 s???????" + "/????????" * 7)
    means = [(0.0, 0.0), *(Champion().win_chance(view, games=n) or (0, 0) for n in range(1, 161))]
    won = [n * means[n][0] - (n - 1) * means[n - 1][0] for n in range(1, 161)]
    mean, error = _without(means[160], 160, means[60], 60)
    assert mean == pytest.approx(statistics.mean(won[60:]))
    assert error == pytest.approx(statistics.pstdev(won[60:]) / 100**0.5)


def claim(agent: Recipe, seed: int) -> Claim | None:
    """The win probability claimed at a game's first guess, and whether the game is won."""
    rules = mp.Rules(opening="safe")
    game = mp.Game.deal(8, 8, 12, rules=rules, seed=seed)
    player, known = agent.begin(game.view, rules=rules), None
    while not game.over:
        move = player.decide()
        if known is None and not move.certain:
            found = opinion(agent, game.view, rules=rules, games=240)
            known, move = found.chance, found.move
        player.observe(game.play(move.cell, move.action))
    return None if known is None else (known.chance, game.won)


@pytest.mark.skipif(mp.engine != "native", reason="the champion is compiled")
def test_claimed_win_probabilities_are_calibrated() -> None:
    """In bins of claimed probabilities; each game continues with the move of the claim."""
    agent = mp.agents.get("champion:budget=fast,leaves=100,playouts=50")
    claims = [one for seed in range(500) if (one := claim(agent, seed)) is not None]
    assert len(claims) > 150
    assert calibration_p(claims, bins=8) > 1e-3
    bright = [(min(chance + 0.15, 0.99), won) for chance, won in claims]
    assert calibration_p(bright, bins=8) < 1e-3


@pytest.mark.skipif(mp.engine != "native", reason="the champion is compiled")
def test_a_fifty_fifty_is_named() -> None:
    for name in ("champion", "champion:budget=fast,arrangements=0"):
        reason = opinion(mp.agents.get(name), EVEN, games=50).move.reason
        assert reason.startswith("a 50/50 that no clue can ever resolve, so guess now")


def test_a_count_beyond_the_budget_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_native():
        pytest.skip("only the native engine estimates")
    board = mp.Board.random(30, 30, 315, seed=1)
    shown = (not mine and sum(board.grid.cell(i)) % 3 == 0 for i, mine in enumerate(board.mined))
    states = bytes(n if seen else HIDDEN for n, seen in zip(board.counts, shown, strict=True))
    view = mp.View(board.grid, states, board.mine_count)
    rough, asked = mp.posterior(view, budget=10), []
    assert not rough.exact
    monkeypatch.setattr(Champion, "win_chance", lambda *given, **more: asked.append(given))
    assert win_chance(view, odds=rough) is None
    assert not asked
    assert win_chance(view, odds=mp.posterior(PROVED)) is None
    assert asked
