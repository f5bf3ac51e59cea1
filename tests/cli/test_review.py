"""`mineproof review` judges the moves of a finished game."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.world.turn import by_hand


def saved(tmp_path: Path, agent: str, seed: int, deal: mp.Deal) -> str:
    path = tmp_path / f"{agent}-{seed}.json"
    record = mp.play(deal, agent, rules=mp.Rules(opening="safe"), seed=seed)
    path.write_text(json.dumps(record.to_json()))
    return str(path)


def test_a_missed_deduction_is_shown_with_its_proof(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = 0
    for seed in range(12):
        path = saved(tmp_path, "baseline", seed, mp.Deal(16, 16, 40))
        assert main(["review", path, "--json", "--no-win"]) == 0
        data = json.loads(capsys.readouterr().out)
        missed = [move for move in data["moves"] if move["missed"]]
        assert data["luck"]["needless"] == len(missed)
        assert main(["review", path, "--no-win"]) == 0
        words = capsys.readouterr().out
        assert words.count("unnecessary risk: ") >= len(missed)
        assert words.count("provably safe:") == len(missed)
        for move in missed:
            row, col = move["missed"][0]
            assert f"({row},{col}) is safe: proved by " in words
            known += 1
    assert known >= 5


@pytest.mark.skipif(mp.engine != "native", reason="win probabilities are compiled")
def test_risks_luck_and_efficiency_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, "champion", 18, mp.Deal(9, 9, 10))
    assert main(["review", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "champion on 9x9/10, opening safe, exact clues: won"
    assert any("; win probability before the move " in line for line in lines)
    assert any(line.startswith("probability of surviving these risks: ") for line in lines)
    assert any(line.startswith("the champion, from the same first cell: ") for line in lines)
    assert any("win probability, from move 1 to move " in line for line in lines)
    assert sum(line.startswith(("100 % ", "  0 % ")) for line in lines) == 2
    assert any("the champion's move" in line for line in lines)
    assert "efficiency" in lines[-1]


def shares(words: str) -> list[float]:
    """Every percentage in a text."""
    return [float(one) for one in re.findall(r"(\d+(?:\.\d+)?) ?%", words)]


def test_expected_mines_are_a_number_and_not_a_percentage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = mp.Rules(opening="any", on_mine="continue")
    record = mp.play(mp.Deal(6, 6, 12), "random", rules=rules, seed=3)
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record.to_json()))
    assert main(["review", str(path), "--json"]) == 0
    luck = json.loads(capsys.readouterr().out)["luck"]
    assert luck["expected_hits"] > 1.5
    assert main(["review", str(path)]) == 0
    words = capsys.readouterr().out
    assert max(shares(words)) <= 100
    expected = f"expected at the risks taken: {luck['expected_hits']:.2f}"
    assert f"mines hit: {luck['hits']}; {expected}" in words


def test_a_loss_at_an_unnecessary_risk_is_called_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A cell with a risk of 2/3 is opened where 1/21 was available."""
    board = mp.Board.from_mines(5, 5, [(0, 1), (1, 0), (4, 4)])
    game = mp.Game(board, mp.Rules(opening="any"))
    turns = [game.turn(by_hand(cell)) for cell in ((0, 0), (0, 1))]
    path = tmp_path / "game.json"
    path.write_text(json.dumps(mp.Record.of(game, "me", turns, 1.0).to_json()))
    assert main(["review", str(path), "--no-win"]) == 0
    words = capsys.readouterr().out
    assert "unnecessary risk: a cell with 4.8 % risk was available" in words
    assert "luck: not to blame" in words
    assert "lucky" not in words


@pytest.mark.skipif(mp.engine != "native", reason="win probabilities are compiled")
def test_an_uninformative_chart_is_omitted_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="clear"), seed=1)
    path, picture = tmp_path / "game.json", tmp_path / "course.svg"
    path.write_text(json.dumps(record.to_json()))
    assert main(["review", str(path), "--svg", str(picture)]) == 0
    shown = capsys.readouterr()
    assert "100 % " not in shown.out
    assert "luck: none needed" in shown.out
    assert shown.err == f"{picture} was not written: no guess was made in this game\n"
    assert not picture.exists()
    assert main(["review", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["course"] == []


@pytest.mark.skipif(mp.engine != "native", reason="win probabilities are compiled")
def test_json_has_the_win_curve_the_champion_and_the_speed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, "baseline", 11, mp.Deal(9, 9, 10))
    picture = tmp_path / "course.svg"
    assert main(["review", path, "--json", "--svg", str(picture)]) == 0
    data = json.loads(capsys.readouterr().out)
    last = {"chance": 0.0, "error": 0.0, "exact": True, "interval": [0.0, 0.0]}
    assert data["course"][-1] == {"at": 3, **last}
    assert data["champion"]["won"]
    assert 0 < data["champion"]["survival"] <= 1
    assert data["pace"]["bbbv_per_second"] is None
    assert data["pace"]["clicks"] == data["clicks"] == 3
    guesses = [move for move in data["moves"] if move["risk"]]
    assert all(move["cost"]["chance"] > -0.2 for move in guesses)
    assert "lost" in picture.read_text()
    assert main(["review", path, "--no-win", "--svg", str(picture)]) == 2
    assert "that --no-win skips" in capsys.readouterr().err


def test_a_video_is_reviewed_with_its_speed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.rawvf"
    clicks = ((0.5, 2, 0), (1.5, 0, 3), (2.0, 0, 0))
    events = (
        f"{seconds} {what} {col + 1} {row + 1} ({16 * col} {16 * row})"
        for seconds, row, col in clicks
        for what in ("lc", "lr")
    )
    board = "RawVF_Version: Rev6\nPlayer: Ann\nBoard:\n0*000\n00000\n0000*\nEvents:\n"
    path.write_text(board + "\n".join(events))
    assert main(["review", str(path), "--no-win"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Ann on 3x5/2, opening safe, exact clues: won"
    assert lines[-1] == "3BV 3 in 3 clicks: efficiency 100 %; 2.000 s, 3BV/s 1.50"


def test_a_game_saved_by_the_assistant_can_be_reviewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "game.jsonl")
    for _ in range(2):
        stdin = io.TextIOWrapper(io.BytesIO(b"1,0=1 1,1=2\nq\n"))
        monkeypatch.setattr("sys.stdin", stdin)
        assert main(["assist", "2x4/2 1???/????", "--save", path]) == 0
    capsys.readouterr()
    assert main(["review", path, "--index", "2", "--no-win"]) == 0
    assert capsys.readouterr().out.startswith("assist on 2x4/2, opening safe, exact clues: stopped")
    assert main(["review", path, "--index", "3"]) == 2
    assert "--index must be from 1 to 2 for this file, got 3" in capsys.readouterr().err


def test_files_that_are_not_records_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no.json"
    path.write_text("{}")
    assert main(["review", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
