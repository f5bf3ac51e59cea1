"""Take screenshots of our web app in chromium: `python -m tests.screenshots.take_page FOLDER`.

The position of each is read from the accessible names of its cells, and written next to it.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, sync_playwright

from mineproof.screenshots.tiling import even
from tests.screenshots.boxes import note_box
from tests.web.browser.conftest import serving
from tests.web.browser.hand import READ, Hand


class Shot(NamedTuple):
    """A game in the web app: its deal, its window, and how many cells are opened."""

    name: str
    deal: dict[str, Any]
    scheme: str
    size: tuple[int, int]
    ratio: float
    moves: int
    on_mine: str = "end"
    opens: int = 0
    """How many of the cells are opened where a mine ends the game; the others are flagged."""


DENSE = {"rows": 12, "cols": 14, "mines": 115}
SHOTS = [
    Shot("page-every-light", DENSE, "light", (1000, 720), 1, 220, "continue"),
    Shot("page-every-dark", DENSE, "dark", (1000, 720), 1, 220, "continue"),
    Shot("page-beginner-light", {"level": "beginner"}, "light", (1100, 760), 1, 5),
    Shot("page-beginner-dark", {"level": "beginner"}, "dark", (900, 700), 1, 5),
    Shot("page-over-dark", {"level": "intermediate"}, "dark", (1000, 740), 1, 30, "end", 30),
    Shot("page-medium-light", {"level": "intermediate"}, "light", (1280, 860), 1, 9),
    Shot("page-medium-dark", {"level": "intermediate"}, "dark", (1180, 740), 1.5, 9),
    Shot("page-expert-light", {"level": "expert"}, "light", (1280, 800), 1, 12),
    Shot("page-expert-dark", {"level": "expert"}, "dark", (1366, 768), 1, 12),
    Shot("page-narrow-light", {"level": "beginner"}, "light", (500, 700), 1, 5),
]  # fmt: skip


def begin(address: str, shot: Shot) -> str:
    asked = {
        "deal": shot.deal,
        "rules": {"opening": "clear" if shot.on_mine == "end" else "safe", "on_mine": shot.on_mine},
        "seed": 7,
    }
    request = Request(
        f"{address}api/game.new", json.dumps(asked).encode(), {"Content-Type": "application/json"}
    )
    with urlopen(request) as answer:
        return str(json.load(answer)["game"])


def take(browser: Browser, address: str, shot: Shot, folder: Path) -> None:
    """Open and flag cells until enough are open or the game ends, then capture the whole page."""
    width, height = shot.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=shot.ratio,
        color_scheme=shot.scheme,
        locale="en-GB",
    )
    hand = Hand(context.new_page())
    hand.page.goto(f"{address}#play/{begin(address, shot)}")
    hand.cell(0, 0).wait_for()
    view = hand.seen()
    random = Random(shot.name.rpartition("-")[0])
    hand.click((view.rows // 2, view.cols // 2))
    for number in range(shot.moves):
        cell = random.randrange(view.rows), random.randrange(view.cols)
        if hand.words(cell) == "hidden":
            opens = shot.opens > number or (shot.on_mine == "continue" and number % 3)
            hand.click(cell, button="left" if opens else "right")
    hand.page.mouse.move(2, 2)
    hand.page.evaluate("window.scrollTo(0, 0)")
    hand.wait_until_idle()
    hand.page.wait_for_timeout(400)
    hand.page.screenshot(path=folder / f"{shot.name}.png")
    lost = any(
        label.endswith((": mine", ": wrong flag")) for _, label in hand.page.evaluate(READ, 0)
    )
    seen = "over" if lost else hand.seen().to_text(lines=True)
    (folder / f"{shot.name}.txt").write_text(f"{seen}\n")
    place = hand.page.locator(".well canvas").first.bounding_box()
    assert place is not None
    side = place["width"] * shot.ratio / view.cols
    note_box(
        folder, shot.name, even(place["x"] * shot.ratio, place["y"] * shot.ratio, side, view.grid)
    )
    print(shot.name, flush=True)
    context.close()


def main() -> None:
    """Take all screenshots."""
    with (
        tempfile.TemporaryDirectory() as place,
        serving(Path(place) / "games.db") as address,
        sync_playwright() as playwright,
    ):
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for shot in SHOTS:
            take(browser, address, shot, Path(sys.argv[1]))
        browser.close()


if __name__ == "__main__":
    main()
