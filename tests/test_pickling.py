"""Results of our functions can be copied and pickled."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mineproof as mp

VIEW = mp.View.from_text("4x4/4 01?1/12?1/??32/????")
MADE: dict[str, Callable[[], Any]] = {
    "board": lambda: mp.Board.random(4, 4, 3, seed=1),
    "deal": lambda: mp.Deal(4, 4, density=0.2),
    "view": lambda: VIEW,
    "view with bounds": lambda: mp.View(mp.Grid(1, 2), bytes([0, 9]), 1, ((0, 0),)),
    "rules": lambda: mp.Rules(on_mine="continue"),
    "clues": lambda: mp.clues.Table([[1.0, *[0.0] * 8]] * 9),
    "agent": lambda: mp.agents.get("champion:budget=fast"),
    "record": lambda: mp.play(mp.Deal(4, 4, 3), "exact", seed=2),
    "influence": lambda: mp.play(mp.Deal(4, 4, 3), "exact", seed=2).influence,
    "proof": lambda: mp.proofs(mp.View.from_text("3x3/1 1??/1??/1??"))[0],
    "open proof": lambda: mp.explain(VIEW, (3, 0)),
    "optimum": lambda: mp.solve(3, 3, 2),
    "best score": lambda: mp.solve_score(3, 3, 2),
    "value odds": lambda: mp.value_odds(VIEW, (3, 0)),
    "standings": lambda: mp.arena(["exact", "random"], mp.Deal(4, 4, 3), games=4, sealed=True),
}
WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", MADE)
def test_values_round_trip(what: str, way: str) -> None:
    value = MADE[what]()
    again = WAYS[way](value)
    assert again == value
    assert (str(again), repr(again)) == (str(value), repr(value))


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("options", [{}, {"trust_flags": True}, {"clues": mp.clues.Optimistic()}])
def test_a_posterior_round_trips(way: str, options: dict[str, Any]) -> None:
    view = mp.View.from_text("4x4/4 01?1/12F1/??32/????")
    odds = mp.posterior(view, **options)
    again = WAYS[way](odds)
    np.testing.assert_array_equal(again.risk, odds.risk)
    for name in ("view", "safe", "mined", "log_weight", "exact", "error", "arrangements"):
        assert getattr(again, name) == getattr(odds, name), name
    assert (str(again), repr(again)) == (str(odds), repr(odds))


@pytest.mark.parametrize("way", WAYS)
def test_a_table_of_games_round_trips(way: str) -> None:
    games = mp.arena(["exact", "simple"], mp.Deal(4, 4, 3), games=4).games
    again = WAYS[way](games)
    assert list(again.rows()) == list(games.rows())
    assert again.agents == games.agents
    assert not any(column.flags.writeable for column in again.columns.values())


@pytest.mark.parametrize("way", WAYS)
def test_an_error_round_trips(way: str) -> None:
    with pytest.raises(mp.Contradiction) as caught:
        mp.posterior(mp.View.from_text("2x3/2 ???/141"))
    again = WAYS[way](caught.value)
    assert (str(again), again.clues) == (str(caught.value), caught.value.clues)
