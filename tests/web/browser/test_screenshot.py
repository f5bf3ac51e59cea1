"""A screenshot of the web app, whole or only its board, by day or night, is read correctly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mineproof import screenshots
from mineproof.world.geometry import Grid


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_screenshot_of_the_board_is_read(
    visit: Callable[..., Any], game: Callable[[int], str], scheme: str
) -> None:
    hand = visit(f"#play/{game(5)}", color_scheme=scheme)
    hand.cell(0, 0).wait_for()
    hand.click((4, 4))
    hand.click((0, 0), button="right")
    hand.page.mouse.move(2, 2)
    seen = hand.seen()
    shot = hand.page.locator(".well canvas").first.screenshot()
    for grid in (None, Grid(9, 9)):
        assert screenshots.read(shot, grid).view() == seen
    assert screenshots.read(hand.page.screenshot()).view() == seen
