"""The player of a record in a real browser: several in one page are independent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mineproof as mp


def test_two_players_in_one_page_are_independent(browser: Any, tmp_path: Path) -> None:
    rules = mp.Rules(opening="safe")
    one, two = (mp.play(mp.Deal(9, 9, 10), "exact", rules=rules, seed=seed) for seed in (18, 19))
    (tmp_path / "book.html").write_text(f"{one._repr_html_()}{two._repr_html_()}")
    page = browser.new_page(viewport={"width": 700, "height": 1000})
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"file://{tmp_path}/book.html")
    first, second = (page.frame_locator("iframe").nth(place) for place in (0, 1))
    assert first.locator("#words").inner_text() == "won, by exact"

    def covered(player: Any) -> int:
        return int(player.locator("#cells use[href='#mp-hidden']").count())

    ended = covered(second)
    first.locator("#slider").fill("0")
    assert first.locator("#words").inner_text() == "before the first move"
    assert (covered(first), covered(second)) == (81, ended)
    first.locator("#mines").check()
    assert first.locator("#cells use[href='#mp-mine']").count() == 10
    assert covered(first) == 71
    first.locator("#mines").uncheck()
    first.locator("#on").click()
    assert first.locator("#words").inner_text().startswith("move 1, open")
    first.locator("#back").click()
    assert covered(first) == 81
    first.locator("#play").click()
    page.wait_for_timeout(1300)
    first.locator("#play").click()
    assert first.locator("#words").inner_text().startswith("move ")
    assert not faults
    assert [url for url in asked if not url.startswith(("file:", "about:"))] == []
    page.close()
