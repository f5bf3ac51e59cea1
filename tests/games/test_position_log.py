"""The log of a position contains an agent's whole reasoning, as the log of a game does."""

from __future__ import annotations

import io
import re

import pytest

import mineproof as mp
from mineproof.formats import examples
from mineproof.games.match import Match
from mineproof.games.playbyplay import PlayByPlay
from mineproof.games.position_log import position_log
from mineproof.games.printed import printed_game


def log(position: str, agent: str, mines: int | None = None) -> str:
    view = mp.View.from_text(position, mines)
    rules = mp.Rules(count_known=view.mines is not None)
    return "\n".join(position_log(mp.agents.get(agent), view, rules=rules))


def moves(text: str) -> list[str]:
    """The section of each move in a log, without seconds."""
    return re.split(r"^move \d+\n", re.sub(r"\d\.\d{6} seconds", "", text), flags=re.M)[1:]


def test_the_column_is_shown_with_its_matrix() -> None:
    text = log(examples.position_text("report000-column"), "linalg")
    assert "  [0 1 1 1 0 | 2]" in text
    assert "  [ 0  0  1  0  0 |  1]" in text
    assert "from (2,0) = 1: (2,0) a mine" in text
    assert "flag (2,0): certain by gauss" in text


def test_the_summed_equation_of_report_004_is_shown_with_its_solutions() -> None:
    text = log("3x4 ????/?11?/????", "mean")
    assert "2 (0,1) + 2 (0,2)" in text
    assert "= 2: 19 solutions" in text
    assert (
        len(re.findall(r"^    \(0,0\) \(", text, re.M)) == 10
    )  # two sums with five solutions each


@pytest.mark.parametrize(
    ("name", "agent"),
    [("report000-4x4", "linalg"), ("report000-10x10", "linalg-brute-nocount")],
)
def test_a_position_is_logged_as_during_its_game(name: str, agent: str) -> None:
    game, out, reached = printed_game(name), io.StringIO(), 0
    match = Match(game.board, game.agent, rules=game.rules)
    view = mp.View.from_text(examples.position_text(name))
    for number, _ in enumerate(PlayByPlay(match, out), start=1):
        if match.view.states == view.states:
            reached = number
    in_game = moves(out.getvalue())[reached].partition("  queued: ")[0].splitlines()
    ours = moves(log(mp.View(view.grid, view.states, None).to_text(), agent))[0].splitlines()
    matrices = [line for line in in_game if re.match(r"  +\[|    \(", line)]
    assert matrices
    inside = iter(ours)
    assert all(line in inside for line in matrices), "the same lines in the same order"


def test_boards_in_a_log_show_deduced_cells_that_are_not_played_yet() -> None:
    out = io.StringIO()
    game = printed_game("report004-7x7")
    for _ in PlayByPlay(Match(game.board, game.agent, rules=game.rules), out):
        pass
    assert re.search(r" 1  \? \? \? \? c 1 1$", out.getvalue(), re.M)
    assert "c = deduced safe" in out.getvalue()
