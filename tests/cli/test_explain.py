"""`mineproof explain` proves cells as text, JSON and picture, and says if a guess is forced."""

from __future__ import annotations

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mineproof.cli import main

from .test_cli import ok

WALL = "3x5 ?????/s121s/00000"
OPEN = "3x5/3 ?????/?12??/?????"


def test_a_certain_cell_has_its_proof(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", WALL, "--cell", "0,2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "0  ?  ? >s< ?  ?"
    assert lines[2] == "1  s [1][2][1] s"
    assert lines[-1] == (
        "1. The clues at (1,1), (1,2) and (1,3) are a 1-2-1 along a wall, so (0,2) is safe."
    )


def test_an_uncertain_cell_has_a_configuration_with_and_one_without_a_mine(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["explain", OPEN, "--cell", "0,0"]) == 0
    out = capsys.readouterr().out
    assert "a configuration with a mine at (0,0):" in out
    assert "0 >m<" in out
    assert "0 >?<" in out
    assert "3 configurations have a mine there, 42 do not." in out


def test_explaining_a_position_says_whether_a_guess_is_forced(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["explain", OPEN]) == 0
    assert capsys.readouterr().out == "no cell is certain: a guess is necessary\n"
    assert main(["explain", "1x3/1 ?1F"]) == 0
    assert capsys.readouterr().out == "no cell is certain: a guess is necessary\n"
    assert main(["explain", "1x4/1 ?1s?"]) == 0
    out = capsys.readouterr().out
    assert "certain: 2 safe, 1 mine" in out
    assert "easiest proof: the mine count is needed" in out


def test_all_shows_every_certain_cell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", WALL, "--all"]) == 0
    out = capsys.readouterr().out
    for cell in range(5):
        assert f"(0,{cell}) is " in out


def test_wrong_flags_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "3x5 F?F??/s121s/00000"]) == 0
    out = capsys.readouterr().out
    assert out.count("the flag on it is wrong") == 2


def test_json_for_a_cell_and_for_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", WALL, "--cell", "0,2", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["mine"], shown["least"], shown["ease"]) == (False, True, "pattern")
    assert main(["explain", WALL, "--all", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert not shown["may_guess"]
    assert [proof["cell"] for proof in shown["proofs"]] == [[0, col] for col in range(5)]
    assert main(["explain", OPEN, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == {"may_guess": True, "safe": [], "mined": [], "wrong_flags": [], "easiest": None}


def test_positions_come_from_files_and_pipes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "position.txt"
    file.write_text(WALL)
    assert main(["explain", str(file), "--cell", "0,2"]) == 0
    read = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(WALL.encode())))
    assert main(["explain", "-", "--cell", "0,2"]) == 0
    assert capsys.readouterr().out == read


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([WALL, "--cell", "0,2"], "1-2-1"),
        ([OPEN, "--cell", "0,0"], "42 do not"),
        (["3x5 ??F??/s121s/00000"], "the flag on it is wrong"),
    ],
)
def test_pictures_are_well_formed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], text: str
) -> None:
    picture = tmp_path / "proof.svg"
    assert main(["explain", *arguments, "--svg", str(picture)]) == 0
    story = ElementTree.fromstring(picture.read_text()).findtext("{http://www.w3.org/2000/svg}desc")
    assert story is not None
    assert text in story


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([WALL, "--cell", "1,1"], "cell (1,1) is not hidden"),
        ([WALL, "--cell", "9,9"], "cell (9,9) is outside the board"),
        ([WALL, "--cell", "0,2", "--all"], "give --cell or --all, not both"),
        ([WALL, "--budget", "0"], "--budget must be at least 1, got 0"),
        (["nowhere.txt"], "cannot read 'nowhere.txt'"),
        ([OPEN, "--svg", "x.svg"], "no cell is certain, so there is no proof to draw"),
        (["2x3/2 ???/141"], "the clue at (1,1)=4 is impossible"),
    ],
)
def test_bad_input_is_shown_on_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["explain", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("command", ["explain", "reasoners"])
def test_the_meaning_of_dots_can_be_chosen(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    text = "1x4/1 .1?."
    for dots, same in (("hidden", "1x4/1 ?1??"), ("safe", "1x4/1 s1?s")):
        shown = ok(capsys, command, text, "--dots", dots, "--json")
        assert shown == ok(capsys, command, same, "--json")
