"""A game is played in the web app: by mouse, keyboard and touch, across reloads and restarts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mineproof as mp
from mineproof.world.view import FLAGGED, is_clue
from tests.web.browser.conftest import serving
from tests.web.browser.hand import Hand

Visit = Callable[..., Hand]
Begin = Callable[[int], str]
SEED, START, MINES = 9, (4, 4), 10  # needs no guess


def state(hand: Hand) -> str:
    hand.wait_until_idle()
    return str(hand.page.locator(".state").inner_text())


def test_a_first_visit_shows_a_board_and_one_sentence_on_what_to_try(visit: Visit) -> None:
    hand = visit()
    hand.cell(0, 0).wait_for()
    assert hand.seen().states == bytes([9]) * 81
    assert "Open any cell" in hand.page.locator(".note").inner_text()


def test_a_seeded_game_is_won_by_clicking(visit: Visit) -> None:
    hand = visit()
    hand.begin(SEED)
    hand.solve(MINES, START)
    assert state(hand) == "Won"
    result = hand.page.get_by_role("region", name="Result")
    assert "3BV/s" in result.inner_text()
    hand.press("Same board")
    hand.click(START)
    again = hand.seen(MINES)
    hand.press("New game")
    assert is_clue(again.state(START))
    assert set(hand.seen(MINES).states) == {9}


def test_flags_are_counted_and_a_satisfied_clue_can_be_chorded(visit: Visit, game: Begin) -> None:
    hand = visit(f"#play/{game(SEED)}")
    hand.cell(0, 0).wait_for()
    hand.click(START)
    view = hand.seen(MINES)
    mines = mp.posterior(view).mined
    for cell in mines:
        hand.click(cell, button="right")
    assert hand.page.locator(".figure").first.inner_text() == str(MINES - len(mines))
    flagged = hand.seen(MINES)
    assert all(flagged.state(cell) == FLAGGED for cell in mines)
    clue = next(cell for cell in view.cells(1, 2, 3) if chords(flagged, cell))
    hand.click(clue)
    assert flagged.states.count(9) > hand.seen(MINES).states.count(9)
    hand.click(mines[0], button="right")
    assert hand.page.locator(".figure").first.inner_text() == str(MINES - len(mines) + 1)


def chords(view: mp.View, cell: tuple[int, int]) -> bool:
    near = [view.states[index] for index in view.grid.neighbours(view.grid.index(cell))]
    return near.count(FLAGGED) == view.state(cell) and 9 in near


def test_the_keyboard_is_enough_to_play(visit: Visit, game: Begin) -> None:
    hand = visit(f"#play/{game(SEED)}")
    hand.cell(0, 0).wait_for()
    hand.page.get_by_role("grid").focus()
    hand.key("Space")  # the cursor starts in the middle
    assert is_clue(hand.seen(MINES).state(START))
    row, col = START
    while not state(hand):
        view = hand.seen(MINES)
        odds = mp.posterior(view)
        flags = [cell for cell in odds.mined if view.state(cell) != FLAGGED][:1]
        for target, key in [*((cell, "f") for cell in flags), (odds.safe[0], "Space")]:
            steps = ["ArrowDown" if target[0] > row else "ArrowUp"] * abs(target[0] - row)
            steps += ["ArrowRight" if target[1] > col else "ArrowLeft"] * abs(target[1] - col)
            row, col = target
            hand.key(*steps, key)
    assert state(hand) == "Won"


def test_a_tap_opens_and_a_long_press_flags(visit: Visit) -> None:
    hand = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    hand.cell(4, 4).tap()
    hand.wait_until_idle()
    view = hand.seen(MINES)
    assert is_clue(view.state(START))
    cell = view.cells(9)[0]
    box = hand.cell(*cell).bounding_box()
    assert box
    client = hand.page.context.new_cdp_session(hand.page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    hand.page.wait_for_timeout(600)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert hand.seen(MINES).state(cell) == FLAGGED
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert hand.page.evaluate(overflow) == 0


def test_a_game_survives_a_reload(visit: Visit, game: Begin) -> None:
    hand = visit(f"#play/{game(SEED)}")
    hand.cell(0, 0).wait_for()
    hand.click(START)
    view = hand.seen(MINES)
    hand.page.reload()
    hand.cell(0, 0).wait_for()
    assert hand.seen(MINES) == view


def test_a_game_survives_a_restart_of_the_server(visit: Visit, tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    with serving(store) as address:
        hand = visit(at=address)
        hand.begin(SEED)
        hand.click(START)
        view = hand.seen(MINES)
    with serving(store, int(address.rstrip("/").rsplit(":", 1)[1])):
        safe = mp.posterior(view).safe[0]
        hand.cell(*safe).click()  # perhaps before the page handles events: it is clicked again
        hand.page.wait_for_function("() => window.mineproof.idle()")
        assert is_clue(hand.seen(MINES).state(safe))


def test_a_link_shares_the_board_but_not_the_game(visit: Visit, browser: Any) -> None:
    hand = visit()
    hand.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand.begin(SEED)
    hand.click(START)
    view = hand.seen(MINES)
    hand.press("Share")
    link = hand.page.evaluate("navigator.clipboard.readText()")
    other = visit(at="", where=link)
    other.cell(0, 0).wait_for()
    assert set(other.seen(MINES).states) == {9}
    other.click(START)
    assert other.seen(MINES) == view


def test_play_for_a_score_continues_after_a_mine(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_text("More options").click()
    hand.choose("Hitting a mine", "continue")
    hand.begin_again()
    hand.click(START)
    hand.press("Stop")
    assert state(hand).startswith("score")


def test_other_clue_models_can_be_played(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_text("More options").click()
    hand.choose("Clues", "sometimes:0.5")
    hand.begin_again()
    hand.click(START)
    hand.key("o")
    assert ", risk " in hand.words(hand.seen().cells(9)[0])


def test_a_no_guess_board_shows_where_to_start(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_text("More options").click()
    hand.choose("Difficulty", "none")
    hand.begin_again()
    assert "Start at (4,4)" in hand.page.locator(".note").inner_text()
    hand.solve(MINES, START)
    assert state(hand) == "Won"


def test_a_board_of_ten_thousand_cells_can_be_flooded(visit: Visit) -> None:
    hand = visit()
    hand.level("Custom")
    for label, value in (("Rows", "100"), ("Columns", "100"), ("Mine count", "300")):
        hand.page.get_by_label(label, exact=True).fill(value)
        hand.page.get_by_label(label, exact=True).press("Tab")
    hand.begin_again()
    hand.page.get_by_role("grid").focus()
    hand.key("Space")
    assert hand.words((50, 50)) == "0"
    box = hand.cell(50, 50).bounding_box()  # it scrolls into view
    assert 0 < box["x"] < 1280
    assert 0 < box["y"] < 860
    assert (
        hand.page.get_by_role("gridcell").count() == 700
    )  # only rows near the cursor are rendered
    hand.key("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp")
    assert any(hand.words((45, col)).isdigit() for col in range(40, 60))
