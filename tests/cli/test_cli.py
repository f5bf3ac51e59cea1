"""The command line: what it prints, what it refuses, and how it behaves on a terminal."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import click
import pexpect
import pyte
import pytest

import mineproof as mp
import mineproof.cli as cli_package
from mineproof.cli import COMMANDS, GROUPS, cli, main

MINEPROOF = [sys.executable, "-m", "mineproof"]


def ok(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one-line error for bad input."""
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("mineproof: ")
    assert len(err) < 400
    return err


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    text = ok(capsys, *command.split(), "--help")
    assert text.startswith(f"Usage: mineproof {command}".rstrip())


def test_without_a_command_there_is_help() -> None:
    done = subprocess.run(MINEPROOF, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Understand:" in done.stdout


def test_every_command_is_in_exactly_one_group() -> None:
    listed = [name for names in GROUPS.values() for name in names]
    assert len(listed) == len(set(listed))
    folder = Path(cli_package.__file__).parent
    modules = {one.stem if one.suffix else one.name for one in folder.iterdir()}
    there = {
        name.replace("_", "-")
        for name in modules - {"__init__", "__pycache__"}
        if hasattr(import_module(f"mineproof.cli.{name}"), "command")
    }
    assert set(listed) == there


@pytest.mark.parametrize("command", ["", "study"])
def test_help_lists_each_command_on_one_whole_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = ok(capsys, *command.split(), "--help")
    assert "..." not in text.partition("\n")[2]
    context = click.Context(cli)
    group = cli if not command else cli.get_command(context, command)
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        line = (found.help or "").split("\n")[0]
        assert 10 < len(line) < 60, name
        assert line.endswith("."), name
        assert [line] == [one.split(maxsplit=1)[1] for one in text.splitlines()
                          if one.startswith(f"  {name} ")]  # fmt: skip


def test_help_imports_no_heavy_modules() -> None:
    """So that it responds at once."""
    code = (
        "import sys; from mineproof.cli import main; main(['--help']); "
        "sys.exit(any(name in sys.modules for name in "
        "('msgspec', 'numpy', 'rich', 'fastapi', 'mineproof._native', 'mineproof.reasoning')))"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False)
    assert done.returncode == 0


def test_no_command_but_serve_uses_the_network(tmp_path: Path) -> None:
    """Each runs with a guard that refuses every socket that binds, listens or connects."""
    code = """
import json, sys
def refuse(event, arguments):
    if event in {"socket.bind", "socket.connect", "socket.getaddrinfo"}:
        if not isinstance(arguments[-1], str):  # a path in a file system is no network
            raise SystemExit(f"{event} {arguments}")
sys.addaudithook(refuse)
from mineproof.cli import main
for line in json.loads(sys.argv[1]):
    assert main(line.split()) == 0, line
"""
    lines = [
        "play --level beginner --agent exact --seed 1 --save game.json",
        "review game.json",
        "analyse ???/121 --mines 2",
        "arena --level beginner --agents baseline,exact --games 8 --workers 2",
        "solve 3 3 2",
        "generate --level beginner --no-guess",
    ]
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(lines)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_completion_offers_commands_with_their_full_help() -> None:
    done = subprocess.run(
        MINEPROOF,
        env=os.environ
        | {
            "_MINEPROOF_COMPLETE": "zsh_complete",
            "COMP_WORDS": "mineproof ana",
            "COMP_CWORD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "plain", "analyse", "Show mine probabilities, best moves and win probability."
    ]  # fmt: skip


def test_watch_prints_plainly_when_piped() -> None:
    """As `make run` does in CI: plain text whose last line says won or lost, and exit code 0."""
    done = subprocess.run(
        [*MINEPROOF, "watch", "--level", "expert", "--seed", "396"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout
    lines = done.stdout.splitlines()
    assert lines[0] == "exact on 16x30/99, opening safe, exact clues"
    assert lines[-1] in {"won", "lost"}
    assert sum("mineproof " in line and "  # " in line for line in lines) == 3
    assert "seed 396" in done.stdout


def test_the_three_suggested_commands_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # one of them writes a file
    text = ok(capsys, "watch", "--level", "beginner", "--seed", "396")
    tries = [line.split("#")[0].split() for line in text.splitlines() if "  # " in line]
    assert len(tries) == 3
    for words in tries:
        arguments = words[words.index("mineproof") + 1 :]
        short = ["--games", "20"] if arguments[0] == "arena" else []
        assert main([*arguments, *short]) == 0


def test_play_after_a_mine_ends_with_a_score(capsys: pytest.CaptureFixture[str]) -> None:
    text = ok(capsys, "watch", "--on-mine", "continue", "--level", "beginner", "--seed", "2")
    assert text.splitlines()[-1].startswith("score ")


def test_play_json_is_the_record(capsys: pytest.CaptureFixture[str]) -> None:
    record = mp.Record.from_json(ok(capsys, "play", "--level", "beginner", "--seed", "3", "--json"))
    again = mp.play(mp.Deal(9, 9, 10), "exact", rules=mp.Rules(opening="safe"), seed=3)
    assert record.moves == again.moves


def test_play_reads_a_board_from_a_file_or_stdin(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "board.txt").write_text("..*\n...\n")
    data = json.loads(ok(capsys, "play", "--board", str(tmp_path / "board.txt"), "--json"))
    assert data["board"] == "2x3/1 ..*/..."
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"*.\n..")))
    data = json.loads(ok(capsys, "play", "--board", "-", "--start", "0,1", "--json"))
    assert data["board"] == "2x2/1 *./.."


def test_play_writes_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ok(
        capsys,
        "watch",
        "--level",
        "intermediate",
        "--on-mine",
        "continue",
        "--seed",
        "3",
        "--svg",
        str(tmp_path),
        "--svg-every",
        "50",
    )
    pictures = sorted(path.name for path in tmp_path.iterdir())
    assert pictures[:3] == ["final.svg", "game.svg", "move-00050.svg"]
    for name in pictures:
        ElementTree.parse(tmp_path / name)


def test_play_under_every_clue_model(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = [[float(c == n) for c in range(9)] for n in range(9)]
    (tmp_path / "table.json").write_text(json.dumps(table))
    models = ["sometimes:0.5", "sometimes:0.2,redraw=true", "optimistic", "cautious:known=true"]
    for model in [*models, f"table:{tmp_path / 'table.json'}"]:
        ok(capsys, "watch", "--on-mine", "continue", "--level", "beginner", "--clues", model)


def test_independent_cells_are_played_with_a_known_density(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = ok(
        capsys,
        *["play", "--rows", "8", "--cols", "8", "--density", "0.1", "--independent"],
        *["--seed", "1", "--json"],
    )
    assert json.loads(text)["rules"]["density"] == 0.1


def test_agents_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(ok(capsys, "agents", "--json"))["agents"]
    assert [row["name"] for row in rows] == mp.agents.names()
    assert "baseline" in ok(capsys, "agents")


def test_arena_json_has_the_documented_fields(capsys: pytest.CaptureFixture[str]) -> None:
    text = ok(
        capsys, "arena", "--agents", "random,baseline", "--games", "20", "--seed", "4", "--json"
    )
    data = json.loads(text)
    first = data["agents"][0]
    fields = {"name", "games", "wins", "win_rate", "score", "cpu_seconds", "games_per_cpu_second"}
    assert fields <= set(first)
    assert (first["name"], first["games"], first["score"]) == ("random", 20, None)
    assert {"first", "second", "difference", "standard_error"} <= set(data["paired"][0])


def test_arena_writes_one_line_per_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    ok(capsys, "arena", "--agents", "random,baseline", "--games", "12", "--per-game", str(path))
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:2] == ["board", "agent"]
    assert {"won", "score", "guesses"} <= set(rows[0])
    assert [(row["board"], row["agent"]) for row in rows[:2]] == [
        ("0", "random"),
        ("0", "baseline"),
    ]
    assert len(rows) == 24
    assert {row["won"] for row in rows} <= {"0", "1"}


def test_arena_plays_a_corpus_from_its_start(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "boards.txt")
    kind = ["--level", "beginner", "--start", "3,3", "--opening", "clear", "--seed", "1"]
    ok(capsys, "generate", *kind, "--count", "30", "--format", "corpus", "--out", path)
    corpus = json.loads(
        ok(
            capsys,
            "arena",
            "--boards",
            path,
            "--opening",
            "clear",
            "--agents",
            "baseline",
            "--json",
            "--seed",
            "1",
        )
    )
    dealt = json.loads(
        ok(capsys, "arena", *kind, "--games", "30", "--agents", "baseline", "--json")
    )
    assert corpus["agents"][0]["games"] == 30
    assert corpus["agents"][0]["wins"] == dealt["agents"][0]["wins"]


def test_arena_shows_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    text = ok(capsys, "arena", "--games", "20", "--on-mine", "continue")
    assert "score" in text
    assert "baseline minus exact, score" in text


def test_generated_boards_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    text = ok(capsys, "generate", "--rows", "3", "--cols", "5", "--mines", "4", "--seed", "1")
    board = mp.Board.from_text(text)
    assert (board.rows, board.cols, board.mine_count) == (3, 5, 4)
    line = ok(
        capsys,
        *["generate", "--rows", "3", "--cols", "5", "--mines", "4", "--seed", "1"],
        "--format",
        "line",
    )
    assert mp.Board.from_text(line) == board
    data = json.loads(ok(capsys, "generate", "--seed", "1", "--count", "3", "--format", "json"))
    assert len(data["boards"]) == 3
    assert data["boards"][0]["bbbv"] == mp.Board.from_text(data["boards"][0]["board"]).figures.bbbv


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert "_MINEPROOF_COMPLETE" in ok(capsys, "completion", shell)


def test_completion_knows_agents() -> None:
    done = subprocess.run(
        MINEPROOF,
        env=os.environ
        | {
            "_MINEPROOF_COMPLETE": "bash_complete",
            "COMP_WORDS": "mineproof play --agent ba",
            "COMP_CWORD": "3",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["plain,baseline", "plain,baseline-selection"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ply", "unknown command 'ply': did you mean 'play'"),
        ("play --agent basline", "unknown agent 'basline': did you mean 'baseline'"),
        ("play --level exprt", "unknown level 'exprt': did you mean 'expert'"),
        ("play --sed 3", "No such option"),
        ("play --seed x", "a seed must be a whole number, got 'x'"),
        ("play --seed -1", "a seed must be from 0 to 2**64 - 1, got -1"),
        (f"play --seed {'9' * 5000}", "a seed must be from 0 to 2**64 - 1, got 999"),
        (f"play --start {'9' * 5000}", "a cell must be ROW,COL, such as 0,3, got '999"),
        ("play --clues exat", "unknown clue model 'exat': did you mean 'exact'"),
        ("play --rows 5", "a shape needs both --rows and --cols"),
        (
            "play --rows 5 --cols 5",
            "the 5x5 board needs a number of mines: give --mines or --density",
        ),
        ("play --rows 0 --cols 5 --mines 1", "a board must have 1 to 1000 rows, got 0"),
        ("play --rows 5 --cols 1001 --mines 1", "a board must have 1 to 1000 columns, got 1001"),
        ("play --rows 9 --cols 9 --mines 81", "81 mines do not fit: 9x9 has 80 cells besides"),
        (
            "play --rows 9 --cols 9 --mines 73 --opening clear",
            "73 mines do not fit: 9x9 has 72 cells besides the first one and its neighbours",
        ),
        ("play --rows 9 --cols 9 --density 1.5", "a density must be from 0 to 1, got 1.5"),
        ("play --level expert --rows 5 --cols 5", "give a level or a shape"),
        ("play --start 16,0", "cell (16,0) is outside the board: rows 0 to 8"),
        ("play --start 16", "a cell must be ROW,COL, such as 0,3, got '16'"),
        ("play --board none.txt", "cannot read 'none.txt': No such file"),
        (
            "play --board x.txt --level expert",
            "--board already sets shape and mines: leave out --level",
        ),
        (
            "arena --boards x.txt --independent",
            "--boards already sets shape and mines: leave out --indep",
        ),
        ("play --delay -1", "--delay must be from 0 to 60 seconds"),
        ("play --svg-every 5", "--svg-every must be at least 1 and needs --svg"),
        ("arena --agents random,basline", "did you mean 'baseline'"),
        ("arena --agents ,", "at least one agent"),
        ("arena --games 0", "--games must be at least 1, got 0"),
        ("arena --boards none.txt", "cannot read 'none.txt': No such file"),
        ("arena --games 5 --per-game no/such/folder/x.csv", "cannot write 'no/such/folder/x.csv'"),
        ("generate --count 0", "--count must be at least 1, got 0"),
        ("generate --density 0.2 --independent --format corpus", "same number of mines"),
        ("completion tcsh", "is not one of"),
    ],
)
def test_bad_input_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert message in refused(capsys, *line.split())


def test_an_invalid_file_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "board.txt"
    for content, message in [
        (b"", "expected rows of cells, got none"),
        (b"*..\n..", "expected 3 cells in row 1, got 2"),
        (b"*.z", "unknown character 'z' at (0,2)"),
        (b"\xff\xfe\x00", "not a text file"),
        (b"*" * 5000, "a board must have 1 to 1000 columns, got 5000"),
    ]:
        path.write_bytes(content)
        assert message in refused(capsys, "play", "--board", str(path))
    path.write_text("3 3 1 0 0\n8000\n80\n")
    assert "board.txt: line 3: expected 4 hex" in refused(capsys, "arena", "--boards", str(path))
    path.write_text("*..\n...\n")
    start = ["play", "--board", str(path), "--start", "0,0", "--opening", "safe"]
    assert "the opening rule 'safe' does not hold" in refused(capsys, *start)


def test_a_closed_pipe_is_not_an_error() -> None:
    done = subprocess.run(
        f"{' '.join(MINEPROOF)} generate --count 20000 --format line | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith("9x9/10 ")


@pytest.mark.parametrize("more", [[], ["--opening", "any"], ["--start", "3,3"]])
def test_every_format_has_the_same_boards(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, more: list[str]
) -> None:
    kind = ["generate", "--level", "expert", "--seed", "7", "--count", "3", *more]
    line = ok(capsys, *kind, "--format", "line").splitlines()
    lines = ok(capsys, *kind).split("\n\n")
    assert [mp.Board.from_text(text).to_text() for text in lines] == line
    as_json = json.loads(ok(capsys, *kind, "--json"))["boards"]
    assert [one["board"] for one in as_json] == line
    path = tmp_path / "boards.txt"
    ok(capsys, *kind, "--format", "corpus", "--out", str(path))
    header, boards = mp.corpus.read(path)
    assert [board.to_text() for board in boards] == line
    assert header.start == ((3, 3) if "--start" in more else (0, 0))


def test_arena_reads_a_corpus_from_generate(tmp_path: Path) -> None:
    """Through a pipe, by `-` and by `/dev/stdin`."""
    program = " ".join(MINEPROOF)
    generate = f"{program} generate --count 20 --format corpus --seed 1"
    arena = f"{program} arena --agents random --json --boards"
    for line in (f"{generate} | {arena} -", f"{generate} | {arena} /dev/stdin"):
        done = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["agents"][0]["games"] == 20


def test_standard_output_may_be_closed_full_or_ascii_only() -> None:
    def run(line: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            f"{' '.join(MINEPROOF)} {line}", shell=True, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in done.stderr
        return done

    assert run("agents >&-").returncode == 0
    assert "cannot use standard output: No space left" in run("generate > /dev/full").stderr
    poor = subprocess.run(
        [*MINEPROOF, "arena", "--games", "10"],
        env=os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "paired difference" in poor.stdout


def test_a_board_with_only_mines_is_won_and_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "board.txt").write_text("**\n")
    text = ok(capsys, "play", "--board", str(tmp_path / "board.txt"), "--svg", str(tmp_path / "s"))
    assert text.splitlines()[-1] == "won"
    assert (tmp_path / "s" / "final.svg").exists()


def test_ctrl_c_stops_workers_at_once() -> None:
    """Even when a single game takes long."""
    arguments = [
        "arena",
        "--rows",
        "400",
        "--cols",
        "400",
        "--density",
        "0.1",
        "--on-mine",
        "continue",
    ]
    with subprocess.Popen(
        [*MINEPROOF, *arguments, "--games", "1000"], stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=15)
    assert process.returncode == 130
    assert "Traceback" not in err


def test_ctrl_c_ends_an_arena_with_the_results_so_far(tmp_path: Path) -> None:
    arguments = ["arena", "--agents", "simple,baseline", "--games", "1000000", "--json"]
    games_file = tmp_path / "x.csv"
    with subprocess.Popen(
        [*MINEPROOF, *arguments, "--per-game", str(games_file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 60
        while not (games_file.exists() and games_file.read_text().count("\n") > 2):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    data = json.loads(out)
    assert data["interrupted"] is True
    games = [one["games"] for one in data["agents"]]
    assert games[0] == games[1] > 0


class Terminal:
    """A real terminal of a given size, and what it shows."""

    def __init__(
        self, *arguments: str, rows: int = 40, cols: int = 120, **environment: str
    ) -> None:
        self.screen = pyte.Screen(cols, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "mineproof", *arguments],
            dimensions=(rows, cols),
            env=os.environ | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | environment,
            timeout=60,
        )

    def read(self, until: str | None = None) -> str:
        """Read to the end, or until a text is on the screen."""
        while True:
            try:
                part = self.process.read_nonblocking(4096, timeout=60)
            except pexpect.EOF:
                break
            self.raw += part
            self.stream.feed(part)
            if until is not None and any(until in line for line in self.screen.display):
                break
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()


def test_on_a_terminal_the_board_is_drawn_with_the_reason_next_to_it() -> None:
    terminal = Terminal("watch", "--level", "expert", "--seed", "3", "--delay", "0.001")
    during = terminal.read(until="move 2")
    assert "exact on 16x30/99" in during
    assert terminal.read().splitlines()[-1] in {"won", "lost"}
    assert terminal.process.wait() == 0
    assert b"\x1b[38;" in terminal.raw
    assert "Try next" in terminal.read()


def test_no_color_is_respected() -> None:
    terminal = Terminal(
        "play", "--level", "beginner", "--seed", "396", "--delay", "0", NO_COLOR="1"
    )
    terminal.read()
    assert b"[38;" not in terminal.raw
    assert b"[48;" not in terminal.raw


def test_a_limited_terminal_gets_ascii() -> None:
    terminal = Terminal(
        "play",
        "--level",
        "beginner",
        "--seed",
        "7",
        "--delay",
        "0",
        LANG="C",
        PYTHONUTF8="0",
        PYTHONIOENCODING="ascii",
    )
    terminal.read()
    assert terminal.raw.isascii()
    assert terminal.process.wait() == 0


@pytest.mark.parametrize("size", [(24, 80), (12, 40), (5, 20)])
def test_a_small_terminal_shows_a_part_of_the_board(size: tuple[int, int]) -> None:
    terminal = Terminal(
        "play", "--level", "expert", "--seed", "3", "--delay", "0", rows=size[0], cols=size[1]
    )
    assert terminal.read().splitlines()[-1] in {"won", "lost"}
    assert terminal.process.wait() == 0


def test_ctrl_c_ends_a_game_cleanly() -> None:
    terminal = Terminal("play", "--level", "expert", "--seed", "3", "--delay", "0.3")
    terminal.read(until="move 2")
    terminal.process.sendintr()
    text = terminal.read()
    assert "stopped after" in text
    assert "Traceback" not in text
    assert terminal.process.wait() == 130


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("analyse 2x2/1_??/?? --best 1", "--top"),
        ("analyse 2x2/1_??/?? --best=1", "--top"),
        ("arena --games 2 --agents simple --seconds 5", "--move-timeout"),
        ("arena --games 40 --agents simple,baseline --until 50", "--precision"),
    ],
)
def test_old_option_names_are_accepted_with_a_warning(
    old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word.replace("_", " ") for word in old.split()]
    assert main(words) == 0
    assert capsys.readouterr().err.startswith("warning: --")
    assert main([re.sub(r"--(best|seconds|until)", new, word) for word in words]) == 0
    assert "warning" not in capsys.readouterr().err
