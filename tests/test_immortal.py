"""benchmarks/immortal.py resumes where it was stopped."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from tools.recorder import ROOT

PROGRAM = """#!{python}
import sys
from pathlib import Path

begin, end = map(int, sys.argv[7:9])
with Path(__file__).with_suffix(".log").open("a") as log:
    print(begin, end, file=log)
for game in range(begin, end):
    print(f"{{game / 10}} 1 2 0.5")
"""


def test_saved_games_are_not_played_again(tmp_path: Path) -> None:
    play = runpy.run_path(str(ROOT / "benchmarks" / "immortal.py"))["play"]
    program, keep = tmp_path / "program", tmp_path / "kept"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)

    def chances(agent: str, games: int, seed: str) -> list[float]:
        played = play(str(program), agent, "expert", "safe", games, seed, keep)
        return [float(chance) for chance in played[:, 0]]

    fast, slow = "champion:budget=fast", "champion"
    assert chances(fast, 3, "1") == [0, 0.1, 0.2]
    (kept,) = keep.iterdir()
    kept.write_text(kept.read_text()[:-4])  # stopped in the middle of a line
    assert chances(fast, 5, "1") == [0, 0.1, 0.2, 0.3, 0.4]
    assert chances(fast, 2, "1") == [0, 0.1]
    assert chances(slow, 1, "1") == chances(fast, 1, "3") == [0]  # other games
    log = program.with_suffix(".log").read_text().splitlines()
    assert log == ["0 3", "2 5", "0 1", "0 1"]


def test_comparison_with_another_solver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = runpy.run_path(str(ROOT / "benchmarks" / "immortal.py"))
    program = tmp_path / "program"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    module["side_by_side"].__globals__["built"] = lambda: str(program)
    for kind, _, _ in module["KINDS"]:
        theirs = "board,win,guesses,cpu_ms\n0,1,2,8\n1,0,2,4\n2,1,1,1\n"
        (tmp_path / f"{kind}.csv").write_text(theirs)
    agents = ["champion:budget=fast", "champion"]
    module["side_by_side"](tmp_path, agents, 2, tmp_path / "kept")
    first, second, *_ = capsys.readouterr().out.splitlines()[2:]
    assert [cell.strip() for cell in first.split("|")[1:-1]] == [
        *("expert, clear", "`champion:budget=fast`", "2", "100.00", "50.00"),
        *("+50.000 +- 35.355", "", "0.50", "6.00"),
    ]
    assert second.split("|")[7].strip() == "+0.000 +- 0.000"
