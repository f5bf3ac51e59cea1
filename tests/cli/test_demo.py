"""The tour shows a won and instructive game on any terminal, in a pipe and as JSON."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

import mineproof as mp
from mineproof import _engine
from mineproof.cli import main
from mineproof.cli.demo.next_steps import next_steps
from mineproof.cli.demo.tour_plan import EXPERT_WINS, plan
from mineproof.games.highlights import hardest_guess, instructive_proof
from mineproof.games.record import Record

from .test_cli import MINEPROOF, ok, refused
from .test_screens import terminal_of

ROOT = Path(__file__).parents[2]
native = pytest.mark.skipif(mp.engine == "python", reason="the champion is compiled")
PARTS = ["1/4 ", "2/4 ", "3/4 ", "4/4 ", "Try next"]


def piped(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [*MINEPROOF, "demo", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# Contents


@pytest.mark.parametrize("engine", [pytest.param("native", marks=native), "python"])
def test_the_chosen_game_is_won_and_has_a_proof_and_a_guess(engine: str) -> None:
    with _engine.using(engine):
        tour = plan()
        match = tour.begin()
        for _ in match:
            pass
        record = match.record()
        proof, guess = instructive_proof(record), hardest_guess(record)
    assert tour.chosen
    assert record.won
    assert 250 <= len(record.moves) <= 340  # seven seconds
    assert proof is not None
    assert guess is not None
    assert proof.proof.mine is False
    assert len(proof.proof.clues) == 3
    assert len(proof.proof.steps) == 2
    assert (
        0.05 < (guess.move.risk or 0) < 0.5
    )  # no 50/50, because there the choice would not matter
    if engine == "native":
        assert guess.takes_a_risk
        assert len(guess.compared) >= 3


def test_the_rates_equal_those_in_the_readme() -> None:
    """A slow test compares the README's rates with an arena."""
    text = (ROOT / "README.md").read_text()
    rows = re.findall(r"^\| `([\w:=]+)`[^|\n]*(?:\|[^|\n]*){2}\|([^|\n]*)\|$", text, re.M)
    shown = {agent: cell.strip() for agent, cell in rows}
    for measured in EXPERT_WINS.values():
        agent = measured.command.split()[-1]
        figures = (100 * share for share in (measured.rate, measured.low, measured.high))
        assert shown[agent] == "{:.2f} ({:.2f} - {:.2f})".format(*figures)
        assert f"--games {measured.games}" in measured.command


@native
def test_a_pipe_gets_plain_text_that_says_the_game_was_chosen() -> None:
    text = piped()
    assert text.isascii()
    assert "\x1b" not in text
    places = [text.index(part) for part in PARTS]
    assert places == sorted(places)
    assert "A won game, chosen for this tour. The champion wins about 41 %" in text
    assert "won: 301 moves" in text
    assert "500 intermediate boards (16x16, 40 mines)" in text
    assert "the first cell is safe, clues are exact" in text
    for agent in plan().field.agents:
        (bar,) = re.findall(rf"^{agent} +[#=.]+ +([\d.]+) % \(([\d.]+) - ([\d.]+)\)$", text, re.M)
        rate, low, high = map(float, bar)
        assert low <= rate <= high


def test_without_the_compiled_engine_exact_plays_and_it_says_why() -> None:
    text = piped(MINEPROOF_ENGINE="python")
    assert "exact plays, because the champion needs the compiled engine" in text
    assert "exact wins about 39 %" in text
    assert "won: " in text
    assert "exact opens (4,14)" in text
    assert re.search(r"^exact +[#=.]+ +\d", text, re.M)
    assert not re.search(r"^champion", text, re.M)


@native
def test_a_lost_game_is_shown_to_its_end() -> None:
    text = piped("--seed", "31")
    assert "The game with seed 31, won or lost." in text
    assert "make run SEED=31" in text
    assert "lost: 2 moves" in text
    assert "This game has no deduction" in text
    assert "It was a mine: the game was lost." in text
    assert "4/4 " in text


def test_a_seed_is_a_number_or_random(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "demo", "--seed", "never")
    assert "'never'" in said
    games = [json.loads(ok(capsys, "demo", "--seed", "random", "--json")) for _ in range(2)]
    assert games[0]["game"]["seed"] != games[1]["game"]["seed"]
    assert not games[0]["chosen"]


@pytest.mark.parametrize("seconds", ["-1", "601", "nan"])
def test_an_unreasonable_duration_is_refused(
    capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    assert "--duration must be from 0 to 600" in refused(capsys, "demo", "--duration", seconds)


@native
def test_json_has_the_game_the_proof_the_guess_and_the_tournament(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = json.loads(ok(capsys, "demo", "--json"))
    record = Record.from_json(data["game"])
    assert record.won
    proof, guess = data["proof"], data["guess"]
    view = mp.View.from_text(proof["position"])
    assert str(mp.explain(view, tuple(proof["cell"]))) == proof["words"]
    assert list(record.moves[proof["move"] - 1].cell) == proof["cell"]
    assert list(record.moves[guess["move"] - 1].cell) == guess["cell"]
    assert guess["candidates"][0]["cell"] == guess["cell"] != guess["safest"]
    row, col = guess["cell"]
    assert guess["risks"][row][col] == pytest.approx(guess["risk"])
    field = plan().field
    assert [one["name"] for one in data["tournament"]["agents"]] == list(field.agents)
    assert {one["games"] for one in data["tournament"]["agents"]} == {field.games}
    assert len(data["next"]) == 5


@native
def test_the_tournament_equals_the_one_its_command_plays(
    capsys: pytest.CaptureFixture[str],
) -> None:
    known = json.loads(ok(capsys, "demo", "--json"))["tournament"]
    assert main([*shlex.split(known["command"])[1:], "--json"]) == 0
    played = json.loads(capsys.readouterr().out)
    wins = [[one["wins"] for one in each["agents"]] for each in (known, played)]
    assert wins[0] == wins[1]


# Next steps


def test_the_suggested_commands_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.argv", [".venv/bin/mineproof"])
    web, *others = [command for command, _ in next_steps()]
    assert web == "make web"
    assert re.search(r"^web:", (ROOT / "Makefile").read_text(), re.M)
    assert len(others) == 4
    play, *others = others
    assert play == ".venv/bin/mineproof play"  # tried in tests/cli/test_human_screens.py
    for command in others:
        program, *arguments = shlex.split(command)
        assert program == ".venv/bin/mineproof"
        ok(capsys, *arguments)


def test_outside_a_checkout_the_commands_do_not_need_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = [command for command, _ in next_steps()]
    assert commands[0].endswith("mineproof serve")
    assert commands[4].endswith("check-agent --help")


# On a terminal


def tour_on(cols: int, **environment: str) -> tuple[str, bytes]:
    """The final text on a terminal after a quick tour, and the raw output."""
    terminal = terminal_of(150, cols, "demo", "--duration", "2", **environment)
    text = terminal.read()
    assert terminal.process.wait() == 0
    assert terminal.raw.rfind(b"\x1b[?25h") >= terminal.raw.rfind(b"\x1b[?25l")
    return text, terminal.raw


@native
@pytest.mark.parametrize("cols", [60, 120, 200])
def test_on_a_terminal_the_game_and_the_bars_are_live(cols: int) -> None:
    text, raw = tour_on(cols)
    places = [text.index(part) for part in PARTS]
    assert places == sorted(places)
    moves = set(re.findall(rb"move (\d+):", raw))
    assert len(moves) >= 5
    boards = [int(number) for number in re.findall(rb"board (\d+) of 500", raw)]
    assert boards[:3] == [10, 20, 30]
    assert boards == sorted(boards)
    assert boards[-1] == 500
    assert "board 500" not in text
    assert b"\x1b[38;" in raw
    for row in range(16):  # every row is complete, folded or not
        assert len(re.findall(rf"^ ?{row} .*", text.split("2/4")[0], re.M)) >= 1
    assert "█" in text
    assert "> (10,21)" in text


@native
def test_a_terminal_without_unicode_and_colours_gets_the_same_text() -> None:
    text, raw = tour_on(80, LANG="C", PYTHONIOENCODING="ascii", NO_COLOR="1")
    assert raw.isascii()
    assert b"\x1b[38;" not in raw
    assert "rows 9-15, columns 0-12 of a 16x30 board" in text
    assert re.search(r"^exact +#+=+\.+ ", text, re.M)


@native
@pytest.mark.parametrize("until", ["move 2", "2/4", "3/4", "board "])
def test_ctrl_c_leaves_at_any_point(until: str) -> None:
    terminal = terminal_of(60, 100, "demo", "--duration", "8")
    terminal.read(until=until)
    terminal.process.kill(signal.SIGINT)
    text = terminal.read()
    assert terminal.process.wait() == 130
    assert "Traceback" not in text
    assert "Try next" not in text
    assert terminal.raw.rfind(b"\x1b[?25h") >= terminal.raw.rfind(b"\x1b[?25l")
