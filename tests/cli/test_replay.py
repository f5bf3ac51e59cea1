"""`mineproof replay` shows a finished game again, from any game file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.games import replays
from tests.replayed import replayed

from .test_cli import ok, refused
from .test_screens import terminal_of


@pytest.fixture
def game(tmp_path: Path) -> tuple[mp.Record, str]:
    path = tmp_path / "game.json"
    record = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="safe"), seed=3)
    replays.write(path, [record])
    return record, str(path)


def test_a_game_saved_by_play_is_shown_as_it_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "game.json")
    again = ["play", "--level", "beginner", "--agent", "csp", "--seed", "4", "--save", path]
    shown = ok(capsys, *again)
    known = ok(capsys, "replay", path)
    lines = known.splitlines()
    assert lines[-1] == shown.splitlines()[-1]
    assert shown.startswith("\n".join(lines[:8]))
    assert "Try next" not in known


def test_keys_step_forward_and_back(game: tuple[mp.Record, str]) -> None:
    terminal = terminal_of(30, 100, "replay", game[1])
    assert "before the first move" in terminal.read(until="q quit")
    for keys, expected in [
        (" ", "move 1:"),
        (" ", "move 2:"),
        ("b", "move 1:"),
        ("o", "mine probabilities in % before move 1"),
        ("o", "1 cell open"),
        ("q", "stopped after 2 moves"),
    ]:
        terminal.process.send(keys)
        assert expected in terminal.read(until=expected)
    terminal.read()
    assert terminal.process.wait() == 0


def test_a_key_after_the_last_move_ends_the_replay(game: tuple[mp.Record, str]) -> None:
    record, path = game
    terminal = terminal_of(30, 100, "replay", path)
    terminal.read(until="q quit")
    terminal.process.send(" " * 60)
    terminal.process.send(" " * (len(record.moves) + 2 - 60) if len(record.moves) > 58 else "")
    assert terminal.read().split("\n")[-1] == record.outcome
    assert terminal.process.wait() == 0


def test_json_has_every_move_with_the_cells_it_changed(
    game: tuple[mp.Record, str], capsys: pytest.CaptureFixture[str]
) -> None:
    record, path = game
    data = json.loads(ok(capsys, "replay", path, "--json"))
    assert data["outcome"] == record.outcome
    assert len(data["moves"]) == len(record.moves)
    assert data["moves"][-1]["view"] == record.view.to_text()
    for known, (move, events, _) in zip(data["moves"], replayed(record), strict=True):
        assert known["cell"] == list(move.cell)
        assert [tuple(cell) for cell, _ in known["shown"]] == [event.cell for event in events]
    assert (data["seconds"], data["clicks"], data["moves"][0]["at"]) == (None, None, None)


def test_a_game_is_converted_and_drawn(
    game: tuple[mp.Record, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, path = game
    video, picture, folder = tmp_path / "game.rawvf", tmp_path / "game.png", tmp_path / "svg"
    more = ["--save", str(video), "--png", str(picture), "--at", "3", "--svg", str(folder)]
    ok(capsys, "replay", path, "--plain", *more)
    (again,) = replays.read(video)
    assert [move.cell for move in again.moves] == [move.cell for move in record.moves]
    assert picture.read_bytes() == mp.render.view_png(record.view_at(3))
    assert (folder / "game.svg").exists()
    known = ok(capsys, "replay", str(video))
    assert known.splitlines()[-1] == record.outcome
    assert ": : " not in known
    assert ", :" not in known


def test_invalid_input_is_refused(
    game: tuple[mp.Record, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = game[1]
    assert "--at needs --png" in refused(capsys, "replay", path, "--at", "3")
    assert "--delay must be from 0 to 60" in refused(capsys, "replay", path, "--delay", "-1")
    assert "--at must be from 0 to" in refused(
        capsys, "replay", path, "--png", "x.png", "--at", "999"
    )
    assert "--index must be from 1 to 1 for this file, got 2" in refused(
        capsys, "replay", path, "--index", "2"
    )
    assert "cannot read" in refused(capsys, "replay", "no-such-file.rawvf")
    assert main(["replay"]) == 2
