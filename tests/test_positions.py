"""Every command that takes a position accepts it in every form."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import mineproof as mp
from mineproof import positions
from mineproof.cli import main
from mineproof.errors import FormatError

BOARD = mp.Board.from_text("4x5/4 .*..*/...../*..*./.....")
VIEW = "4x5/4 ?????/?2122/?????/?????"
COMMANDS = {
    "analyse": ["--json", "--budget", "10"],
    "explain": ["--json"],
    "reasoners": ["--json"],
}


def ways(folder: Path) -> dict[str, str]:
    """The position in every form that can be given; of files, their names."""
    names = {
        "text": VIEW,
        "lines": VIEW.replace("/4 ", "/4\n").replace("/", "\n").replace("x5\n4", "x5/4"),
        "symbols": VIEW.replace("?", "#"),
        "id": mp.game_ids.write(BOARD, (3, 4)),
        "link": mp.board_links.write(BOARD),
        "example": "report000-column",
    }
    for name, content in (
        ("view.txt", VIEW.encode()),
        ("other.txt", VIEW.replace("?", "#").encode()),
        ("id.txt", f"{names['id']}\n".encode()),
        ("link.txt", names["link"].encode()),
        ("board.mbf", mp.mbf.write(BOARD)),
        ("screen.png", mp.render.view_png(mp.View.from_text(VIEW))),
        ("without a suffix", mp.render.view_png(mp.View.from_text(VIEW))),
    ):
        (folder / name).write_bytes(content)
        names[name] = str(folder / name)
    return names


WAYS = (
    "text", "lines", "symbols", "id", "link", "example", "view.txt", "other.txt", "id.txt",
    "link.txt", "board.mbf", "screen.png", "without a suffix",
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_accepts_every_form(
    command: str, way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, ways(tmp_path)[way], *COMMANDS[command]]) == 0
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("way", WAYS)
def test_assist_accepts_every_form(
    way: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"q\n")))
    assert main(
        ["assist", ways(tmp_path)[way], "--density", "0.2"][: 2 + 2 * ("screen" in way)]
    ) in {0, 2}
    assert "cannot read" not in capsys.readouterr().err


@pytest.mark.parametrize("way", ["view.txt", "id.txt", "link.txt", "board.mbf", "screen.png"])
def test_a_pipe_is_read_like_a_file(
    way: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    content = Path(ways(tmp_path)[way]).read_bytes()
    for given in ([], ["-"]):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(["explain", *given, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)


def test_every_form_gives_the_visible_position(tmp_path: Path) -> None:
    every = {way: positions.read(given).view for way, given in ways(tmp_path).items()}
    for way in ("text", "lines", "symbols", "view.txt", "other.txt"):
        assert every[way] == mp.View.from_text(VIEW)
    assert every["screen.png"].states == mp.View.from_text(VIEW).states
    for way in ("link", "link.txt", "board.mbf"):
        assert every[way] == mp.View.hidden(4, 5, 4)


def test_a_game_id_has_its_first_cell_open_and_reveals_no_mine() -> None:
    view = positions.from_text(mp.game_ids.write(BOARD, (3, 4)))
    assert view == mp.View.from_text("4x5/4 ?????/?????/?????/????1")
    empty = mp.Board.from_text("3x4 ..../..../...*")
    begun = positions.from_text(mp.game_ids.write(empty, (0, 0)))
    assert begun == mp.View.from_text("3x4/1 0000/0011/001?")


def test_a_count_that_contradicts_the_board_is_refused() -> None:
    with pytest.raises(FormatError, match="the board has 4 mines, but the given mine count is 5"):
        positions.from_text(mp.board_links.write(BOARD), 5)


def test_a_note_reports_reading_a_picture_if_the_output_has_no_field_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", ways(tmp_path)["screen.png"], "--json"]) == 0
    assert "read from a picture (mineproof); least certain cell: (" in capsys.readouterr().err


def test_an_unreadable_position_is_refused() -> None:
    with pytest.raises(FormatError, match="cannot read 'no-such-file.txt'"):
        positions.read("no-such-file.txt")
