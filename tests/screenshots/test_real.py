"""Real screenshots are read correctly as they are, and never misread when distorted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mineproof as mp
from mineproof import screenshots
from mineproof.errors import FormatError
from tests.screenshots.distorting import KINDS, SHOTS, cut_through, distorted, unlearnt, verdict
from tests.screenshots.learn import LEARNT

LABELLED = sorted(SHOTS.glob("*.txt"))
OVER = [path for path in LABELLED if path.read_text() == "over\n"]
SHOWN = [path for path in LABELLED if path not in OVER]
FEW = {
    "gnome-small-610-0",
    "kmines-easy-1",
    "sgt-beginner-240",
    "page-narrow-light",
    "page-over-dark",
}


def often(paths: list[Path]) -> list[object]:
    """A few of them normally, all of them in the slow tests."""
    return [
        pytest.param(path, id=path.stem, marks=() if path.stem in FEW else pytest.mark.slow)
        for path in paths
    ]


@pytest.mark.parametrize("path", often(SHOWN))
def test_a_screenshot_is_read_correctly(path: Path) -> None:
    view = mp.View.from_text(path.read_text(), dots="hidden")
    reading = screenshots.read(path.with_suffix(".png").read_bytes())
    assert reading.view() == view
    assert reading.confidence.min() >= screenshots.LEAST


@pytest.mark.parametrize("path", often(OVER))
def test_a_lost_game_is_refused(path: Path) -> None:
    with pytest.raises(FormatError):
        screenshots.read(path.with_suffix(".png").read_bytes()).view()


def test_labels_are_possible_positions() -> None:
    for path in SHOWN:
        view = mp.View.from_text(path.read_text(), dots="hidden")
        mp.posterior(view, density=0.2)  # otherwise there is a contradiction


def test_every_program_has_screenshots_that_were_not_used_for_training() -> None:
    assert {shot.program for shot in unlearnt()} == {"gnome", "kmines", "page", "sgt"}
    names = {name for names in LEARNT.values() for name in names}
    assert names <= {path.stem for path in SHOWN}


SMALL = [shot for shot in unlearnt() if shot.view.grid.size <= 100]


@pytest.mark.parametrize("number", range(6))
def test_a_distorted_screenshot_is_never_misread(number: int) -> None:
    rng = np.random.default_rng([7, number])
    shot = SMALL[int(rng.integers(len(SMALL)))]
    content = distorted(shot, KINDS[number % len(KINDS)], rng)
    assert verdict(content, shot.view) != "wrong"


@pytest.mark.parametrize("number", range(3))
def test_a_cut_off_board_is_refused(number: int) -> None:
    rng = np.random.default_rng([8, number])
    shot = SMALL[int(rng.integers(len(SMALL)))]
    assert verdict(cut_through(shot, rng), shot.view) == "refused"


def test_a_board_of_another_size_is_not_found() -> None:
    content = (SHOTS / "sgt-beginner-240.png").read_bytes()
    with pytest.raises(FormatError, match="no board of 8x8 cells was found"):
        screenshots.read(content, mp.View.hidden(8, 8).grid)
