"""Help in play: odds, hints in steps, proofs, witnesses and an agent's move, each on request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import mineproof as mp
from tests.web.browser.hand import Hand

Visit = Callable[..., Hand]
SEED, START, MINES = 3, (4, 4), 10


@pytest.fixture
def hand(visit: Visit, game: Callable[..., str]) -> Hand:
    found = visit(f"#play/{game(SEED)}")
    found.click(START)
    return found


def help_text(hand: Hand) -> str:
    hand.wait_until_idle()
    return str(hand.page.get_by_role("region", name="Help").inner_text())


def overlay(hand: Hand) -> Any:
    """Which cells are framed, in the board's text for people who cannot see the canvas."""
    return hand.page.evaluate("() => window.mineproof.board().overlay")


def test_one_key_shows_the_odds_and_they_are_updated_after_each_move(hand: Hand) -> None:
    hand.key("o")
    assert hand.page.get_by_text("risk in %").is_visible()
    view = hand.seen(MINES)
    odds = mp.posterior(view)
    for cell in view.cells(9):
        assert hand.words(cell).endswith(f"risk {100 * odds.risk[cell]:.1f} %")
    hand.click(odds.safe[0])
    view = hand.seen(MINES)
    odds = mp.posterior(view)
    cell = view.cells(9)[-1]
    assert hand.words(cell).endswith(f"risk {100 * odds.risk[cell]:.1f} %")
    hand.key("z")
    assert hand.page.get_by_text("probability of a 0 in %").is_visible()
    hand.key("z")
    assert "risk" not in hand.words(cell)


def test_before_the_first_move_the_opening_rule_is_explained(
    visit: Visit, game: Callable[..., str]
) -> None:
    hand = visit(f"#play/{game(SEED)}")
    promise = "The first cell and its neighbours are always safe: open any cell."
    hand.cell(*START).wait_for()
    hand.key("h")
    assert promise in help_text(hand)
    hand.key("Escape")
    hand.click(START, modifiers=["Shift"])
    assert f"No cell is open yet. {promise}" in help_text(hand)


def test_a_hint_is_given_in_steps(hand: Hand) -> None:
    hand.key("h")
    assert help_text(hand).startswith("Help\n\nYes:")
    assert overlay(hand) == {}
    hand.key("h")
    assert "in violet" in help_text(hand)
    assert set(overlay(hand)) == {"clues"}
    clues = sorted(map(tuple, overlay(hand)["clues"]))
    hand.key("h")
    assert "is safe" in help_text(hand)
    (asked,) = overlay(hand)["asked"]
    assert tuple(asked) in mp.posterior(hand.seen(MINES)).safe
    assert "no smaller set" not in help_text(hand)
    hand.key("h")
    proof = mp.explain(hand.seen(MINES), tuple(asked))
    words = str(proof).splitlines()[0]
    assert words in help_text(hand)
    assert clues == sorted(proof.clues)
    for _ in proof.to_json()["steps"]:
        assert "Stuck?" not in help_text(hand)
        hand.key("h")
    assert "Stuck?" in help_text(hand)


def test_certain_cells_have_proofs_and_uncertain_ones_witnesses(hand: Hand) -> None:
    view = hand.seen(MINES)
    odds = mp.posterior(view)
    hand.press("Why?")
    hand.click(odds.mined[0])
    assert "is a mine" in help_text(hand)
    assert hand.seen(MINES) == view  # asking opens no cell
    open_cell = next(cell for cell in view.cells(9) if 0 < odds.risk[cell] < 1)
    hand.cell(*open_cell).click(modifiers=["Shift"])
    assert "is undecided: mine probability" in help_text(hand)
    hand.press("With a mine there")
    assert hand.words(open_cell) == "mine"
    hand.press("Without a mine there")
    assert hand.words(open_cell) != "mine"


def test_a_wrong_flag_is_pointed_out(hand: Hand) -> None:
    wrong = mp.posterior(hand.seen(MINES)).safe[0]
    hand.click(wrong, button="right")
    hand.key("h")
    assert "The flag on (" in help_text(hand)
    hand.key("h")
    assert "is safe" in help_text(hand)
    further = hand.page.get_by_role("button", name="Next step")
    while further.count() and further.is_enabled():
        hand.press("Next step")
    assert hand.words(wrong) == "wrong flag"


def test_the_best_move_is_an_agents_move_with_its_reason(hand: Hand) -> None:
    hand.key("b")
    hand.page.get_by_label("Advice from").wait_for()
    assert "certain" in help_text(hand)
    hand.choose("Advice from", "exact")
    assert "Open (" in help_text(hand)


def test_hovering_over_a_cell_in_a_text_frames_it(hand: Hand) -> None:
    hand.key("h", "h")
    hand.key("h")
    hand.key("h")
    hand.page.get_by_role("region", name="Help").locator("button.ref").first.hover()
    assert len(overlay(hand)["marks"]) == 1
