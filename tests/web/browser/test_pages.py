"""All other pages: watch, analyse, review, history, assist, compare, learn."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mineproof as mp
from mineproof.games.record import Record
from mineproof.studies.manifest import MANIFEST
from mineproof.studies.report import PAGE
from mineproof.world.turn import by_hand
from tests.web.browser.conftest import serving
from tests.web.browser.hand import Hand

Visit = Callable[..., Hand]
ROOT = Path(__file__).parents[3]
STATIC = ROOT / "src" / "mineproof" / "web" / "static"
POSITION = (ROOT / "docs" / "images" / "position.txt").read_text()


def text(hand: Hand, region: str) -> str:
    return str(hand.page.get_by_role("region", name=region, exact=True).inner_text())


def test_an_agent_is_watched_forwards_and_backwards(visit: Visit) -> None:
    hand = visit("#watch")
    hand.page.get_by_text(re.compile(r"csp: (won|lost), \d+ moves")).wait_for()
    hand.wait_until_idle()
    hand.press("To the start")
    knowledge = 1  # next to the truth
    assert set(hand.seen(board=knowledge).states) == {9}
    hand.press("One move forward")
    assert "guaranteed" in text(hand, "Reason")
    first = hand.seen(board=knowledge)
    assert set(first.states) != {9}
    hand.press("To the end")
    end = hand.seen(board=knowledge)
    hand.page.get_by_label("Move", exact=True).fill("1")
    assert hand.seen(board=knowledge) == first
    hand.press("To the end")
    assert hand.seen(board=knowledge) == end
    hand.press("One move back")
    assert hand.seen(board=knowledge) != end
    hand.press("Why this move?")
    assert re.search(
        r"\(\d+,\d+\) is (safe|a mine|open|undecided)|guaranteed", text(hand, "Reason")
    )


def test_two_agents_are_watched_on_the_same_board(visit: Visit) -> None:
    hand = visit("#watch")
    hand.page.get_by_role("grid").first.wait_for()
    hand.choose("Compare with", "exact")
    hand.page.get_by_text(re.compile(r"exact: (won|lost)")).wait_for()
    hand.page.get_by_text(re.compile(r"csp: (won|lost)")).wait_for()
    hand.wait_until_idle()
    hand.press("To the start")
    hand.press("One move forward")
    assert "csp" in text(hand, "Reason")
    assert "exact" in text(hand, "Reason")
    opened = [hand.seen(board=each) for each in (0, 1)]
    both = [
        (a, b) for a, b in zip(opened[0].states, opened[1].states, strict=True) if a < 9 and b < 9
    ]
    assert all(a == b for a, b in both)


def test_the_equations_and_matrix_of_a_move_are_shown(visit: Visit) -> None:
    """As in the reports: equations with their clues, the matrix, the reduced matrix."""
    hand = visit("#watch")
    hand.page.get_by_role("grid").first.wait_for()
    hand.choose("Agent", "gauss")
    hand.page.get_by_text(re.compile(r"gauss: (won|lost), \d+ moves")).wait_for()
    for _ in range(50):  # some games need no elimination
        hand.wait_until_idle()
        hand.press("To the start")
        moves = len(hand.page.locator(".moves li").all())
        for _ in range(moves):
            hand.press("One move forward")
            if hand.page.get_by_text("Rows and matrix").count():
                break
        else:
            hand.press("New board")
            hand.page.get_by_text(re.compile(r"gauss: (won|lost), \d+ moves")).wait_for()
            continue
        break
    shown = text(hand, "Reason")
    rows, matrix, reduced = re.split("matrix:|reduced:", shown)[:3]
    clues = re.findall(r"from \(\d+,\d+\): \(\d+,\d+\)", rows)
    assert len(re.findall(r"\[.*\|.*\]", matrix)) == len(clues) > 0
    assert re.findall(r"\[.*\|.*\]", reduced)
    assert "before this move" in shown
    hand.page.locator("pre .ref").first.hover()


def test_a_guess_of_unknown_risk_is_not_called_safe(visit: Visit) -> None:
    hand = visit("#watch")
    hand.page.get_by_role("grid").first.wait_for()
    hand.choose("Agent", "random")
    hand.page.get_by_text(re.compile(r"random: (won|lost), \d+ moves")).wait_for()
    assert "0.0 %" not in text(hand, "All moves")
    assert ", guess" in text(hand, "All moves")


def test_the_chain_of_influence_is_drawn_on_the_board(visit: Visit) -> None:
    hand = visit("#watch")
    hand.page.get_by_text(re.compile(r"csp: (won|lost), \d+ moves")).wait_for()
    hand.wait_until_idle()
    hand.press("Influence")
    hand.page.get_by_text("The longest chain has").wait_for()


def test_a_pasted_position_shows_its_odds_and_the_deductions_of_each_reasoner(visit: Visit) -> None:
    hand = visit("#analyse")
    area = hand.page.get_by_label("The position as text")
    area.fill(POSITION)
    area.blur()
    hand.page.get_by_text("23 mines").first.wait_for()
    assert "Lowest risk: (10,15), 1.67\u00a0%" in text(hand, "Deductions")
    hand.page.get_by_text("everything that follows from all clues").wait_for()
    assert hand.words((10, 15)).endswith("risk 1.7 %")
    hand.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand.press("Copy link")
    link = hand.page.evaluate("navigator.clipboard.readText()")
    other = visit(at="", where=link)
    other.page.get_by_text("23 mines").first.wait_for()
    for name in ("SVG", "PNG"):
        with hand.page.expect_download() as arriving:
            hand.page.get_by_role("button", name=name, exact=True).click()
        content = Path(arriving.value.path()).read_bytes()
        assert content.startswith(b"<svg" if name == "SVG" else b"\x89PNG")


HOLD_ODDS = """() => {
  const send = WebSocket.prototype.send;
  window.held = new Promise((resolve) => {
    WebSocket.prototype.send = function (text) {
      if (JSON.parse(text).method !== "odds") return send.call(this, text);
      WebSocket.prototype.send = send;
      resolve(() => send.call(this, text));
    };
  });
}"""
PASTE_AND_LET_GO = """async (area, text) => {
  const go = await window.held;
  area.value = text;
  area.dispatchEvent(new Event("change"));
  go();
}"""


def test_late_odds_of_the_previous_position_are_not_shown_for_a_pasted_one(visit: Visit) -> None:
    hand = visit("#analyse")
    area = hand.page.get_by_label("The position as text")
    hand.page.get_by_text("Certain: ").wait_for()
    hand.page.evaluate(HOLD_ODDS)
    area.fill("2x2/1 1?/??")
    area.blur()
    area.evaluate(PASTE_AND_LET_GO, "3x3/1 1??/???/???")
    hand.page.get_by_text("5 safe cells, 0 mines").wait_for()
    assert "Lowest risk" not in text(hand, "Deductions")


def test_a_contradiction_is_marked_until_it_is_resolved(visit: Visit) -> None:
    hand = visit("#analyse")
    area = hand.page.get_by_label("The position as text")
    area.fill("2x3/2\n???\n141")
    area.blur()
    hand.page.get_by_text("Contradiction.").wait_for()
    assert hand.page.evaluate("() => window.mineproof.board().overlay.clash") == [[1, 1]]
    hand.page.get_by_role("radio", name="clue 2").click()
    hand.cell(1, 1).click()
    hand.page.get_by_text("Certain: ").first.wait_for()
    hand.page.get_by_role("grid").focus()
    hand.key("ArrowUp", "1")
    assert hand.page.get_by_label("The position as text").input_value().startswith("2x3/2\n")


def test_a_position_is_drawn_by_dragging_and_with_the_wheel(visit: Visit) -> None:
    hand = visit("#analyse")
    hand.page.get_by_text("Certain: ").first.wait_for()
    hand.press("Clear")
    hand.page.get_by_role("radio", name="clue 2").click()
    boxes = [hand.cell(3, col).bounding_box() for col in (2, 6)]
    (left, right) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    mouse = hand.page.mouse
    mouse.move(*left)
    mouse.down()
    mouse.move(*right, steps=20)
    mouse.up()
    drawn = hand.seen(14)
    assert [drawn.state((3, col)) for col in range(1, 8)] == [9, 2, 2, 2, 2, 2, 9]
    for _ in range(3):
        mouse.wheel(0, -100)
    assert hand.seen(14).state((3, 6)) == 5
    mouse.wheel(0, 100)
    assert hand.seen(14).state((3, 6)) == 4
    mouse.down(button="right")  # clears the cell
    mouse.move(*left, steps=20)
    mouse.up(button="right")
    assert {hand.seen(14).state((3, col)) for col in range(2, 7)} == {9}
    hand.key("u")
    assert hand.seen(14).state((3, 2)) == 2


DROP = """
([name, content]) => {
  const files = new DataTransfer();
  files.items.add(new File([content], name));
  const at = document.querySelector("main");
  for (const kind of ["dragover", "drop"]) {
    at.dispatchEvent(new DragEvent(kind, { dataTransfer: files, bubbles: true, cancelable: true }));
  }
}
"""


def test_a_file_can_be_dropped(visit: Visit) -> None:
    hand = visit("#analyse")
    hand.page.get_by_text("Certain: ").first.wait_for()
    hand.page.evaluate(DROP, ["position.txt", POSITION])
    hand.page.get_by_text("23 mines").first.wait_for()
    assert hand.seen(48) == mp.View.from_text(POSITION)
    record = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="safe"), seed=4)
    hand = visit("#review")
    hand.page.get_by_text("No game to review yet").wait_for()
    hand.page.evaluate(DROP, ["game.json", json.dumps(record.to_json())])
    hand.page.get_by_text("missed deductions").wait_for()


def test_a_position_can_be_played(visit: Visit) -> None:
    hand = visit("#analyse")
    hand.page.get_by_text("Certain: ").first.wait_for()
    drawn = hand.seen(14)
    hand.press("Play from here")
    hand.page.get_by_role("region", name="Help").wait_for()
    hand.wait_until_idle()
    assert hand.seen(14) == drawn


def test_a_finished_game_is_reviewed_stored_and_deleted(
    visit: Visit, game: Callable[[int], str]
) -> None:
    hand = visit(f"#play/{game(9)}")
    hand.cell(0, 0).wait_for()
    hand.solve(10, (4, 4))
    hand.page.get_by_role("link", name="Review this game").click()
    hand.page.get_by_text("missed deductions").wait_for()
    hand.wait_until_idle()
    assert "won" in text(hand, "The game in figures")
    assert "None needed: nothing was risked." in text(hand, "The game in figures")
    assert not hand.page.get_by_role("img", name=re.compile("win probability")).count()
    hand.press("To the start")
    assert set(hand.seen(10).states) == {9}
    hand.press("To the end")
    assert 9 in hand.seen(10).states
    with hand.page.expect_download() as arriving:
        hand.page.get_by_role("button", name="Download the game").click()
    record = mp.Record.from_json(json.loads(Path(arriving.value.path()).read_text()))
    assert record.won
    hand.page.get_by_role("link", name="History").click()
    row = hand.page.get_by_role("row").nth(1)
    row.get_by_text("won").wait_for()
    count = hand.page.get_by_role("row").count()
    row.get_by_role("button", name="Delete this game").click()
    hand.page.wait_for_function(
        "n => document.querySelectorAll('tbody tr').length < n || "
        "document.querySelector('tbody').innerText.includes('No games')",
        arg=count - 1,
    )


def test_a_record_from_elsewhere_can_be_dropped(visit: Visit, tmp_path: Path) -> None:
    record = mp.play(mp.Deal(9, 9, 10), "baseline", rules=mp.Rules(opening="safe"), seed=4)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record.to_json()))
    hand = visit("#review")
    hand.page.locator("#record-file").set_input_files(file)
    hand.page.get_by_text("missed deductions").wait_for()
    hand.wait_until_idle()
    hand.press("To the end")
    assert len(hand.page.locator(".moves li").all()) == len(record.moves)


def test_a_players_video_can_be_dropped_and_an_unnecessary_risk_is_explained(
    visit: Visit, tmp_path: Path
) -> None:
    game = mp.Game(mp.Deal(9, 9, 10), mp.Rules(opening="clear"), seed=9)
    turns = [
        game.turn(by_hand((4, 4))),
        game.turn(by_hand(mp.posterior(game.view).mined[0])),
    ]
    mp.replays.write(tmp_path / "lost.rawvf", [Record.of(game, "somebody", turns, 1.0)])
    hand = visit("#review")
    hand.page.set_input_files("#record-file", tmp_path / "lost.rawvf")
    hand.page.get_by_text(re.compile(r"Unnecessary risk: .* were provably safe\.")).wait_for()
    assert "points of win probability lost" in text(hand, "This move")
    assert "Not to blame; the mine was hit by taking an unnecessary risk." in text(
        hand, "The game in figures"
    )
    hand.page.get_by_role("img", name="Win probability, move by move").wait_for()
    hand.page.get_by_role("button", name=re.compile("Why was .* safe")).click()
    hand.page.get_by_role("button", name="Back to the move").wait_for()
    assert re.search(r"is safe: proved by ", text(hand, "This move"))
    hand.page.set_input_files(
        "#record-file", {"name": "x.json", "mimeType": "text/plain", "buffer": b"no game"}
    )
    hand.page.locator(".bad").first.wait_for()


def test_agents_are_compared_and_the_chart_grows(visit: Visit) -> None:
    hand = visit("#compare")
    hand.page.get_by_label("Games", exact=True).fill("60")
    hand.page.get_by_label("Games", exact=True).press("Tab")
    hand.press("Start")
    hand.page.get_by_text("60 of 60 boards").wait_for()
    chart = hand.page.get_by_role("img", name=re.compile("Win rates in per cent"))
    assert "exact" in (chart.get_attribute("aria-label") or "")
    assert "baseline minus exact" in hand.page.locator("main").inner_text()


def test_the_report_of_a_study_can_be_opened(visit: Visit, tmp_path: Path) -> None:
    folder = tmp_path / "studies" / "some-study"
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_text("{}")
    (folder / PAGE).write_text("<title>A report</title>")
    place = str(folder.parent)
    with serving(tmp_path / "games.db", 0, "--studies", place) as address:
        hand = visit("#compare", at=address)
        with hand.page.context.expect_page() as opening:
            hand.page.get_by_role("link", name="some-study").click()
        assert opening.value.title() == "A report"
        (folder / PAGE).unlink()
        hand.page.reload()
        hand.page.get_by_role("button", name="Write the report on some-study").click()
        hand.page.get_by_text("manifest").first.wait_for()  # not part of a study


def test_assist_helps_with_another_programs_board_and_catches_typing_errors(visit: Visit) -> None:
    board = mp.Board.random(9, 9, 10, seed=5, start=(0, 8), opening="clear")
    hand = visit("#assist")
    hand.page.get_by_text("Open (").wait_for()
    hand.wait_until_idle()
    hand.page.get_by_role("grid").focus()
    asked = hand.page.evaluate("() => window.mineproof.board().cursor")
    hand.key(str(board.clue(tuple(asked))))
    hand.page.get_by_text("cells are safe").wait_for()
    asked = hand.page.evaluate("() => window.mineproof.board().cursor")
    hand.key("8")
    hand.page.get_by_text("That cannot be right.").wait_for()
    hand.key(str(board.clue(tuple(asked))))
    hand.page.get_by_text("safe: ").wait_for()


@pytest.mark.parametrize("number", range(1, 11))
def test_the_engine_confirms_the_answers_of_every_lesson(number: int) -> None:
    lesson = json.loads((STATIC / "lessons.json").read_text())[number - 1]
    view = mp.View.from_text(lesson["view"])
    model = mp.clues.parse(lesson.get("clues", "exact"))
    odds = mp.posterior(view, model)
    match lesson["find"]:
        case "safe":
            assert odds.safe
        case "mine":
            assert odds.mined
        case "least":
            assert not odds.safe
        case "win":
            best = mp.agents.get("champion").advise(view).candidates[0]
            assert odds.risk[best.cell] > np.nanmin(odds.risk)
        case "clues":
            assert len(mp.explain(view, tuple(lesson["cell"])).clues) > 1


def test_a_lesson_checks_answers_and_explains_mistakes(visit: Visit) -> None:
    hand = visit("#learn/3")
    hand.cell(0, 0).wait_for()
    hand.wait_until_idle()
    hand.click((3, 0))
    assert "Not certain" in hand.page.locator(".verdict").inner_text()
    hand.click((2, 0))
    assert "No, this cell is a mine." in hand.page.locator(".verdict").inner_text()
    assert "by 2 clues" in hand.page.locator(".verdict").inner_text()
    for cell in ((2, 1), (2, 3), (2, 4)):
        hand.click(cell)
        assert "Right." in hand.page.locator(".verdict").inner_text()
    hand.page.get_by_role("link", name="Next lesson").click()
    hand.page.get_by_role("heading", name="Subsets").wait_for()


def test_the_last_lesson_accepts_any_smallest_proof(visit: Visit) -> None:
    hand = visit("#learn/10")
    hand.cell(0, 0).wait_for()
    hand.wait_until_idle()
    hand.click((0, 1))
    hand.click((3, 1))
    assert "do not prove the cell" in hand.page.locator(".verdict").inner_text()
    hand.click((0, 1))
    hand.click((2, 1))
    assert "Right." in hand.page.locator(".verdict").inner_text()
