"""Take the README's pictures of the web app: `python -m tests.web.browser.pictures docs/images`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import mineproof as mp
from tests.web.browser.conftest import serving
from tests.web.browser.hand import Hand

SEED = 47


def take(browser: Browser, address: str, folder: Path) -> None:
    """Mine probabilities by day where a guess is forced; a proof by night."""
    for name, scheme, level in (("odds", "light", "Intermediate"), ("proof", "dark", "Beginner")):
        view = {"width": 1180, "height": 740}
        context = browser.new_context(viewport=view, color_scheme=scheme)
        hand = Hand(context.new_page())
        hand.page.goto(address)
        hand.begin(SEED, level)
        hand.page.get_by_text("More options").click()
        hand.click((4, 4))
        if name == "odds":
            play_on(hand)
            hand.key("o", "b")
            hand.page.get_by_label("Advice from").wait_for()
        else:
            for _ in range(5):
                hand.key("h")
        hand.page.mouse.move(0, 0)
        hand.page.evaluate("window.scrollTo(0, 0)")
        hand.wait_until_idle()
        hand.page.wait_for_timeout(300)
        hand.page.screenshot(path=folder / f"page-{name}.png")
        context.close()


def play_on(hand: Hand) -> None:
    """Play all certain moves."""
    while safe := mp.posterior(hand.seen(40)).safe:
        for cell in safe:
            if hand.words(cell) == "hidden":
                hand.click(cell)


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory() as place,
        serving(Path(place) / "games.db") as at,
        sync_playwright() as playwright,
    ):
        program = shutil.which("chromium")
        take(
            playwright.chromium.launch(executable_path=program, args=["--no-sandbox"]),
            at,
            Path(sys.argv[1]),
        )
