"""What the documents say is true: code runs, pictures are the program's, commands exist."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from mineproof.cli import COMMANDS, main

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
CODE = [
    pytest.param(block, id=f"{path.name}-{number}")
    for path in DOCUMENTS
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", path.read_text(), re.S))
]


@pytest.mark.parametrize("block", CODE)
def test_python_in_the_documents_runs(block: str, tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(block)
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_in_the_documents_exist(path: Path) -> None:
    for line in re.findall(r"`mineproof ([a-z][^`]*)`", path.read_text()):
        words = shlex.split(line)
        assert words[0] in COMMANDS, line
        options = {word for word in words if word.startswith("--")}
        command = words[: 2 if words[0] == "study" and len(words) > 1 else 1]
        text = subprocess.run(
            [sys.executable, "-m", "mineproof", *command, "--help"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert all(option in text for option in options), line


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_in_the_documents_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
        assert (path.parent / target).exists(), target


def test_the_picture_is_what_the_program_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`mineproof play --level intermediate --on-mine continue --seed 18 --svg DIR --every 80`."""
    game = ["play", "--level", "intermediate", "--on-mine", "continue", "--seed", "18"]
    assert main([*game, "--svg", str(tmp_path), "--every", "80"]) == 0
    drawn = (tmp_path / "move-00080.svg").read_text()
    assert drawn == (ROOT / "docs" / "images" / "game.svg").read_text()


def test_the_odds_are_what_the_program_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`mineproof analyse docs/images/position.txt --svg FILE`."""
    position, drawn = ROOT / "docs" / "images" / "position.txt", tmp_path / "odds.svg"
    assert main(["analyse", str(position), "--svg", str(drawn)]) == 0
    assert drawn.read_text() == (ROOT / "docs" / "images" / "odds.svg").read_text()


def test_the_chain_of_influence_is_what_the_program_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`mineproof play --level beginner --agent csp --seed 3 --json`, then `influence --svg`."""
    game, drawn = tmp_path / "game.json", tmp_path / "influence.svg"
    assert main(["play", "--level", "beginner", "--agent", "csp", "--seed", "3", "--json"]) == 0
    game.write_text(capsys.readouterr().out)
    assert main(["influence", str(game), "--svg", str(drawn)]) == 0
    assert drawn.read_text() == (ROOT / "docs" / "images" / "influence.svg").read_text()


def test_the_excerpts_of_a_log_are_what_the_program_writes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = (ROOT / "docs" / "game.md").read_text()
    command = re.findall(r"`mineproof (play [^`]* --log -)`", document)[0]
    assert main(command.split()) == 0
    text = capsys.readouterr().out
    excerpts = re.findall(r"```log\n(.*?)```", document, re.S)
    assert len(excerpts) == 2
    assert all(excerpt in text for excerpt in excerpts)


def test_make_help_names_every_target() -> None:
    done = subprocess.run(
        ["make", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
    )
    for target in ("run", "test", "check", "sanitize", "bench"):
        assert f"make {target} " in done.stdout
