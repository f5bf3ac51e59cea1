"""The stated error of an estimate is right: compared with an exact count at a larger budget."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

import mineproof as mp
from mineproof import _engine
from mineproof.world.view import HIDDEN

pytestmark = pytest.mark.skipif(
    not _engine.is_native(), reason="the Python engine makes no estimates"
)

MANY = 3_000_000
MISSED = (
    "24x24/172 1???2122?3?2?2?22?3?3??2/?33?3????????3?4??4?????/13???4?4?55?3????6?3???2/"
    "?2?32??44????24????3?2??/0?1?????3???12???4?2????/???0??31233?02??????11??/"
    "??1????0???21?13?4??114?/??2?01??2?3???2??2??????/?????????????5???????4??/"
    "1?4?????????4??5????????/???2?3????13??4?21???2?4/?23?2??222??????1??1?1??/"
    "????33??3???3????1???24?/3??5?1?????33210??3?3???/??5????12?????0?234?32??/"
    "??4??11??1?3???3????????/2?3?1????2????????????4?/23?2?????2?3?3???????4?2/"
    "?3??34?5?313?21?1??33?32/3?5?????12???1??10??????/????????2??31012???01?32/"
    "??4232??2???1??2???2?5?2/?33?31323232???4???3????/?1????????0?1?????13?421"
)
"""Four sweeps from the same end agreed on a risk of 1 at (15,4), but it is 0.331."""


def scattered(seed: int) -> mp.View:
    """A random board with scattered safe cells open, so that the clues form many loops."""
    chance = random.Random(seed)
    side = chance.choice((16, 20))
    board = mp.Board.random(side, side, density=chance.choice((0.25, 0.3, 0.35)), seed=seed)
    share = chance.uniform(0.4, 0.7)
    states = bytes(
        count if chance.random() < share and not mined else HIDDEN
        for count, mined in zip(board.counts, board.mined, strict=True)
    )
    return mp.View(board.grid, states, board.mine_count if seed % 4 else None)


@cache
def counted() -> list[mp.Posterior]:
    """Exact posteriors of about a hundred positions that a small budget cannot count."""
    views = [scattered(seed) for seed in range(500)]
    hard = [view for view in views if not mp.posterior(view, budget=100).exact]
    return [truth for view in hard if (truth := mp.posterior(view, budget=MANY)).exact]


def gaps(guess: mp.Posterior, truth: mp.Posterior) -> NDArray[np.float64]:
    """The absolute errors of the risks of cells without a proof."""
    unproved = np.isfinite(truth.risk)
    for cell in (*guess.safe, *guess.mined):
        unproved[cell] = False
    return np.abs(guess.risk - truth.risk)[unproved]


@pytest.mark.parametrize("budget", [100, 1000, 10_000])
def test_very_few_risks_exceed_the_stated_error(budget: int) -> None:
    far: dict[int, int] = {2: 0, 5: 0}
    risks = positions = 0
    for truth in counted():
        guess = mp.posterior(truth.view, budget=budget)
        if guess.exact:
            continue
        assert 0 < guess.error <= 1, truth.view
        off = gaps(guess, truth)
        positions, risks = positions + 1, risks + off.size
        for errors in far:
            far[errors] += int((off > errors * guess.error + 0.01).sum())
    assert positions >= 10
    assert far[5] == 0
    assert far[2] <= risks / 1000


def test_sweeps_that_agree_on_a_wrong_value_still_state_its_error() -> None:
    view = mp.View.from_text(MISSED)
    truth = mp.posterior(view, budget=MANY)
    assert truth.exact
    assert truth.risk[15, 4] == pytest.approx(0.331, abs=0.001)
    for budget in (30, 100, 1000, 3000):
        guess = mp.posterior(view, budget=budget)
        assert not guess.exact
        assert gaps(guess, truth).max() <= 2 * guess.error


def test_stated_errors_are_small_where_estimates_are_good() -> None:
    """Stating an error of one half everywhere would be honest, too, but useless."""
    stated, off = [], []
    for truth in counted():
        guess = mp.posterior(truth.view, budget=100)
        if not guess.exact:
            stated.append(guess.error)
            off.append(gaps(guess, truth).max())
    assert np.median(stated) < 0.1
    assert np.mean(stated) < 1.5 * np.sqrt(np.mean(np.square(off)))


def test_cells_proved_in_an_estimate_are_certain() -> None:
    for truth in counted():
        guess = mp.posterior(truth.view, budget=100)
        assert set(guess.safe) <= set(truth.safe)
        assert set(guess.mined) <= set(truth.mined)


def test_value_odds_state_their_error_too() -> None:
    compared = 0
    for truth in counted()[:60]:
        view = truth.view
        open_cells = [cell for cell in view.cells(HIDDEN) if 0 < truth.risk[cell] < 1]
        for cell in open_cells[:: max(len(open_cells) // 3, 1)]:
            guess = mp.value_odds(view, cell, budget=100)
            if guess.exact:
                continue
            right = mp.value_odds(view, cell, budget=MANY)
            values = right.shown.keys() | guess.shown.keys()
            off = max(abs(right.shown.get(v, 0) - guess.shown.get(v, 0)) for v in values)
            assert 0 < guess.error <= 1
            assert off <= 5 * guess.error + 0.01, (view, cell)
            compared += 1
    assert compared >= 50
