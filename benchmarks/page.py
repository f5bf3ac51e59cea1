"""The web app in a real browser: time to first paint, to the first move, and per move.

Run `python benchmarks/page.py`; it needs chromium and playwright. These are wall-clock times, which
mean little on a busy machine, so the load of the machine is printed too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from server import serve

PLAYABLE = """
() => new Promise(done => {
  const look = () => {
    const cells = document.querySelectorAll("[role=gridcell]").length;
    if (cells && window.mineproof?.idle()) done(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})
"""
PAINTED = """
() => [performance.getEntriesByName("first-contentful-paint")[0].startTime,
       performance.getEntriesByType("resource").reduce((sum, one) => sum + one.transferSize, 0)]
"""
# From the key press to the frame after the last response.
MOVE = """
() => new Promise(done => {
  const grid = document.querySelector("[role=grid]");
  const cell = () => document.getElementById(grid.getAttribute("aria-activedescendant"));
  const begun = performance.now();
  grid.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
  const look = () => {
    const hidden = cell().getAttribute("aria-label").includes("hidden");
    if (hidden || !window.mineproof.idle()) return requestAnimationFrame(look);
    requestAnimationFrame(() => done(performance.now() - begun));
  };
  requestAnimationFrame(look);
})
"""


@contextmanager
def browsing() -> Iterator[tuple[Browser, str]]:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process, address = serve(Path(folder) / "games.sqlite", 1)
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            yield browser, f"http://{address}/"
        finally:
            browser.close()
            process.terminate()
            process.wait(20)


def output(name: str, times: list[float]) -> None:
    print(
        f"{name}: median {statistics.median(times):.0f} ms, worst {max(times):.0f} (n={len(times)})"
    )


def visits(browser: Browser, address: str, number: int) -> None:
    paints, playable, size = [], [], 0.0
    for _ in range(number):
        context = browser.new_context(viewport={"width": 1280, "height": 860})
        page = context.new_page()
        page.goto(address)
        playable.append(page.evaluate(PLAYABLE))
        paint, size = page.evaluate(PAINTED)
        paints.append(paint)
        context.close()
    print(f"first visit: {size / 1000:.0f} kB")
    output("first contentful paint", paints)
    output("playable (board shown, worker ready)", playable)


def moves(browser: Browser, address: str, name: str, deal: dict[str, Any], number: int) -> None:
    """The first move of a game opens an area, which is the largest update."""
    times = []
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    page = context.new_page()
    page.goto(address)
    page.evaluate(PLAYABLE)
    for seed in range(number):
        asked = {"deal": deal, "rules": {"opening": "clear"}, "seed": seed}
        game = page.request.post(f"{address}api/game.new", data=asked).json()["game"]
        page.goto(f"{address}#play/{game}")
        page.reload()
        page.evaluate(PLAYABLE)
        times.append(page.evaluate(MOVE))
    context.close()
    output(f"first move on {name}, from key press to display", times)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--visits", type=int, default=10)
    given = options.parse_args()
    with browsing() as (browser, address):
        visits(browser, address, given.visits)
        for name, deal in (
            ("9x9", {"level": "beginner"}),
            ("16x30", {"level": "expert"}),
            ("100x100 (10 % mines)", {"rows": 100, "cols": 100, "mines": 1000}),
        ):
            moves(browser, address, name, deal, given.visits)
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
