"""On real terminals of any width: live boards are complete, and keys and colours work."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import time
from pathlib import Path

import pytest
from rich.console import Console

import mineproof as mp
from mineproof.cli import main
from mineproof.cli.play import live
from mineproof.cli.play.live import GamePosition, frame
from mineproof.cli.play.outlook import Outlook, look
from mineproof.games.analysis import WinProbability
from mineproof.games.match import Match
from mineproof.render import draw
from mineproof.world.conditions import Conditions
from mineproof.world.move import Move
from mineproof.world.view import View
from tests.replayed import replayed

from .test_cli import MINEPROOF, Terminal, ok, refused

WIDTHS = [60, 80, 110, 120, 200]


def terminal_of(rows: int, cols: int, *arguments: str, **environment: str) -> Terminal:
    """A terminal whose size the environment does not override."""
    size = {"LINES": str(rows), "COLUMNS": str(cols)}
    return Terminal(*arguments, rows=rows, cols=cols, **size, **environment)


@pytest.mark.parametrize("cols", WIDTHS)
@pytest.mark.parametrize("rows", [24, 50])
def test_a_live_expert_board_is_complete_at_every_move(rows: int, cols: int) -> None:
    deal, rules = mp.Deal(16, 30, 99), mp.Rules("continue", "safe")
    record = mp.play(deal, "csp", rules=rules, seed=5)
    console = Console(file=io.StringIO(), width=cols, height=rows, _environ={})
    position = GamePosition("csp", View.hidden(16, 30, 99), record.conditions)
    for number, (move, _, view) in enumerate([*replayed(record)][:200]):
        outlook = Outlook(WinProbability(number / 200, 0.02), own=False) if number % 3 else None
        position = position.after(move, view, outlook)
        with console.capture() as capture:
            console.print(frame(position, console))
        text = capture.get()
        assert max(map(len, text.split("\n"))) <= cols
        assert len(text.split("\n")) <= rows + 1
        assert "of a 16x30" not in text
        expected = draw(view).plain.split("\n")[1:]
        shown: dict[int, str] = {}
        for line in text.split("\n"):
            if (found := re.match(r" ?(\d+) (.*)", line)) and int(found[1]) < 16:
                shown[int(found[1])] = shown.get(int(found[1]), "") + found[2]
        for row, line in enumerate(expected):
            symbols = line[3:].replace(" ", "")
            assert re.sub(r"[ \[\]]", "", shown[row]).startswith(symbols)


@pytest.mark.parametrize("cols", WIDTHS)
def test_an_expert_analysis_shows_every_column(cols: int, tmp_path: Path) -> None:
    (tmp_path / "view.txt").write_text(View.hidden(16, 30, 99).to_text())
    terminal = terminal_of(90, cols, "analyse", str(tmp_path / "view.txt"))
    text = terminal.read()
    assert terminal.process.wait() == 0
    board = text.partition("\n")[2].partition("risk in")[0]
    lines = [line for line in board.split("\n") if line.strip()]
    rulers = [line.split() for line in lines if line.startswith("    ")]
    assert [number for ruler in rulers for number in ruler] == [str(col) for col in range(30)]
    assert len(rulers) == (1 if cols >= 94 else 2)
    risks = "".join(line[3:] for line in lines if not line.startswith("    "))
    assert re.findall(r"\d+", risks) == ["21"] * 480


def test_a_long_reason_is_truncated_and_does_not_displace_the_board() -> None:
    view = View.hidden(16, 30, 99)
    under = Conditions("16x30/99", mp.Rules(), mp.clues.Exact())
    move = Move((3, 29), "open", None, True, "a long reason, with many words " * 40)
    for width in (60, 80, 110, 120, 200):
        console = Console(file=io.StringIO(), width=width, height=24, _environ={})
        with console.capture() as capture:
            console.print(frame(GamePosition("x", view, under).after(move, view), console))
        lines = capture.get().split("\n")
        assert len(lines) <= 25
        assert max(map(len, lines)) <= width
        cells = "".join(lines).count("·")
        assert cells == 480
        assert ("…" in "".join(lines)) == (width < 200)
        assert "0 cells open" in "".join(lines)


@pytest.mark.parametrize("in_time", [False, True])
def test_to_keep_pace_a_game_skips_certain_moves_but_no_guess(
    in_time: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine where each drawing takes ten times the delay per move."""
    drawn: list[GamePosition] = []

    def slow(position: GamePosition, _: Console) -> str:
        time.sleep(0.01)
        drawn.append(position)
        return ""

    monkeypatch.setattr(live, "frame", slow)
    monkeypatch.setattr(live, "look", lambda *_: None)
    monkeypatch.setattr(
        live, "Console", lambda **_: Console(file=io.StringIO(), force_terminal=True)
    )
    match = Match(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="safe"), seed=4)
    assert live.show(match, match, delay=0.001, plain=False, in_time=in_time) is None
    assert (len(drawn) < len(match.turns)) == in_time
    guesses = [number for number, turn in enumerate(match.turns, start=1) if not turn.asked.certain]
    assert {*guesses} <= {position.moves for position in drawn}
    assert drawn[-1].guesses == len(guesses)


# The win probability


def outlooks(agent: str, **setting: object) -> list[Outlook | None]:
    """The win probability shown after each move of a game on 5x5 with 4 mines."""
    match = Match(mp.Deal(5, 5, 4), agent, seed=4, **setting)  # type: ignore[arg-type]
    known: list[Outlook | None] = [None]
    for turn in match:
        known.append(look(match, turn.events, known[-1]))
        if turn.action == "flag" and not match.over:
            assert known[-1] is known[-2]
    return known[1:]


@pytest.mark.skipif(mp.engine == "python", reason="the champion is compiled")
def test_the_win_probability_is_shown_after_each_move_of_the_champion() -> None:
    *known, last = outlooks("champion", rules=mp.Rules(opening="safe"))
    assert last is None
    assert known
    chances = [outlook.chance for outlook in known if outlook is not None and outlook.own]
    assert len(chances) == len(known)
    assert all(0 <= one.chance <= 1 for one in chances)
    assert chances[-1].error == 0  # few configurations are left, so it is exact


@pytest.mark.skipif(mp.engine == "python", reason="the champion is compiled")
def test_for_other_agents_the_champions_win_probability_is_shown() -> None:
    known = outlooks("baseline", rules=mp.Rules(opening="safe"))[0]
    assert known is not None
    assert "champion would win" in known.words(80, ascii_only=True).plain


def test_an_unavailable_win_probability_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(outlooks("exact", rules=mp.Rules(on_mine="continue")))
    assert not any(outlooks("exact", clues=mp.clues.Optimistic()))
    assert not any(outlooks("exact", rules=mp.Rules(count_known=False)))
    monkeypatch.setattr(mp._engine, "is_native", lambda: False)
    assert not any(outlooks("baseline"))


@pytest.mark.parametrize(
    ("chance", "expected"),
    [
        (
            WinProbability(0.434, 0.023),
            "win probability #########........... 43 % (95 % CI 39 to 48 %)",
        ),
        (WinProbability(0.6, 0.0), "win probability ############........ 60.0 % exact"),
        (WinProbability(1.0, 0.0), "win probability #################### 100.0 % exact"),
        (WinProbability(0.0, 0.0), "win probability .................... 0.0 % exact"),
    ],
)
def test_an_estimate_has_its_interval(chance: WinProbability, expected: str) -> None:
    outlook = Outlook(chance, own=True)
    assert outlook.words(80, ascii_only=True).plain == expected
    for columns in range(32, 60):
        assert len(outlook.words(columns, ascii_only=False).plain) <= columns


@pytest.mark.skipif(mp.engine == "python", reason="the champion is compiled")
def test_live_and_stepped_games_show_the_win_probability() -> None:
    arguments = ["play", "--level", "beginner", "--agent", "champion", "--seed", "18"]
    terminal = terminal_of(30, 100, *arguments, "--delay", "0")
    assert "win probability" in terminal.read(until="win probability")
    terminal.read()
    assert terminal.process.wait() == 0
    terminal = terminal_of(30, 100, *arguments, "--step")
    terminal.read(until="q quit")
    terminal.process.send(" ")
    assert "win probability" in terminal.read(until="win probability")
    terminal.process.send("q")
    terminal.read()


# Keys


def test_keys_step_forward_and_back_show_odds_and_reasons_and_quit() -> None:
    arguments = ["play", "--step", "--level", "beginner", "--agent", "exact", "--seed", "3"]
    terminal = terminal_of(30, 100, *arguments)
    assert "before the first move" in terminal.read(until="q quit")
    for keys, expected in [
        (" ", "move 1:"),
        ("\x1b[C", "move 2:"),
        ("b", "move 1:"),
        ("\x1b[D", "before the first move"),
        ("\x1bOC", "move 1:"),
        ("o", "mine probabilities in % before move 1"),
        ("w", "The opening rule makes this cell safe"),
        ("xw", "1 cell open"),
        (" ", "move 2:"),
        ("w", "lowest risks: (0,0) 11.69 %"),
        (" ", "marked: the clue"),
        ("q", "stopped after 3 moves"),
    ]:
        terminal.process.send(keys)
        assert expected in terminal.read(until=expected)
    terminal.read()
    assert terminal.process.wait() == 0


def test_a_key_after_the_last_move_ends_stepping() -> None:
    arguments = ["play", "--step", "--rows", "1", "--cols", "4", "--mines", "1", "--seed", "3"]
    terminal = terminal_of(30, 100, *arguments)
    terminal.read(until="q quit")
    terminal.process.send(" " * 8)
    text = terminal.read()
    assert "Try next" in text
    assert text.split("\n")[-1] in {"won", "lost"}
    assert terminal.process.wait() == 0


def test_ctrl_c_ends_stepping_cleanly() -> None:
    terminal = terminal_of(30, 100, "play", "--step", "--level", "beginner", "--seed", "3")
    terminal.read(until="q quit")
    terminal.process.send(" ")
    terminal.read(until="move 1:")
    terminal.process.send("\x03")
    text = terminal.read()
    assert "stopped after 1 move:" in text
    assert "Traceback" not in text
    assert terminal.process.wait() == 130


def test_a_guess_is_explained_by_the_lowest_risks() -> None:
    arguments = ["play", "--step", "--rows", "3", "--cols", "3", "--mines", "2", "--no-flood"]
    terminal = terminal_of(24, 80, *arguments, "--opening", "any", "--seed", "1")
    terminal.read(until="q quit")
    terminal.process.send(" ")
    terminal.read(until="move 1:")
    terminal.process.send("w")
    assert "lowest risks: (0,0) 22.22 %" in terminal.read(until="lowest risks")
    terminal.process.send("q")
    terminal.read()


def test_stepping_needs_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run(
        [*MINEPROOF, "play", "--step"], input="  q", capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == ("mineproof: --step reads keys, so input and output must be a terminal\n")
    for option in (["--json"], ["--plain"], ["--log", "-"]):
        assert "--step cannot be combined with" in refused(capsys, "play", "--step", *option)


# Suggested commands


def tries(text: str) -> list[list[str]]:
    return [shlex.split(line.split("  # ")[0])[3:] for line in text.splitlines() if "  # " in line]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--rows", "4", "--cols", "5", "--mines", "3", "--agent", "csp", "--start", "1,2"],
        ["--clues", "sometimes:0.7", "--on-mine", "continue"],
        ["--agent", "champion:budget=fast", "--rows", "4", "--cols", "4", "--mines", "2"],
        ["--rows", "5", "--cols", "5", "--density", "0.2", "--independent", "--no-count"],
    ],
)
def test_suggested_commands_use_the_same_board(
    capsys: pytest.CaptureFixture[str], arguments: list[str], tmp_path: Path
) -> None:
    known = ok(capsys, "watch", *arguments, "--seed", "8")
    played = json.loads(ok(capsys, "watch", *arguments, "--seed", "8", "--json"))
    lines = tries(known)
    assert len(lines) == 3
    assert any("--on-mine" in line for line in lines)
    for line in lines:
        words = [str(tmp_path / word) if word == "game.txt" else word for word in line]
        again = json.loads(ok(capsys, *words, "--json"))
        assert again["seed"] == played["seed"]
        assert again["clues"] == played["clues"]
        if "--agent" not in line or line[line.index("--agent") + 1] == played["agent"]:
            assert again["board"] == played["board"]


def test_after_a_logged_game_stepping_through_it_is_suggested(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = ["play", "--level", "beginner", "--seed", "2", "--agent", "champion"]
    lines = tries(ok(capsys, *arguments, "--log", str(tmp_path / "log.txt")))
    assert lines[1][-1] == "--step"
    assert lines[2][lines[2].index("--agent") + 1] == "baseline"
    lines = tries(ok(capsys, "watch", "--level", "beginner", "--seed", "2"))
    assert lines[2][lines[2].index("--agent") + 1] == "champion"


# Boards


@pytest.mark.parametrize("form", ["lines", "line", "json", "corpus"])
def test_play_reads_the_boards_that_generate_writes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str
) -> None:
    path = tmp_path / "boards"
    shape = ["--rows", "4", "--cols", "5", "--mines", "3", "--count", "3", "--seed", "9"]
    start = ["--start", "0,0"] if form == "corpus" else []
    ok(capsys, "generate", *shape, *start, "--format", form, "--out", str(path))
    texts = json.loads(ok(capsys, "generate", *shape, *start, "--json"))["boards"]
    for number, one in enumerate(texts, start=1):
        known = ok(capsys, "play", "--board", str(path), "--index", str(number), "--json")
        assert json.loads(known)["board"] == one["board"]
    assert main(["play", "--board", str(path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["board"] == texts[0]["board"]
    assert err == "board 1 of 3 (choose another with --index)\n"
    message = refused(capsys, "play", "--board", str(path), "--index", "4")
    assert "there is no board 4 in " in message
    assert "it has 3 boards" in message
    assert "--index must be at least 1" in refused(
        capsys, "play", "--board", str(path), "--index", "0"
    )


def test_an_invalid_board_among_several_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "boards"
    path.write_text("2x2/1 *./..\n2x2/1 *z/..\n")
    assert "board 2: unknown character 'z'" in refused(capsys, "play", "--board", str(path))
    path.write_text('{"boards": 3}')
    assert "as written by generate --json" in refused(capsys, "play", "--board", str(path))
    assert "--index needs --board" in refused(capsys, "play", "--index", "2")


# Uncertain clues


@pytest.mark.parametrize("model", ["optimistic", "cautious", "sometimes:0.5"])
def test_demonstrations_of_uncertain_clues_use_an_instructive_board(
    capsys: pytest.CaptureFixture[str], model: str
) -> None:
    moves = 0
    for seed in range(10):
        record = mp.Record.from_json(
            ok(capsys, "play", "--clues", model, "--seed", str(seed), "--json")
        )
        assert (record.agent, record.board.rows, record.board.cols) == ("exact", 9, 9)
        assert record.board.mine_count == 6
        moves += len(record.moves)
    assert moves >= 100
    given = ["--clues", model, "--level", "beginner", "--agent", "simple", "--seed", "1"]
    record = mp.Record.from_json(ok(capsys, "play", *given, "--json"))
    assert (record.agent, record.board.mine_count) == ("simple", 10)
    record = mp.Record.from_json(
        ok(capsys, "play", "--clues", model, "--mines", "3", "--seed", "1", "--json")
    )
    assert (record.board.rows, record.board.mine_count) == (9, 3)
