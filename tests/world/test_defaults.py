"""One default everywhere: deals have a safe first cell, given boards are taken as they are."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import mineproof as mp
from mineproof.agents import Decision
from mineproof.cli import main
from mineproof.gym.env_config import env_config_of
from mineproof.studies import Study

MINED_FIRST = mp.Board.from_text("2x2/1 *./..")


class TopLeft:
    """Opens the first cell and records the rules that it was given."""

    name = "top-left"
    rules: mp.Rules

    def decide(self, view: mp.View, *, rules: mp.Rules, **_: Any) -> Decision:
        self.rules = rules
        cell = view.cells(mp.State.HIDDEN, mp.State.SAFE)[0]
        return Decision(cell, "open", None, False, "the first one")


@pytest.mark.parametrize(
    "rules", [None, mp.Rules(), {}, {"flood": False}, mp.Rules(on_mine="continue")], ids=str
)
def test_by_default_a_deal_is_safe_and_a_board_has_no_rule(rules: Any) -> None:
    assert mp.Game("beginner", rules).rules.opening == "safe"
    assert mp.Game(mp.Deal(3, 3, 2), rules).rules.opening == "safe"
    assert mp.Game(MINED_FIRST, rules).rules.opening == "any"


def test_an_explicit_rule_holds_for_boards_too() -> None:
    with pytest.raises(mp.InvalidInput, match="'safe' does not hold on this board"):
        mp.play(MINED_FIRST, TopLeft(), rules={"opening": "safe"})
    assert not mp.play(MINED_FIRST, TopLeft()).won


def test_the_default_survives_changes_and_copies() -> None:
    for rules in (
        mp.Rules(),
        replace(mp.Rules(), flood=False),
        pickle.loads(pickle.dumps(mp.Rules())),
    ):
        assert rules.opening == "safe"
        assert rules.stated(dealt=True).opening == "safe"
        assert rules.stated(dealt=False).opening == "any"
    assert mp.Rules() == mp.Rules(opening="safe")
    assert mp.Rules(opening="safe").stated(dealt=False).opening == "safe"
    assert json.loads(json.dumps(mp.Rules().to_json()))["opening"] == "safe"


def test_no_first_cell_of_a_deal_is_a_mine() -> None:
    games = 300
    played = mp.arena([TopLeft(), "baseline"], mp.Deal(3, 3, 6), games=games, workers=1)
    assert played.conditions is not None
    assert played.conditions.rules.opening == "safe"
    assert all(one.moves > 1 for one in played.agents)
    assert all(mp.play(mp.Deal(3, 3, 6), TopLeft(), seed=seed).moves[1:] for seed in range(20))


ASKED: list[Callable[[], str]] = [
    lambda: mp.Rules().opening,
    lambda: mp.play("beginner", "random").rules.opening,
    lambda: mp.arena(["random"], "beginner", games=1).to_json()["rules"]["opening"],
    lambda: env_config_of().rules.opening,
    lambda: (
        Study.from_dict("one", {"block": [{"agents": "random", "boards": "beginner"}]})
        .points()[0]
        .opening
    ),
    lambda: "safe" if mp.solve(2, 2, 2) == mp.solve(2, 2, 2, opening="safe") else "any",
]


@pytest.mark.parametrize("ask", ASKED)
def test_all_functions_have_the_same_default(ask: Callable[[], str]) -> None:
    assert ask() == "safe"


@pytest.mark.parametrize(
    "line",
    [
        ["play", "--agent", "random", "--json"],
        ["arena", "--agents", "random", "--games", "1", "--json"],
    ],
)
def test_the_command_line_has_the_same_default(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line) == 0
    assert json.loads(capsys.readouterr().out)["rules"]["opening"] == "safe"


def test_agents_receive_the_rule_that_holds() -> None:
    agent = TopLeft()
    mp.play(MINED_FIRST, agent)
    assert agent.rules.opening == "any"
    mp.play("beginner", agent)
    assert agent.rules.opening == "safe"


def test_a_position_has_no_opening_rule() -> None:
    view = mp.View.hidden(2, 2, 1)
    for name in ("baseline", "exact", "champion"):
        assert not mp.agents.get(name).decide(view).certain
        assert mp.agents.get(name).decide(view, rules={"opening": "safe"}).certain


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("exprt", "board must be a Board, a Deal or the name of a level .* did you mean 'expert'"),
        ("2x2/1 *./..", "use Board.from_text to read a string"),
        (5, "board must be a Board, a Deal or the name of a level .*, got 5"),
    ],
)
def test_invalid_boards_are_refused(board: Any, words: str) -> None:
    for ask in (mp.play, mp.Match):
        with pytest.raises(mp.WrongType, match=words):
            ask(board, "random")


def test_a_level_has_its_own_size() -> None:
    assert mp.Board.random("expert", seed=3) == mp.Deal(16, 30, 99).board(3)
    assert next(mp.generate("beginner", seed=1)).rows == 9
    assert mp.Game(mp.LEVELS["expert"]).view.mines == 99
    with pytest.raises(mp.InvalidInput, match="'expert' already sets the size and the mines"):
        mp.Board.random("expert", mines=3)
    with pytest.raises(mp.InvalidInput, match="give rows, cols and mines"):
        mp.generate(4)


def test_records_and_standings_include_their_rules() -> None:
    rules = {"on_mine": "continue", "count_known": False, "flood": False}
    record = mp.play("beginner", "random", rules=rules, clues="sometimes:0.5", start=(0, 0))
    under = (
        "9x9/10, opening safe, sometimes:p=0.5 clues, starting at (0,0), for a score, "
        "mine count unknown, no flood"
    )
    assert str(record).startswith(f"random on {under}, seed 0: score ")
    games = mp.arena(["random"], mp.Deal(4, 4, density=0.2, independent=True), games=1,
                     rules=mp.Rules(count_known=False, density=0.2))  # fmt: skip
    assert str(games).startswith("4x4/0.2, opening safe, exact clues, mine density 0.2 known\n")
    given = mp.arena(["random"], [MINED_FIRST])
    assert str(given).startswith("given boards, opening any, exact clues\n")
