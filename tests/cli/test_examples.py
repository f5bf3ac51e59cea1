"""The reports' examples ship with the package and can be used by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.formats import examples
from mineproof.world.view import COVERED, EXPLODED, FLAGGED, NO_CLUE

from .test_cli import ok, refused

NAMES = examples.names()
WITH_BOARD = [name for name in NAMES if examples.get(name).board]


@pytest.mark.parametrize("name", WITH_BOARD)
def test_every_position_occurs_on_its_board(name: str) -> None:
    board = mp.Board.from_text(examples.board_text(name))
    view = mp.View.from_text(examples.position_text(name))
    assert view.mines in {None, board.mine_count}
    for index, state in enumerate(view.states):
        if state in {FLAGGED, EXPLODED}:
            assert board.mined[index]
        elif state not in COVERED and state != NO_CLUE:
            assert state == board.counts[index]


@pytest.mark.parametrize("command", ["analyse", "explain", "reasoners"])
@pytest.mark.parametrize("name", NAMES)
def test_every_position_can_be_read_by_name(
    capsys: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    by_text = ok(capsys, command, examples.position_text(name), "--json")
    assert ok(capsys, command, name, "--json") == by_text


@pytest.mark.parametrize("name", WITH_BOARD)
def test_every_board_can_be_played_and_graded_by_name(
    capsys: pytest.CaptureFixture[str], name: str, tmp_path: Path
) -> None:
    (tmp_path / "board.txt").write_text(examples.board_text(name))
    words = ("play", "--agent", "baseline", "--opening", "any", "--no-count", "--no-flood")
    words += ("--on-mine", "continue", "--seed", "1", "--json", "--board")
    named, read = (
        json.loads(ok(capsys, *words, board)) for board in (name, str(tmp_path / "board.txt"))
    )
    assert named["moves"] == read["moves"]
    assert json.loads(ok(capsys, "grade", name, "--start", "0,3", "--json"))["grades"]


@pytest.mark.parametrize("name", WITH_BOARD)
def test_a_board_is_played_with_its_reports_setting(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    example = examples.get(name)
    game = json.loads(ok(capsys, "play", "--board", name, "--json"))
    assert game["agent"] == example.agent
    assert mp.Rules(**game["rules"]) == mp.Rules(**example.rules)
    if example.ending is not None:
        assert ok(capsys, "play", "--board", name).splitlines()[-1] == example.ending


def test_options_override_the_reports_setting(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("play", "--board", "report004-7x7", "--agent", "exact", "--on-mine", "end")
    game = json.loads(ok(capsys, *words, "--opening", "safe", "--start", "3,0", "--json"))
    assert game["agent"] == "exact"
    assert (game["rules"]["on_mine"], game["rules"]["opening"]) == ("end", "safe")
    assert game["moves"][0]["cell"] == [3, 0]


def test_every_command_of_an_example_works(capsys: pytest.CaptureFixture[str]) -> None:
    for one in json.loads(ok(capsys, "examples", "--json"))["examples"]:
        for command in one["commands"]:
            ok(capsys, *command.split()[1:])


def test_a_file_of_that_name_takes_precedence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("report002-corner").write_text("1x2/1 ?1\n")
    found = json.loads(ok(capsys, "analyse", "report002-corner", "--json"))
    assert found["mined"] == [[0, 0]]


def test_examples_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    listed = ok(capsys, "examples")
    assert all(name in listed for name in NAMES)
    shown = ok(capsys, "examples", "report004-7x7")
    assert "truth" in shown
    assert "Illegible in the report" in shown
    assert "The report: Subsets and the local rules find 12 of the 13 mines" in shown
    assert "mineproof play --board report004-7x7" in shown
    found = json.loads(ok(capsys, "examples", "report002-corner", "--json"))["examples"]
    assert found[0]["board"] is None
    assert found[0]["position"] == examples.position_text("report002-corner")


def test_an_unknown_example_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert "report002-corner has only a position, no board" in refused(
        capsys, "play", "--board", "report002-corner"
    )
    assert "did you mean" in refused(capsys, "examples", "report002-korner")


def test_the_reasoning_about_a_position_is_logged(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("analyse", "report000-column", "--agent", "linalg", "--log")
    shown = ok(capsys, *words, "-")
    assert "  reduced:\n" in shown
    ok(capsys, *words, str(tmp_path / "log.txt"))
    assert (tmp_path / "log.txt").read_text() == shown
    assert "--log needs --agent" in refused(capsys, "analyse", "report000-column", "--log", "-")
    assert "both write" in refused(capsys, *words, "-", "--json")


def test_the_true_board_is_next_to_the_known_one(capsys: pytest.CaptureFixture[str]) -> None:
    shown = ok(capsys, "play", "--board", "report003-5x5", "--truth")
    assert "truth          knowledge" in shown
    assert "4  0 2 * * 1   4  ? ? ? * ?" in shown
    assert "cannot be combined with --step" in refused(capsys, "play", "--truth", "--json")
