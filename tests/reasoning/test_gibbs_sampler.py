"""Gibbs-sampling estimates under one-sided clues, compared with exact counts."""

from __future__ import annotations

import numpy as np
import pytest

import mineproof as mp
from mineproof.world.chance import Purpose, Stream
from mineproof.world.clues import Cautious, ClueModel, Optimistic
from mineproof.world.view import HIDDEN

pytestmark = pytest.mark.skipif(mp.engine != "native", reason="the Python engine estimates nothing")


def loose(clues: ClueModel, seed: int, mines: int | None = None) -> mp.View:
    """A chequered 9x9 board under clues that are only upper or lower bounds."""
    board = mp.Board.random(9, 9, 16, seed=seed)
    stream = Stream(seed, Purpose.NOISE)
    states = [HIDDEN] * 81
    for i, (mine, count) in enumerate(zip(board.mined, board.counts, strict=True)):
        if not mine and (i // 9 + i % 9) % 2 == 0:
            states[i] = clues.draw(count, board.grid.neighbour_count(i), stream) or 0
    return mp.View(board.grid, bytes(states), mines)


@pytest.mark.parametrize("clues", [Optimistic(), Cautious()], ids=str)
@pytest.mark.parametrize("mines", [None, 16], ids=["any", "count"])
def test_a_walk_states_its_error(clues: ClueModel, mines: int | None) -> None:
    """Also with a known mine count that only few configurations satisfy."""
    far = cells = 0
    for seed in range(6):
        view = loose(clues, seed, mines)
        truth = mp.posterior(view, clues, budget=10_000_000)
        guess = mp.posterior(view, clues, budget=10)
        assert truth.exact
        assert not guess.exact
        assert 0 < guess.error < 0.25
        gaps = np.abs(truth.risk - guess.risk)[np.isfinite(truth.risk)]
        far += int((gaps > 2 * guess.error).sum())
        cells += gaps.size
        assert gaps.max() <= 4 * guess.error
        assert guess.log_weight == pytest.approx(truth.log_weight, abs=6)
        np.testing.assert_array_equal(guess.risk, mp.posterior(view, clues, budget=10).risk)
    assert far <= 0.05 * cells
