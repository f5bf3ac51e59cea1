"""Who plays: you, an agent you name, or the agent that comes with an example board."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.cli import main
from mineproof.cli.options import DEFAULT_AGENT, DEFAULT_LEVEL

from .test_cli import MINEPROOF, Terminal, ok, refused

GAME = ("--seed", "3")
FORFEITS = {
    "raises": "raise ValueError('enough')",
    "illegal": "return Decision((99, 99), 'open', risk=None, certain=False, reason='')",
    "slow": "time.sleep(30)",
}


def record(capsys: pytest.CaptureFixture[str], *words: str) -> mp.Record:
    return mp.Record.from_json(ok(capsys, *words, "--json"))


def test_watch_and_play_with_an_agent_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    for agent in ("csp", "exact"):
        watched = ok(capsys, "watch", "--agent", agent, *GAME).replace("mineproof watch", "")
        played = ok(capsys, "play", "--agent", agent, *GAME).replace("mineproof play", "")
        strip = [line for line in watched.split("\n") if "including the referee" not in line]
        assert strip == [line for line in played.split("\n") if "including the referee" not in line]


def test_the_default_is_exact_on_a_beginner_board_everywhere(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (DEFAULT_AGENT, DEFAULT_LEVEL) == ("exact", "beginner")
    for words in (("watch", *GAME), ("play", "--agent", "exact", *GAME), ("play", *GAME)):
        game = record(capsys, *words)
        board = game.board
        assert (game.agent, board.rows, board.cols, board.mine_count) == ("exact", 9, 9, 10)
        assert game.rules.opening == "safe"
    board = mp.Board.from_text(ok(capsys, "generate", "--seed", "1"))
    assert (board.rows, board.cols, board.mine_count) == (9, 9, 10)
    arena = json.loads(ok(capsys, "arena", "--games", "2", "--json"))
    assert [agent["name"] for agent in arena["agents"]] == ["baseline", "exact"]
    for command in ("assist", "engine"):
        assert "[default: exact]" in ok(capsys, command, "--help")


@pytest.mark.parametrize(
    "option", [["--json"], ["--plain"], ["--log", "-"], ["--delay", "0"], ["--truth"]]
)
def test_an_option_for_agents_games_makes_an_agent_play(
    capsys: pytest.CaptureFixture[str], option: list[str]
) -> None:
    assert ok(capsys, "play", *GAME, *option)


def test_an_example_is_played_by_its_agent_unless_you_play(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert record(capsys, "play", "--board", "report004-7x7").agent == "mean"
    assert record(capsys, "watch", "--board", "report004-7x7").agent == "mean"
    assert "terminal" in refused(capsys, "play", "--board", "report004-7x7", "--agent", "me")
    terminal = Terminal("play", "--board", "report004-7x7", "--agent", "me", rows=24, cols=80)
    assert "7x7" in terminal.read(until="q quit")
    terminal.process.send("q")
    assert "no game was played" in terminal.read()


def test_a_board_without_an_agent_is_for_you_to_play(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "board.txt"
    path.write_text("2x2/1 *./..")
    assert "playing needs an interactive terminal" in refused(capsys, "play", "--board", str(path))
    assert record(capsys, "play", "--board", str(path)).agent == "exact"
    assert record(capsys, "watch", "--board", str(path)).agent == "exact"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("watch --agent me", "use 'mineproof play' to play yourself"),
        ("play --agent me --json", "--json is only for an agent's game"),
        ("play --practice --log x", "--log is only for an agent's game"),
        ("play --agent exact --practice", "--practice is only for games you play"),
        ("play --agent exact --vi", "--vi is only for games you play"),
        ("watch --practice", "No such option"),
        ("play --no-guess --clues optimistic", "--no-guess needs exact clues"),
        ("play --no-guess --no-count", "leave out --no-count"),
        ("play --no-guess --opening any", "use --opening safe or clear"),
        ("play --no-guess --board report004-7x7", "cannot be combined with --board"),
        ("play --agent mee", "unknown agent 'mee'"),
    ],
)
def test_conflicting_options_are_refused(
    capsys: pytest.CaptureFixture[str], words: str, message: str
) -> None:
    assert message in refused(capsys, *words.split())


@pytest.mark.skipif(mp.engine == "python", reason="the search is compiled")
def test_an_agent_wins_a_no_guess_board(capsys: pytest.CaptureFixture[str]) -> None:
    for start in ([], ["--start", "4,4"]):
        game = record(capsys, "watch", "--no-guess", *GAME, *start)
        assert game.won
        assert game.guesses == 0
        assert game.start == ((4, 4) if start else (0, 0))


# Forfeits


@pytest.mark.parametrize("how", FORFEITS)
@pytest.mark.parametrize("command", ["play", "watch"])
def test_an_agent_that_forfeits_ends_with_1(tmp_path: Path, how: str, command: str) -> None:
    (tmp_path / "bad.py").write_text(
        "import time\nfrom mineproof.agents import Decision\n"
        f"class Bad:\n    def decide(self, view, **given):\n        {FORFEITS[how]}\n"
    )
    words = [command, "--agent", f"{tmp_path / 'bad.py'}:Bad", "--move-timeout", "0.2", *GAME]
    done = subprocess.run([*MINEPROOF, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "lost"
    assert "forfeited: " in done.stdout
    assert done.stderr == ""


def test_a_forfeit_is_shown_next_to_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.py").write_text("def bad(view, **given):\n    return None\n")
    assert main(["watch", "--agent", f"{tmp_path / 'bad.py'}:bad", *GAME, "--json"]) == 1
    out, err = capsys.readouterr()
    assert mp.Record.from_json(out).fault
    assert err.startswith("mineproof: the agent forfeited: ")
    assert err.count("\n") == 1
