"""Printed boards, odds and tables are readable in 80 columns; a `repr` stays short."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import mineproof as mp
from tests.strategies import seeds

POSITION = "3x5/3 ?????/?12??/?????"


def test_a_view_and_a_board_are_printed_row_by_row_and_read_back() -> None:
    view = mp.View.from_text(POSITION)
    assert str(view) == "3x5/3\n?????\n?12??\n?????"
    assert mp.View.from_text(str(view)) == view
    board = mp.Board.from_text("2x3/1 *../...")
    assert str(board) == "2x3/1\n*..\n..."
    assert mp.Board.from_text(str(board)) == board
    assert repr(view) == f"View({POSITION!r})"


def test_a_posterior_is_printed_as_a_board_of_risks(engine: str) -> None:
    assert str(mp.posterior(mp.View.from_text(POSITION))).splitlines() == [
        "two digits: mine probability in %",
        "    0  1  2  3  4",
        "0  07 20 20 40 27",
        "1  07  1  2 40 27",
        "2  07 20 20 40 27",
        "exact: 45 configurations",
    ]


def test_proved_and_flagged_cells_have_their_symbols() -> None:
    odds = mp.posterior(mp.View.from_text("1x7/2 F1s?F1?"))
    assert str(odds).splitlines()[:3] == [
        "two digits: mine probability in %, s safe, F flag",
        "     0   1   2   3   4   5   6",
        "0    F   1   s   s F50   1  50",
    ]


@pytest.mark.parametrize(
    ("view", "end"),
    [
        ("1x3/1 ?1?", "exact: 2 configurations"),
        ("1x3/1 ?10", "exact: 1 configuration"),
        ("1x3 ?1?", "exact: every configuration was counted"),
        ("9x99/100 " + "/".join(["?" * 99] * 9), "exact: about 10^134.5 configurations"),
    ],
)
def test_a_posterior_prints_the_number_of_configurations(view: str, end: str) -> None:
    assert str(mp.posterior(mp.View.from_text(view))).splitlines()[-1] == end


@settings(max_examples=10)
@given(seeds)
def test_no_printed_line_is_wider_than_80_columns(seed: int) -> None:
    deal, rules = mp.Deal(*mp.LEVELS["expert"]), mp.Rules(opening="safe")
    record = mp.play(deal, "baseline", rules=rules, seed=seed)
    standings = mp.arena(["csp", "champion:budget=fast,playouts=100"], deal, games=3, workers=1)
    for value in (record, record.view, record.board, mp.posterior(record.view), standings):
        assert max(map(len, str(value).splitlines())) <= 80
        assert not any(line.endswith(" ") for line in str(value).splitlines())
    for value in (record, mp.posterior(record.view), standings):
        assert len(repr(value)) <= 120


def test_wide_boards_are_folded_when_printed() -> None:
    record = mp.play(mp.Deal(12, 100, 150), "baseline", rules=mp.Rules(opening="safe"), seed=3)
    for value in (record, mp.posterior(mp.View.hidden(12, 100, 150))):
        lines = str(value).splitlines()
        assert max(map(len, lines)) <= 80
    rulers = [line for line in str(record).splitlines() if line.startswith("   ")]
    assert " ".join(rulers).split() == [str(col) for col in range(0, 100, 5)]
    rows = [line[4:].split() for line in str(record).splitlines() if line[:2].strip().isdigit()]
    assert sum(map(len, rows[:-1])) == 12 * 100  # without the statistics below


def test_a_record_is_printed_as_its_last_board_with_outcome_and_statistics() -> None:
    record = mp.play(mp.Board.from_text("1x4/1 ...*"), "exact", seed=1, start=(0, 0))
    assert str(record).splitlines() == [
        "exact on 1x4/1, opening any, exact clues, starting at (0,0), seed 1: won",
        "   0",
        "0  0 0 1 m",
        "1 move, 1 guess; 0 of 1 mine flagged, 0 wrong flags, 0 hit",
    ]
    title, *_ = str(record).splitlines()
    assert repr(record) == f"<record of {title}>"


def test_standings_are_printed_as_two_tables() -> None:
    rules = mp.Rules(opening="any")
    standings = mp.arena(["simple", "baseline"], "beginner", games=100, rules=rules)
    assert str(standings).splitlines() == [
        "9x9/10, opening any, exact clues",
        "agent     games  won %        95 % CI  guesses",
        "simple      100   2.00    0.55 - 7.00     4.78",
        "baseline    100  61.00  51.20 - 69.98     2.67",
        "",
        "paired difference               mean           95 % CI",
        "simple minus baseline, won %  -59.00  -68.04 to -48.18",
    ]
    assert repr(standings) == "<standings: simple 2/100, baseline 61/100>"


def test_standings_of_scores_and_of_a_single_game() -> None:
    rules = mp.Rules(on_mine="continue", opening="any")
    one = mp.arena(["simple", "baseline"], mp.Deal(9, 9, 10), games=1, rules=rules)
    assert str(one).splitlines() == [
        "9x9/10, opening any, exact clues, for a score",
        "agent     games   won %         95 % CI   score  95 % CI  guesses",
        "simple        1    0.00    0.00 - 79.35  0.2000        -    33.00",
        "baseline      1  100.00  20.65 - 100.00  1.0000        -     3.00",
        "",
        "paired difference                mean  95 % CI",
        "simple minus baseline, score  -0.8000        -",
    ]
    alone = mp.arena(["simple"], mp.Deal(9, 9, 10), games=5)
    assert len(str(alone).splitlines()) == 3
