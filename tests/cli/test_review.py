"""`mineproof review`: a finished game, judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.cli import main


def saved(tmp_path: Path, agent: str, seed: int, deal: mp.Deal) -> str:
    path = tmp_path / f"{agent}-{seed}.json"
    record = mp.play(deal, agent, rules=mp.Rules(opening="safe"), seed=seed)
    path.write_text(json.dumps(record.to_json()))
    return str(path)


def test_a_certain_cell_that_was_missed_is_told_with_its_proof(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = 0
    for seed in range(12):
        path = saved(tmp_path, "baseline", seed, mp.Deal(16, 16, 40))
        assert main(["review", path, "--json", "--no-win"]) == 0
        data = json.loads(capsys.readouterr().out)
        missed = [move for move in data["moves"] if move["missed"]]
        assert data["luck"]["needless"] == len(missed)
        assert main(["review", path, "--no-win"]) == 0
        words = capsys.readouterr().out
        assert words.count("could have been opened without a risk") == len(missed)
        for move in missed:
            row, col = move["missed"][0]
            assert f"({row},{col}) is safe: by " in words
            told += 1
    assert told >= 5


def test_risks_luck_and_efficiency_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path, "champion", 18, mp.Deal(9, 9, 10))
    assert main(["review", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "9x9, 10 mines, champion: won"
    assert any("; chance to win before it " in line for line in lines)
    assert any(line.startswith("the chance to live through all of it: ") for line in lines)
    assert "efficiency" in lines[-1]


def test_what_is_no_record_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "no.json"
    path.write_text("{}")
    assert main(["review", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
