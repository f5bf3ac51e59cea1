"""Every failure is one line and an exit code, and never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mineproof import cli
from mineproof.cli import main
from mineproof.formats import input_files

MINEPROOF = f"{sys.executable} -m mineproof"


def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        line, shell=True, capture_output=True, text=True, check=False, timeout=120, **more
    )


def complaint(line: str, code: int = 2) -> str:
    """The one-line error of a command that fails with this exit code."""
    done = shell(line)
    assert done.returncode == code, done
    assert done.stderr.startswith("mineproof: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


DEEP = "x = " + "[" * 5000 + "]" * 5000
DIGITS = "7" * 5000
BLOCK = '[[block]]\nagents = ["baseline"]\nboards = ["{}"]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DEEP, "is not valid TOML: it is nested too deeply"),
        (f"games = {DIGITS}", "is not valid TOML: a number in it has too many digits"),
        (BLOCK.format(f"{DIGITS}x9/9"), "expected a board as ROWSxCOLS/MINES"),
        (BLOCK.format(f"9x9/0.{'9' * 400}"), "expected a board as ROWSxCOLS/MINES"),
        (f"games = {'7' * 401}\n{BLOCK.format('9x9/9')}", "'games' must be from 1 to 1000000000"),
        (f"seed = {'7' * 401}\n{BLOCK.format('9x9/9')}", "a seed must be from 0 to 2**64 - 1"),
    ],
)
def test_an_invalid_study_is_refused(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(text)
    assert main(["study", "run", str(file), "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_a_byte_order_mark_in_a_study_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / "marked.toml"
    file.write_text("\ufeff" + BLOCK.format("4x4/2"))
    assert main(["study", "run", str(file), "--quick", "--out", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "--clues", f"table:[[{'1' * 401}]]"], "a clue table must be 9 rows of numbers"),
        (["play", "--clues", f"table:[[{DIGITS}]]"], "a clue table must be"),
        (["arena", "--games", "4", "--workers", "9" * 21], "a number of at most 18 digits"),
        (["arena", "--games", "4", "--workers", "9" * 18], "workers must be from 1 to 10000"),
        (["study", "run", "speed", "--workers", "9" * 18], "workers must be from 1 to 10000"),
        (["solve", "3", "3", "2", "--memory", "9" * 21], "a number of at most 18 digits"),
        (["solve", "3", "3", "2", "--memory", "9" * 18], "memory must be from 1 to"),
        (["solve", "1000", "1000", "500000"], "is too large for 2000 MB"),
        (["solve", "9" * 21, "3", "2"], "solve"),
        (["analyse", f"{DIGITS}x9/9 ?"], "'7777777"),
        (["analyse", DIGITS], "cannot read"),
        (["analyse", f"2x2/{DIGITS} ??/??"], "mines do not fit"),
        (["generate", "--rows", "9" * 21, "--cols", "9", "--mines", "9"], "9"),
        (["generate", "--count", "9" * 21, "--rows", "2", "--cols", "2", "--mines", "1"], "count"),
        (["arena", "--games", "9" * 21], "games"),
        (["play", "--seed", DIGITS], "a seed must be from 0"),
        (["play", "--start", f"{DIGITS},0"], "a cell must be ROW,COL"),
        (["play", "--start", f"{'9' * 21},0"], "9"),
        (["analyse", "2x2 ??/??", "--density", "nan"], "density"),
        (["analyse", "2x2/1 ??/??", "--top", "9" * 21], "a number of at most 18 digits"),
    ],
)
def test_numbers_out_of_range_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(words) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        "play --board -",
        "play --clues table:-",
        "influence -",
        "arena --boards -",
        "analyse -",
        "explain - --cell 0,0",
        "reasoners -",
    ],
)
def test_standard_input_may_be_closed(words: str) -> None:
    said = complaint(f"{MINEPROOF} {words} <&-")
    assert "cannot read '-': standard input is closed" in said


@pytest.mark.parametrize("words", ["agents", "--help", "play --seed 1 --plain", "generate --json"])
def test_standard_output_on_a_full_disk_is_reported(words: str) -> None:
    said = complaint(f"{MINEPROOF} {words} > /dev/full")
    assert said == "mineproof: cannot use standard output: No space left on device\n"


@pytest.mark.parametrize(
    "words",
    [
        "generate --out /dev/full",
        "arena --games 2 --agents random --workers 1 --per-game /dev/full",
        "play --seed 1 --plain --log /dev/full",
        "analyse '2x2/1 ??/??' --svg /dev/full",
        "explain '2x2/1 ??/1?' --cell 0,0 --svg /dev/full",
        "influence {game} --svg /dev/full",
        "influence {game} --graphml /dev/full",
        "study report {run} --csv /dev/full",
    ],
)
def test_a_file_on_a_full_disk_is_named(words: str, tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    game.write_text(shell(f"{MINEPROOF} play --level beginner --seed 4 --json").stdout)
    (tmp_path / "small.toml").write_text("games = 2\n" + BLOCK.format("4x4/2"))
    if "{run}" in words:
        run = f"study run {tmp_path / 'small.toml'} --out {tmp_path} --workers 1"
        assert shell(f"{MINEPROOF} {run}").returncode == 0
    said = complaint(f"{MINEPROOF} {words.format(game=game, run=tmp_path / 'small')}")
    assert said == "mineproof: cannot write '/dev/full': No space left on device\n"


def test_a_closed_pipe_ends_a_command_silently() -> None:
    """With the exit code of any program ended by SIGPIPE."""
    for words in ("generate --count 20000", "--help", "arena --games 20 --workers 2 --json"):
        done = shell(f"bash -c '{MINEPROOF} {words} | true; exit ${{PIPESTATUS[0]}}'")
        assert (done.returncode, done.stderr) in {(141, ""), (0, "")}
    done = shell(f"bash -c '{MINEPROOF} generate --count 20000 | head -1; exit ${{PIPESTATUS[0]}}'")
    assert (done.returncode, done.stderr) == (141, "")


def test_closed_or_full_streams_change_only_the_exit_code() -> None:
    """Without streams to report to, a command still ends with the right exit code."""
    assert shell(f"{MINEPROOF} agents >&- 2>&-").returncode == 0
    assert shell(f"{MINEPROOF} nonsense 2>/dev/full").returncode == 2
    assert shell(f"{MINEPROOF} nonsense >&- 2>&- <&-").returncode == 2


def test_a_file_never_replaces_a_closed_stream(tmp_path: Path) -> None:
    out = tmp_path / "boards.txt"
    line = f"{MINEPROOF} generate --level beginner --seed 1 --out {out} <&- >&- 2>&-"
    assert shell(line).returncode == 0
    assert out.read_text() == shell(f"{MINEPROOF} generate --level beginner --seed 1").stdout


def test_an_endless_file_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(input_files, "LARGEST", 2**22)
    for words in (["analyse"], ["play", "--board"], ["arena", "--boards"]):
        assert main([*words, "/dev/zero"]) == 2
        assert capsys.readouterr().err == (
            "mineproof: cannot read '/dev/zero': it is larger than 4 MiB\n"
        )


def test_an_overlong_corpus_line_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "long"
    corpus.write_text("9 9 10 0 0\n" + "0" * 10_000_000)
    assert main(["arena", "--boards", str(corpus)]) == 2
    assert "line 2: expected 22 hex digits for 9x9, got " in capsys.readouterr().err


@pytest.mark.parametrize(
    "error", [RecursionError("deep"), UnicodeError("odd"), OSError(11, "again"), KeyError("x")]
)
def test_an_internal_error_is_one_line_and_a_report_file(
    error: Exception,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(cli.cli, "main", broken)
    assert main(["agents"]) == 70
    shown = capsys.readouterr()
    (file,) = tmp_path.glob("mineproof-fault-*.txt")
    assert shown.err.count("\n") == 1
    assert "internal error (" in shown.err
    assert str(file) in shown.err
    assert "Report a bug" in shown.err
    assert "Traceback" not in shown.err + shown.out
    report = file.read_text()
    assert "Traceback (most recent call last)" in report
    assert "in broken" in report
    assert "engine: " in report


def test_an_internal_error_is_reported_even_if_the_file_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("x")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cli.cli, "main", broken)
    monkeypatch.setattr("tempfile.mkstemp", full)
    assert main(["agents"]) == 70
    assert "Details could not be written" in capsys.readouterr().err


def test_running_out_of_memory_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cli.cli, "main", broken)
    assert main(["agents"]) == 2
    assert capsys.readouterr().err == "mineproof: not enough memory for this command\n"


def test_a_lone_surrogate_is_written_as_an_escape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON can contain code points that no encoding can represent."""
    assert main(["play", "--level", "beginner", "--seed", "4", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    record["agent"] = "half \ud800 of one"
    game = tmp_path / "game.json"
    game.write_text(json.dumps(record))
    for more in ([], ["--svg", str(tmp_path / "a.svg")], ["--graphml", str(tmp_path / "a.xml")]):
        done = shell(f"{MINEPROOF} influence {game} {' '.join(more)}")
        assert (done.returncode, done.stderr) == (0, "")


OWN = """
from mineproof.agents import Decision
from mineproof.world.view import UNTOUCHED

class Own:
    def decide(self, view, **_):
        return Decision(view.cells(*UNTOUCHED)[0], "open", None, False, "the first")
"""


def in_a_deleted_folder(words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    gone = folder / "gone"
    return shell(f"mkdir {gone} && cd {gone} && rmdir {gone} && {MINEPROOF} {words}")


@pytest.mark.parametrize(
    "words",
    [
        "play --level beginner --plain --delay 0 --seed 1",
        "play --level beginner --agent own_module:Own --seed 1",
        "arena --games 4 --workers 2 --agents random,csp",
        "arena --games 2 --agents random,{folder}/own.py:Own",
        "generate --out {folder}/boards",
        "study run {folder}/small.toml --out {folder} --workers 1",
        "check-agent random --games 2",
        "engine < /dev/null",
        "agents",
    ],
)
def test_a_command_that_needs_no_working_directory_works_without_one(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("own", "own_module"):
        (tmp_path / f"{name}.py").write_text(OWN)
    (tmp_path / "small.toml").write_text("games = 2\n" + BLOCK.format("4x4/2"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = in_a_deleted_folder(words.format(folder=tmp_path), tmp_path)
    assert done.returncode == 0, done
    assert "fault of mineproof" not in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("play --level beginner --plain --delay 0 --save game.json", "cannot write 'game.json'"),
        ("play --agent own.py:Own", "cannot read 'own.py'"),
        ("play --agent nowhere_to_be_found:Own", "unknown agent or module 'nowhere_to_be_found'"),
        ("arena --games 2 --per-game games.csv", "cannot write 'games.csv'"),
        ("generate --out boards", "cannot write 'boards'"),
        ("study run levels --quick", "cannot write 'studies-quick/levels'"),
        ("serve --port 0", "the working directory was deleted: change to another one"),
    ],
)
def test_a_command_that_needs_a_working_directory_says_so(
    words: str, message: str, tmp_path: Path
) -> None:
    done = in_a_deleted_folder(words, tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done
    assert message in done.stderr
