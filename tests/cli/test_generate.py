"""`mineproof generate` with no-guess boards: formats, progress, Ctrl-C, errors."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.formats import board_files

KIND = ["generate", "--level", "intermediate", "--no-guess", "--seed", "7", "--count", "3"]


def ok(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("more", [[], ["--needs", "subset"], ["--tries", "1"], ["--chain", "30"]])
def test_every_format_has_the_same_boards(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, more: list[str]
) -> None:
    as_json = json.loads(ok(capsys, *KIND, *more, "--json"))["boards"]
    expected = [one["board"] for one in as_json]
    assert any(one["repaired"] for one in as_json) == ("--tries" in more)
    for form in ("lines", "line", "corpus", "id", "plain-id", "json"):
        path = tmp_path / "boards.txt"
        ok(capsys, *KIND, *more, "--format", form, "--out", str(path))
        read = list(board_files.read(path.read_text(), "here"))
        assert [given.board.to_text() for given in read] == expected
        starts = {given.start for given in read}
        assert starts == ({None} if form in {"lines", "line"} else {(0, 0)})


def test_repaired_boards_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    dense = ["generate", "--rows", "16", "--cols", "30", "--mines", "150", "--no-guess"]
    assert main([*dense, "--tries", "5", "--seed", "1", "--format", "line"]) == 0
    said = capsys.readouterr()
    assert said.err == "board 1: repaired by moving mines\n"
    assert mp.Board.from_text(said.out).mine_count == 150
    assert main([*dense, "--tries", "5", "--no-repair", "--seed", "1"]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("mineproof: none of 5 deals of 16x30 with 150 mines")
    assert "% of the safe cells" in said.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--reasoning best", "unknown reasoning 'best': expected one of local, pairs"),
        ("--needs gauss --reasoning pairs", "'gauss' cannot be solved by 'pairs'"),
        ("--no-guess --opening any", "'opening' safe or clear"),
        ("--no-guess --density 0.1 --independent", "need a fixed mine count"),
        ("--no-guess --workers 0", "workers must be from 1 to 10000, got 0"),
        ("--opening any --format id --density 1", "first cell of a game ID must be safe"),
    ],
)
def test_invalid_options_get_one_clear_line(
    capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert main(["generate", "--seed", "1", *line.split()]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_a_long_search_shows_progress_and_stops_on_ctrl_c() -> None:
    line = "generate --rows 16 --cols 30 --mines 150 --no-guess --no-repair --tries 100000000"
    command = [sys.executable, "-m", "mineproof", *line.split(), "--seed", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "0 of 1 boards found after " in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert "Traceback" not in process.stderr.read()
