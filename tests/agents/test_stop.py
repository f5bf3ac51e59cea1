"""With `stop=true`, an agent that knows the count stops as soon as all mines are found."""

from __future__ import annotations

import pytest

import mineproof as mp


@pytest.mark.parametrize("agent", ["baseline", "linalg-count", "brute", "linalg-brute"])
def test_the_rest_stays_hidden_once_all_mines_are_found(agent: str) -> None:
    """It scores the same as an agent that goes on, because the remaining cells are safe."""
    rules = mp.Rules(on_mine="continue")
    hidden = 0
    for seed in range(12):
        on, stopped = (
            mp.play(mp.Deal(6, 6, 6), name, rules=rules, seed=seed)
            for name in (agent, f"{agent}:stop=true")
        )
        *moves, last = stopped.moves
        if last.action == "stop":
            assert last.reason == "flags and exploded mines add up to the mine count, 6"
            hidden += 1
        assert moves == list(on.moves[: len(moves)])
        assert stopped.score == on.score
    assert hidden > 3


def test_without_the_count_it_does_not_stop_early() -> None:
    rules = mp.Rules(on_mine="continue", count_known=False)
    games = [
        mp.play(mp.Deal(6, 6, 6), name, rules=rules, seed=1)
        for name in ("baseline", "baseline:stop=true")
    ]
    assert games[0].moves == games[1].moves
